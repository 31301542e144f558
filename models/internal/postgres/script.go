package postgres

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// Script is a schedule: statements of several sessions in an order, with what is expected
// of them. The same text can be run against a server.
//
// It begins with a line that has an identifier and a claim behind a #, and statements for
// the initial rows, each ended by a semicolon, up to a line of three hyphens. Then each
// line is a step, "A: statement;", "A: disconnect", "after lock_timeout" or "after
// deadlock_timeout" (time passes until something that waits has ended), and the indented
// lines below it are its outcome: "INSERT 0 1 (2)", "ERROR 40001", "waits", and for
// sessions that have waited "B: UPDATE 1". A session has a capital letter. Further lines
// that begin with # are remarks; one that begins with "# with" declares the variables of a
// PL/pgSQL function, whose statements the steps are: "# with p_key text = 'k', n int = 1".
type Script struct {
	Title     string // the claim, with its identifier
	Setup     string
	Variables []Variable
	Steps     []Step
}

// Variable is a variable of PL/pgSQL.
type Variable struct{ Name, Type, Value string }

// Step is one step of a script.
type Step struct {
	Line    int      // in the text, from 1
	Session string   // a capital letter; empty for time that passes
	Text    string   // the statement, or what else happens
	Expect  []string // outcome; nil for none given
}

// Line is a step with what it resulted in.
type Line struct {
	Step
	Got []string // the outcome of the statement, then those of statements that have waited
}

// Met reports whether the outcome is the expected one, if there is one. The order in
// which several sessions that have waited end is free: on a server it is a race.
func (l Line) Met() bool {
	got, want := slices.Clone(l.Got), slices.Clone(l.Expect)
	slices.Sort(got)
	slices.Sort(want)
	return l.Expect == nil || slices.Equal(got, want)
}

// ParseScript reads a schedule.
func ParseScript(text string) (*Script, error) {
	s := &Script{}
	setup, found := []string{}, false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
		case strings.HasPrefix(trimmed, "#"):
			if err := s.remark(strings.TrimSpace(trimmed[1:])); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		case trimmed == "---":
			found = true
		case !found:
			setup = append(setup, line)
		case line != strings.TrimLeft(line, " \t"):
			if len(s.Steps) == 0 {
				return nil, fmt.Errorf("line %d: an outcome without a step", i+1)
			}
			last := &s.Steps[len(s.Steps)-1]
			last.Expect = append(last.Expect, trimmed)
		default:
			step, err := parseStep(trimmed, i+1)
			if err != nil {
				return nil, err
			}
			s.Steps = append(s.Steps, step)
		}
	}
	if !found {
		return nil, fmt.Errorf("no line --- ends the initial statements")
	}
	s.Setup = strings.Join(setup, "\n")
	return s, nil
}

// remark is a line behind #: the first one is the title.
func (s *Script) remark(text string) error {
	list, ok := strings.CutPrefix(text, "with ")
	switch {
	case s.Title == "":
		s.Title = text
	case ok:
		for _, one := range strings.Split(list, ",") {
			declared, value, ok := strings.Cut(one, "=")
			f := strings.Fields(declared)
			if !ok || len(f) != 2 {
				return fmt.Errorf("%q is not: name type = value", one)
			}
			s.Variables = append(s.Variables, Variable{f[0], f[1], strings.TrimSpace(value)})
		}
	}
	return nil
}

func parseStep(line string, number int) (Step, error) {
	if line == "after lock_timeout" || line == "after deadlock_timeout" {
		return Step{Line: number, Text: line}, nil
	}
	session, text, ok := strings.Cut(line, ": ")
	if !ok || len(session) != 1 || session[0] < 'A' || session[0] > 'Z' {
		return Step{}, fmt.Errorf("line %d: %q is neither a statement of a session nor time that passes", number, line)
	}
	return Step{Line: number, Session: session, Text: strings.TrimSuffix(strings.TrimSpace(text), ";")}, nil
}

// Run executes a schedule on a new database whose clock advances by a millisecond with
// each step. An error is one of the schedule: a statement in a session that waits, or an
// initial statement that fails.
func (s *Script) Run() ([]Line, error) {
	schema := sql.NewSchema()
	if err := Create(schema, s.Setup); err != nil {
		return nil, err
	}
	p := &player{script: s, schema: schema, db: NewDB(schema, Options{Sessions: 26}), now: 1_000_000_000}
	var lines []Line
	for _, step := range s.Steps {
		got, err := p.step(step)
		if err != nil {
			return lines, fmt.Errorf("line %d: %w", step.Line, err)
		}
		lines = append(lines, Line{step, got})
		p.now = p.now.Add(1e6)
	}
	return lines, nil
}

