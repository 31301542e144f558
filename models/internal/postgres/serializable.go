package postgres

import (
	"slices"

	"fencepost/models/internal/postgres/sql"
)

// Serializable snapshot isolation: transactions run on snapshots, and an edge from T1 to
// T2 says that T1 has read what T2 has changed without seeing the change. Every anomaly
// has two such edges in a row, T1 to T2 to T3, of which T3 has committed first; one of the
// three is then aborted.
//
// What has been read is kept as the conditions that rows were looked for by; PostgreSQL keeps
// rows, pages of an index and whole tables, and so aborts more than this does where a table is small.
//
// Source: Ports and Grittner, VLDB 2012, sections 3.2, 4 and 5; PostgreSQL,
// src/backend/storage/lmgr/README-SSI.

// serial is a serializable transaction that is open, or that an open one was concurrent
// with.
type serial struct {
	used     bool
	doomed   bool   // it has to fail as soon as it does anything
	out      bool   // it has an edge to a transaction that committed before it did
	session  int32  // while it is open
	snapshot uint32 // the last commit that it sees
	commit   uint32 // its own; 0 while it is open
	reads    []read
}

// read is a set of rows of a table that a transaction has looked for: those in which some columns lie between bounds,
// as ranks of their values.
type read struct {
	table, index int32 // by which they were looked for; -1 for none
	bounds       int32
	column       [sql.MaxBounds]int32
	low, high    [sql.MaxBounds]uint64
}

// has reports whether a row lies in the set.
func (r *read) has(row []sql.Value) bool {
	for i := range r.bounds {
		if v := row[r.column[i]].Rank(); v < r.low[i] || v > r.high[i] {
			return false
		}
	}
	return true
}

// conflictEdge is a read of what another transaction has changed, both as places in the
// list of serializable transactions.
type conflictEdge struct{ reader, writer int32 }

// openSerial is the first snapshot of a serializable transaction.
func (db *DB) openSerial(me int32) {
	i := 0
	for i < len(db.serial) && db.serial[i].used {
		i++
	}
	if i == len(db.serial) {
		if cap(db.serial) > i {
			db.serial = db.serial[:i+1] // with the memory of the reads
		} else {
			db.serial = append(db.serial, serial{})
		}
	}
	s := &db.sessions[me]
	db.serial[i] = serial{used: true, session: me, snapshot: s.snapshot, reads: db.serial[i].reads[:0]}
	s.serial = int32(i) + 1
}

// reads notes what a statement is about to read by a cursor. It is what satisfies the conditions, however they are
// found: PostgreSQL notes at least that, whatever plan it chooses.
func (x *run) reads(c *cursor) {
	if x.s.serial == 0 {
		return
	}
	var list [sql.MaxBoxes]read
	n := 0
	for _, b := range c.access.Boxes {
		r := read{table: int32(c.relation.Table.Number), index: int32(c.access.Index)}
		if len(c.access.Prefix) == 0 {
			r.index = -1
		}
		if x.bound(&r, b) {
			list[n] = r
			n++
		}
	}
	me := &x.db.serial[x.s.serial-1]
	at := 0
	for at+n <= len(me.reads) && !slices.Equal(me.reads[at:at+n], list[:n]) {
		at++
	}
	if at+n > len(me.reads) {
		at = len(me.reads)
		me.reads = append(me.reads, list[:n]...)
	}
	c.reads = [2]int32{int32(at), int32(at + n)}
}

// bound gives a set of rows the bounds of a box. It reports false if no row can lie in it.
func (x *run) bound(r *read, b sql.Box) bool {
	for _, c := range b {
		i := r.bounds
		r.column[i], r.low[i], r.high[i] = int32(c.Column), 0, sql.Null.Rank()-1
		switch c.Op {
		case sql.OpIsNull:
			r.low[i], r.high[i] = sql.Null.Rank(), sql.Null.Rank()
		case sql.OpIsNotNull:
		default:
			v, ok := x.peek(c.Value)
			if !ok {
				r.column[i], r.high[i] = 0, 0
				continue
			}
			if v == sql.Null || !r.compare(i, c.Op, v.Rank()) {
				return false
			}
		}
		r.bounds++
	}
	return true
}

