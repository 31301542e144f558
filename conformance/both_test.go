package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fencepost/models/internal/postgres"
)

// both is a server and a model that get the same schedule.
type both struct {
	t       testing.TB
	server  *database
	script  postgres.Script
	lines   []line
	waits   map[string]bool // sessions that wait
	used    map[string]bool
	planted *strings.Replacer // what the model alone is told differently
}

// line is a step with what it led to on both.
type line struct {
	step          postgres.Step
	server, model []string
	waited        int // sessions that waited before it
}

// agrees reports whether both did the same, and what the schedule expects, if it does.
func (l line) agrees() bool {
	return slices.Equal(l.server, l.model) && (l.step.Expect == nil || slices.Equal(l.server, normal(l.step, l.step.Expect)))
}

func newBoth(t testing.TB, name string) *both {
	return &both{t: t, server: newDatabase(t, name), planted: strings.NewReplacer()}
}

func (b *both) begin(setup string, variables ...postgres.Variable) {
	b.script = postgres.Script{Setup: b.planted.Replace(setup), Variables: variables}
	b.lines, b.waits, b.used = nil, map[string]bool{}, map[string]bool{}
	b.server.begin(setup)
}

// step runs a step on both, and waits for a deadlock that it leads to. It reports whether
// they agree.
func (b *both) step(s postgres.Step) bool {
	b.used[s.Session] = true
	if !b.run(s) {
		return false
	}
	if len(b.waiting()) < 2 {
		return true
	}
	after := postgres.Step{Text: "after deadlock_timeout"}
	if !b.server.deadlocked() && len(b.model(after)) == 0 {
		return true
	}
	return b.run(after)
}

// run runs a step on both and reports whether they agree.
func (b *both) run(s postgres.Step) bool {
	l := line{step: s, model: b.model(s), server: b.server.play(s, b.script.Variables), waited: len(b.waiting())}
	b.script.Steps = append(b.script.Steps, s)
	b.lines = append(b.lines, l)
	for _, outcome := range l.server {
		switch session, _, others := strings.Cut(outcome, ": "); {
		case others:
			b.waits[session] = false
		case s.Session != "":
			b.waits[s.Session] = outcome == "waits"
		}
	}
	if s.Text == "disconnect" {
		b.waits[s.Session] = false
	}
	return l.agrees()
}

func (b *both) waiting() (list []string) {
	for session, waits := range b.waits {
		if waits {
			list = append(list, session)
		}
	}
	return list
}

// model is what a further step leads to in the model.
func (b *both) model(s postgres.Step) []string {
	script := b.script
	script.Steps = append(slices.Clip(script.Steps), s)
	lines, err := script.Run()
	if err != nil {
		return []string{err.Error()}
	}
	return normal(s, lines[len(lines)-1].Got)
}

// play runs a step on the server.
func (d *database) play(s postgres.Step, variables []postgres.Variable) []string {
	var letter byte
	var ended []result
	switch {
	case s.Session == "":
		ended = d.expire()
	case s.Text == "disconnect":
		letter = s.Session[0]
		d.disconnect(letter)
		ended = d.settle()
	default:
		letter = s.Session[0]
		ended = d.run(letter, inFunction(variables, s.Text))
	}
	return normal(s, outcomes(letter, ended, d))
}

// inFunction is a statement as the body of a function of PL/pgSQL that has the variables,
// and that returns its outcome as text.
func inFunction(variables []postgres.Variable, sql string) string {
	tag := map[string]string{"select": "SELECT ", "insert": "INSERT 0 ", "update": "UPDATE ", "delete": "DELETE "}[strings.Fields(sql)[0]]
	if len(variables) == 0 || tag == "" {
		return sql
	}
	var declare strings.Builder
	for _, v := range variables {
		fmt.Fprintf(&declare, "%s %s := %s;", v.Name, v.Type, v.Value)
	}
	return fmt.Sprintf(`create or replace function pg_temp.f() returns text language plpgsql as $$
declare %s fencepost_row record; fencepost_rows int := 0; fencepost_text text := '';
begin
	for fencepost_row in %s loop
		fencepost_rows := fencepost_rows + 1;
		fencepost_text := fencepost_text || ' ' || replace(fencepost_row::text, ',', ', ');
	end loop;
	return '%s' || fencepost_rows || fencepost_text;
end $$;
select pg_temp.f() as %s`, declare.String(), strings.TrimSuffix(sql, ";"), tag, ofFunction)
}

// outcomes are the lines below a step: that of its statement, and those of statements that
// have waited.
func outcomes(letter byte, ended []result, d *database) (list []string) {
	if s := d.sessions[letter]; s != nil && s.running {
		list = append(list, "waits")
	}
	for _, r := range ended {
		if r.session == letter {
			list = append(list, r.outcome)
		} else {
			list = append(list, fmt.Sprintf("%c: %s", r.session, r.outcome))
		}
	}
	return list
}

// attempts is how often a schedule may run until both agree. A server does what no schedule
// says: of several sessions that one commit wakes any may be first, and on a busy machine a
// timeout may elapse in the midst. What the model does has to be among what the server does.
const attempts = 40

