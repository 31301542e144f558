package postgres

import "fencepost/models/internal/postgres/sql"

// Restart is the end of every session, as after a crash of the server: what is not committed
// is rolled back, and no statement that waits runs.
func (db *DB) Restart() {
	db.begin(0)
	for i := range db.sessions {
		db.leave(int32(i))
	}
	for i := range db.sessions {
		s := &db.sessions[i]
		db.abort(int32(i))
		s.forget()
		s.lockTimeout = sql.Value(db.options.LockTimeout)
	}
	db.end()
	db.results = db.results[:0]
}
