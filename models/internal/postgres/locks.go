package postgres

import (
	"slices"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// claim brings a row that the statement has found to the version that its transaction may
// change or lock. At READ COMMITTED that is the newest one, if it still satisfies the
// query; at the other levels a version that the snapshot does not see is an error. It
// reports false for a row to be passed over. A query that locks has waited for the row if it is the last one that it
// waited for.
//
// Source: PostgreSQL documentation, 13.2.1 and 13.2.2.
func (x *run) claim(q *sql.Query, c candidate, mode sql.LockMode) (slot int32, ok bool) {
	t := q.From.Table
	st := &x.db.tables[t.Number]
	again := false
	here := place{int32(t.Number), c.slot + 1}
	for slot = c.slot; ; {
		v := &st.versions[slot]
		holder := v.locked
		if v.dead != 0 {
			holder = v.dead
		}
		switch {
		case v.dead == x.me+1: // by this command, or it would not have been found
			return 0, false
		case holder != 0 && holder != x.me+1:
			if x.blocked(holder, mode); x.on != 0 && q.Lock != sql.NoLock {
				x.s.waited = here
			}
			return 0, false
		case v.to != 0 && x.s.isolation != sql.ReadCommitted:
			if x.s.waited == here {
				x.on = x.holderOfNewer(st, slot)
			}
			if x.on == 0 {
				x.fail(sql.SerializationFailure)
			}
			return 0, false
		case v.to != 0 && v.newer == 0: // deleted
			return 0, false
		case v.to != 0:
			slot, again = v.newer-1, true
			continue
		}
		if !again {
			return slot, true
		}
		// PostgreSQL locks the newest version before it looks at the condition: the row
		// stays locked if it does not hold any more.
		x.hold(t, slot)
		return slot, x.satisfies(q, c.slot, slot)
	}
}

// satisfies checks the conditions of a query for the newest version of a row whose old version satisfies it.
func (x *run) satisfies(q *sql.Query, old, newest int32) bool {
	if q.Joins {
		x.load(q.From, old)
		x.holds(q.Where)
	}
	x.load(q.From, newest)
	before := x.again
	x.again = true
	ok := x.holds(q.Where) && !x.stopped()
	x.again = before
	return ok
}

// lock claims a row of a query that locks its rows, and takes the lock.
func (x *run) lock(q *sql.Query, slot int32) (newest int32, ok bool) {
	if newest, ok = x.claim(q, candidate{slot, -1}, q.Lock); ok && !x.stopped() {
		x.hold(q.From.Table, newest)
	}
	return newest, ok
}

// holderOfNewer is the session, plus 1, that holds a newer version of a row; 0 for none.
// PostgreSQL locks the newer versions for a locking SELECT that has waited for the row
// before it finds that the snapshot sees none of them.
func (x *run) holderOfNewer(st *store, slot int32) int32 {
	for st.versions[slot].newer != 0 {
		slot = st.versions[slot].newer - 1
		v := &st.versions[slot]
		for _, holder := range [...]int32{v.dead, v.locked} {
			if holder != 0 && holder != x.me+1 {
				return holder
			}
		}
	}
	return 0
}

// blocked is what a statement does about a row that another session holds.
func (x *run) blocked(holder int32, mode sql.LockMode) {
	switch mode {
	case sql.SkipLocked:
	case sql.NoWait:
		x.fail(sql.LockNotAvailable)
	default:
		x.on = holder
	}
}

// hold takes the lock of a row that no other session holds.
func (x *run) hold(t *sql.Table, slot int32) {
	v := &x.db.tables[t.Number].versions[slot]
	if v.locked != x.me+1 {
		v.locked = x.me + 1
		x.s.undo = append(x.s.undo, undo{locked, int32(t.Number), slot})
	}
}

// kill deletes a version that has been claimed.
func (x *run) kill(t *sql.Table, slot int32) {
	if x.writes(t, slot, anyIndex); x.stopped() {
		return
	}
	v := &x.db.tables[t.Number].versions[slot]
	v.dead, v.killed = x.me+1, x.s.command
	x.s.undo = append(x.s.undo, undo{killed, int32(t.Number), slot})
}

// advisory is an advisory lock of a transaction; an entry that is not used has no holder.
type advisory struct {
	key    sql.Value
	holder int32 // session, plus 1
}

// advise is pg_advisory_xact_lock and pg_try_advisory_xact_lock.
func (x *run) advise(n *sql.Node) sql.Value {
	key := x.eval(n.Kids[0])
	if key == sql.Null || x.stopped() {
		return sql.Null
	}
	free := -1
	for i := range x.db.advisory {
		a := &x.db.advisory[i]
		switch {
		case a.holder == 0 && free < 0:
			free = i
		case a.holder == 0 || a.key != key:
		case a.holder == x.me+1:
			return 1
		case n.Op == sql.OpTryLock:
			return 0
		default:
			x.on = a.holder
			return sql.Null
		}
	}
	if free < 0 {
		free = len(x.db.advisory)
		x.db.advisory = append(x.db.advisory, advisory{})
	}
	x.db.advisory[free] = advisory{key, x.me + 1}
	x.s.undo = append(x.s.undo, undo{kind: advised, slot: int32(free)})
	return 1
}

// unadvise gives an advisory lock back.
func (db *DB) unadvise(i int32) {
	db.advisory[i] = advisory{}
	for n := len(db.advisory); n > 0 && db.advisory[n-1].holder == 0; n-- {
		db.advisory = db.advisory[:n-1]
	}
}

// released notes that a session has given locks back.
func (db *DB) released(me int32) {
	if len(db.queue) > 0 {
		db.ended = append(db.ended, me)
	}
}

// resumeWaiters lets those continue that have waited for sessions whose locks have gone,
// in the order in which they began to wait.
func (db *DB) resumeWaiters() {
	for len(db.ended) > 0 {
		on := db.ended[0] + 1
		db.ended = append(db.ended[:0], db.ended[1:]...)
		for i := 0; i < len(db.queue); {
			if me := db.queue[i]; db.sessions[me].on != on || db.resume(me) {
				i++
			}
		}
	}
}

// resume continues a statement that has waited. It reports whether the session keeps its
// place in the queue.
func (db *DB) resume(me int32) bool {
	s := &db.sessions[me]
	st := db.schema.Catalog().Statements[s.statement-1]
	on, wait, at := s.on, s.wait, s.place()
	s.on = 0
	var r Result
	db.proceed(me, st, &r)
	same := at == s.place()
	switch {
	case r.Waits && s.on == on && same: // nothing has changed for it
		s.wait = wait
		return true
	case r.Waits && same: // it was the next but one in the queue of the same row
		db.results = append(db.results, r)
		return true
	}
	db.results = append(db.results, r)
	db.leave(me)
	if r.Waits {
		db.queue = append(db.queue, me)
	}
	return false
}

// place is where in its statement a session waits.
func (s *session) place() [6]int32 {
	return [...]int32{s.part, s.position, s.linked, s.waited.table, s.waited.slot, int32(len(s.memo))}
}

// leave takes a session out of the queue.
func (db *DB) leave(me int32) {
	if i := slices.Index(db.queue, me); i >= 0 {
		db.queue = append(db.queue[:i], db.queue[i+1:]...)
	}
}

// cancel ends a statement that waits by an error.
func (db *DB) cancel(now sim.Wall, session int, wait uint32, code sql.Code) {
	if !db.Waits(session, wait) {
		return
	}
	db.begin(now)
	db.leave(int32(session))
	var r Result
	db.failed(int32(session), code, &r)
	db.results = append(db.results, r)
	db.end()
}

// cycle reports whether a session waits, over others that wait, for itself.
func (db *DB) cycle(me int32) bool {
	on := db.sessions[me].on
	for range db.sessions {
		if on == 0 {
			return false
		}
		if on == me+1 {
			return true
		}
		on = db.sessions[on-1].on
	}
	return false
}
