package postgres

// visible reports whether a transaction sees a version: inserted by a commit of its
// snapshot or by an earlier command of its own, and not deleted by one of those.
func (v *version) visible(me int32, s *session) bool {
	if v.by != 0 {
		if v.by != me+1 || v.command >= s.command {
			return false
		}
	} else if v.from > s.snapshot {
		return false
	}
	if v.dead != 0 {
		return v.dead != me+1 || v.killed >= s.command
	}
	return v.to == 0 || v.to > s.snapshot
}

// committed reports whether a version is part of the committed state.
func (v *version) committed() bool { return v.used && v.by == 0 && v.to == 0 }

// horizon is the last commit that every snapshot sees.
func (db *DB) horizon() uint32 {
	h := db.commits
	for i := range db.sessions {
		if s := &db.sessions[i]; s.seeing {
			h = min(h, s.snapshot)
		}
	}
	return h
}

// vacuum removes the versions that no snapshot can see any more, and forgets the numbers
// of commits that all see. When there is no snapshot it counts commits from 0 again: what
// has happened before leaves no trace.
func (db *DB) vacuum() {
	if len(db.recent) == 0 && db.commits == 0 {
		return
	}
	h := db.horizon()
	left := len(db.recent)
	for i := left - 1; i >= 0; i-- { // the last first: a store takes free slots back cheapest so
		at := db.recent[i]
		s := &db.tables[at.table]
		v := &s.versions[at.slot]
		switch {
		case v.to != 0 && v.to <= h:
			s.drop(db.schema.Catalog().Tables[at.table], at.slot)
			continue
		case v.from <= h:
			v.from = 0
		}
		if v.from != 0 || v.to != 0 {
			left--
			db.recent[left] = at
		}
	}
	db.recent = append(db.recent[:0], db.recent[left:]...)
	if len(db.recent) == 0 && h == db.commits && !db.anySnapshot() && len(db.serial) == 0 {
		db.commits = 0
	}
}

func (db *DB) anySnapshot() bool {
	for i := range db.sessions {
		if db.sessions[i].seeing {
			return true
		}
	}
	return false
}
