package postgres

import (
	"slices"

	"fencepost/models/internal/postgres/sql"
)

// inserts is INSERT: each row is evaluated once, however often it has to wait.
func (x *run) inserts(p *sql.Part) {
	if p.Query != nil {
		if x.prepare(p.Query); x.stopped() {
			return
		}
	}
	for s := x.s; x.evaluate(p); s.position, s.taken, s.checked = s.position+1, s.taken+1, false {
		done := x.insert(p)
		if x.stopped() {
			return
		}
		if done {
			x.load(p.Target, s.pending-1)
			x.xmax = sql.Truth(s.updated)
			if x.emit(p.Returning); x.stopped() {
				return
			}
			s.count++
		}
		s.evaluated, s.updated, s.pending, s.linked, s.row = false, false, 0, 0, s.row[:0]
	}
}

// evaluate makes the next row that is to be inserted, one column after another: what a sequence has given is kept while
// another column waits. It reports false if there is none.
func (x *run) evaluate(p *sql.Part) bool {
	s, t := x.s, p.Target.Table
	switch {
	case s.evaluated:
		return true
	case p.Query == nil && int(s.position) >= len(p.Values), p.Query != nil && !x.take(p.Query):
		return false
	}
	for c := len(s.row); c < len(t.Columns); c++ {
		v := x.given(p, c)
		if x.stopped() {
			return false
		}
		s.row = append(s.row, v)
	}
	x.check(p.Target)
	s.evaluated = !x.stopped()
	return s.evaluated
}

// given is the value of a column of the row that is to be inserted.
func (x *run) given(p *sql.Part, c int) sql.Value {
	t := p.Target.Table
	i := slices.Index(p.Columns, c)
	switch {
	case i < 0:
		return x.initial(t, c)
	case p.Query != nil:
		return x.eval(p.Query.Items[i])
	case p.Values[x.s.position][i].Op == sql.OpDefault:
		return x.db.nextSerial(t, c)
	}
	return x.eval(p.Values[x.s.position][i])
}

// initial is the default of a column.
func (x *run) initial(t *sql.Table, c int) sql.Value {
	switch d := &t.Columns[c]; {
	case d.Serial:
		return x.db.nextSerial(t, c)
	case d.Initial != nil:
		return x.eval(d.Initial)
	}
	return sql.Null
}

// nextSerial is nextval: a number that no rollback gives back.
func (db *DB) nextSerial(t *sql.Table, c int) sql.Value {
	s := &db.tables[t.Number]
	for len(s.serials) <= c {
		s.serials = append(s.serials, 0)
	}
	s.serials[c]++
	return s.serials[c]
}

// insert brings the row into the table, as far as it can. It reports whether there is a
// new version, which is then the pending one.
func (x *run) insert(p *sql.Part) bool {
	s, t := x.s, p.Target.Table
	if x.stopped() {
		return false
	}
	if s.pending == 0 && p.Conflict != nil {
		if x.overtaken(t) {
			x.fail(sql.SerializationFailure)
			return false
		}
		if slot, found := x.arbitrate(t, p.Conflict.Index); x.stopped() {
			return false
		} else if found {
			return x.onConflict(p, slot)
		}
	}
	if s.pending == 0 && !x.put(t, -1) {
		return false
	}
	x.linkPending(t)
	return true
}

// unseenRow stands for the slot of a row that was waited for and that the snapshot does not see: the store may not have it
// any more.
const unseenRow = -1

// overtaken reports whether the row that DO UPDATE has waited for is a serialization failure: the snapshot does not see it,
// or it was deleted, or updated, perhaps to another key, so that there may be no conflict any more.
func (x *run) overtaken(t *sql.Table) bool {
	w := x.s.waited
	if x.s.isolation == sql.ReadCommitted || w.slot == 0 || int(w.table) != t.Number {
		return false
	}
	return w.slot == unseenRow || x.db.tables[t.Number].versions[w.slot-1].to != 0
}

// arbitrate looks for a row that the new one is in conflict with.
func (x *run) arbitrate(t *sql.Table, only *sql.Index) (slot int32, found bool) {
	for i, y := range t.Indexes {
		if !y.Unique || only != nil && y != only {
			continue
		}
		if slot, found = x.duplicate(t, i, x.s.row, -1); found || x.stopped() {
			return slot, found
		}
	}
	return 0, false
}

