package postgres

import "fencepost/models/internal/postgres/sql"

// run executes a statement in a session that has been prepared for it.
func (db *DB) run(me int32, st *sql.Statement, r *Result) {
	s := &db.sessions[me]
	if st.Kind != sql.QueryStatement {
		*r = Result{session: me, Tag: st.Tag}
		if code := db.control(me, st, r); code != sql.OK {
			r.Code = code
			db.breakOff(me)
		}
		s.forget()
		return
	}
	if s.failed {
		s.forget()
		*r = Result{session: me, Code: sql.InFailedTransaction}
		return
	}
	if !s.open {
		db.start(me, false, db.options.Isolation)
	}
	db.see(me)
	s.command++
	db.proceed(me, st, r)
}

// proceed runs a statement from where it is to its end, or to where it waits.
func (db *DB) proceed(me int32, st *sql.Statement, r *Result) {
	s := &db.sessions[me]
	x := run{db: db, me: me, s: s, st: st}
	x.parts()
	*r = Result{session: me, Tag: st.Tag}
	switch {
	case x.code != sql.OK:
		db.failed(me, x.code, r)
		return
	case x.on != 0:
		s.on = x.on
		s.wait++
		r.Waits, r.Wait, r.On, r.Timeout = true, s.wait, x.on-1, s.timeout()
		return
	}
	x.finish(r)
	db.unsee(me)
	if !s.block {
		if r.Code = db.commit(me); r.Code != sql.OK {
			s.forget()
			*r = Result{session: me, Code: r.Code}
		}
	}
}

// failed is the end of a statement by an error.
func (db *DB) failed(me int32, code sql.Code, r *Result) {
	*r = Result{session: me, Code: code}
	db.sessions[me].forget()
	db.breakOff(me)
}

// parts runs the parts of a statement that are left.
func (x *run) parts() {
	for int(x.s.part) < len(x.st.Parts) {
		p := x.st.Parts[x.s.part]
		switch {
		case p.Unread:
		case p.Kind == sql.SelectPart:
			x.selects(p)
		case p.Kind == sql.InsertPart:
			x.inserts(p)
		default:
			x.changes(p)
		}
		if x.stopped() {
			return
		}
		s := x.s
		next, starts := s.part+1, s.starts
		starts[next] = int32(len(s.rows))
		count := s.count
		if p.With {
			count = 0
		}
		s.progress = progress{part: next, starts: starts, count: count}
		s.list, s.row, s.totals = s.list[:0], s.row[:0], s.totals[:0]
	}
}

// finish is the result of a statement that has succeeded.
func (x *run) finish(r *Result) {
	s := x.s
	s.width = x.st.Width()
	s.fetched = len(s.rows)
	for i := len(x.st.Parts) - 1; i >= 0 && !x.st.Parts[i].With; i-- {
		s.fetched = int(s.starts[i])
	}
	r.Rows = s.count
	if s.width > 0 && s.fetched < len(s.rows) {
		r.Columns = int32(s.width)
		copy(r.Row[:], s.rows[s.fetched:s.fetched+s.width])
	}
	s.statement, s.progress = 0, progress{}
	s.args, s.row = s.args[:0], s.row[:0]
}

// emit adds a row to the result.
func (x *run) emit(items []*sql.Node) {
	s := x.s
	before := len(s.rows)
	for _, n := range items {
		v := x.eval(n)
		if x.stopped() {
			s.rows = s.rows[:before]
			return
		}
		s.rows = append(s.rows, v)
	}
}

// prepare lists the rows that a part works on, once.
func (x *run) prepare(q *sql.Query) {
	s := x.s
	if s.begun {
		return
	}
	s.list = s.list[:0]
	if most := x.limit(q); most > 0 && len(q.Aggregates) == 0 && x.opens(q) {
		x.collect(q, most)
	}
	s.begun = !x.stopped()
}

// take makes the next row of a part's query the present one, locked if the query locks its rows. The caller moves the
// position on when it is done with the row.
func (x *run) take(q *sql.Query) bool {
	s := x.s
	if int(s.taken) >= x.limit(q) || x.stopped() {
		return false
	}
	if len(q.Aggregates) > 0 {
		return s.taken == 0 && x.takeTotals(q)
	}
	for ; int(s.position) < len(s.list); s.position, s.checked = s.position+1, false {
		if q.From == nil {
			return true
		}
		slot := s.list[s.position].slot
		x.load(q.From, slot)
		ok := x.satisfiesLate(q)
		if ok && q.Lock != sql.NoLock {
			found := slot
			if slot, ok = x.lock(q, slot); !ok {
				x.evaluateFirst(q.From, found, q.Items)
			}
			x.load(q.From, slot)
		}
		if x.stopped() || ok {
			return ok && !x.stopped()
		}
	}
	return false
}

