package postgres

import "fencepost/models/internal/postgres/sql"

// control executes a statement about the transaction or the session.
func (db *DB) control(me int32, st *sql.Statement, r *Result) sql.Code {
	s := &db.sessions[me]
	switch st.Kind {
	case sql.CommitStatement:
		return db.finishBlock(me, r)
	case sql.RollbackStatement:
		db.abort(me)
		return sql.OK
	case sql.RollbackToStatement:
		return db.rollbackTo(me, st.Name)
	}
	if s.failed {
		return sql.InFailedTransaction
	}
	switch st.Kind {
	case sql.BeginStatement: // within a transaction only a warning, but for the level
		level := db.options.Isolation
		if st.LevelSet {
			level = st.Isolation
		}
		switch {
		case !s.block:
			db.start(me, true, level)
		case st.LevelSet:
			return s.setLevel(level)
		}
	case sql.SavepointStatement:
		if !s.block {
			return sql.NoActiveTransaction
		}
		s.savepoints = append(s.savepoints, savepoint{st.Name, int32(len(s.undo)), s.lockTimeout, s.ifCommitted})
	case sql.ReleaseStatement:
		i, code := s.findSavepoint(st.Name)
		if code != sql.OK {
			return code
		}
		s.savepoints = s.savepoints[:i]
	case sql.LockTimeoutStatement:
		db.setLockTimeout(me, st)
	case sql.IsolationStatement:
		if s.block { // else only a warning
			return s.setLevel(st.Isolation)
		}
	}
	return sql.OK
}

// setLevel changes the isolation level of a transaction, which has to come before its
// first query and savepoint.
func (s *session) setLevel(level sql.Isolation) sql.Code {
	if level != s.isolation && (s.seeing || s.command > 0 || len(s.savepoints) > 0) {
		return sql.ActiveTransaction
	}
	s.isolation = level
	return sql.OK
}

// finishBlock is COMMIT. A transaction that has failed is rolled back, and the answer is
// ROLLBACK.
func (db *DB) finishBlock(me int32, r *Result) sql.Code {
	s := &db.sessions[me]
	switch {
	case s.failed:
		r.Tag = sql.TagRollback
		db.abort(me)
	case s.block:
		return db.commit(me)
	}
	return sql.OK
}

// rollbackTo undoes what has been done, locked and failed since a savepoint, which stays.
func (db *DB) rollbackTo(me int32, name sql.Value) sql.Code {
	s := &db.sessions[me]
	i, code := s.findSavepoint(name)
	if code != sql.OK {
		return code
	}
	p := s.savepoints[i]
	s.savepoints = s.savepoints[:i+1]
	s.lockTimeout, s.ifCommitted = p.lockTimeout, p.ifCommitted
	db.undoTo(me, p.mark)
	s.failed = false
	db.released(me)
	return sql.OK
}

// findSavepoint is the place of the last savepoint of that name.
func (s *session) findSavepoint(name sql.Value) (int, sql.Code) {
	if !s.block {
		return 0, sql.NoActiveTransaction
	}
	for i := len(s.savepoints) - 1; i >= 0; i-- {
		if s.savepoints[i].name == name {
			return i, sql.OK
		}
	}
	return 0, sql.InvalidSavepoint
}

// setLockTimeout is SET [LOCAL] lock_timeout. Outside a transaction LOCAL does nothing.
func (db *DB) setLockTimeout(me int32, st *sql.Statement) {
	s := &db.sessions[me]
	x := run{db: db, me: me, s: s, st: st}
	v := x.eval(st.Value)
	if st.Local && !s.block {
		return
	}
	s.lockTimeout = v
	if !st.Local {
		s.ifCommitted = v
	}
}
