package postgres

import "fencepost/models/internal/postgres/sql"

// ChangeKind is what a transaction did to a row.
type ChangeKind uint8

// The kinds. A row that an update has replaced several times is one change.
const (
	Inserted ChangeKind = iota
	Updated
	Deleted
)

// String is the kind.
func (k ChangeKind) String() string { return [...]string{"inserted", "updated", "deleted"}[k] }

// Change is what a committed transaction did to one row.
type Change struct {
	Session  int // that committed
	Table    int // its number, as [sql.Schema.Table] has it
	Kind     ChangeKind
	old, new int32 // where in the changed values, plus 1
}

// Changes are the changes of the transactions that the last call has committed, in their
// order. They and their values are good until the next call.
func (db *DB) Changes() []Change {
	list := db.changes
	db.changes = db.changes[:0]
	return list
}

// Old are the values that a row had before; nil for one that was inserted.
func (db *DB) Old(c Change) []sql.Value { return db.valuesOf(c, c.old) }

// New are the values that a row has now; nil for one that was deleted.
func (db *DB) New(c Change) []sql.Value { return db.valuesOf(c, c.new) }

func (db *DB) valuesOf(c Change, at int32) []sql.Value {
	if at == 0 {
		return nil
	}
	width := int32(len(db.schema.Catalog().Tables[c.Table].Columns))
	return db.changed[at-1 : at-1+width : at-1+width]
}

// observe lists what a transaction that is about to commit has done.
func (db *DB) observe(me int32) {
	for _, u := range db.sessions[me].undo {
		v := db.version(u)
		switch {
		case u.kind == killed && v.by == 0: // a row that was there before
			c := Change{Session: int(me), Table: int(u.table), Kind: Deleted, old: db.remember(u.table, u.slot)}
			if last := db.last(u); last >= 0 {
				c.Kind, c.new = Updated, db.remember(u.table, last)
			}
			db.changes = append(db.changes, c)
		case u.kind == inserted && !v.successor:
			if last := db.last(u); last >= 0 {
				db.changes = append(db.changes, Change{Session: int(me), Table: int(u.table), Kind: Inserted, new: db.remember(u.table, last)})
			}
		}
	}
}

func (db *DB) version(u undo) *version {
	if u.kind == advised {
		return nil
	}
	return &db.tables[u.table].versions[u.slot]
}

// last is the version in which a row ends that the transaction has changed; -1 if it has
// deleted it.
func (db *DB) last(u undo) int32 {
	for slot := u.slot; ; {
		v := &db.tables[u.table].versions[slot]
		switch {
		case v.dead == 0:
			return slot
		case v.newer == 0:
			return -1
		}
		slot = v.newer - 1
	}
}

// remember copies the values of a version.
func (db *DB) remember(table, slot int32) int32 {
	at := int32(len(db.changed)) + 1
	width := len(db.schema.Catalog().Tables[table].Columns)
	db.changed = append(db.changed, db.tables[table].row(width, slot)...)
	return at
}

// Count is how many rows the committed state of a table has.
func (db *DB) Count(table int) int {
	n := 0
	for i := range db.tables[table].versions {
		if db.tables[table].versions[i].committed() {
			n++
		}
	}
	return n
}

// Sum is the sum of a column over the committed state of a table, without NULL.
func (db *DB) Sum(table, column int) sql.Value {
	total, width := sql.Value(0), len(db.schema.Catalog().Tables[table].Columns)
	s := &db.tables[table]
	for i := range s.versions {
		if v := s.row(width, int32(i))[column]; s.versions[i].committed() && v != sql.Null {
			total += v
		}
	}
	return total
}

// Row is a row of the committed state of a table: the first whose place, counted from 0,
// is not before the one given, and where to continue. It reports false if there is none.
// The values are good until the next call.
func (db *DB) Row(table, from int) (row []sql.Value, next int, ok bool) {
	s := &db.tables[table]
	for i := max(from, 0); i < len(s.versions); i++ {
		if s.versions[i].committed() {
			return s.row(len(db.schema.Catalog().Tables[table].Columns), int32(i)), i + 1, true
		}
	}
	return nil, 0, false
}
