package conformance

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fencepost/models/internal/postgres"
)

var (
	schedules = flag.Int("schedules", 500, "how many random schedules of SQL statements to run")
	firstSeed = flag.Int("seed", 1, "seed of the first random schedule")
)

// setup is what random schedules begin with. One table has a number that PostgreSQL counts
// up, so that what a statement burns is seen.
const setup = `create table t (k int primary key, v int);
insert into t values (1, 10), (2, 20);
create table s (id serial primary key, u int unique, v int not null);
insert into s (u, v) values (1, 0);`

// draw is a random schedule: two or three sessions, each with a transaction or two, whose
// statements take turns at random.
func draw(seed int) (steps []postgres.Step) {
	r := rand.New(rand.NewPCG(uint64(seed), 14))
	g := grammar(r)
	level := pick(r, "", "", " isolation level read committed", " isolation level repeatable read", " isolation level serializable")
	left, names := make([][]string, 2+r.IntN(2)), "ABC"
	for i := range left {
		for range 1 + r.IntN(2) {
			left[i] = append(left[i], g.transaction(r, level)...)
		}
	}
	for len(left) > 0 {
		i := r.IntN(len(left))
		steps = append(steps, postgres.Step{Session: names[i : i+1], Text: left[i][0]})
		if left[i] = left[i][1:]; len(left[i]) == 0 {
			left, names = slices.Delete(left, i, i+1), names[:i]+names[i+1:]
		}
	}
	return steps
}

