package postgres

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

const accounts = "create table t (k int primary key, u int unique, v int); insert into t values (1, 1, 10), (2, 2, 20), (3, 3, 30);"

// op is a statement of a random transaction, with its arguments.
type randomOp struct {
	st   *sql.Statement
	args []sql.Value
}

// mix is a choice of statements.
type mix struct {
	schema *sql.Schema
	list   []*sql.Statement
	level  *sql.Statement
	commit *sql.Statement
	back   *sql.Statement
}

func newMix(t *testing.T, level string, texts ...string) *mix {
	m := &mix{schema: sql.NewSchema()}
	require.NoError(t, Create(m.schema, accounts))
	prepare := func(text string) *sql.Statement {
		st, err := m.schema.Prepare(text)
		require.NoError(t, err, text)
		return st
	}
	for _, text := range texts {
		m.list = append(m.list, prepare(text))
	}
	m.level, m.commit, m.back = prepare("begin isolation level "+level), prepare("commit"), prepare("rollback")
	return m
}

// transaction is some random statements.
func (m *mix) transaction(r *rand.Rand) []randomOp {
	list := []randomOp{{m.level, nil}}
	for range 1 + r.IntN(3) {
		st := m.list[r.IntN(len(m.list))]
		op := randomOp{st: st}
		for range st.Arguments {
			op.args = append(op.args, sql.Value(1+r.IntN(5)))
		}
		list = append(list, op)
	}
	return append(list, randomOp{m.commit, nil})
}

// outcome is what a client has seen of a statement.
type outcome struct {
	code sql.Code
	rows string
}

func (db *DB) outcome(session int, r *Result) outcome {
	o := outcome{code: r.Code, rows: fmt.Sprint(r.Tag, r.Rows)}
	var row Result
	for db.Fetch(session, &row) {
		o.rows += fmt.Sprint(row.Row[:row.Columns])
	}
	return o
}

// history is a random schedule: each transaction in a session of its own.
type history struct {
	m         *mix
	db        DB
	todo      [][]randomOp
	at        []int
	seen      [][]outcome
	committed []int // in the order of their commits
	now       sim.Wall
}

func (m *mix) history(r *rand.Rand, transactions int) *history {
	h := &history{m: m, db: NewDB(m.schema, Options{Sessions: transactions}), at: make([]int, transactions), seen: make([][]outcome, transactions)}
	for range transactions {
		h.todo = append(h.todo, m.transaction(r))
	}
	return h
}

// ended takes in the result of a statement.
func (h *history) ended(session int, r *Result) {
	if r.Waits {
		return
	}
	h.seen[session] = append(h.seen[session], h.db.outcome(session, r))
	switch at := h.at[session]; {
	case r.Code != sql.OK:
		h.at[session] = len(h.todo[session])
		var ignored Result
		h.db.Exec(h.now, session, h.m.back, nil, &ignored)
	case at == len(h.todo[session])-1:
		h.committed = append(h.committed, session)
		fallthrough
	default:
		h.at[session]++
	}
	h.drain()
}

func (h *history) drain() {
	var r Result
	for {
		session, ok := h.db.Next(&r)
		if !ok {
			return
		}
		h.ended(session, &r)
	}
}

// step runs the next statement of a session that does not wait; if all wait, deadlocks
// are looked for. It reports false when all transactions have ended.
func (h *history) step(t *testing.T, r *rand.Rand) bool {
	var ready, waiting []int
	for i := range h.todo {
		switch {
		case h.db.sessions[i].waits():
			waiting = append(waiting, i)
		case h.at[i] < len(h.todo[i]):
			ready = append(ready, i)
		}
	}
	h.now++
	if len(ready) == 0 {
		for _, i := range waiting {
			h.db.CheckDeadlock(h.now, i, h.db.sessions[i].wait)
			h.drain()
		}
		return len(waiting) > 0
	}
	i := ready[r.IntN(len(ready))]
	op := h.todo[i][h.at[i]]
	var res Result
	h.db.Exec(h.now, i, op.st, op.args, &res)
	h.ended(i, &res)
	h.db.requireSound(t)
	return true
}

func (h *history) play(t *testing.T, r *rand.Rand) {
	for steps := 0; h.step(t, r); steps++ {
		require.Less(t, steps, 100, "a schedule that does not end")
	}
}

