// Package postgres is a SQL table store with the semantics of PostgreSQL, as a plain
// data structure: tables, row versions, snapshots, locks and sessions, driven by
// statements as events. It has no node, no network and no timer of its own.
//
// A [sql.Schema] holds what does not change: tables, indexes, interned texts and prepared
// statements. A [DB] holds what does. It can be copied with [DB.Reset] and compared, and
// equal logical states mostly have equal representations: versions that no snapshot can
// see are removed at once.
//
// What differs from PostgreSQL:
//
//   - Integers only; texts are equal or not, and have no order; timestamps and intervals
//     have nanoseconds.
//   - Rows without ORDER BY come in the order of an index, or of the places in the store.
//   - Of several sessions that wait for one transaction the first that began to wait
//     continues first, where a server has a race.
//   - At SERIALIZABLE what is read is a range of keys, or a table. A server that reads by an
//     index locks pages of it, or reads a small table as a whole, and aborts more.
//   - No joins in SELECT, no GROUP BY, no foreign keys, no FOR SHARE, no READ ONLY, no DDL
//     once sessions run. What is not there is refused with 0A000.
//
// Source: PostgreSQL 15 documentation, chapter 13 "Concurrency Control"; Ports and
// Grittner, "Serializable Snapshot Isolation in PostgreSQL", VLDB 2012.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package postgres