// transaction is a few statements with what is before and behind them. Without a level it
// is of any.
func (g templates) transaction(r *rand.Rand, level string) (list []string) {
	if level == "" {
		level = pick(r, "", " isolation level read committed", " isolation level repeatable read", " isolation level serializable")
	}
	if r.IntN(6) == 0 {
		return []string{g.statement(r)}
	}
	list = []string{"begin" + level}
	saved := false
	for range 1 + r.IntN(4) {
		switch {
		case r.IntN(8) > 0:
			list = append(list, g.statement(r))
		case saved:
			list = append(list, pick(r, "rollback to a", "release a"))
		default:
			saved = true
			list = append(list, "savepoint a")
		}
	}
	return append(list, pick(r, "commit", "commit", "commit", "commit", "commit", "rollback", "disconnect"))
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// templates are what the statements of a schedule are made of: K and V are small numbers, R
// may be a RETURNING clause, W how to wait for locks.
type templates []string

var all = templates{
	"select k, v from t order by k",
	"select v from t where k = K",
	"select count(*), sum(v) from t where v > V",
	"select count(*) from s where u = K",
	"select id, u, v from s order by id",
	"select k, v from t where k = K for update",
	"select k, v from t where k = K for updateW",
	"select k, v from t where v >= V order by k for updateW",
	"select id from s order by id limit 1 for updateW",
	"insert into t values (K, V)R",
	"insert into t values (K, V) on conflict do nothingR",
	"insert into t values (K, V) on conflict (k) do nothingR",
	"insert into t values (K, V) on conflict (k) do update set v = t.v + 1 returning k, v, (xmax = 0)",
	"insert into t values (K, V) on conflict (k) do update set v = excluded.v where t.v < 15R",
	"insert into s (u, v) values (K, V) returning id",
	"insert into s (u, v) values (K, V) on conflict do nothing returning id",
	"insert into s (u, v) values (K, V) on conflict (u) do update set v = s.v + 1 returning id, v, (xmax = 0)",
	"insert into s (u, v) select k, v from t where k = K",
	"insert into s (u, v) values (K, null)",
	"update t set v = v + 1 where k = KR",
	"update t set v = v + 1 where k = KR",
	"update t set v = V where v < 20R",
	"update t set v = v - 5 where k = K and v >= VR",
	"update t set k = 3 where k = KR",
	"update s set u = K where id = 1",
	"update s set v = v + 1 where u = K returning id, v",
	"delete from t where k = KR",
	"delete from t where v > VR",
	"delete from s where u = K",
	"with c as (insert into t values (K, V) on conflict do nothing returning k) update s set v = v + 1 where u = K and exists (select 1 from c)",
	"select pg_try_advisory_xact_lock(K)",
	"select pg_advisory_xact_lock(K)",
}

// grammar is some of the templates: with few of them sessions meet more often.
func grammar(r *rand.Rand) (some templates) {
	for range 3 + r.IntN(8) {
		if r.IntN(2) == 0 {
			some = append(some, locks(r, withSubquery(r)))
		} else {
			some = append(some, all[r.IntN(len(all))])
		}
	}
	return some
}

func (g templates) statement(r *rand.Rand) string {
	return strings.NewReplacer("K", pick(r, "1", "1", "1", "2", "2", "3"), "V", fmt.Sprint(5*r.IntN(6)), "R", pick(r, "", " returning k, v"),
		"W", pick(r, "", "", " skip locked", " nowait")).Replace(pick(r, g...))
}

// agrees runs a schedule on both until they disagree or it ends. Statements of sessions
// that wait are left out, deadlocks are waited for, and at the end all sessions commit and
// the tables are read.
func (b *both) agrees(steps []postgres.Step) bool {
	b.begin(setup)
	for _, s := range steps {
		if !b.waits[s.Session] && !b.step(s) {
			return b.excused() != ""
		}
	}
	for range 3 { // each may unblock the next
		for _, session := range []string{"A", "B", "C"} {
			if b.used[session] && !b.waits[session] && !b.step(postgres.Step{Session: session, Text: "commit"}) {
				return b.excused() != ""
			}
			b.used[session] = b.waits[session]
		}
	}
	for _, text := range []string{"select k, v from t order by k", "select id, u, v from s order by id"} {
		if !b.step(postgres.Step{Session: "Z", Text: text}) {
			return false
		}
	}
	return true
}

// differs reports whether a schedule ends in a difference at each attempt.
func (b *both) differs(steps []postgres.Step, attempts int) bool {
	return disagree(attempts, func() bool { return b.agrees(steps) })
}

// shrink leaves out of a schedule what it differs without.
func (b *both) shrink(steps []postgres.Step) []postgres.Step {
	for size := len(steps) / 2; size > 0; {
		shorter := false
		for i := 0; i+size <= len(steps); {
			without := slices.Concat(steps[:i], steps[i+size:])
			if b.differs(without, 5) {
				steps, shorter = without, true
			} else {
				i++
			}
		}
		if !shorter || size > 1 {
			size /= 2
		}
	}
	return steps
}

// A model without the unique constraint of a table is seen to differ, and the schedule
// that shows it is made short.
func TestADifferenceIsSeenAndShrunk(t *testing.T) {
	b := newBoth(t, "planted")
	b.planted = strings.NewReplacer("u int unique", "u int")
	for seed := 1; ; seed++ {
		steps := draw(seed)
		if !b.differs(steps, attempts) {
			continue
		}
		short := b.shrink(steps)
		if !b.differs(short, attempts) || len(short) > 3 || len(short) >= len(steps) {
			t.Fatalf("seed %d is shrunk from %d to %d steps:\n%s", seed, len(steps), len(short), b)
		}
		return
	}
}

// tally counts what schedules have reached.
type tally struct {
	sync.Mutex
	schedules, statements, serializable int
	excused, outcomes                   map[string]int
}

func (n *tally) add(b *both) {
	n.Lock()
	defer n.Unlock()
	n.schedules++
	n.statements += len(b.lines)
	if b.serializable() {
		n.serializable++
	}
	if why := b.excused(); why != "" {
		n.excused[why]++
	}
	for _, l := range b.lines {
		for _, o := range l.server {
			if i := strings.Index(o, "ERROR"); i >= 0 || o == "waits" {
				n.outcomes[o[max(i, 0):]]++
			}
		}
	}
}

// Random schedules lead to the same in the model and on the server, statement by statement.
func TestRandomSchedules(t *testing.T) {
	postgresServer(t)
	n := tally{outcomes: map[string]int{}, excused: map[string]int{}}
	var next atomic.Int64
	next.Store(int64(*firstSeed))
	var workers sync.WaitGroup
	for i := range 2 {
		b := newBoth(t, fmt.Sprint("random", i))
		workers.Go(func() {
			for seed := int(next.Add(1) - 1); seed < *firstSeed+*schedules; seed = int(next.Add(1) - 1) {
				b.seed(seed)
				n.add(b)
			}
		})
	}
	workers.Wait()
	t.Logf("%d schedules, %d statements: %v", n.schedules, n.statements, n.outcomes)
	t.Logf("%d with a serializable transaction; ended before their end: %v", n.serializable, n.excused)
	for _, o := range []string{"waits", "ERROR 23505", "ERROR 25P02", "ERROR 40001", "ERROR 40P01", "ERROR 55P03"} {
		if n.outcomes[o] == 0 && *schedules >= 500 {
			t.Errorf("no schedule has reached %s", o)
		}
	}
}

// seed runs a random schedule, and reports and shrinks it if it differs.
func (b *both) seed(seed int) {
	steps := draw(seed)
	if !b.differs(steps, attempts) {
		return
	}
	if !b.differs(b.shrink(steps), attempts) {
		b.differs(steps, attempts)
	}
	b.t.Errorf("seed %d: the model differs from PostgreSQL:\n%s", seed, b)
}
