package postgres

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// typeOf finds the kind of a node whose kids have theirs.
func (p *parser) typeOf(n *node) {
	switch n.op {
	case opNegate, opMultiply, opDivide, opModulo, opAdd, opSubtract:
		p.typeOfArithmetic(n)
	case opEqual, opDiffer, opLess, opLessEqual, opGreater, opGreaterEqual:
		k := p.unify(n.kids[0], n.kids[1], n.at)
		if k == Text && n.op != opEqual && n.op != opDiffer {
			fail(FeatureNotSupported, n.at, "the model does not order texts")
		}
		n.kind = Bool
	case opAnd, opOr, opNot:
		for _, k := range n.kids {
			p.coerce(k, Bool, k.at)
		}
		n.kind = Bool
	case opIsNull, opIsNotNull:
		n.kind = Bool
	case opCase:
		p.typeOfCase(n)
	case opGreatest, opLeast, opCoalesce:
		p.unifyAll(n, n.kids)
	case opNow, opClock:
		n.kind = Timestamp
	case opLock, opTryLock:
		p.wantArguments(n, 1)
		p.coerce(n.kids[0], Int, n.at)
		if n.kind = Void; n.op == opTryLock {
			n.kind = Bool
		}
	case opHash:
		p.wantArguments(n, 1)
		p.coerce(n.kids[0], Text, n.at)
		n.kind = Int
	case opSame:
		p.typeOfSame(n)
	}
}

func (p *parser) wantArguments(n *node, count int) {
	if len(n.kids) != count {
		fail(UndefinedFunction, n.at, "function %s with %d arguments does not exist in the model", n.name, len(n.kids))
	}
}

// typeOfSame is a cast or a renamed column.
func (p *parser) typeOfSame(n *node) {
	k := n.kids[0]
	switch {
	case n.kind == Unknown:
		n.kind = k.kind
	case k.kind == Unknown:
		p.coerce(k, n.kind, n.at)
	case k.kind != n.kind && !(k.kind == Bool && n.kind == Int):
		fail(FeatureNotSupported, n.at, "the model does not convert %v to %v", k.kind, n.kind)
	}
}

func (p *parser) typeOfCase(n *node) {
	var results []*node
	for i := 0; i+1 < len(n.kids); i += 2 {
		p.coerce(n.kids[i], Bool, n.kids[i].at)
		results = append(results, n.kids[i+1])
	}
	p.unifyAll(n, append(results, n.kids[len(n.kids)-1]))
}

// unifyAll gives all of a list one kind, which is that of the node.
func (p *parser) unifyAll(n *node, list []*node) {
	for range 2 { // what is known of the last one is news for the first
		for _, k := range list {
			if n.kind == Unknown {
				n.kind = k.kind
			}
			p.coerce(k, n.kind, k.at)
		}
	}
}

// unify gives two operands one kind.
func (p *parser) unify(a, b *node, at int) Kind {
	if a.kind == Unknown {
		p.coerce(a, b.kind, at)
	}
	p.coerce(b, a.kind, at)
	if a.kind == Unknown && (a.isLiteral() || b.isLiteral()) {
		p.coerce(a, Text, at)
		p.coerce(b, Text, at)
	}
	return a.kind
}

// isLiteral reports whether an expression of unknown kind is made of string literals.
func (n *node) isLiteral() bool {
	return n.op == opConst && n.kind == Unknown && n.value != Null || n.kind == Unknown && n.query == nil && slices.ContainsFunc(n.kids, (*node).isLiteral)
}

// settle makes texts of the string literals in a result of unknown kind.
func (p *parser) settle(list []*node) {
	for _, n := range list {
		if n.isLiteral() {
			p.coerce(n, Text, n.at)
		}
	}
}