// disagree reports whether no attempt has an end on which both agree.
func disagree(attempts int, attempt func() (agree bool)) bool {
	for range attempts {
		if attempt() {
			return false
		}
	}
	return true
}

// normal puts what has no order into one: rows of statements without ORDER BY, and
// outcomes of several sessions that go on at once.
func normal(s postgres.Step, outcomes []string) []string {
	var own, others []string
	for _, o := range outcomes {
		if session, rest, ok := strings.Cut(o, ": "); ok && len(session) == 1 {
			others = append(others, session+": "+sortRows(rest))
		} else if ordered(s.Text) {
			own = append(own, o)
		} else {
			own = append(own, sortRows(o))
		}
	}
	slices.Sort(others)
	return append(own, others...)
}

// ordered reports whether a statement has an ORDER BY outside its subqueries.
func ordered(text string) bool {
	depth := 0
	for i := range text {
		switch {
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], "order by"):
			return true
		}
	}
	return false
}

func sortRows(outcome string) string {
	tag, rows, ok := strings.Cut(outcome, " (")
	if !ok {
		return outcome
	}
	list := strings.Split(strings.TrimSuffix(rows, ")"), ") (")
	slices.Sort(list)
	return tag + " (" + strings.Join(list, ") (") + ")"
}

// serializable reports whether the schedule has a serializable transaction.
func (b *both) serializable() bool {
	return slices.ContainsFunc(b.lines, func(l line) bool { return strings.HasSuffix(l.step.Text, "serializable") })
}

// excused reports why the last difference is none of the model's promises; it is empty if
// there is no such reason.
//
// An error 40001 of the server alone, in a schedule with serializable transactions:
// PostgreSQL notes what was read in pages and in whole tables, and ends transactions that
// would have been serializable.
//
// An error 40001 of the model alone, where a query stops before its last row, by LIMIT or in EXISTS: the model notes the
// rows that it would have read; PostgreSQL does not if it reads by an index.
//
// The victim of a deadlock where a third session waits too: PostgreSQL counts those that
// are ahead in the queue of a lock among those that are waited for, and may end a session
// that is in no circle without them; the model ends one that is.
//
// A wait of one side alone, while an UPDATE or DELETE of several rows waits: it locks them in the order of their places,
// which PostgreSQL uses again later than the model, and so holds others of them.
func (b *both) excused() string {
	if len(b.lines) == 0 || b.lines[len(b.lines)-1].agrees() {
		return ""
	}
	l := b.lines[len(b.lines)-1]
	alone := func(o string) bool { return strings.HasSuffix(o, "40001") && !slices.Contains(l.model, o) }
	modelAlone := func(o string) bool { return strings.HasSuffix(o, "40001") && !slices.Contains(l.server, o) }
	limited := func(l line) bool {
		return strings.Contains(l.step.Text, "limit") || strings.Contains(l.step.Text, "exists")
	}
	switch {
	case b.serializable() && slices.ContainsFunc(l.server, alone):
		return falsePositive
	case b.serializable() && slices.ContainsFunc(l.model, modelAlone) && slices.ContainsFunc(b.lines, limited):
		return unreadRows
	case l.step.Session == "" && l.waited > 2:
		return thirdWaiter
	case slices.Contains(l.server, "waits") != slices.Contains(l.model, "waits") && slices.ContainsFunc(b.lines[:len(b.lines)-1], b.waitsAmongRows):
		return placesOfRows
	}
	return ""
}

// waitsAmongRows reports whether a step waits that may lock several rows in the order of their places.
func (b *both) waitsAmongRows(l line) bool {
	changes := strings.HasPrefix(l.step.Text, "update ") || strings.HasPrefix(l.step.Text, "delete ")
	return changes && !strings.Contains(l.step.Text, " where k = ") && slices.Contains(l.server, "waits") && slices.Contains(b.waiting(), l.step.Session)
}

const (
	falsePositive = "40001 of the server alone"
	unreadRows    = "40001 of the model alone, with LIMIT or EXISTS"
	placesOfRows  = "a wait of one side alone, while an UPDATE or DELETE of several rows waits"
	thirdWaiter   = "another victim of a deadlock with a third session that waits"
)

// String is the schedule with what it led to, the outcomes of both side by side where they
// differ.
func (b *both) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n---\n", b.script.Setup)
	for _, l := range b.lines {
		if l.step.Session != "" {
			fmt.Fprint(&out, l.step.Session, ": ")
		}
		fmt.Fprintln(&out, l.step.Text)
		if l.agrees() {
			for _, o := range l.server {
				fmt.Fprintln(&out, "  ", o)
			}
			continue
		}
		for i := range max(len(l.server), len(l.model), len(l.step.Expect)) {
			fmt.Fprintf(&out, "   PostgreSQL: %-30s model: %-30s expected: %s\n", at(l.server, i), at(l.model, i), at(l.step.Expect, i))
		}
	}
	return out.String()
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "-"
}