// onConflict is DO NOTHING and DO UPDATE. A row that the snapshot of a transaction does
// not see is a serialization failure, not a conflict that can be passed over; DO UPDATE
// waits for the lock of the row before it looks at that.
func (x *run) onConflict(p *sql.Part, slot int32) (done bool) {
	s, t, c := x.s, p.Target.Table, p.Conflict
	v := &x.db.tables[t.Number].versions[slot]
	own := v.by == x.me+1
	unseen := s.isolation != sql.ReadCommitted && !own && v.from > s.snapshot
	if own && v.command == s.command && c.Update {
		x.fail(sql.CardinalityViolation)
		return false
	}
	if c.Update && v.locked != 0 && v.locked != x.me+1 {
		x.on, s.waited = v.locked, place{int32(t.Number), slot + 1}
		if unseen {
			s.waited.slot = unseenRow
		}
		return false
	}
	if unseen {
		x.fail(sql.SerializationFailure)
		return false
	}
	if !c.Update {
		return false
	}
	x.hold(t, slot)
	x.load(p.Target, slot)
	x.rows[c.Excluded.Number] = s.row
	if !x.holds(c.Where) || x.stopped() {
		return false
	}
	x.replace(p.Target, slot, c.Columns, c.Values)
	if x.stopped() {
		return false
	}
	s.updated = true
	x.linkPending(t)
	return true
}

// put stores the row as a version of the open transaction, in no index yet: in the place of
// another version, or of none, -1. It reports false if the table is full.
func (x *run) put(t *sql.Table, old int32) bool {
	s := x.s
	st := &x.db.tables[t.Number]
	if len(st.versions)-len(st.free) >= sql.MaxVersions {
		x.fail(sql.ProgramLimitExceeded)
		return false
	}
	slot := st.put(s.row, version{by: x.me + 1, command: s.command})
	s.undo = append(s.undo, undo{inserted, int32(t.Number), slot})
	if old >= 0 {
		st.versions[old].newer, st.versions[slot].successor = slot+1, true
	}
	x.writes(t, slot, -1)
	s.pending, s.linked = slot+1, 0
	return true
}

// linkPending puts the pending version into the indexes that do not have it yet, one
// after another as PostgreSQL does: while it waits for one, the others have it.
func (x *run) linkPending(t *sql.Table) {
	s := x.s
	st := &x.db.tables[t.Number]
	slot := s.pending - 1
	for ; int(s.linked) < len(t.Indexes) && !x.stopped(); s.linked++ {
		i := int(s.linked)
		if t.Indexes[i].Unique {
			_, found := x.duplicate(t, i, st.row(len(t.Columns), slot), slot)
			if x.on != 0 {
				return
			}
			if found { // a serialization failure is what the client should see rather
				x.writes(t, slot, int32(i))
				x.fail(sql.UniqueViolation)
				return
			}
		}
		x.writes(t, slot, int32(i))
		st.link(t, i, slot)
	}
}

// duplicate is the version that a row would be a duplicate of in a unique index. Versions
// that an open transaction has inserted, deleted or updated have to be waited for.
func (x *run) duplicate(t *sql.Table, i int, row []sql.Value, self int32) (slot int32, found bool) {
	var memory [sql.MaxColumns]sql.Value
	y, st := t.Indexes[i], &x.db.tables[t.Number]
	key := y.KeyOf(row, &memory)
	for _, k := range key {
		if k == sql.Null {
			return 0, false
		}
	}
	entries := st.indexes[i]
	for at := st.first(t, i, key); at < len(entries); at++ {
		slot := entries[at]
		if y.Compare(st.row(len(t.Columns), slot), key) != 0 {
			break
		}
		v := &st.versions[slot]
		switch {
		case slot == self, v.to != 0, v.dead == x.me+1:
		case v.by != 0 && v.by != x.me+1:
			x.on = v.by
			return 0, false
		case v.dead != 0:
			x.on = v.dead
			return 0, false
		default:
			return slot, true
		}
	}
	return 0, false
}