import (
	"time"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// Options are the parameters of a [DB].
type Options struct {
	Sessions        int           // how many sessions there are, numbered from 0
	DeadlockTimeout time.Duration // after which a session that waits looks for a deadlock; 0 is 1 s
	Isolation       sql.Isolation // default_transaction_isolation
	LockTimeout     time.Duration // default lock_timeout; 0 is none
}

// DB is the state of a database: tables, sessions, locks. Make one with [NewDB]. It owns
// slices: copy it with [DB.Reset].
//
// A statement either ends in [DB.Exec], or it waits. Then it ends, or begins to wait for
// another session, in a later call of any method that takes a clock reading; call
// [DB.Next] after each of them until there is nothing more.
type DB struct {
	schema    *sql.Schema
	options   Options
	now       sim.Wall // of the present call; 0 between calls
	commits   uint32   // the number of the last commit that some snapshot may not see
	tables    []store
	sessions  []session
	queue     []int32 // sessions that wait, in the order in which they began to
	ended     []int32 // sessions whose locks have gone and whose waiters have not looked
	recent    []place // versions that some snapshot sees and another may not
	advisory  []advisory
	serial    []serial
	conflicts []conflictEdge
	results   []Result // of statements that have waited, for Next
	changes   []Change
	changed   []sql.Value
}

// place is a version of a row in a table.
type place struct{ table, slot int32 }

// NewDB is a database with the initial rows of its schema, and all sessions idle. It
// panics if there is no session, or if the initial rows break a rule that
// [Create] has reported.
func NewDB(s *sql.Schema, o Options) DB {
	db := empty(s, o)
	if code := db.load(); code != sql.OK {
		panic("postgres: the initial rows break a rule: " + code.String())
	}
	return db
}

// Create reads statements that make the initial state of a schema, as [sql.Schema.Create]
// does, and runs them: rows that break a rule are an error too.
func Create(s *sql.Schema, ddl string) error {
	return s.Create(ddl, func() sql.Code {
		db := empty(s, Options{Sessions: 1})
		return db.load()
	})
}

func empty(s *sql.Schema, o Options) DB {
	if o.Sessions <= 0 {
		panic("postgres: a database without sessions")
	}
	if o.DeadlockTimeout == 0 {
		o.DeadlockTimeout = time.Second
	}
	db := DB{schema: s, options: o, sessions: make([]session, o.Sessions), tables: make([]store, len(s.Catalog().Tables))}
	for i := range db.sessions {
		db.sessions[i].lockTimeout = sql.Value(o.LockTimeout)
	}
	return db
}

// load runs the statements that make the initial rows.
func (db *DB) load() sql.Code {
	var r Result
	for _, st := range db.schema.Catalog().Setup {
		if db.Exec(0, 0, st, nil, &r); r.Code != sql.OK {
			return r.Code
		}
	}
	db.changes, db.changed = db.changes[:0], db.changed[:0]
	db.sessions[0].forget()
	return sql.OK
}

// Reset implements [sim.Resetter]: it makes the database equal to initial, sharing nothing
// but the schema.
func (db *DB) Reset(initial *DB) {
	before := *db
	*db = *initial
	db.tables = before.tables
	for len(db.tables) < len(initial.tables) {
		db.tables = append(db.tables, store{})
	}
	db.tables = db.tables[:len(initial.tables)]
	for i := range db.tables {
		db.tables[i].reset(&initial.tables[i])
	}
	db.sessions = before.sessions
	for len(db.sessions) < len(initial.sessions) {
		db.sessions = append(db.sessions, session{})
	}
	db.sessions = db.sessions[:len(initial.sessions)]
	for i := range db.sessions {
		db.sessions[i].reset(&initial.sessions[i])
	}
	db.queue = append(before.queue[:0], initial.queue...)
	db.ended = append(before.ended[:0], initial.ended...)
	db.recent = append(before.recent[:0], initial.recent...)
	db.advisory = append(before.advisory[:0], initial.advisory...)
	db.serial = resetSerial(before.serial, initial.serial)
	db.conflicts = append(before.conflicts[:0], initial.conflicts...)
	db.results = append(before.results[:0], initial.results...)
	db.changes = append(before.changes[:0], initial.changes...)
	db.changed = append(before.changed[:0], initial.changed...)
}

// Result is how a statement ended, or that it waits.
type Result struct {
	Code    sql.Code      // OK, or why it failed
	Waits   bool          // it is blocked: nothing else of the result counts but Wait and On
	Wait    uint32        // the number of the wait in its session, for LockTimeout and CheckDeadlock
	On      int32         // the session that it waits for
	Timeout time.Duration // lock_timeout of the session, 0 for none
	Tag     sql.Tag
	Rows    int32                    // rows selected, inserted, updated or deleted
	Columns int32                    // of Row; 0 if no row was returned
	Row     [sql.MaxResult]sql.Value // the first row

	session int32
}

// Exec runs a statement in a session: at the reading now of the server's wall clock, with
// the arguments that [sql.Statement] names. It panics if the session waits, or if an
// argument is missing. A statement outside a transaction is one of its own.
func (db *DB) Exec(now sim.Wall, session int, st *sql.Statement, args []sql.Value, r *Result) {
	s := &db.sessions[session]
	if s.waits() {
		panic("postgres: a statement in a session that waits")
	}
	if len(args) < len(st.Arguments) {
		panic("postgres: a statement without its arguments: " + st.Text())
	}
	db.begin(now)
	s.forget()
	s.statement = st.Number
	s.args = append(s.args[:0], args[:len(st.Arguments)]...)
	if db.run(int32(session), st, r); r.Waits {
		db.queue = append(db.queue, int32(session))
	}
	db.end()
}

// Refuse is a statement that [sql.Schema.Prepare] has refused with a code, in a session: an
// error in its transaction. It returns the code that the client gets, which in a failed
// transaction is 25P02 unless the statement could not be parsed.
func (db *DB) Refuse(now sim.Wall, session int, code sql.Code) sql.Code {
	s := &db.sessions[session]
	if s.waits() {
		panic("postgres: a statement in a session that waits")
	}
	db.begin(now)
	s.forget()
	if s.failed && code != sql.SyntaxError {
		code = sql.InFailedTransaction
	}
	if s.open {
		db.breakOff(int32(session))
	}
	db.end()
	return code
}

// Next is the result of a statement that has waited and has now ended, or waits for
// another session now (a new wait, with a number of its own); in the order in which they
// did. It reports false if there is no more.
func (db *DB) Next(r *Result) (session int, ok bool) {
	if len(db.results) == 0 {
		return 0, false
	}
	*r = db.results[0]
	session = int(r.session)
	db.results = append(db.results[:0], db.results[1:]...)
	return session, true
}

// Fetch is the next row of the session's last result, in Row and Columns of r; the first
// call has the first one. The rows stay until there are no
// more, or until the session's next statement.
func (db *DB) Fetch(session int, r *Result) bool {
	s := &db.sessions[session]
	w := s.width
	if s.waits() || w == 0 {
		return false
	}
	if s.fetched+w > len(s.rows) {
		s.rows, s.width, s.fetched = s.rows[:0], 0, 0
		return false
	}
	r.Columns = int32(w)
	copy(r.Row[:], s.rows[s.fetched:s.fetched+w])
	s.fetched += w
	return true
}

// Disconnect is the loss of a session's connection: its transaction is rolled back, and
// its settings are as at the beginning.
func (db *DB) Disconnect(now sim.Wall, session int) {
	db.begin(now)
	s := &db.sessions[session]
	db.leave(int32(session))
	db.abort(int32(session))
	s.forget()
	s.lockTimeout = sql.Value(db.options.LockTimeout)
	db.end()
}

// LockTimeout is the end of lock_timeout for a wait: the statement fails with 55P03. A
// wait that has ended is left alone.
func (db *DB) LockTimeout(now sim.Wall, session int, wait uint32) {
	db.cancel(now, session, wait, sql.LockNotAvailable)
}

// Cancel ends a statement that waits with 57014, as statement_timeout does.
func (db *DB) Cancel(now sim.Wall, session int, wait uint32) {
	db.cancel(now, session, wait, sql.QueryCanceled)
}

// CheckDeadlock is the end of deadlock_timeout for a wait: if the session waits in a
// cycle its statement fails with 40P01. Each wait is checked once.
func (db *DB) CheckDeadlock(now sim.Wall, session int, wait uint32) {
	if db.cycle(int32(session)) {
		db.cancel(now, session, wait, sql.DeadlockDetected)
	}
}

// DeadlockTimeout is how long after a wait has begun CheckDeadlock is due.
func (db *DB) DeadlockTimeout() time.Duration { return db.options.DeadlockTimeout }

// begin and end are around all that changes the state.
func (db *DB) begin(now sim.Wall) {
	db.now = now
	db.changes, db.changed = db.changes[:0], db.changed[:0]
}

func (db *DB) end() {
	db.resumeWaiters()
	db.now = 0
}