// compare narrows a bound by a comparison. It reports false if nothing is left.
func (r *read) compare(i int32, op sql.Op, v uint64) bool {
	switch op {
	case sql.OpEqual:
		r.low[i], r.high[i] = v, v
	case sql.OpGreaterEqual:
		r.low[i] = v
	case sql.OpGreater:
		r.low[i] = v + 1
	case sql.OpLessEqual:
		r.high[i] = v
	case sql.OpLess:
		r.high[i] = v - 1
		return v > 0
	}
	return true
}

// peek is the value of an expression that takes no locks. It reports false if that is an error, which is then none of
// the statement: it may not need the value.
func (x *run) peek(n *sql.Node) (sql.Value, bool) {
	v := x.eval(n)
	ok := !x.stopped()
	x.code, x.on = sql.OK, 0
	return v, ok
}

// noted reports whether the row at a cursor lies in what has been noted of it.
func (x *run) noted(c *cursor) bool {
	t := c.relation.Table
	row := x.db.tables[t.Number].row(len(t.Columns), c.slot)
	reads := x.db.serial[x.s.serial-1].reads
	for i := c.reads[0]; i < c.reads[1]; i++ {
		if reads[i].has(row) {
			return true
		}
	}
	return false
}

// anyIndex stands for all reads of a table; -1 for those of all of it.
const anyIndex = sql.MaxIndexes

// covers reports whether a row lies in what a transaction has read by an index.
func (t *serial) covers(table *sql.Table, row []sql.Value, index int32) bool {
	for i := range t.reads {
		r := &t.reads[i]
		if int(r.table) == table.Number && (index == anyIndex || index == r.index) && r.has(row) {
			return true
		}
	}
	return false
}

// sawVersion finds the edge from the running transaction to one that inserted a version
// which it does not see, or that deleted one which it does.
func (x *run) sawVersion(v *version, sees bool) {
	by, commit := v.by, v.from
	if sees {
		by, commit = v.dead, v.to
	}
	me := x.s.serial - 1
	if x.db.serial[me].doomed {
		x.fail(sql.SerializationFailure)
		return
	}
	writer := int32(-1)
	switch {
	case by == x.me+1:
		return
	case by != 0:
		writer = x.db.sessions[by-1].serial - 1
	case commit > x.db.serial[me].snapshot:
		writer = x.db.serialOf(commit)
	}
	if writer >= 0 {
		x.edge(me, writer)
	}
}

// serialOf is the serializable transaction of a commit; -1 if it was of another level.
func (db *DB) serialOf(commit uint32) int32 {
	for i := range db.serial {
		if t := &db.serial[i]; t.used && t.commit == commit {
			return int32(i)
		}
	}
	return -1
}

// writes finds the edges to the running transaction from those that have read where it
// is about to write: a row that is there, by any index; a new one when it comes into the
// table, index -1, and into each index.
func (x *run) writes(t *sql.Table, slot int32, index int32) {
	if x.s.serial == 0 {
		return
	}
	me := x.s.serial - 1
	if x.db.serial[me].doomed {
		x.fail(sql.SerializationFailure)
		return
	}
	row := x.db.tables[t.Number].row(len(t.Columns), slot)
	for i := range x.db.serial {
		r := &x.db.serial[i]
		concurrent := r.commit == 0 || r.commit > x.db.serial[me].snapshot
		if int32(i) != me && r.used && !r.doomed && concurrent && r.covers(t, row, index) && !x.hidden(t, slot, r) {
			x.edge(int32(i), me)
		}
	}
}

// hidden reports whether a transaction of another level has put the version that is replaced, so that a reader does not
// see it: PostgreSQL has noted that the reader read an older one, and finds no edge.
func (x *run) hidden(t *sql.Table, slot int32, reader *serial) bool {
	versions := x.db.tables[t.Number].versions
	if versions[slot].by != 0 {
		at := slices.IndexFunc(x.s.undo, func(u undo) bool { return u == undo{inserted, int32(t.Number), slot} })
		if !versions[slot].successor || at < 1 {
			return false
		}
		slot = x.s.undo[at-1].slot
	}
	from := versions[slot].from
	return from > reader.snapshot && x.db.serialOf(from) < 0
}