// typeOfArithmetic also knows timestamps: less one another, and plus or minus intervals.
func (p *parser) typeOfArithmetic(n *node) {
	if n.op == opNegate {
		if n.kind = n.kids[0].kind; n.kind == Unknown {
			p.coerce(n.kids[0], Int, n.at)
			n.kind = Int
		}
		return
	}
	a, b := n.kids[0], n.kids[1]
	additive := n.op == opAdd || n.op == opSubtract
	switch {
	case additive && a.kind == Timestamp && b.kind != Timestamp:
		p.coerce(b, Interval, n.at)
		n.kind = Timestamp
	case n.op == opAdd && b.kind == Timestamp:
		p.coerce(a, Interval, n.at)
		n.kind = Timestamp
	case n.op == opSubtract && b.kind == Timestamp:
		p.coerce(a, Timestamp, n.at)
		n.kind = Interval
	case !additive && a.kind == Interval:
		p.coerce(b, Int, n.at)
		n.kind = Interval
	case n.op == opMultiply && b.kind == Interval:
		p.coerce(a, Int, n.at)
		n.kind = Interval
	default:
		if n.kind = p.unify(a, b, n.at); n.kind == Unknown {
			p.coerce(a, Int, n.at)
			n.kind = p.unify(a, b, n.at)
		}
		if n.kind != Int && n.kind != Interval {
			fail(UndefinedFunction, n.at, "operator does not exist: %v and %v", a.kind, b.kind)
		}
	}
}

// coerce gives an expression a kind: a literal is read as one, a parameter becomes one,
// and anything else must be of it.
func (p *parser) coerce(n *node, k Kind, at int) {
	switch {
	case k == Unknown || n.kind == k:
	case n.kind != Unknown:
		fail(UndefinedFunction, at, "%v is needed, and this is %v", k, n.kind)
	case n.op == opConst && n.value != Null:
		n.value, n.kind = p.literal(n.name, k, at), k
		n.name = "?column?"
	case n.op == opParam:
		if before := p.kinds[n.argument]; before != Unknown && before != k {
			fail(DatatypeMismatch, at, "parameter %s is %v and %v", p.arguments[n.argument], before, k)
		}
		p.kinds[n.argument], n.kind = k, k
	default:
		n.kind = k
		for i, kid := range n.kids {
			if n.op != opCase || i%2 == 1 || i == len(n.kids)-1 { // not the conditions
				p.coerce(kid, k, at)
			}
		}
	}
}

// literal is the value of a string literal of a kind.
func (p *parser) literal(text string, k Kind, at int) Value {
	switch k {
	case Text:
		return p.schema.Text(text)
	case Int:
		if v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			return Value(v)
		}
	case Bool:
		switch strings.ToLower(text) {
		case "t", "true", "on", "yes", "1":
			return 1
		case "f", "false", "off", "no", "0":
			return 0
		}
	case Interval:
		if v, ok := parseInterval(text); ok {
			return v
		}
	case Timestamp:
		for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02", time.RFC3339Nano} {
			if t, err := time.Parse(layout, text); err == nil {
				return Value(t.UnixNano())
			}
		}
	}
	fail(InvalidTextRepresentation, at, "invalid input syntax for type %v: %q", k, text)
	return 0
}

var units = map[string]time.Duration{"us": time.Microsecond, "microsecond": time.Microsecond, "ms": time.Millisecond,
	"millisecond": time.Millisecond, "msec": time.Millisecond, "s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hour": time.Hour, "d": 24 * time.Hour, "day": 24 * time.Hour}

// longest is the longest interval, so that a sum of some with an instant is one.
const longest = 50 * 365 * 24 * time.Hour

// parseInterval reads '10 s', '300ms', '1 hour 30 minutes'. A number alone is seconds.
func parseInterval(text string) (Value, bool) {
	rest, total, any := strings.TrimSpace(text), Value(0), false
	for rest != "" {
		digits := spanOf(rest, 0, func(c byte) bool { return digit(c) || c == '-' })
		n, err := strconv.ParseInt(rest[:digits], 10, 64)
		rest = strings.TrimLeft(rest[digits:], " ")
		letters := spanOf(rest, 0, letter)
		name := strings.ToLower(rest[:letters])
		unit, ok := units[name]
		if !ok {
			unit, ok = units[strings.TrimSuffix(name, "s")]
		}
		if name == "" {
			unit, ok = time.Second, true
		}
		if err != nil || !ok || n > int64(longest/unit) || n < -int64(longest/unit) {
			return 0, false
		}
		if total, any = total+Value(n)*Value(unit), true; total > Value(longest) || total < -Value(longest) {
			return 0, false
		}
		rest = strings.TrimSpace(rest[letters:])
	}
	return total, any
}