func (db *DB) state() (rows []string) {
	for at := 0; ; {
		row, next, ok := db.Row(0, at)
		if !ok {
			break
		}
		rows = append(rows, fmt.Sprint(row))
		at = next
	}
	slices.Sort(rows)
	return rows
}

// serializable reports whether the committed transactions saw and left what they do one
// after another in some order.
func (h *history) serializable() bool {
	order := slices.Clone(h.committed)
	slices.Sort(order)
	for {
		if h.equals(order) {
			return true
		}
		if !nextPermutation(order) {
			return false
		}
	}
}

func (h *history) equals(order []int) bool {
	db := NewDB(h.m.schema, Options{Sessions: 1})
	for _, session := range order {
		for i, op := range h.todo[session] {
			var r Result
			db.Exec(0, 0, op.st, op.args, &r)
			if db.outcome(0, &r) != h.seen[session][i] {
				return false
			}
		}
	}
	return slices.Equal(db.state(), h.db.state())
}

func nextPermutation(a []int) bool {
	i := len(a) - 2
	for i >= 0 && a[i] > a[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(a) - 1
	for a[j] < a[i] {
		j--
	}
	a[i], a[j] = a[j], a[i]
	slices.Reverse(a[i+1:])
	return true
}

// requireSound checks the invariants of a database between two calls.
func (db *DB) requireSound(t *testing.T) {
	t.Helper()
	for n := range db.tables {
		s, def := &db.tables[n], db.schema.Catalog().Tables[n]
		used := 0
		for i, v := range s.versions {
			if v.used {
				used++
			}
			require.Equal(t, !v.used, slices.Contains(s.free, int32(i)), "the free slots are those that are not used")
		}
		for i, x := range def.Indexes {
			require.True(t, slices.IsSortedFunc(s.indexes[i], func(a, b int32) int {
				var memory [sql.MaxColumns]sql.Value
				return x.Compare(s.row(len(def.Columns), a), x.KeyOf(s.row(len(def.Columns), b), &memory))
			}), "an index is in the order of its keys")
			live := map[string]bool{}
			for _, slot := range s.indexes[i] {
				var memory [sql.MaxColumns]sql.Value
				require.True(t, s.versions[slot].used, "an index has no removed versions")
				values := x.KeyOf(s.row(len(def.Columns), slot), &memory)
				key := fmt.Sprint(values)
				if x.Unique && !slices.Contains(values, sql.Null) && s.versions[slot].committed() {
					require.False(t, live[key], "a unique key once")
					live[key] = true
				}
			}
		}
	}
	for i := range db.sessions {
		require.Equal(t, db.sessions[i].waits(), slices.Contains(db.queue, int32(i)), "the queue has who waits")
	}
	if !slices.ContainsFunc(db.sessions, func(s session) bool { return s.open }) {
		require.Zero(t, len(db.recent)+len(db.serial)+len(db.conflicts)+len(db.advisory)+int(db.commits), "without transactions there is no past")
	}
}

var readsAndWrites = []string{
	"select sum(v) from t",
	"select v from t where k = $1",
	"select count(*) from t where v > 15",
	"update t set v = v + 1 where k = $1",
	"update t set v = (select sum(v) from t) where k = $1",
	"update t set u = u + 10, v = 0 where v > 15 and k = $1",
	"insert into t values ($1, $1, 7)", // not ON CONFLICT: PostgreSQL does not track what that finds
	"insert into t select $1 + 1, $1 + 1, count(*) from t",
	"delete from t where k = $1 returning v",
	"select v from t where k = $1 for update",
	"update t set v = v * 2 where u >= $1",
}

// anomalies is how many of some random schedules are not serializable.
func anomalies(t *testing.T, level string, transactions, schedules int) (found, committed int) {
	m := newMix(t, level, readsAndWrites...)
	for seed := range schedules {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(transactions)))
		h := m.history(r, transactions)
		h.play(t, r)
		if len(h.committed) > 1 {
			committed++
		}
		if !h.serializable() {
			found++
			if level == "serializable" {
				for i := range h.todo {
					for _, op := range h.todo[i] {
						t.Log(i, op.st.Text(), op.args)
					}
				}
				t.Fatalf("seed %d: committed %v, seen %v, state %v", seed, h.committed, h.seen, h.db.state())
			}
		}
	}
	return found, committed
}