// edge adds an edge, and aborts a transaction if that makes a dangerous structure: the
// running one if it is the writer, or if the writer has committed; else the writer.
func (x *run) edge(reader, writer int32) {
	db, e := x.db, conflictEdge{reader, writer}
	for _, other := range db.conflicts {
		if other == e {
			return
		}
	}
	if db.serial[reader].doomed || db.serial[writer].doomed {
		return
	}
	if db.dangerous(reader, writer) {
		if writer == x.s.serial-1 || db.serial[writer].commit != 0 {
			x.fail(sql.SerializationFailure)
			return
		}
		db.serial[writer].doomed = true
	}
	db.conflicts = append(db.conflicts, e)
}

// dangerous reports whether an edge completes two in a row of which the last transaction
// has committed first.
func (db *DB) dangerous(reader, writer int32) bool {
	r, w := &db.serial[reader], &db.serial[writer]
	if w.commit != 0 && w.out {
		return true
	}
	for _, e := range db.conflicts {
		if e.reader == writer { // reader -> writer -> last
			last := db.serial[e.writer].commit
			if last != 0 && (r.commit == 0 || last <= r.commit) && (w.commit == 0 || last <= w.commit) {
				return true
			}
		}
		if e.writer == reader && w.commit != 0 { // first -> reader -> writer
			first := &db.serial[e.reader]
			if !first.doomed && (first.commit == 0 || first.commit >= w.commit) {
				return true
			}
		}
	}
	return false
}

// commitSerial is the check before a commit: a transaction between an open one and this
// one, which commits first, must fail.
func (db *DB) commitSerial(me int32) sql.Code {
	own := db.sessions[me].serial - 1
	switch {
	case own < 0:
		return sql.OK
	case db.serial[own].doomed:
		return sql.SerializationFailure
	}
	for _, near := range db.conflicts {
		pivot := &db.serial[near.reader]
		if near.writer != own || pivot.commit != 0 || pivot.doomed {
			continue
		}
		for _, far := range db.conflicts {
			first := &db.serial[far.reader]
			if far.writer == near.reader && (far.reader == own || first.commit == 0 && !first.doomed) {
				pivot.doomed = true
			}
		}
	}
	return sql.OK
}

// closeSerial is the end of a serializable transaction. One that has committed is kept
// while another is open that was concurrent with it.
func (db *DB) closeSerial(me int32, committed bool) {
	s := &db.sessions[me]
	own := s.serial - 1
	if own < 0 {
		return
	}
	s.serial = 0
	if committed {
		t := &db.serial[own]
		t.session, t.commit = 0, db.commits
		for _, e := range db.conflicts {
			if e.reader == own && db.serial[e.writer].commit != 0 && e.writer != own {
				t.out = true
			}
		}
	} else {
		db.dropSerial(own)
	}
	oldest, any := db.commits, false
	for i := range db.serial {
		if t := &db.serial[i]; t.used && t.commit == 0 {
			oldest, any = min(oldest, t.snapshot), true
		}
	}
	for i := range db.serial {
		if t := &db.serial[i]; t.used && t.commit != 0 && (!any || t.commit <= oldest) {
			db.dropSerial(int32(i))
		}
	}
	for n := len(db.serial); n > 0 && !db.serial[n-1].used; n-- {
		db.serial = db.serial[:n-1]
	}
}

// dropSerial forgets a transaction and its edges.
func (db *DB) dropSerial(i int32) {
	left := db.conflicts[:0]
	for _, e := range db.conflicts {
		if e.reader != i && e.writer != i {
			left = append(left, e)
		}
	}
	db.conflicts = left
	db.serial[i] = serial{reads: db.serial[i].reads[:0]}
}

// resetSerial makes a list equal to another, in its own memory.
func resetSerial(list, initial []serial) []serial {
	list = list[:cap(list)]
	for len(list) < len(initial) {
		list = append(list, serial{})
	}
	list = list[:len(initial)]
	for i := range list {
		reads := list[i].reads
		list[i] = initial[i]
		list[i].reads = append(reads[:0], initial[i].reads...)
	}
	return list
}
