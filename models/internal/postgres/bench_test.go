package postgres

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// bench is a database of a table with rows 0 to rows-1 in two sessions.
func bench(t testing.TB, rows int, texts ...string) (*DB, []*sql.Statement) {
	s := sql.NewSchema()
	require.NoError(t, Create(s, "create table t (k int primary key, v int, at timestamptz)"))
	insert, err := s.Prepare("insert into t values ($1, 0, now())")
	require.NoError(t, err)
	var list []*sql.Statement
	for _, text := range texts {
		st, err := s.Prepare(text)
		require.NoError(t, err, text)
		list = append(list, st)
	}
	db := NewDB(s, Options{Sessions: 2})
	var r Result
	for i := range rows {
		db.Exec(0, 0, insert, []sql.Value{sql.Value(i)}, &r)
		require.Equal(t, sql.OK, r.Code)
	}
	return &db, list
}

// work is what the benchmarks do and the test of allocations looks at.
var work = []struct {
	name       string
	sql        []string
	statements int
}{
	{"select by key", []string{"select v, at from t where k = $1"}, 1},
	{"update by key", []string{"update t set v = v + 1 where k = $1"}, 1},
	{"insert on conflict do nothing", []string{"insert into t values ($1, 1, now()) on conflict do nothing returning k"}, 1},
	{"insert on conflict do update", []string{"insert into t values ($1, 1, now()) on conflict (k) do update set v = excluded.v returning k, (xmax = 0)"}, 1},
	{"insert and delete", []string{"insert into t values (-$1 - 1, 1, now()) on conflict do nothing returning k", "delete from t where k = -$1 - 1"}, 2},
	{"transaction", []string{"begin", "select v from t where k = $1 for update", "update t set v = v + 1 where k = $1", "commit"}, 4},
	{"serializable transaction", []string{"begin isolation level serializable", "select v from t where k = $1", "update t set v = v + 1 where k = $1", "commit"}, 4},
}

func step(db *DB, list []*sql.Statement, i int, r *Result) {
	args := [1]sql.Value{sql.Value(i * 37 % 1000)}
	for _, st := range list {
		db.Exec(sim.Wall(i), 0, st, args[:len(st.Arguments)], r)
		if r.Code != sql.OK {
			panic(r.Code.String() + ": " + st.Text())
		}
	}
}

func BenchmarkStatements(b *testing.B) {
	for _, w := range work {
		b.Run(w.name, func(b *testing.B) {
			db, list := bench(b, 1000, w.sql...)
			var r Result
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				step(db, list, i, &r)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.statements), "ns/statement")
		})
	}
}

func BenchmarkReset(b *testing.B) {
	db, list := bench(b, 20, "update t set v = v + 1 where k = $1 % 20")
	var r Result
	initial, _ := bench(b, 20)
	for i := 0; b.Loop(); i++ {
		step(db, list, i, &r)
		db.Reset(initial)
	}
}

// others are statements that no benchmark runs.
var others = []string{
	"select k, v from t where k < 20 order by v desc, k limit 5",
	"select count(*), sum(v), max(at) from t where k < 10",
	"select k from t where k >= $1 order by k limit 3 for update skip locked",
	"with c as (insert into t values ($1, 1, now()) on conflict do nothing returning k) select k from c union all select k from t where k = $1",
	"with c as (select v from t where k = $1) update t set v = t.v + 1 from c where t.k = $1 and exists (select 1 from c)",
	"update t set v = v + case when v > 5 then -1 else greatest(1, v) end where k between $1 and $1 + 2 returning *",
	"select pg_try_advisory_xact_lock($1), clock_timestamp() + interval '1 s'",
}

// A warm database executes statements without allocating.
func TestStatementsDoNotAllocate(t *testing.T) {
	all := slices.Clone(work)
	for _, text := range others {
		all = append(all, work[0])
		all[len(all)-1].name, all[len(all)-1].sql = text, []string{text}
	}
	for _, w := range all {
		db, list := bench(t, 1000, w.sql...)
		var r Result
		i := 0
		run := func() { step(db, list, i, &r); i++ }
		for range 1000 {
			run()
		}
		require.Zero(t, testing.AllocsPerRun(100, run), w.name)
	}
}
