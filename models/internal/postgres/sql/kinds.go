package sql

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// typeOf finds the kind of a node whose kids have theirs.
func (p *parser) typeOf(n *Node) {
	switch n.Op {
	case OpNegate, OpMultiply, OpDivide, OpModulo, OpAdd, OpSubtract:
		p.typeOfArithmetic(n)
	case OpEqual, OpDiffer, OpLess, OpLessEqual, OpGreater, OpGreaterEqual:
		k := p.unify(n.Kids[0], n.Kids[1], n.at)
		if k == Text && n.Op != OpEqual && n.Op != OpDiffer {
			fail(FeatureNotSupported, n.at, "the model does not order texts")
		}
		n.Kind = Bool
	case OpAnd, OpOr, OpNot:
		for _, k := range n.Kids {
			p.coerce(k, Bool, k.at)
		}
		n.Kind = Bool
	case OpIsNull, OpIsNotNull:
		n.Kind = Bool
	case OpCase:
		p.typeOfCase(n)
	case OpGreatest, OpLeast, OpCoalesce:
		p.unifyAll(n, n.Kids)
	case OpNow, OpClock:
		n.Kind = Timestamp
	case OpLock, OpTryLock:
		p.wantArguments(n, 1)
		p.coerce(n.Kids[0], Int, n.at)
		if n.Kind = Void; n.Op == OpTryLock {
			n.Kind = Bool
		}
	case opHash:
		p.wantArguments(n, 1)
		p.coerce(n.Kids[0], Text, n.at)
		n.Kind = Int
	case opSame:
		p.typeOfSame(n)
	}
}

func (p *parser) wantArguments(n *Node, count int) {
	if len(n.Kids) != count {
		fail(UndefinedFunction, n.at, "function %s with %d arguments does not exist in the model", n.name, len(n.Kids))
	}
}

// typeOfSame is a cast or a renamed column.
func (p *parser) typeOfSame(n *Node) {
	k := n.Kids[0]
	switch {
	case n.Kind == Unknown:
		n.Kind = k.Kind
	case k.Kind == Unknown:
		p.coerce(k, n.Kind, n.at)
	case k.Kind != n.Kind && !(k.Kind == Bool && n.Kind == Int):
		fail(FeatureNotSupported, n.at, "the model does not convert %v to %v", k.Kind, n.Kind)
	}
}

func (p *parser) typeOfCase(n *Node) {
	var results []*Node
	for i := 0; i+1 < len(n.Kids); i += 2 {
		p.coerce(n.Kids[i], Bool, n.Kids[i].at)
		results = append(results, n.Kids[i+1])
	}
	p.unifyAll(n, append(results, n.Kids[len(n.Kids)-1]))
}

// unifyAll gives all of a list one kind, which is that of the node.
func (p *parser) unifyAll(n *Node, list []*Node) {
	for range 2 { // what is known of the last one is news for the first
		for _, k := range list {
			if n.Kind == Unknown {
				n.Kind = k.Kind
			}
			p.coerce(k, n.Kind, k.at)
		}
	}
}

// unify gives two operands one kind.
func (p *parser) unify(a, b *Node, at int) Kind {
	if a.Kind == Unknown {
		p.coerce(a, b.Kind, at)
	}
	p.coerce(b, a.Kind, at)
	if a.Kind == Unknown && (a.isLiteral() || b.isLiteral()) {
		p.coerce(a, Text, at)
		p.coerce(b, Text, at)
	}
	return a.Kind
}

// isLiteral reports whether an expression of unknown kind is made of string literals.
func (n *Node) isLiteral() bool {
	return n.Op == OpConst && n.Kind == Unknown && n.Value != Null || n.Kind == Unknown && n.Query == nil && slices.ContainsFunc(n.Kids, (*Node).isLiteral)
}

// settle makes texts of the string literals in a result of unknown kind.
func (p *parser) settle(list []*Node) {
	for _, n := range list {
		if n.isLiteral() {
			p.coerce(n, Text, n.at)
		}
	}
}

// typeOfArithmetic also knows timestamps: less one another, and plus or minus intervals.
func (p *parser) typeOfArithmetic(n *Node) {
	if n.Op == OpNegate {
		if n.Kind = n.Kids[0].Kind; n.Kind == Unknown {
			p.coerce(n.Kids[0], Int, n.at)
			n.Kind = Int
		}
		return
	}
	a, b := n.Kids[0], n.Kids[1]
	additive := n.Op == OpAdd || n.Op == OpSubtract
	switch {
	case additive && a.Kind == Timestamp && b.Kind != Timestamp:
		p.coerce(b, Interval, n.at)
		n.Kind = Timestamp
	case n.Op == OpAdd && b.Kind == Timestamp:
		p.coerce(a, Interval, n.at)
		n.Kind = Timestamp
	case n.Op == OpSubtract && b.Kind == Timestamp:
		p.coerce(a, Timestamp, n.at)
		n.Kind = Interval
	case !additive && a.Kind == Interval:
		p.coerce(b, Int, n.at)
		n.Kind = Interval
	case n.Op == OpMultiply && b.Kind == Interval:
		p.coerce(a, Int, n.at)
		n.Kind = Interval
	default:
		if n.Kind = p.unify(a, b, n.at); n.Kind == Unknown {
			p.coerce(a, Int, n.at)
			n.Kind = p.unify(a, b, n.at)
		}
		if n.Kind != Int && n.Kind != Interval {
			fail(UndefinedFunction, n.at, "operator does not exist: %v and %v", a.Kind, b.Kind)
		}
	}
}

// coerce gives an expression a kind: a literal is read as one, a parameter becomes one,
// and anything else must be of it.
func (p *parser) coerce(n *Node, k Kind, at int) {
	switch {
	case k == Unknown || n.Kind == k:
	case n.Kind != Unknown:
		fail(UndefinedFunction, at, "%v is needed, and this is %v", k, n.Kind)
	case n.Op == OpConst && n.Value != Null:
		n.Value, n.Kind = p.literal(n.name, k, at), k
		n.name = "?column?"
	case n.Op == OpParam:
		if before := p.kinds[n.Argument]; before != Unknown && before != k {
			fail(DatatypeMismatch, at, "parameter %s is %v and %v", p.arguments[n.Argument], before, k)
		}
		p.kinds[n.Argument], n.Kind = k, k
	case n.Op == OpScalar:
		n.Kind = k
		p.coerce(n.Query.Items[0], k, at)
	default:
		n.Kind = k
		for i, kid := range n.Kids {
			if n.Op != OpCase || i%2 == 1 || i == len(n.Kids)-1 { // not the conditions
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
