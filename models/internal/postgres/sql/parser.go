package sql

import (
	"slices"
	"strconv"
)

// parser reads statements by recursive descent.
type parser struct {
	schema             *Schema
	text               string
	tokens             []token
	next               int
	variables          []string
	function           bool // names follow the rules of PL/pgSQL
	arguments          []string
	numbered           int
	kinds              []Kind // of the arguments, as far as known
	relations          int
	with               []*Relation
	aggregate          *Query // whose select list is being resolved
	reads              []int  // the parts that the present part reads
	inside             int    // how many subqueries the parser is inside of
	plain              bool   // subqueries are not allowed
	queriesOnce, joins int32
	copies             int
	depth              int
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != endOfText {
		p.next++
	}
	return t
}

func (p *parser) isWord(w string) bool {
	t := p.peek()
	return t.kind == word && t.bare && t.text == w
}

// takeWords takes all of the words if they come next.
func (p *parser) takeWords(words ...string) bool {
	for i, w := range words {
		if p.next+i >= len(p.tokens) {
			return false
		}
		if t := p.tokens[p.next+i]; t.kind != word || !t.bare || t.text != w {
			return false
		}
	}
	p.next += len(words)
	return true
}

func (p *parser) isSymbol(s string) bool {
	t := p.peek()
	return t.kind == symbol && t.text == s
}

func (p *parser) takeSymbol(s string) bool {
	if !p.isSymbol(s) {
		return false
	}
	p.next++
	return true
}

func (p *parser) wantWords(words ...string) {
	for _, w := range words {
		if !p.takeWords(w) {
			p.unexpected()
		}
	}
}

func (p *parser) wantSymbol(s string) {
	if !p.takeSymbol(s) {
		p.unexpected()
	}
}

func (p *parser) unexpected() {
	t := p.peek()
	if t.kind == endOfText {
		fail(SyntaxError, t.at, "syntax error at end of input")
	}
	fail(SyntaxError, t.at, "syntax error at or near %q", t.text)
}

// limitTokens refuses a statement that is too long.
func (p *parser) limitTokens() {
	for i, t := range p.tokens[p.next:] {
		switch {
		case t.kind == symbol && t.text == ";":
			return
		case i == maxTokens:
			fail(ProgramLimitExceeded, t.at, "a statement of the model has at most %d words and symbols", maxTokens)
		}
	}
}

// unsupported refuses what PostgreSQL has and this package has not.
func (p *parser) unsupported(what string) {
	fail(FeatureNotSupported, p.peek().at, "%s is not supported by the model", what)
}

// reserved are the keywords that are no names without double quotes.
var reserved = []string{"all", "and", "as", "case", "check", "constraint", "create", "default", "desc", "distinct", "else", "end", "except",
	"false", "for", "from", "group", "having", "in", "intersect", "into", "is", "limit", "not", "null", "offset", "on", "or", "order",
	"primary", "returning", "select", "then", "true", "union", "unique", "when", "where", "with", "using"}

// name takes the name of something.
func (p *parser) name() string {
	t := p.peek()
	if t.kind != word || t.bare && slices.Contains(reserved, t.text) {
		p.unexpected()
	}
	return p.take().text
}

// nameList is a list of names between parentheses.
func (p *parser) nameList() (names []string, at []int) {
	p.wantSymbol("(")
	for {
		at = append(at, p.peek().at)
		names = append(names, p.name())
		if !p.takeSymbol(",") {
			break
		}
	}
	p.wantSymbol(")")
	return names, at
}

// wantTable takes the name of a table that exists.
func (p *parser) wantTable() *Table {
	at := p.peek().at
	name := p.name()
	i := p.schema.Table(name)
	if i < 0 {
		fail(UndefinedTable, at, "relation %q does not exist", name)
	}
	return p.schema.Catalog().Tables[i]
}

// places are the places of columns in a table.
func (t *Table) places(names []string, at []int) []int {
	list := make([]int, len(names))
	for i, n := range names {
		if list[i] = t.column(n); list[i] < 0 {
			fail(UndefinedColumn, at[i], "column %q of relation %q does not exist", n, t.name)
		}
	}
	return list
}

// relation makes a relation of the statement.
func (p *parser) relation(name string, t *Table) *Relation {
	r := &Relation{Number: p.relations, name: name, Table: t}
	if p.relations++; p.relations > MaxRelations {
		fail(ProgramLimitExceeded, p.peek().at, "a statement of the model has at most %d tables", MaxRelations)
	}
	if t != nil {
		r.Columns = t.Columns
	}
	return r
}

// argument is the place of a named parameter among the arguments.
func (p *parser) argument(name string, at int) int {
	i := slices.Index(p.arguments, name)
	if i < 0 {
		i = len(p.arguments)
		if i == maxArguments {
			fail(ProgramLimitExceeded, at, "a statement of the model has at most %d parameters", maxArguments)
		}
		p.arguments = append(p.arguments, name)
		p.kinds = append(p.kinds, Unknown)
	}
	return i
}

// countNumbered makes $1 to the highest one the first arguments.
func (p *parser) countNumbered() {
	for _, t := range p.tokens {
		if t.kind != numbered {
			continue
		}
		n, err := strconv.Atoi(t.text[1:])
		if err != nil || n < 1 || n > maxArguments {
			fail(SyntaxError, t.at, "there is no parameter %s", t.text)
		}
		p.numbered = max(p.numbered, n)
	}
	for i := range p.numbered {
		p.argument("$"+strconv.Itoa(i+1), 0)
	}
}