// Source: PostgreSQL documentation, 13.2.3.
func TestSerializableTransactionsAreEquivalentToASerialOrder(t *testing.T) {
	for _, transactions := range []int{2, 3} {
		_, committed := anomalies(t, "serializable", transactions, 1500)
		require.Greater(t, committed, 300, "several transactions commit")
	}
}

// The check of the test above finds what the weaker levels allow.
func TestWeakerLevelsAreNotSerializable(t *testing.T) {
	for _, level := range []string{"repeatable read", "read committed"} {
		found, _ := anomalies(t, level, 3, 1000)
		require.Greater(t, found, 10, level)
	}
}

// Transfers keep the sum at every level, whatever is rolled back, lost or deadlocked.
func TestSumsAreConserved(t *testing.T) {
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		m := newMix(t, level,
			"update t set v = v + case when k = 1 + $1 % 3 then -1 else 1 end where k = 1 + $1 % 3 or k = 1 + ($1 + 1) % 3",
			"with c as (update t set v = v - 5 where k = 1 + $1 % 3 returning k) update t set v = v + 5 where k = 1 + ($1 + 1) % 3 and exists (select 1 from c)",
			"savepoint s", "select k from t where k = $1 for update", "select v from t where k = $1")
		for seed := range 500 {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			h := m.history(r, 3)
			for h.step(t, r) {
				if r.IntN(20) == 0 {
					lost := r.IntN(3)
					h.db.Disconnect(h.now, lost)
					h.at[lost] = len(h.todo[lost])
					h.drain()
				}
			}
			if sum := h.db.Sum(0, 2); sum != 60 {
				t.Fatalf("%s, seed %d: the sum is %d", level, seed, sum)
			}
		}
	}
}

// Whatever is locked, passed over, moved, undone or lost: keys stay unique, indexes in
// order, and when all have ended no lock, version or edge is left.
func TestRandomSchedulesLeaveTheStoreSound(t *testing.T) {
	texts := append([]string{"savepoint s", "rollback to s", "release s", "select pg_advisory_xact_lock($1)",
		"insert into t values ($1, $1, 7) on conflict do nothing returning k",
		"insert into t values ($1, $1 + 1, 8) on conflict (k) do update set v = t.v + excluded.v, u = excluded.u returning (xmax = 0)",
		"select v from t where k = $1 for update skip locked", "select v from t where u = $1 for update nowait",
		"update t set k = k + 1 where k = $1", "update t set u = u + 2 where u = $1", "select k from t order by k for update",
		"with c as (insert into t values ($1, $1, 5) on conflict do nothing returning k) update t set v = v + 100 where k = 1 and exists (select 1 from c)",
		"insert into t values (1, 1, 1), ($1, $1, 2), (9, $1, 3)"}, readsAndWrites...)
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		m := newMix(t, level, texts...)
		waited := 0
		for seed := range 300 {
			r := rand.New(rand.NewPCG(uint64(seed), 11))
			h := m.history(r, 4)
			h.play(t, r)
			h.db.requireSound(t)
			for i := range h.db.sessions {
				waited += int(h.db.sessions[i].wait)
			}
			for _, v := range h.db.tables[0].versions {
				require.True(t, !v.used || v == version{used: true, newer: v.newer}, "no lock and no past")
			}
		}
		require.Greater(t, waited, 100, "schedules with waits")
	}
}

// A copy continues as the original does, and Reset forgets everything.
func TestResetCopiesAndForgets(t *testing.T) {
	m := newMix(t, "serializable", readsAndWrites...)
	initial := NewDB(m.schema, Options{Sessions: 3})
	var again DB
	for seed := range 300 {
		play := func(db *DB, copyAt int) (*history, string) {
			r := rand.New(rand.NewPCG(uint64(seed), 9))
			h := m.history(r, 3)
			h.db.Reset(db)
			for i := 0; h.step(t, r); i++ {
				if i == copyAt {
					again.Reset(&h.db)
					h.db = DB{}
					h.db.Reset(&again)
				}
			}
			return h, fmt.Sprint(h.seen, h.committed, h.db.state())
		}
		h, first := play(&initial, -1)
		_, second := play(&initial, seed%9)
		require.Equal(t, first, second, "seed %d", seed)
		h.db.Reset(&initial)
		require.Equal(t, fmt.Sprintf("%+v", initial.tables), fmt.Sprintf("%+v", h.db.tables))
		require.Equal(t, fmt.Sprintf("%+v", initial.sessions), fmt.Sprintf("%+v", h.db.sessions))
	}
}
