package flow

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"fencepost/internal/text"
)

// Parse reads a flow: declarations, then handlers.
//
//	create table orders (id serial primary key, key int unique);
//	effect orders;
//	on request {
//	  insert into orders (key) values (:key) on conflict do nothing returning id -> order;
//	  answer 201, order;
//	}
//
// The error joins all mistakes, each a *[Problem], at most 20; see [Problems].
func Parse(name, source string) (*Program, error) {
	if len(source) > MaxText {
		return nil, errors.Join(&Problem{Line: 1, Column: 1, Message: "the text is longer than 64 KB"})
	}
	p := parser{lexer: lexer{text: source}}
	p.advance()
	f := p.file()
	c := newCompiler(name, source, &p.lexer, f)
	c.compile()
	if len(p.problems) > 0 {
		return nil, joined(p.problems)
	}
	return c.program, nil
}

func joined(problems []*Problem) error {
	slices.SortStableFunc(problems, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var list []error
	for _, p := range problems[:min(len(problems), maxProblems)] {
		list = append(list, p)
	}
	return errors.Join(list...)
}

// file is a flow as it is written.
type file struct {
	tables       []*query // create table, create index, insert
	declarations []declaration
	handlers     []handler
	asWritten    bool // SQL that PostgreSQL refuses fails when it runs
	plpgsql      bool // SQL may use variables without a colon
}

// declaration is effect, conserve, fold, recovery, ordered or watch.
type declaration struct {
	what    string
	columns []column
}

// column is a table, and one of its columns if column.text is not empty.
type column struct{ table, column ident }

type handler struct {
	at     int
	kind   Handler
	period time.Duration
	body   block
}

// parser builds the tree. Whatever it meets it continues behind it, so that all mistakes
// are reported.
type parser struct {
	lexer
	depth int
}

// topWords begin a declaration or a handler.
var topWords = []string{"create", "insert", "effect", "conserve", "fold", "recovery", "ordered", "watch", "as", "plpgsql", "on", "every"}

func (p *parser) file() *file {
	f := &file{}
	for p.token.kind != theEnd {
		at := p.next
		switch t := p.token; {
		case t.is("create") || t.is("insert"):
			if q, ok := p.sql(); ok {
				f.tables = append(f.tables, q)
			}
		case t.is("effect") || t.is("conserve") || t.is("fold") || t.is("recovery") || t.is("ordered") || t.is("watch"):
			f.declarations = append(f.declarations, p.declaration())
		case t.is("as"):
			p.advance()
			f.asWritten = p.want("written")
			p.semicolon()
		case t.is("plpgsql"):
			p.advance()
			f.plpgsql = true
			p.semicolon()
		case t.is("on") || t.is("every"):
			p.handler(f)
		default:
			p.bad(t.at, "want a declaration or a handler, got %s%s", t, nearest(t.text, topWords))
			p.skip()
		}
		if p.next == at { // a brace that nothing opened
			p.advance()
		}
	}
	return f
}

func (p *parser) declaration() declaration {
	d := declaration{what: p.advance().text}
	for {
		var c column
		c.table = p.name("a table")
		if d.what != "effect" && (d.what != "ordered" || p.token.is(".")) {
			p.want(".")
			c.column = p.name("a column")
		}
		d.columns = append(d.columns, c)
		if !p.token.is("+") && !p.token.is(",") {
			break
		}
		p.advance()
	}
	p.semicolon()
	return d
}

func (p *parser) handler(f *file) {
	h := handler{at: p.token.at, kind: Request}
	if p.advance().text == "every" {
		h.kind = Every
		t := p.token
		if h.period = time.Duration(t.value); t.kind != aDuration || h.period < time.Millisecond {
			p.bad(t.at, "want a period as 100ms, of at least 1ms, got %s", t)
		}
		p.advance()
	} else {
		switch t := p.advance(); t.text {
		case "request":
		case "event":
			h.kind = Event
		default:
			p.bad(t.at, "want on request or on event, got %s%s", t, nearest(t.text, []string{"request", "event"}))
		}
	}
	h.body = p.block()
	for _, other := range f.handlers {
		if other.kind == h.kind {
			p.bad(h.at, "there is a handler %s already", h.kind)
		}
	}
	f.handlers = append(f.handlers, h)
}

func (p *parser) block() block {
	var b block
	if p.depth++; p.depth > maxDepth {
		p.bad(p.token.at, "blocks are nested deeper than %d", maxDepth)
		p.next = len(p.text)
		p.advance()
	}
	defer func() { p.depth-- }()
	if !p.want("{") {
		p.skip()
		return nil
	}
	for !p.token.is("}") && p.token.kind != theEnd {
		at := p.token.at
		if s := p.statement(); s != nil {
			b = append(b, s)
		}
		if p.token.at == at {
			p.advance()
		}
	}
	p.want("}")
	return b
}

// want takes a symbol or a word.
func (p *parser) want(s string) bool {
	if p.token.is(s) {
		p.advance()
		return true
	}
	p.bad(p.token.at, "want %s, got %s", s, p.token)
	return false
}

// semicolon ends a statement; what stands before it and does not belong there is passed.
func (p *parser) semicolon() {
	if !p.want(";") {
		p.skip()
	}
}

// skip goes behind the next semicolon or block, or before the end of this one.
func (p *parser) skip() {
	for depth := 0; p.token.kind != theEnd; {
		switch t := p.token; {
		case t.is("{"):
			depth++
		case t.is("}"):
			if depth--; depth < 0 {
				return
			}
			if depth == 0 {
				p.advance()
				return
			}
		case t.is(";") && depth == 0:
			p.advance()
			return
		}
		p.advance()
	}
}

func (p *parser) name(what string) ident {
	t := p.token
	if t.kind != aWord || slices.Contains(reserved, t.text) {
		p.bad(t.at, "want the name of %s, got %s", what, t)
		return ident{t.at, ""}
	}
	p.advance()
	return ident{t.at, t.text}
}

// sql captures a statement verbatim up to its semicolon. The names behind -> are taken off.
func (p *parser) sql() (*query, bool) {
	q := &query{at: p.token.at}
	i, depth, arrow := q.at, 0, -1
	for i < len(p.text) && p.text[i] != ';' {
		switch b := p.text[i]; {
		case comment(p.text, i):
			i = lineEnd(p.text, i)
			continue
		case b == '\'':
			i += quoted(p.text[i:])
			continue
		case b == '(':
			depth++
		case b == ')':
			depth--
		case b == '{' || b == '}':
			p.bad(q.at, "the statement has no semicolon before %c", b)
			p.next = i
			p.advance()
			return q, false
		case depth == 0 && arrow < 0 && strings.HasPrefix(p.text[i:], "->"):
			arrow = i
		}
		i++
	}
	q.end = i
	if arrow >= 0 {
		q.end = arrow
		p.next = arrow + len("->")
		p.advance()
		q.into = p.names()
	} else {
		p.next = i
		p.advance()
	}
	p.semicolon()
	return q, true
}

func (p *parser) names() []ident {
	list := []ident{p.name("a variable")}
	for p.token.is(",") {
		p.advance()
		list = append(list, p.name("a variable"))
	}
	return list
}

// into is an optional "-> names" of at most n.
func (p *parser) into(n int) []ident {
	if !p.token.is("->") {
		return nil
	}
	at := p.advance().at
	list := p.names()
	if len(list) > n {
		p.bad(at, "want at most %d names, got %d", n, len(list))
	}
	return list
}

// nearest is a suggestion, as " (did you mean request?)", or nothing.
func nearest(got string, words []string) string {
	if w := text.Nearest(got, words); w != "" && w != got {
		return " (did you mean " + w + "?)"
	}
	return ""
}
