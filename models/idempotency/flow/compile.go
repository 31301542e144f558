package flow

import (
	"slices"
	"strings"
	"time"

	"fencepost/models/internal/postgres/sql"
)

// instruction is a step of a program. An action is one instruction: the task stays at it
// until the reply is there.
type instruction struct {
	do     does
	kind   ActionKind
	note   Note
	n      uint8 // of values
	into   uint8 // how many variables take the reply
	absent bool  // CacheSet: only if there is none
	to     int16 // jump, or catch: where it continues
	catch  int16 // the innermost catch around it; -1: none
	index  int16 // of a statement or a word
	// Expressions; -1: none. condition is also what is assigned, amount also a status.
	condition, key, value, amount, lifetime int16
	values                                  [MaxValues]int16
	names                                   [MaxValues]int8
	least, most                             time.Duration
}

type does uint8

const (
	stop   does = iota // the end of a program, which nothing reaches
	ask                // an action
	set                // names[0] = condition
	jump               // to
	unless             // jump if condition is not true
	again              // raise the last error once more
)

// catch is one clause of a try.
type catch struct {
	states []sql.Code // none: every error
	to     int16
	outer  int16 // where an error goes that it does not catch; -1: out of the handler
}

// compiler turns the tree into a program and checks names and statements on the way.
type compiler struct {
	*lexer
	program  *Program
	file     *file
	kind     Handler
	names    []string // variables of the handler
	clock    []bool   // which of them hold a clock reading
	catch    int16    // around what is compiled
	loops    []loopState
	finals   []finalState
	handling int  // how many catch are around, which raise needs
	fetching int  // how many for are
	broken   bool // the schema is; SQL is not checked
	full     bool // a limit is exceeded, once
}

type loopState struct {
	breaks    []int // jumps to where it ends
	continues []int
	finals    int // how many finally are around it
}

// finalState is a finally, and the catch around it.
type finalState struct {
	body     block
	catch    int16
	loops    int // how many are around it
	fetching int
}

const none = -1

func newCompiler(name, source string, l *lexer, f *file) *compiler {
	return &compiler{lexer: l, file: f, catch: none, program: &Program{
		Name: name, About: about(source), Params: DefaultParams(), Schema: sql.NewSchema(),
		code: []instruction{{}},
	}}
}