// takeTotals makes the one row of a query with aggregates, which stays as it is while an expression over them waits.
func (x *run) takeTotals(q *sql.Query) bool {
	s := x.s
	if len(s.totals) > 0 {
		copy(x.aggregates[:], s.totals)
		return true
	}
	if x.aggregate(q); !x.stopped() {
		s.totals = append(s.totals, x.aggregates[:len(q.Aggregates)]...)
	}
	return !x.stopped()
}

// satisfiesLate checks the conditions of a query that have been left for later, once for each row.
func (x *run) satisfiesLate(q *sql.Query) bool {
	if q.Late && !x.s.checked {
		x.s.checked = x.holds(q.Where)
		return x.s.checked
	}
	return true
}

// evaluateFirst evaluates expressions for a row that cannot be locked, or that is passed over: PostgreSQL evaluates the
// results and the new values before it locks the row. So their locks are taken, and what they wait for or fail by is
// first.
func (x *run) evaluateFirst(r *sql.Relation, slot int32, list []*sql.Node) {
	on, code := x.on, x.code
	x.on, x.code = 0, sql.OK
	x.load(r, slot)
	for _, n := range list {
		if x.eval(n); x.stopped() {
			return
		}
	}
	x.on, x.code = on, code
}

// selects is SELECT.
func (x *run) selects(p *sql.Part) {
	q := p.Query
	if x.prepare(q); x.stopped() {
		return
	}
	for s := x.s; x.take(q); s.position, s.taken, s.checked = s.position+1, s.taken+1, false {
		if x.emit(q.Items); x.stopped() {
			return
		}
		s.count++
	}
}

// changes is UPDATE and DELETE.
func (x *run) changes(p *sql.Part) {
	if x.prepare(p.Query); x.stopped() {
		return
	}
	for s := x.s; int(s.position) < len(s.list); s.position, s.checked = s.position+1, false {
		c := s.list[s.position]
		if p.Query.Other != nil {
			x.load(p.Query.Other, c.other)
		}
		if s.pending == 0 {
			slot, ok := x.target(p, c)
			if x.stopped() {
				return
			}
			if !ok {
				continue
			}
			x.change(p, slot)
		}
		if s.pending != 0 && p.Kind == sql.UpdatePart {
			x.linkPending(p.Target.Table)
		}
		if x.stopped() {
			return
		}
		x.load(p.Target, s.pending-1)
		if x.emit(p.Returning); x.stopped() {
			return
		}
		s.pending, s.linked = 0, 0
		s.count++
	}
}

// target claims a row that is to be changed.
func (x *run) target(p *sql.Part, c candidate) (slot int32, ok bool) {
	x.load(p.Target, c.slot)
	if !x.satisfiesLate(p.Query) {
		return 0, false
	}
	if slot, ok = x.claim(p.Query, c, sql.ForUpdate); !ok && p.Kind == sql.UpdatePart {
		x.evaluateFirst(p.Target, c.slot, p.Values[0])
	}
	return slot, ok
}

// change deletes a row, or puts a new version in its place. What is deleted or put is then pending.
func (x *run) change(p *sql.Part, slot int32) {
	t := p.Target.Table
	x.load(p.Target, slot)
	if p.Kind == sql.DeletePart {
		if x.kill(t, slot); !x.stopped() {
			x.s.pending = slot + 1
		}
		return
	}
	x.replace(p.Target, slot, p.Columns, p.Values[0])
}

// replace is the new version of a row, with some columns assigned.
func (x *run) replace(r *sql.Relation, slot int32, columns []int, values []*sql.Node) {
	var row [sql.MaxColumns]sql.Value // the values may still refer to the session's row
	copy(row[:], x.rows[r.Number])
	for i, n := range values {
		row[columns[i]] = x.eval(n)
	}
	if x.stopped() {
		return
	}
	x.s.row = append(x.s.row[:0], row[:len(r.Columns)]...)
	if x.check(r); x.stopped() {
		return
	}
	x.kill(r.Table, slot)
	if x.stopped() {
		return
	}
	x.put(r.Table, slot)
}

// check holds the row that is about to be stored against NOT NULL and CHECK.
func (x *run) check(r *sql.Relation) {
	row := x.s.row
	for i := range r.Columns {
		if r.Columns[i].NotNull && row[i] == sql.Null {
			x.fail(sql.NotNullViolation)
			return
		}
	}
	if len(r.Table.Checks) == 0 {
		return
	}
	before := x.rows[0] // a check is over relation 0
	x.rows[0] = row
	for _, n := range r.Table.Checks {
		if x.eval(n) == 0 {
			x.fail(sql.CheckViolation)
		}
	}
	x.rows[0] = before
}
