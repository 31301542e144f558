package postgres

import (
	"time"

	"fencepost/models/internal/postgres/sql"
)

// session is a connection: its transaction, and the statement that runs or has run last.
type session struct {
	open        bool // there is a transaction
	block       bool // it has been begun with BEGIN, and ends with COMMIT or ROLLBACK
	failed      bool // it takes only ROLLBACK
	seeing      bool // it has a snapshot
	isolation   sql.Isolation
	snapshot    uint32    // the last commit that it sees
	command     uint32    // counts the statements of the transaction
	serial      int32     // its serializable transaction, plus 1
	started     sql.Value // now()
	undo        []undo
	savepoints  []savepoint
	lockTimeout sql.Value // in force
	ifCommitted sql.Value // lock_timeout after the transaction
	ifAborted   sql.Value

	progress
	statement int32 // number; 0 for none
	args      []sql.Value
	list      []candidate // rows that the present part works on
	row       []sql.Value // that is to be stored, as far as it is evaluated
	memo      []sql.Value // of each subquery that is evaluated once: its number, how many values it has, and these
	totals    []sql.Value // the aggregates of the present part, once they are calculated
	values    []sql.Value // of subqueries that are being evaluated
	rows      []sql.Value // results, of each part behind those of the part before
	width     int         // columns of the result
	fetched   int         // place in rows of the row that is fetched next

	on   int32  // session, plus 1, for which it waits
	wait uint32 // how many waits it has begun
}

// progress is how far a statement has come: what a resumed one needs.
type progress struct {
	part      int32
	begun     bool // list and source of the part are there
	position  int32
	taken     int32 // how many rows the part's query has given
	waited    place // the row, its slot plus 1, that was waited for last to lock it
	checked   bool  // the row at the position satisfies the conditions
	evaluated bool  // the row to be inserted is there
	pending   int32 // slot, plus 1, of a version that is being put into the indexes, or of a row that has been deleted
	linked    int32 // how many indexes have it
	updated   bool  // ON CONFLICT DO UPDATE has put the pending version
	count     int32
	starts    [sql.MaxParts + 1]int32 // where in rows the results of the parts begin
}

// candidate is a row that a statement found: a version, and that of the other table.
type candidate struct{ slot, other int32 }

// undoKind is what has to be undone.
type undoKind uint8

const (
	inserted undoKind = iota
	killed            // deleted or updated
	locked
	advised // an advisory lock was taken
)

// undo is a change of the open transaction.
type undo struct {
	kind  undoKind
	table int32
	slot  int32 // for an advisory lock its place in the list
}

// savepoint is a place in the undo list to which a transaction can return.
type savepoint struct {
	name        sql.Value
	mark        int32
	lockTimeout sql.Value
	ifCommitted sql.Value
}

func (s *session) waits() bool { return s.on != 0 }

// forget clears what is left of the last statement.
func (s *session) forget() {
	s.statement, s.width, s.fetched, s.on = 0, 0, 0, 0
	s.progress = progress{}
	s.list, s.rows = s.list[:0], s.rows[:0]
	s.args, s.row, s.memo, s.totals = s.args[:0], s.row[:0], s.memo[:0], s.totals[:0]
}

// reset makes a session equal to another, in its own memory.
func (s *session) reset(initial *session) {
	before := *s
	*s = *initial
	s.undo = append(before.undo[:0], initial.undo...)
	s.savepoints = append(before.savepoints[:0], initial.savepoints...)
	s.list = append(before.list[:0], initial.list...)
	s.memo, s.values = append(before.memo[:0], initial.memo...), before.values[:0]
	s.totals = append(before.totals[:0], initial.totals...)
	s.rows = append(before.rows[:0], initial.rows...)
	s.args = append(before.args[:0], initial.args...)
	s.row = append(before.row[:0], initial.row...)
}

// start begins the session's transaction.
func (db *DB) start(me int32, block bool, level sql.Isolation) {
	s := &db.sessions[me]
	s.open, s.block, s.isolation, s.started = true, block, level, sql.Value(db.now)
	s.ifCommitted, s.ifAborted = s.lockTimeout, s.lockTimeout
}

