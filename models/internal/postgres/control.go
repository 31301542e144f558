package postgres

// control executes a statement about the transaction or the session.
func (db *DB) control(me int32, st *Statement, r *Result) Code {
	s := &db.sessions[me]
	switch st.kind {
	case commitStatement:
		return db.finishBlock(me, r)
	case rollbackStatement:
		db.abort(me)
		return OK
	case rollbackToStatement:
		return db.rollbackTo(me, st.name)
	}
	if s.failed {
		return InFailedTransaction
	}
	switch st.kind {
	case beginStatement: // within a transaction only a warning, but for the level
		level := db.options.Isolation
		if st.levelSet {
			level = st.isolation
		}
		switch {
		case !s.block:
			db.start(me, true, level)
		case st.levelSet:
			return s.setLevel(level)
		}
	case savepointStatement:
		if !s.block {
			return NoActiveTransaction
		}
		s.savepoints = append(s.savepoints, savepoint{st.name, int32(len(s.undo)), s.lockTimeout, s.ifCommitted})
	case releaseStatement:
		i, code := s.findSavepoint(st.name)
		if code != OK {
			return code
		}
		s.savepoints = s.savepoints[:i]
	case lockTimeoutStatement:
		db.setLockTimeout(me, st)
	case isolationStatement:
		if s.block { // else only a warning
			return s.setLevel(st.isolation)
		}
	}
	return OK
}

// setLevel changes the isolation level of a transaction, which has to come before its
// first query and savepoint.
func (s *session) setLevel(level Isolation) Code {
	if level != s.isolation && (s.seeing || s.command > 0 || len(s.savepoints) > 0) {
		return ActiveTransaction
	}
	s.isolation = level
	return OK
}

// finishBlock is COMMIT. A transaction that has failed is rolled back, and the answer is
// ROLLBACK.
func (db *DB) finishBlock(me int32, r *Result) Code {
	s := &db.sessions[me]
	switch {
	case s.failed:
		r.Tag = TagRollback
		db.abort(me)
	case s.block:
		return db.commit(me)
	}
	return OK
}

// rollbackTo undoes what has been done, locked and failed since a savepoint, which stays.
func (db *DB) rollbackTo(me int32, name Value) Code {
	s := &db.sessions[me]
	i, code := s.findSavepoint(name)
	if code != OK {
		return code
	}
	p := s.savepoints[i]
	s.savepoints = s.savepoints[:i+1]
	s.lockTimeout, s.ifCommitted = p.lockTimeout, p.ifCommitted
	db.undoTo(me, p.mark)
	s.failed = false
	db.released(me)
	return OK
}

// findSavepoint is the place of the last savepoint of that name.
func (s *session) findSavepoint(name Value) (int, Code) {
	if !s.block {
		return 0, NoActiveTransaction
	}
	for i := len(s.savepoints) - 1; i >= 0; i-- {
		if s.savepoints[i].name == name {
			return i, OK
		}
	}
	return 0, InvalidSavepoint
}

// setLockTimeout is SET [LOCAL] lock_timeout. Outside a transaction LOCAL does nothing.
func (db *DB) setLockTimeout(me int32, st *Statement) {
	s := &db.sessions[me]
	x := run{db: db, me: me, s: s, st: st}
	v := x.eval(st.value)
	if st.local && !s.block {
		return
	}
	s.lockTimeout = v
	if !st.local {
		s.ifCommitted = v
	}
}
