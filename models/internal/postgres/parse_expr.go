package postgres

import (
	"slices"
	"strconv"
)

// expression is: OR over AND over NOT over IS over comparison over + over * over sign.
func (p *parser) expression() *node {
	n := p.conjunction()
	for p.isWord("or") {
		at := p.take().at
		n = &node{op: opOr, at: at, kids: []*node{n, p.conjunction()}}
	}
	return n
}

func (p *parser) conjunction() *node {
	n := p.negation()
	for p.isWord("and") {
		at := p.take().at
		n = &node{op: opAnd, at: at, kids: []*node{n, p.negation()}}
	}
	return n
}

func (p *parser) negation() *node {
	if p.isWord("not") {
		at := p.take().at
		return &node{op: opNot, at: at, kids: []*node{p.negation()}}
	}
	n := p.comparison()
	for p.isWord("is") {
		at := p.take().at
		o := opIsNull
		if p.takeWords("not") {
			o = opIsNotNull
		}
		switch {
		case p.takeWords("null"):
			n = &node{op: o, at: at, kids: []*node{n}}
		case p.takeWords("true"):
			n = isTruth(n, 1, o, at)
		case p.takeWords("false"):
			n = isTruth(n, 0, o, at)
		default:
			p.unsupported("this form of IS")
		}
	}
	return n
}

// isTruth is IS [NOT] TRUE or FALSE: never null.
func isTruth(n *node, v Value, o op, at int) *node {
	same := &node{op: opEqual, at: at, kids: []*node{n, {op: opConst, kind: Bool, value: v}}}
	n = &node{op: opCoalesce, at: at, kids: []*node{same, {op: opConst, kind: Bool}}}
	if o == opIsNotNull {
		n = &node{op: opNot, at: at, kids: []*node{n}}
	}
	return n
}

var comparisons = map[string]op{"=": opEqual, "<>": opDiffer, "!=": opDiffer, "<": opLess, "<=": opLessEqual, ">": opGreater, ">=": opGreaterEqual}

func (p *parser) comparison() *node {
	n := p.sum()
	for {
		t := p.peek()
		o, ok := comparisons[t.text]
		switch {
		case ok && t.kind == symbol:
			p.take()
			n = &node{op: o, at: t.at, kids: []*node{n, p.sum()}}
		case p.isWord("in"), p.isWord("between"):
			n = p.inRange(n)
		case p.isWord("not") && p.next+1 < len(p.tokens) && (p.tokens[p.next+1].text == "in" || p.tokens[p.next+1].text == "between"):
			p.take()
			n = &node{op: opNot, at: t.at, kids: []*node{p.inRange(n)}}
		default:
			return n
		}
	}
}

// inRange is IN (list) and BETWEEN, in terms of comparisons.
func (p *parser) inRange(n *node) *node {
	t := p.take()
	if t.text == "between" {
		low := p.sum()
		p.wantWords("and")
		return &node{op: opAnd, at: t.at, kids: []*node{
			{op: opGreaterEqual, at: t.at, kids: []*node{n, low}},
			{op: opLessEqual, at: t.at, kids: []*node{n.copy(), p.sum()}}}}
	}
	p.wantSymbol("(")
	if p.isWord("select") {
		p.unsupported("IN (SELECT ..)")
	}
	var any *node
	for _, e := range p.list() {
		same := &node{op: opEqual, at: t.at, kids: []*node{n.copy(), e}}
		if any == nil {
			any = same
		} else {
			any = &node{op: opOr, at: t.at, kids: []*node{any, same}}
		}
	}
	p.wantSymbol(")")
	return any
}

// copy is a node that can be resolved on its own.
func (n *node) copy() *node {
	c := *n
	c.kids = nil
	for _, k := range n.kids {
		c.kids = append(c.kids, k.copy())
	}
	return &c
}

func (p *parser) list() []*node {
	list := []*node{p.expression()}
	for p.takeSymbol(",") {
		list = append(list, p.expression())
	}
	return list
}

func (p *parser) sum() *node {
	n := p.product()
	for p.isSymbol("+") || p.isSymbol("-") {
		t := p.take()
		o := opAdd
		if t.text == "-" {
			o = opSubtract
		}
		n = &node{op: o, at: t.at, kids: []*node{n, p.product()}}
	}
	if p.isSymbol("||") {
		p.unsupported("||")
	}
	return n
}

func (p *parser) product() *node {
	n := p.sign()
	for p.isSymbol("*") || p.isSymbol("/") || p.isSymbol("%") {
		t := p.take()
		o := map[string]op{"*": opMultiply, "/": opDivide, "%": opModulo}[t.text]
		n = &node{op: o, at: t.at, kids: []*node{n, p.sign()}}
	}
	return n
}

func (p *parser) sign() *node {
	if p.isSymbol("-") {
		at := p.take().at
		return &node{op: opNegate, at: at, kids: []*node{p.sign()}}
	}
	p.takeSymbol("+")
	n := p.primary()
	for p.takeSymbol("::") {
		n = p.cast(n)
	}
	return n
}