// see takes a snapshot, if the statement needs one.
func (db *DB) see(me int32) {
	s := &db.sessions[me]
	if s.seeing && s.isolation != sql.ReadCommitted {
		return
	}
	s.seeing, s.snapshot = true, db.commits
	if s.isolation == sql.Serializable {
		db.openSerial(me)
	}
}

// unsee gives the snapshot back at the end of a statement at READ COMMITTED.
func (db *DB) unsee(me int32) {
	s := &db.sessions[me]
	if s.seeing && (s.isolation == sql.ReadCommitted || !s.open) {
		s.seeing, s.snapshot = false, 0
		db.vacuum()
	}
}

// commit makes the changes of a transaction those of a commit, and ends it.
func (db *DB) commit(me int32) sql.Code {
	s := &db.sessions[me]
	if code := db.commitSerial(me); code != sql.OK {
		db.abort(me)
		return code
	}
	if len(s.undo) > 0 || s.serial != 0 {
		db.commits++
	}
	db.observe(me)
	for _, u := range s.undo {
		db.keep(me, u)
	}
	db.closeSerial(me, true)
	s.lockTimeout = s.ifCommitted
	db.close(me)
	return sql.OK
}

// keep makes one change of a transaction that of the last commit.
func (db *DB) keep(me int32, u undo) {
	if u.kind == advised {
		db.unadvise(u.slot)
		return
	}
	v := &db.tables[u.table].versions[u.slot]
	switch u.kind {
	case inserted:
		v.by, v.command, v.successor, v.from = 0, 0, false, db.commits
		db.recent = append(db.recent, place{u.table, u.slot})
	case killed:
		v.dead, v.killed, v.to = 0, 0, db.commits
		if v.from == 0 { // else it is in the list
			db.recent = append(db.recent, place{u.table, u.slot})
		}
	case locked:
		v.locked = 0
	}
}

// abort undoes a transaction and ends it.
func (db *DB) abort(me int32) {
	s := &db.sessions[me]
	if !s.open {
		return
	}
	db.undoTo(me, 0)
	db.closeSerial(me, false)
	s.lockTimeout = s.ifAborted
	db.close(me)
}

// close is the end of a transaction.
func (db *DB) close(me int32) {
	s := &db.sessions[me]
	s.open, s.block, s.failed, s.isolation, s.command, s.started = false, false, false, 0, 0, 0
	s.undo, s.savepoints = s.undo[:0], s.savepoints[:0]
	s.ifCommitted, s.ifAborted = 0, 0
	db.unsee(me)
	db.vacuum()
	db.released(me)
}

// undoTo undoes the changes of a transaction down to a place in its list, the last first.
func (db *DB) undoTo(me, mark int32) {
	s := &db.sessions[me]
	for len(s.undo) > int(mark) {
		u := s.undo[len(s.undo)-1]
		s.undo = s.undo[:len(s.undo)-1]
		switch u.kind {
		case inserted:
			db.tables[u.table].drop(db.schema.Catalog().Tables[u.table], u.slot)
		case killed:
			v := &db.tables[u.table].versions[u.slot]
			v.dead, v.killed, v.newer = 0, 0, 0
		case locked:
			db.tables[u.table].versions[u.slot].locked = 0
		case advised:
			db.unadvise(u.slot)
		}
	}
}

// breakOff is an error in a statement: its transaction is undone to the last savepoint,
// and takes nothing but ROLLBACK; one that is a single statement is over.
func (db *DB) breakOff(me int32) {
	s := &db.sessions[me]
	if !s.block {
		db.abort(me)
		return
	}
	s.failed = true
	if n := len(s.savepoints); n > 0 {
		db.undoTo(me, s.savepoints[n-1].mark)
		db.unsee(me)
	} else {
		db.undoTo(me, 0)
		db.closeSerial(me, false)
		s.seeing, s.snapshot = false, 0
		db.vacuum()
	}
	db.released(me)
}

// timeout is lock_timeout as the owner of timers wants it.
func (s *session) timeout() time.Duration { return time.Duration(s.lockTimeout) }