// player is a script that runs.
type player struct {
	script  *Script
	schema  *sql.Schema
	db      DB
	now     sim.Wall
	running [26]*sql.Statement // the last statement of each session
	wait    [26]uint32         // the wait that is not over; 0 for none
	timeout [26]bool           // it has a lock_timeout
}

func (p *player) step(step Step) ([]string, error) {
	if step.Session == "" {
		return p.pass(step.Text == "after lock_timeout"), nil
	}
	session := int(step.Session[0] - 'A')
	if step.Text == "disconnect" {
		p.db.Disconnect(p.now, session)
		p.wait[session] = 0
		return p.drain(nil), nil
	}
	if p.wait[session] != 0 {
		return nil, fmt.Errorf("session %s waits", step.Session)
	}
	st, err := p.prepare(step.Text)
	if e, ok := err.(*sql.Error); ok {
		return p.refuse(session, e), nil
	}
	args, err := p.arguments(st)
	if err != nil {
		return nil, err
	}
	var r Result
	p.db.Exec(p.now, session, st, args, &r)
	p.running[session] = st
	return p.drain([]string{p.outcome(session, &r)}), nil
}

// prepare compiles a statement, as one of a function if there are variables.
func (p *player) prepare(text string) (*sql.Statement, error) {
	var names []string
	for _, v := range p.script.Variables {
		names = append(names, v.Name)
	}
	if names == nil {
		return p.schema.Prepare(text)
	}
	return p.schema.PrepareFunction(text, names...)
}

// arguments are the values of the variables that a statement uses.
func (p *player) arguments(st *sql.Statement) ([]sql.Value, error) {
	args := make([]sql.Value, len(st.Arguments))
	for i, name := range st.Arguments {
		at := slices.IndexFunc(p.script.Variables, func(v Variable) bool { return v.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no variable %q", name)
		}
		v := p.script.Variables[at].Value
		n, err := strconv.ParseInt(v, 10, 64)
		switch {
		case v == "null":
			args[i] = sql.Null
		case err == nil:
			args[i] = sql.Value(n)
		default:
			args[i] = p.schema.Text(strings.Trim(v, "'"))
		}
	}
	return args, nil
}

// refuse is a statement that the server does not accept: an error in the transaction too.
func (p *player) refuse(session int, e *sql.Error) []string {
	code := p.db.Refuse(p.now, session, e.Code)
	return p.drain([]string{"ERROR " + code.String()})
}

// pass lets time pass until something that waits has ended.
func (p *player) pass(lockTimeout bool) []string {
	for _, i := range slices.Clone(p.db.queue) { // who waits longest is first
		session, wait := int(i), p.wait[i]
		switch {
		case lockTimeout && p.timeout[session]:
			p.db.LockTimeout(p.now, session, wait)
		case !lockTimeout:
			p.db.CheckDeadlock(p.now, session, wait)
		}
		if got := p.drain(nil); len(got) > 0 {
			return got
		}
	}
	return nil
}

// drain adds the outcomes of statements that have waited.
func (p *player) drain(got []string) []string {
	var r Result
	for {
		session, ok := p.db.Next(&r)
		if !ok {
			return got
		}
		if !r.Waits {
			got = append(got, string(rune('A'+session))+": "+p.outcome(session, &r))
			continue
		}
		p.wait[session] = r.Wait
	}
}

// outcome is the result of a statement as the schedule writes it.
func (p *player) outcome(session int, r *Result) string {
	p.wait[session], p.timeout[session] = 0, r.Timeout > 0
	if r.Waits {
		p.wait[session] = r.Wait
		return "waits"
	}
	if r.Code != sql.OK {
		return "ERROR " + r.Code.String()
	}
	var b strings.Builder
	b.WriteString(r.Tag.String())
	switch r.Tag {
	case sql.TagInsert:
		b.WriteString(" 0 " + strconv.Itoa(int(r.Rows)))
	case sql.TagSelect, sql.TagUpdate, sql.TagDelete:
		b.WriteString(" " + strconv.Itoa(int(r.Rows)))
	}
	for p.db.Fetch(session, r) {
		b.WriteString(" (")
		for i, v := range r.Row[:r.Columns] {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.schema.FormatValue(v, p.running[session].ColumnKinds()[i]))
		}
		b.WriteString(")")
	}
	return b.String()
}
