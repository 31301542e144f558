package conformance

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fencepost/models/idempotency/flow"
	"fencepost/models/idempotency/flows"
	"fencepost/models/internal/postgres"
	"fencepost/models/internal/postgres/sql"
)

// literal is a statement with its arguments in it. Those of a function of PL/pgSQL are bare
// names.
func (p *play) literal(st *sql.Statement, values []sql.Value) string {
	sql := st.Text()
	for i, name := range st.Arguments {
		value := p.quote(values[i], st.ParamKinds()[i])
		if strings.HasPrefix(sql, "set ") {
			value = fmt.Sprintf("'%dms'", time.Duration(values[i]).Milliseconds())
		}
		argument := regexp.MustCompile(":" + name + `\b`)
		if !argument.MatchString(sql) {
			argument = regexp.MustCompile(`\b` + name + `\b`)
		}
		sql = argument.ReplaceAllLiteralString(sql, value)
	}
	return sql
}

func (p *play) quote(v sql.Value, k sql.Kind) string {
	switch {
	case v == sql.Null:
		return "null"
	case k == sql.Text:
		return "'" + strings.ReplaceAll(p.program.Schema.TextOf(v), "'", "''") + "'"
	case k == sql.Bool:
		return fmt.Sprint(v != 0)
	case k == sql.Interval:
		return fmt.Sprintf("interval '%.6f seconds'", time.Duration(v).Seconds())
	case k == sql.Timestamp:
		return "timestamptz '" + time.Unix(0, int64(v)).UTC().Format("2006-01-02 15:04:05.000000") + "+00'"
	}
	return fmt.Sprint(int64(v))
}

// rows is a result of the model as the server writes it, but for times.
func (p *play) rows(i int, st *sql.Statement, r postgres.Result) string {
	if r.Code != sql.OK {
		return "ERROR " + r.Code.String()
	}
	out := r.Tag.String()
	switch r.Tag {
	case sql.TagInsert:
		out += fmt.Sprintf(" 0 %d", r.Rows)
	case sql.TagSelect, sql.TagUpdate, sql.TagDelete:
		out += fmt.Sprintf(" %d", r.Rows)
	}
	if r.Columns == 0 {
		return out
	}
	return out + " (" + p.row(r.Row[:r.Columns], st.ColumnKinds()) + ")"
}

func (p *play) row(row []sql.Value, kinds []sql.Kind) string {
	var values []string
	for c, v := range row {
		if (kinds[c] == sql.Timestamp || kinds[c] == sql.Interval) && v != sql.Null {
			values = append(values, "a time")
		} else {
			values = append(values, p.program.Schema.FormatValue(v, kinds[c]))
		}
	}
	return strings.Join(values, ", ")
}

var (
	times    = regexp.MustCompile(`(\d{4}-\d\d-\d\d |\d+ days? )?-?\d\d:\d\d:\d\d(\.\d+)?(\+00)?`) // and intervals
	decimals = regexp.MustCompile(`\.0+\b`)                                                        // of a numeric column: the model has whole numbers
)

func plain(outcome string) string {
	return decimals.ReplaceAllString(times.ReplaceAllString(outcome, "a time"), "")
}

// firstRow is an outcome of the server without its further rows, which a flow fetches one
// by one, and with no instants.
func firstRow(outcome string) string {
	tag, rows, ok := strings.Cut(plain(outcome), " (")
	if !ok {
		return tag
	}
	first, _, _ := strings.Cut(strings.TrimSuffix(rows, ")"), ") (")
	return tag + " (" + first + ")"
}

// left are the columns of all tables at the end, in both.
func (p *play) left() (server, model []string) {
	s := p.program.Schema
	for i, table := range s.Tables() {
		for _, column := range s.TableColumns(i) {
			sql := fmt.Sprintf("select %s from %s", column, table)
			st, err := s.Prepare(sql)
			if err != nil {
				return nil, []string{err.Error()}
			}
			var r postgres.Result
			p.db.Exec(p.now, 7, st, nil, &r)
			says := fmt.Sprintf("SELECT %d", r.Rows)
			for p.db.Fetch(7, &r) {
				says += " (" + p.row(r.Row[:1], st.ColumnKinds()) + ")"
			}
			model = append(model, sql+" "+sortRows(says))
			server = append(server, sql+" "+sortRows(plain(p.b.run('Z', sql)[0].outcome)))
		}
	}
	return server, model
}

// Every statement of each shipped flow, sent by two requests or events of one key whose
// steps take turns at random and by one that follows, is answered alike by the model and
// by the server.
func TestFlows(t *testing.T) {
	b := newDatabase(t, "flows")
	statements := 0
	for _, name := range flows.Names() {
		t.Run(name, func(t *testing.T) {
			b.t = t
			text, _ := flows.Text(name)
			program, err := flow.Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(5) {
				var p *play
				if disagree(attempts, func() bool {
					p = newPlay(b, program, text)
					return p.all(rand.New(rand.NewPCG(seed, 14)))
				}) {
					t.Fatalf("seed %d:\n%s", seed, p.log.String())
				}
				statements += strings.Count(p.log.String(), "\n") / 2
			}
		})
	}
	t.Logf("%d statements of %d flows", statements, len(flows.Names()))
}

// all plays a flow and reports whether both did the same.
func (p *play) all(r *rand.Rand) bool {
	for attempt := range sql.Value(2) {
		for _, h := range []flow.Handler{flow.Request, flow.Event, flow.Every} {
			if p.program.Has(h) && (h != flow.Every || attempt == 1) {
				p.start(h, attempt+1)
			}
		}
	}
	p.run(r)
	for _, h := range []flow.Handler{flow.Request, flow.Event, flow.Every} {
		if p.program.Has(h) {
			p.start(h, 3)
			p.run(r)
		}
	}
	if p.differs {
		return false
	}
	server, model := p.left()
	fmt.Fprintf(&p.log, "left in PostgreSQL: %v\nleft in the model:  %v\n", server, model)
	return slices.Equal(server, model)
}
