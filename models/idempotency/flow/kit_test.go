package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
)

// tables is what the flows of these tests begin with.
const tables = `create table t (k int primary key, v int, status text, until timestamptz);
create table orders (id serial primary key, intent int, amount int);
`

// parse reads a flow of the tables above and handlers.
func parse(t *testing.T, handlers string) *flow.Program {
	t.Helper()
	p, err := flow.Parse("test", tables+handlers)
	require.NoError(t, err)
	return p
}

// request is a flow with this handler on request.
func request(t *testing.T, body string) *flow.Program {
	t.Helper()
	return parse(t, "on request {\n"+body+"\n}")
}

// input is a request that every test can tell apart.
var input = flow.Input{Tenant: 1, Key: 2, Fingerprint: 3, Amount: 4, Intent: 5, Attempt: 6, Event: 7, Owner: 8}

// now is the wall clock of the server in the tests.
const now = 1000

// run runs a handler to its end, or for 50 actions, and lists its actions. Each is answered
// by the next of the replies, then by the zero reply.
func run(p *flow.Program, h flow.Handler, replies ...flow.Reply) []string {
	var task flow.Task
	p.Start(&task, h, input)
	var list []string
	r := flow.Reply{}
	for range 50 {
		a := p.Next(&task, r, now)
		list = append(list, describe(p, a))
		if a.Do.Ends() {
			break
		}
		r = flow.Reply{}
		if len(replies) > 0 {
			r, replies = replies[0], replies[1:]
		}
		r.Number = a.Number
	}
	return list
}

// describe is an action in one line.
func describe(p *flow.Program, a flow.Action) string {
	var b strings.Builder
	b.WriteString(a.Do.String())
	key := func() {
		fmt.Fprintf(&b, " %s", p.Words[a.Word])
		for _, v := range a.Values[:a.N] {
			fmt.Fprintf(&b, ":%s", show(v))
		}
	}
	switch a.Do {
	case flow.Query, flow.Fetch:
		s := p.Statements[a.Statement]
		fmt.Fprintf(&b, " %s", strings.Join(strings.Fields(s.Text), " "))
		for i, v := range a.Values[:a.N] {
			fmt.Fprintf(&b, " %s=%s", s.Values[i], show(v))
		}
	case flow.CacheGet, flow.CacheDel:
		key()
	case flow.CacheSet, flow.CacheDelIf:
		key()
		fmt.Fprintf(&b, " %s", show(a.Value))
		if a.Absent {
			b.WriteString(" nx")
		}
		if a.Lifetime > 0 {
			fmt.Fprintf(&b, " px %v", a.Lifetime)
		}
	case flow.Charge:
		fmt.Fprintf(&b, " %s key %s", show(a.Amount), show(a.Key))
	case flow.Lookup:
		fmt.Fprintf(&b, " %s", show(a.Key))
	case flow.Publish:
		fmt.Fprintf(&b, " %s %s", show(a.Key), show(a.Amount))
	case flow.Sleep:
		fmt.Fprintf(&b, " %v..%v", a.Least, a.Most)
	case flow.NoteMade:
		fmt.Fprintf(&b, " %v", a.Note)
	case flow.Answer:
		fmt.Fprintf(&b, " %d", a.Status)
		if a.HasValue {
			fmt.Fprintf(&b, " %s", show(a.Value))
		}
	}
	return b.String()
}

func show(v sql.Value) string {
	if v == sql.Null {
		return "null"
	}
	return fmt.Sprint(int64(v))
}

// row is a reply with one row.
func row(values ...sql.Value) flow.Reply {
	r := flow.Reply{Found: true, Rows: 1}
	copy(r.Values[:], values)
	return r
}

// fails is a reply with an error.
func fails(c sql.Code) flow.Reply { return flow.Reply{Code: c} }

// problems are the mistakes of a text, one a line.
func problems(text string) []string {
	_, err := flow.Parse("test", text)
	var list []string
	for _, p := range flow.Problems(err) {
		list = append(list, p.Error())
	}
	return list
}