// cast is a conversion: of a literal, or one that changes nothing.
func (p *parser) cast(n *node) *node {
	at := p.peek().at
	kind, _ := p.typeName()
	if n.op == opConst && n.kind == Unknown && n.value != Null {
		p.coerce(n, kind, at)
		return n
	}
	return &node{op: opSame, kind: kind, at: at, name: n.name, kids: []*node{n}}
}

func (p *parser) primary() *node {
	t := p.take()
	switch t.kind {
	case number:
		v, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			fail(FeatureNotSupported, t.at, "the model has no number %s: integers only", t.text)
		}
		return &node{op: opConst, kind: Int, value: Value(v), at: t.at, name: "?column?"}
	case quoted:
		return &node{op: opConst, name: t.text, at: t.at}
	case named:
		if len(p.variables) > 0 && !slices.Contains(p.variables, t.text) {
			fail(UndefinedColumn, t.at, "there is no variable :%s", t.text)
		}
		return &node{op: opParam, argument: p.argument(t.text, t.at), at: t.at, name: t.text}
	case numbered:
		return &node{op: opParam, argument: p.argument(t.text, t.at), at: t.at, name: "?column?"}
	case symbol:
		return p.parenthesis(t)
	case word:
		if t.bare {
			return p.keyword(t)
		}
		return p.reference(t)
	}
	p.next = slices.IndexFunc(p.tokens, func(o token) bool { return o.at == t.at })
	p.unexpected()
	return nil
}

func (p *parser) parenthesis(t token) *node {
	if t.text != "(" {
		p.next--
		p.unexpected()
	}
	var n *node
	if p.isWord("select") {
		n = &node{op: opScalar, at: t.at, query: p.selectCore()}
	} else {
		n = p.expression()
	}
	p.wantSymbol(")")
	return n
}

// keyword is an expression that begins with a word that is not quoted.
func (p *parser) keyword(t token) *node {
	switch t.text {
	case "null":
		return &node{op: opConst, value: Null, at: t.at}
	case "true", "false":
		return &node{op: opConst, kind: Bool, value: truth(t.text == "true"), at: t.at, name: "bool"}
	case "default":
		return &node{op: opDefault, at: t.at}
	case "current_timestamp":
		return &node{op: opNow, kind: Timestamp, at: t.at, name: t.text}
	case "interval":
		if p.peek().kind == quoted {
			n := &node{op: opConst, name: p.take().text, at: t.at}
			p.coerce(n, Interval, t.at)
			return n
		}
	case "case":
		return p.caseWhen(t.at)
	case "exists":
		p.wantSymbol("(")
		n := &node{op: opExists, kind: Bool, at: t.at, name: t.text, query: p.selectCore()}
		p.wantSymbol(")")
		return n
	case "cast":
		p.wantSymbol("(")
		n := p.expression()
		p.wantWords("as")
		n = p.cast(n)
		p.wantSymbol(")")
		return n
	}
	if p.isSymbol("(") {
		return p.call(t)
	}
	if slices.Contains(reserved, t.text) {
		p.next--
		p.unexpected()
	}
	return p.reference(t)
}

// reference is the name of a column or of a variable.
func (p *parser) reference(t token) *node {
	n := &node{op: opName, name: t.text, at: t.at}
	if p.takeSymbol(".") {
		n.qualifier = t.text
		if p.takeSymbol("*") {
			n.op = opStar
			return n
		}
		n.name = p.name()
	}
	return n
}

func (p *parser) caseWhen(at int) *node {
	n := &node{op: opCase, at: at, name: "case"}
	if !p.isWord("when") {
		p.unsupported("CASE with an operand")
	}
	for p.takeWords("when") {
		n.kids = append(n.kids, p.expression())
		p.wantWords("then")
		n.kids = append(n.kids, p.expression())
	}
	last := &node{op: opConst, value: Null, at: at}
	if p.takeWords("else") {
		last = p.expression()
	}
	p.wantWords("end")
	n.kids = append(n.kids, last)
	return n
}

var functions = map[string]op{"greatest": opGreatest, "least": opLeast, "coalesce": opCoalesce, "now": opNow, "clock_timestamp": opClock,
	"transaction_timestamp": opNow, "pg_advisory_xact_lock": opLock, "pg_try_advisory_xact_lock": opTryLock, "hashtext": opHash}

var aggregateNames = map[string]aggregateKind{"count": count, "sum": sum, "max": maximum, "min": minimum}

// call is the call of a function whose name has been taken.
func (p *parser) call(t token) *node {
	n := &node{at: t.at, name: t.text}
	p.wantSymbol("(")
	kind, isAggregate := aggregateNames[t.text]
	o, ok := functions[t.text]
	switch {
	case isAggregate && p.takeSymbol("*"):
		n.op, n.argument = opAggregate, int(countAll)
	case isAggregate:
		n.op, n.argument, n.kids = opAggregate, int(kind), []*node{p.expression()}
	case !ok:
		fail(UndefinedFunction, t.at, "function %s does not exist in the model", t.text)
	default:
		n.op = o
		if !p.isSymbol(")") {
			n.kids = p.list()
		}
	}
	p.wantSymbol(")")
	return n
}
