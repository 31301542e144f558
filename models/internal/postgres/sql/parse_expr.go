package sql

import (
	"slices"
	"strconv"
)

// expression is: OR over AND over NOT over IS over comparison over + over * over sign.
func (p *parser) expression() *Node {
	if p.depth++; p.depth > maxDepth {
		fail(ProgramLimitExceeded, p.peek().at, "a statement of the model nests at most %d expressions", maxDepth)
	}
	defer func() { p.depth-- }()
	n := p.conjunction()
	for p.isWord("or") {
		at := p.take().at
		n = &Node{Op: OpOr, at: at, Kids: []*Node{n, p.conjunction()}}
	}
	return n
}

func (p *parser) conjunction() *Node {
	n := p.negation()
	for p.isWord("and") {
		at := p.take().at
		n = &Node{Op: OpAnd, at: at, Kids: []*Node{n, p.negation()}}
	}
	return n
}

func (p *parser) negation() *Node {
	if p.isWord("not") {
		at := p.take().at
		return &Node{Op: OpNot, at: at, Kids: []*Node{p.negation()}}
	}
	n := p.comparison()
	for p.isWord("is") {
		at := p.take().at
		o := OpIsNull
		if p.takeWords("not") {
			o = OpIsNotNull
		}
		switch {
		case p.takeWords("null"):
			n = &Node{Op: o, at: at, Kids: []*Node{n}}
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
func isTruth(n *Node, v Value, o Op, at int) *Node {
	same := &Node{Op: OpEqual, at: at, Kids: []*Node{n, {Op: OpConst, Kind: Bool, Value: v}}}
	n = &Node{Op: OpCoalesce, at: at, Kids: []*Node{same, {Op: OpConst, Kind: Bool}}}
	if o == OpIsNotNull {
		n = &Node{Op: OpNot, at: at, Kids: []*Node{n}}
	}
	return n
}

var comparisons = map[string]Op{"=": OpEqual, "<>": OpDiffer, "!=": OpDiffer, "<": OpLess, "<=": OpLessEqual, ">": OpGreater, ">=": OpGreaterEqual}

func (p *parser) comparison() *Node {
	n := p.sum()
	for {
		t := p.peek()
		o, ok := comparisons[t.text]
		switch {
		case ok && t.kind == symbol:
			p.take()
			n = &Node{Op: o, at: t.at, Kids: []*Node{n, p.sum()}}
			if next := p.peek(); next.kind == symbol && comparisons[next.text] != 0 {
				p.unexpected() // a < b < c
			}
		case p.isInRange():
			if n = p.inRange(n); p.isInRange() {
				p.unexpected() // a in (b) in (c)
			}
		default:
			return n
		}
	}
}

// isInRange reports whether [NOT] IN or BETWEEN comes next.
func (p *parser) isInRange() bool {
	next := p.next
	p.takeWords("not")
	is := p.isWord("in") || p.isWord("between")
	p.next = next
	return is
}

// inRange is [NOT] IN and BETWEEN, in terms of comparisons.
func (p *parser) inRange(n *Node) *Node {
	if at := p.peek().at; p.takeWords("not") {
		return &Node{Op: OpNot, at: at, Kids: []*Node{p.inRange(n)}}
	}
	t := p.take()
	if t.text == "between" {
		low := p.sum()
		p.wantWords("and")
		return &Node{Op: OpAnd, at: t.at, Kids: []*Node{
			{Op: OpGreaterEqual, at: t.at, Kids: []*Node{n, low}},
			{Op: OpLessEqual, at: t.at, Kids: []*Node{p.copy(n), p.sum()}}}}
	}
	p.wantSymbol("(")
	if p.isWord("select") {
		q := p.subquery()
		p.wantSymbol(")")
		return &Node{Op: OpIn, Kind: Bool, at: t.at, Kids: []*Node{n}, Query: q}
	}
	list := p.list()
	p.wantSymbol(")")
	if len(list) == 1 && list[0].Op == OpScalar { // in parentheses of its own
		return &Node{Op: OpIn, Kind: Bool, at: t.at, Kids: []*Node{n}, Query: list[0].Query}
	}
	var any *Node
	for _, e := range list {
		same := &Node{Op: OpEqual, at: t.at, Kids: []*Node{p.copy(n), e}}
		if any == nil {
			any = same
		} else {
			any = &Node{Op: OpOr, at: t.at, Kids: []*Node{any, same}}
		}
	}
	return any
}

// subquery is a query between parentheses, the first of which has been taken.
func (p *parser) subquery() *Query {
	if p.plain {
		p.unsupported("a subquery in DEFAULT or CHECK")
	}
	if p.inside++; p.inside > MaxSubqueries {
		fail(ProgramLimitExceeded, p.peek().at, "a statement of the model nests at most %d subqueries", MaxSubqueries)
	}
	q := p.selectCore()
	p.inside--
	if p.isWord("union") || p.isWord("intersect") || p.isWord("except") {
		p.unsupported(p.peek().text + " in a subquery")
	}
	return q
}

// copy is a node that can be resolved on its own. A query in it is shared.
func (p *parser) copy(n *Node) *Node {
	if p.copies++; p.copies > maxCopies {
		fail(ProgramLimitExceeded, n.at, "an expression of the model has at most %d operands of IN and BETWEEN", maxCopies)
	}
	c := *n
	c.Kids = nil
	for _, k := range n.Kids {
		c.Kids = append(c.Kids, p.copy(k))
	}
	return &c
}

func (p *parser) list() []*Node {
	list := []*Node{p.expression()}
	for p.takeSymbol(",") {
		list = append(list, p.expression())
	}
	return list
}

func (p *parser) sum() *Node {
	n := p.product()
	for p.isSymbol("+") || p.isSymbol("-") {
		t := p.take()
		o := OpAdd
		if t.text == "-" {
			o = OpSubtract
		}
		n = &Node{Op: o, at: t.at, Kids: []*Node{n, p.product()}}
	}
	if p.isSymbol("||") {
		p.unsupported("||")
	}
	return n
}

func (p *parser) product() *Node {
	n := p.sign()
	for p.isSymbol("*") || p.isSymbol("/") || p.isSymbol("%") {
		t := p.take()
		o := map[string]Op{"*": OpMultiply, "/": OpDivide, "%": OpModulo}[t.text]
		n = &Node{Op: o, at: t.at, Kids: []*Node{n, p.sign()}}
	}
	return n
}

func (p *parser) sign() *Node {
	if p.isSymbol("-") {
		at := p.take().at
		return &Node{Op: OpNegate, at: at, Kids: []*Node{p.sign()}}
	}
	p.takeSymbol("+")
	n := p.primary()
	for p.takeSymbol("::") {
		n = p.cast(n)
	}
	return n
}

// cast is a conversion: of a literal, or one that changes nothing.
func (p *parser) cast(n *Node) *Node {
	at := p.peek().at
	kind, _ := p.typeName()
	if n.Op == OpConst && n.Kind == Unknown && n.Value != Null {
		p.coerce(n, kind, at)
		return n
	}
	return &Node{Op: opSame, Kind: kind, at: at, name: n.name, Kids: []*Node{n}}
}

func (p *parser) primary() *Node {
	t := p.take()
	switch t.kind {
	case number:
		v, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			fail(FeatureNotSupported, t.at, "the model has no number %s: integers only", t.text)
		}
		return &Node{Op: OpConst, Kind: Int, Value: Value(v), at: t.at, name: "?column?"}
	case quoted:
		return &Node{Op: OpConst, name: t.text, at: t.at}
	case named:
		if len(p.variables) > 0 && !slices.Contains(p.variables, t.text) {
			fail(UndefinedColumn, t.at, "there is no variable :%s", t.text)
		}
		return &Node{Op: OpParam, Argument: p.argument(t.text, t.at), at: t.at, name: t.text}
	case numbered:
		return &Node{Op: OpParam, Argument: p.argument(t.text, t.at), at: t.at, name: "?column?"}
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

func (p *parser) parenthesis(t token) *Node {
	if t.text != "(" {
		p.next--
		p.unexpected()
	}
	var n *Node
	switch {
	case p.isWord("select"):
		n = &Node{Op: OpScalar, at: t.at, Query: p.subquery()}
	case p.isWord("with"), p.isWord("values"):
		p.unsupported(p.peek().text + " in a subquery")
	default:
		n = p.expression()
	}
	if p.isSymbol(",") {
		p.unsupported("a row of several values")
	}
	p.wantSymbol(")")
	return n
}

// keyword is an expression that begins with a word that is not quoted.
func (p *parser) keyword(t token) *Node {
	switch t.text {
	case "null":
		return &Node{Op: OpConst, Value: Null, at: t.at}
	case "true", "false":
		return &Node{Op: OpConst, Kind: Bool, Value: Truth(t.text == "true"), at: t.at, name: "bool"}
	case "default":
		return &Node{Op: OpDefault, at: t.at}
	case "current_timestamp":
		return &Node{Op: OpNow, Kind: Timestamp, at: t.at, name: t.text}
	case "interval":
		if p.peek().kind == quoted {
			n := &Node{Op: OpConst, name: p.take().text, at: t.at}
			p.coerce(n, Interval, t.at)
			return n
		}
	case "case":
		return p.caseWhen(t.at)
	case "exists":
		p.wantSymbol("(")
		n := &Node{Op: OpExists, Kind: Bool, at: t.at, name: t.text, Query: p.subquery()}
		p.wantSymbol(")")
		return n
	case "any", "some", "all", "array", "row":
		if p.isSymbol("(") {
			p.unsupported(t.text + " (..)")
		}
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
func (p *parser) reference(t token) *Node {
	n := &Node{Op: opName, name: t.text, at: t.at}
	if p.takeSymbol(".") {
		n.qualifier = t.text
		if p.takeSymbol("*") {
			n.Op = opStar
			return n
		}
		n.name = p.name()
	}
	return n
}

func (p *parser) caseWhen(at int) *Node {
	n := &Node{Op: OpCase, at: at, name: "case"}
	if !p.isWord("when") {
		p.unsupported("CASE with an operand")
	}
	for p.takeWords("when") {
		n.Kids = append(n.Kids, p.expression())
		p.wantWords("then")
		n.Kids = append(n.Kids, p.expression())
	}
	last := &Node{Op: OpConst, Value: Null, at: at}
	if p.takeWords("else") {
		last = p.expression()
	}
	p.wantWords("end")
	n.Kids = append(n.Kids, last)
	return n
}

var functions = map[string]Op{"greatest": OpGreatest, "least": OpLeast, "coalesce": OpCoalesce, "now": OpNow, "clock_timestamp": OpClock,
	"transaction_timestamp": OpNow, "pg_advisory_xact_lock": OpLock, "pg_try_advisory_xact_lock": OpTryLock, "hashtext": opHash}

var aggregateNames = map[string]AggregateKind{"count": Count, "sum": Sum, "max": Maximum, "min": Minimum}

// call is the call of a function whose name has been taken.
func (p *parser) call(t token) *Node {
	n := &Node{at: t.at, name: t.text}
	p.wantSymbol("(")
	kind, isAggregate := aggregateNames[t.text]
	o, ok := functions[t.text]
	switch {
	case isAggregate && p.takeSymbol("*"):
		n.Op, n.Argument = OpAggregate, int(CountAll)
	case isAggregate:
		n.Op, n.Argument, n.Kids = OpAggregate, int(kind), []*Node{p.expression()}
	case !ok:
		fail(UndefinedFunction, t.at, "function %s does not exist in the model", t.text)
	default:
		n.Op = o
		if !p.isSymbol(")") {
			n.Kids = p.list()
		}
	}
	p.wantSymbol(")")
	return n
}
