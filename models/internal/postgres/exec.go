package postgres

// run executes a statement in a session that has been prepared for it.
func (db *DB) run(me int32, st *Statement, r *Result) {
	s := &db.sessions[me]
	if st.kind != queryStatement {
		*r = Result{session: me, Tag: st.tag}
		if code := db.control(me, st, r); code != OK {
			r.Code = code
			db.breakOff(me)
		}
		s.forget()
		return
	}
	if s.failed {
		s.forget()
		*r = Result{session: me, Code: InFailedTransaction}
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
func (db *DB) proceed(me int32, st *Statement, r *Result) {
	s := &db.sessions[me]
	x := run{db: db, me: me, s: s, st: st}
	x.parts()
	*r = Result{session: me, Tag: st.tag}
	switch {
	case x.code != OK:
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
		if r.Code = db.commit(me); r.Code != OK {
			s.forget()
			*r = Result{session: me, Code: r.Code}
		}
	}
}

// failed is the end of a statement by an error.
func (db *DB) failed(me int32, code Code, r *Result) {
	*r = Result{session: me, Code: code}
	db.sessions[me].forget()
	db.breakOff(me)
}

// parts runs the parts of a statement that are left.
func (x *run) parts() {
	for int(x.s.part) < len(x.st.parts) {
		p := x.st.parts[x.s.part]
		switch p.kind {
		case selectPart:
			x.selects(p)
		case insertPart:
			x.inserts(p)
		case updatePart, deletePart:
			x.changes(p)
		}
		if x.stopped() {
			return
		}
		s := x.s
		next, starts := s.part+1, s.starts
		starts[next] = int32(len(s.rows))
		count := s.count
		if p.with {
			count = 0
		}
		s.progress = progress{part: next, starts: starts, count: count}
		s.list, s.source = s.list[:0], s.source[:0]
	}
}

// finish is the result of a statement that has succeeded.
func (x *run) finish(r *Result) {
	s := x.s
	s.width = len(x.st.columns)
	s.fetched = len(s.rows)
	for i := len(x.st.parts) - 1; i >= 0 && !x.st.parts[i].with; i-- {
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
func (x *run) emit(items []*node) {
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
func (x *run) prepare(q *query) {
	if !x.s.begun {
		x.collect(q)
		x.s.begun = !x.stopped()
	}
}

// selects is SELECT.
func (x *run) selects(p *part) {
	q := p.query
	if len(q.aggregates) > 0 {
		x.aggregate(q)
		x.emit(q.items)
		if !x.stopped() {
			x.s.count++
		}
		return
	}
	if x.prepare(q); x.stopped() {
		return
	}
	// LIMIT stands in no UNION: the rows so far are those of this part.
	most := x.limit(q)
	for s := x.s; int(s.position) < len(s.list) && int(s.count) < most; s.position, s.waited = s.position+1, false {
		c := s.list[s.position]
		if q.lock != noLock {
			slot, ok := x.claim(q, c, q.lock)
			if x.stopped() {
				s.waited = x.on != 0
				return
			}
			if !ok {
				continue
			}
			x.hold(q.from.table, slot)
			c.slot = slot
		}
		if q.from != nil {
			x.load(q.from, c.slot)
		}
		if x.emit(q.items); x.stopped() {
			return
		}
		s.count++
	}
}

// changes is UPDATE and DELETE.
func (x *run) changes(p *part) {
	if x.prepare(p.query); x.stopped() {
		return
	}
	for s := x.s; int(s.position) < len(s.list); s.position++ {
		c := s.list[s.position]
		if p.query.other != nil {
			x.load(p.query.other, c.other)
		}
		if s.pending == 0 {
			slot, ok := x.claim(p.query, c, forUpdate)
			if x.stopped() {
				return
			}
			if !ok {
				continue
			}
			x.change(p, slot)
		}
		if s.pending != 0 {
			x.linkPending(p.target.table)
		}
		if x.stopped() {
			return
		}
		if s.pending != 0 {
			x.load(p.target, s.pending-1)
		}
		if x.emit(p.returning); x.stopped() {
			return
		}
		s.pending, s.linked = 0, 0
		s.count++
	}
}

// change deletes a row, or puts a new version in its place, which is then pending.
func (x *run) change(p *part, slot int32) {
	t := p.target.table
	x.load(p.target, slot)
	if p.kind == deletePart {
		x.kill(t, slot)
		return
	}
	x.replace(p.target, slot, p.columns, p.values[0])
}

// replace is the new version of a row, with some columns assigned.
func (x *run) replace(r *relation, slot int32, columns []int, values []*node) {
	var row [maxColumns]Value // the values may still refer to the session's row
	copy(row[:], x.rows[r.number])
	for i, n := range values {
		row[columns[i]] = x.eval(n)
	}
	x.s.row = append(x.s.row[:0], row[:len(r.columns)]...)
	if x.check(r); x.stopped() {
		return
	}
	x.kill(r.table, slot)
	if x.stopped() {
		return
	}
	if !x.put(r.table) {
		return
	}
	versions := x.db.tables[r.table.number].versions
	versions[slot].newer, versions[x.s.pending-1].successor = x.s.pending, true
}

// check holds the row that is about to be stored against NOT NULL and CHECK.
func (x *run) check(r *relation) {
	row := x.s.row
	for i := range r.columns {
		if r.columns[i].notNull && row[i] == Null {
			x.fail(NotNullViolation)
			return
		}
	}
	if len(r.table.checks) == 0 {
		return
	}
	before := x.rows[0] // a check is over relation 0
	x.rows[0] = row
	for _, n := range r.table.checks {
		if x.eval(n) == 0 {
			x.fail(CheckViolation)
		}
	}
	x.rows[0] = before
}