// about is the comment that a text begins with.
func about(source string) string {
	var lines []string
	for line := range strings.Lines(source) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// emit appends an instruction and returns where it is.
func (c *compiler) emit(in instruction) int {
	if len(c.program.code) >= MaxInstructions {
		if !c.full {
			c.bad(c.token.at, "the flow has more than %d instructions", MaxInstructions)
		}
		c.full = true
		return 0
	}
	in.catch = c.catch
	c.program.code = append(c.program.code, in)
	return len(c.program.code) - 1
}

// here is where the next instruction will be.
func (c *compiler) here() int16 { return int16(len(c.program.code)) }

// land lets jumps continue here.
func (c *compiler) land(jumps ...int) {
	for _, j := range jumps {
		c.program.code[j].to = c.here()
	}
}

func (c *compiler) block(b block) {
	for i, s := range b {
		if c.full {
			return
		}
		s.compile(c)
		if at, ok := leaves(s); ok && i+1 < len(b) {
			c.bad(at, "what follows is never reached")
		}
	}
}

// leaves reports whether no statement behind this one in its block is reached.
func leaves(s statement) (at int, ok bool) {
	switch s := s.(type) {
	case *act:
		return s.at, s.kind.Ends()
	case *leave:
		return s.at, true
	case *raise:
		return s.at, true
	}
	return 0, false
}

func (c *compiler) handler(h handler) {
	c.kind, c.names, c.clock, c.catch = h.kind, nil, nil, none
	if h.kind == Every {
		c.program.Period = h.period
	}
	c.program.entry[h.kind] = c.here()
	c.block(h.body)
	c.emit(action(Return))
	// What no catch wants ends here: the task rolls back, as a connection pool does.
	c.program.failure[h.kind] = c.here()
	if h.kind == Request {
		in := action(Answer)
		in.amount = c.node(node{op: constant, value: 500})
		c.emit(in)
		return
	}
	c.emit(action(Return))
}

// declare is the slot of a variable; the first time a name is used it gets one.
func (c *compiler) declare(id ident) int8 {
	if id.text == "" {
		return 0
	}
	if _, _, ok := given(id.text); ok {
		c.bad(id.at, "%s is given and cannot be set", id.text)
		return 0
	}
	if i := slices.Index(c.names, id.text); i >= 0 {
		return int8(i)
	}
	if len(c.names) == MaxVariables {
		c.bad(id.at, "the handler has more than %d variables", MaxVariables)
		return 0
	}
	c.names = append(c.names, id.text)
	c.clock = append(c.clock, false)
	return int8(len(c.names) - 1)
}

func (a *assign) compile(c *compiler) {
	value, clock := c.expression(a.value)
	if !a.declare && a.name.text != "" && !slices.Contains(c.names, a.name.text) {
		if _, _, ok := given(a.name.text); !ok {
			c.bad(a.name.at, "no variable %s%s", a.name.text, nearest(a.name.text, c.names))
		}
	}
	slot := c.declare(a.name)
	if int(slot) < len(c.clock) {
		c.clock[slot] = c.clock[slot] || clock
	}
	in := instruction{do: set, condition: value}
	in.names[0] = slot
	c.emit(in)
}

func (b *branch) compile(c *compiler) {
	condition, _ := c.expression(b.condition)
	test := c.emit(instruction{do: unless, condition: condition})
	c.block(b.then)
	if b.other == nil {
		c.land(test)
		return
	}
	over := c.emit(instruction{do: jump})
	c.land(test)
	c.block(b.other)
	c.land(over)
}

func (l *loop) compile(c *compiler) {
	if !l.body.pauses() {
		c.bad(l.at, "the loop does nothing that takes time and never ends")
	}
	c.loops = append(c.loops, loopState{finals: len(c.finals)})
	top := c.here()
	c.block(l.body)
	c.land(c.last().continues...)
	c.emit(instruction{do: jump, to: top})
	c.endLoop()
}

func (c *compiler) last() *loopState { return &c.loops[len(c.loops)-1] }

func (c *compiler) endLoop() {
	c.land(c.last().breaks...)
	c.loops = c.loops[:len(c.loops)-1]
}

// compile lets the body run for each row: the first is in the reply to the query, the others
// are fetched. Any other statement would end the result, as it does on a connection without a cursor.
func (f *forEach) compile(c *compiler) {
	in, ok := c.query(f.query)
	if !ok {
		return
	}
	c.emit(in)
	found, _ := c.expression(&expression{op: named, text: "found"})
	top := c.here()
	rest := c.emit(instruction{do: unless, condition: found})
	c.loops = append(c.loops, loopState{finals: len(c.finals)})
	c.fetching++
	c.block(f.body)
	c.fetching--
	c.land(c.last().continues...)
	in.kind = Fetch
	c.emit(in)
	c.emit(instruction{do: jump, to: top})
	c.land(rest)
	c.endLoop()
}

func (l *leave) compile(c *compiler) {
	if len(c.loops) == 0 {
		c.bad(l.at, "break or continue outside a loop")
		return
	}
	c.leave(c.last().finals)
	j := c.emit(instruction{do: jump})
	if l.again {
		c.last().continues = append(c.last().continues, j)
	} else {
		c.last().breaks = append(c.last().breaks, j)
	}
}

// leave compiles the bodies of finally that are left, all but the outer ones.
func (c *compiler) leave(outer int) {
	finals, loops, around, fetching := c.finals, c.loops, c.catch, c.fetching
	for i := len(finals) - 1; i >= outer; i-- {
		f := finals[i]
		c.finals, c.loops, c.catch, c.fetching = finals[:i], loops[:f.loops], f.catch, f.fetching
		c.block(finals[i].body)
	}
	c.finals, c.loops, c.catch, c.fetching = finals, loops, around, fetching
}

func (t *try) compile(c *compiler) {
	outer := c.catch
	if t.finally != nil {
		c.finals = append(c.finals, finalState{t.finally, outer, len(c.loops), c.fetching})
	}
	around := outer
	var first int16 = none
	if t.finally != nil {
		around = c.clause(nil, outer)
	}
	cleanup := around
	// The clauses are asked in their order, so the last is made first.
	for i := len(t.catches) - 1; i >= 0; i-- {
		around = c.clause(t.catches[i].states, around)
	}
	first = around
	c.catch = first
	c.block(t.body)
	c.catch = cleanup
	done := []int{c.emit(instruction{do: jump})}
	for i := range t.catches {
		// Clause i was made after those behind it.
		c.program.catches[int(first)-i].to = c.here()
		c.handling++
		c.block(t.catches[i].body)
		c.handling--
		done = append(done, c.emit(instruction{do: jump}))
	}
	c.catch = outer
	if t.finally != nil {
		c.finals = c.finals[:len(c.finals)-1]
		c.program.catches[cleanup].to = c.here()
		c.block(t.finally)
		c.emit(instruction{do: again})
	}
	c.land(done...)
	c.block(t.finally)
}

func (c *compiler) clause(states []sql.Code, outer int16) int16 {
	c.program.catches = append(c.program.catches, catch{states: states, outer: outer})
	return int16(len(c.program.catches) - 1)
}

func (r *raise) compile(c *compiler) {
	if c.handling == 0 {
		c.bad(r.at, "raise outside a catch")
	}
	c.emit(instruction{do: again})
}
