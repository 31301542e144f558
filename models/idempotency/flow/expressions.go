package flow

import "fencepost/models/internal/postgres/sql"

// expression reads or; and, not, comparisons, sums, products and signs bind tighter, in
// this order, as in SQL.
func (p *parser) expression() *expression {
	if p.depth++; p.depth > maxDepth {
		p.bad(p.token.at, "an expression is nested deeper than %d", maxDepth)
		p.next = len(p.text)
		p.advance()
	}
	defer func() { p.depth-- }()
	e := p.conjunction()
	for p.token.is("or") {
		e = &expression{at: p.advance().at, op: or, left: e, right: p.conjunction()}
	}
	return e
}

func (p *parser) conjunction() *expression {
	e := p.negation()
	for p.token.is("and") {
		e = &expression{at: p.advance().at, op: and, left: e, right: p.negation()}
	}
	return e
}

func (p *parser) negation() *expression {
	if !p.token.is("not") {
		return p.comparison()
	}
	at := p.advance().at
	if p.depth++; p.depth > maxDepth {
		p.depth--
		return p.comparison()
	}
	e := &expression{at: at, op: not, left: p.negation()}
	p.depth--
	return e
}

// comparison writes each as equal or less: a >= b is not a < b.
func (p *parser) comparison() *expression {
	a := p.sum()
	t := p.token
	binary := func(op operator, negated, swapped bool) *expression {
		p.advance()
		e := &expression{at: t.at, op: op, left: a, right: p.sum()}
		if swapped {
			e.left, e.right = e.right, e.left
		}
		if negated {
			e = &expression{at: t.at, op: not, left: e}
		}
		return e
	}
	switch {
	case t.is("="):
		return binary(equal, false, false)
	case t.is("<>"), t.is("!="):
		return binary(equal, true, false)
	case t.is("<"):
		return binary(less, false, false)
	case t.is(">"):
		return binary(less, false, true)
	case t.is(">="):
		return binary(less, true, false)
	case t.is("<="):
		return binary(less, true, true)
	case t.is("is"):
		p.advance()
		e := &expression{at: t.at, op: isNull, left: a}
		if p.token.is("not") {
			p.advance()
			e = &expression{at: t.at, op: not, left: e}
		}
		p.want("null")
		return e
	}
	return a
}

func (p *parser) sum() *expression {
	e := p.product()
	for p.token.is("+") || p.token.is("-") {
		t := p.advance()
		op := add
		if t.text == "-" {
			op = subtract
		}
		e = &expression{at: t.at, op: op, left: e, right: p.product()}
	}
	return e
}

func (p *parser) product() *expression {
	e := p.primary()
	for p.token.is("*") || p.token.is("/") {
		t := p.advance()
		op := multiply
		if t.text == "/" {
			op = divide
		}
		e = &expression{at: t.at, op: op, left: e, right: p.primary()}
	}
	return e
}

func (p *parser) primary() *expression {
	t := p.token
	e := &expression{at: t.at, value: t.value}
	switch {
	case t.kind == aNumber || t.kind == aDuration || t.kind == aState:
	case t.kind == aText:
		e.op, e.text = textual, t.text
	case t.is("null"):
		e.value = sql.Null
	case t.is("true"):
		e.value = 1
	case t.is("false"):
	case t.is("("):
		p.advance()
		e = p.expression()
		p.want(")")
		return e
	case t.is("-"):
		p.advance()
		if p.token.kind == aNumber || p.token.kind == aDuration {
			e.value = -p.advance().value
			return e
		}
		if p.depth++; p.depth <= maxDepth {
			e.op, e.left = negate, p.primary()
		}
		p.depth--
		return e
	case t.is(":"): // as in SQL
		p.advance()
		e.op, e.text = named, p.name("a variable").text
		return e
	case t.kind == aWord:
		e.op, e.text = named, p.name("a variable").text
		if e.text == "" {
			p.advance()
		}
		return e
	default:
		p.bad(t.at, "want a value, got %s", t)
		return e
	}
	p.advance()
	return e
}
