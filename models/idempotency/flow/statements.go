package flow

import (
	"slices"
	"time"

	"fencepost/models/internal/postgres/sql"
)

// sqlWords begin an SQL statement.
var sqlWords = []string{"begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release", "set", "select", "insert", "update", "delete", "with"}

// flowWords begin a statement of the language.
var flowWords = []string{"let", "if", "loop", "break", "continue", "try", "raise", "for", "cache", "charge", "lookup", "publish", "work", "sleep", "note",
	"answer", "ack", "return"}

// reserved words are no names.
var reserved = slices.Concat(sqlWords, flowWords, []string{"else", "catch", "finally", "in", "null", "true", "false", "and", "or", "not", "is", "on", "every"})

func (p *parser) statement() statement {
	t := p.token
	switch {
	case t.kind == aWord && slices.Contains(sqlWords, t.text):
		if q, ok := p.sql(); ok {
			return q
		}
		return nil
	case t.kind == aWord && slices.Contains(flowWords, t.text):
		p.advance()
		return p.flowStatement(t)
	case t.kind == aWord && !slices.Contains(reserved, t.text):
		return p.assignment(t)
	}
	p.bad(t.at, "want a statement, got %s", t)
	p.skip()
	return nil
}

func (p *parser) assignment(t token) statement {
	p.advance()
	if !p.token.is("=") {
		p.bad(t.at, "want a statement, got %s%s", t, nearest(t.text, slices.Concat(flowWords, sqlWords)))
		p.skip()
		return nil
	}
	p.advance()
	a := &assign{name: ident{t.at, t.text}, value: p.expression()}
	p.semicolon()
	return a
}

// flowStatement is a statement of the language behind its first word.
func (p *parser) flowStatement(t token) statement {
	switch t.text {
	case "let":
		a := &assign{name: p.name("a variable"), declare: true}
		p.want("=")
		a.value = p.expression()
		p.semicolon()
		return a
	case "if":
		return p.branch()
	case "loop":
		return &loop{t.at, p.block()}
	case "break", "continue":
		p.semicolon()
		return &leave{t.at, t.text == "continue"}
	case "try":
		return p.try()
	case "raise":
		p.semicolon()
		return &raise{t.at}
	case "for":
		return p.forEach()
	}
	a := p.action(t)
	if a != nil {
		p.semicolon()
		return a
	}
	return nil
}

func (p *parser) branch() statement {
	b := &branch{condition: p.expression(), then: p.block()}
	if p.token.is("else") {
		p.advance()
		if !p.token.is("if") {
			b.other = p.block()
			return b
		}
		p.advance()
		if p.depth++; p.depth > maxDepth {
			p.bad(p.token.at, "more than %d times else if", maxDepth)
			p.next = len(p.text)
			p.advance()
		}
		b.other = block{p.branch()}
		p.depth--
	}
	return b
}

func (p *parser) try() statement {
	t := &try{body: p.block()}
	for p.token.is("catch") {
		p.advance()
		c := clause{}
		for p.token.kind == aNumber || p.token.kind == aState {
			s := p.advance()
			code, ok := sql.ParseCode(s.text)
			if !ok || code == sql.OK {
				p.bad(s.at, "%s is no SQLSTATE that can occur%s", s, nearest(s.text, codes()))
			}
			c.states = append(c.states, code)
			if !p.token.is(",") {
				break
			}
			p.advance()
		}
		c.body = p.block()
		t.catches = append(t.catches, c)
	}
	if p.token.is("finally") {
		p.advance()
		t.finally = append(block{}, p.block()...)
	}
	if t.catches == nil && t.finally == nil {
		p.bad(p.token.at, "try without catch and finally")
	}
	return t
}

func (p *parser) forEach() statement {
	f := &forEach{}
	names := p.names()
	p.want("in")
	if !p.token.is("select") && !p.token.is("with") && !p.token.is("delete") && !p.token.is("update") && !p.token.is("insert") {
		p.bad(p.token.at, "want an SQL statement that returns rows, got %s", p.token)
		p.skip()
		return nil
	}
	q, ok := p.sql()
	if !ok {
		return nil
	}
	if q.into != nil {
		p.bad(q.into[0].at, "the names stand before in")
	}
	q.into, f.query = names, q
	f.body = p.block()
	return f
}

// action is an action behind its first word.
func (p *parser) action(t token) statement {
	a := &act{at: t.at}
	switch t.text {
	case "cache":
		return p.cache(a)
	case "charge":
		a.kind, a.amount = Charge, p.expression()
		p.want("key")
		a.key = p.expression()
		a.into = p.into(2)
	case "lookup":
		p.want("key")
		a.kind, a.key = Lookup, p.expression()
		a.into = p.into(1)
	case "publish":
		a.kind, a.key = Publish, p.expression()
		p.want(",")
		a.amount = p.expression()
	case "work":
		a.kind = Work
	case "sleep":
		a.kind = Sleep
		p.sleep(a)
	case "note":
		a.kind = NoteMade
		p.note(a)
	case "answer":
		a.kind, a.amount = Answer, p.expression()
		if p.token.is(",") {
			p.advance()
			a.value = p.expression()
		}
	case "ack":
		a.kind = Ack
	case "return":
		a.kind = Return
	}
	return a
}

// cache reads cache get order:key -> v; cache set lock:key owner nx px lock_ttl -> ok;
// cache del lock:key; cache delif lock:key owner.
func (p *parser) cache(a *act) statement {
	commands := []string{"get", "set", "del", "delif"}
	i := slices.Index(commands, p.token.text)
	if i < 0 {
		p.bad(p.token.at, "want cache get, set, del or delif, got %s%s", p.token, nearest(p.token.text, commands))
		p.skip()
		return nil
	}
	a.kind = CacheGet + ActionKind(i)
	p.advance()
	a.word = p.token.text
	if p.token.kind != aWord {
		p.bad(p.token.at, "want the first word of a key, got %s", p.token)
	}
	p.advance()
	for p.token.is(":") {
		at := p.advance().at
		a.values = append(a.values, p.primary())
		if len(a.values) > MaxKey {
			p.bad(at, "a key in the cache has at most %d values", MaxKey)
		}
	}
	if a.kind == CacheSet || a.kind == CacheDelIf {
		a.value = p.expression()
	}
	if a.kind == CacheSet && p.token.is("nx") {
		p.advance()
		a.absent = true
	}
	if a.kind == CacheSet && p.token.is("px") {
		p.advance()
		a.lifetime = p.expression()
	}
	a.into = p.into(1)
	return a
}

// sleep reads sleep poll; sleep 50ms; or sleep 0s..80ms;
func (p *parser) sleep(a *act) {
	at := p.token.at
	a.value = p.expression()
	if !p.token.is("..") {
		return
	}
	p.advance()
	most := p.token
	p.advance()
	if a.value.op != constant || most.kind != aDuration || most.value < a.value.value || a.value.value < 0 {
		p.bad(at, "want a range of durations as 0s..80ms")
		return
	}
	a.least, a.most = time.Duration(a.value.value), time.Duration(most.value)
	a.value = nil
}

func (p *parser) note(a *act) {
	words := noteNames[1:]
	i := slices.Index(words, p.token.text)
	if i < 0 {
		p.bad(p.token.at, "no note named %s%s", p.token, nearest(p.token.text, words))
	}
	a.note = Note(i + 1)
	p.advance()
}

// codes are the SQLSTATEs that can be caught.
func codes() []string {
	var list []string
	for c := sql.OK + 1; c <= sql.ProgramLimitExceeded; c++ {
		list = append(list, c.String())
	}
	return list
}
