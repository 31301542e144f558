package postgres

// Forget clears what is left of statements that have ended, whose rows are fetched: nothing that follows
// depends on it.
func (db *DB) Forget() {
	for i := range db.sessions {
		if s := &db.sessions[i]; !s.waits() && s.fetched >= len(s.rows) {
			s.forget()
		}
	}
	db.changed = db.changed[:0]
}

// Waits reports whether a wait of a session has not ended.
func (db *DB) Waits(session int, wait uint32) bool {
	s := &db.sessions[session]
	return s.waits() && s.wait == wait
}
