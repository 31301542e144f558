package postgres

import "fencepost/models/internal/postgres/sql"

// Serializable snapshot isolation: transactions run on snapshots, and an edge from T1 to
// T2 says that T1 has read what T2 has changed without seeing the change. Every anomaly
// has two such edges in a row, T1 to T2 to T3, of which T3 has committed first; one of the
// three is then aborted.
//
// What has been read is kept as ranges of index keys, or whole tables; PostgreSQL keeps
// pages of an index, and so aborts more than this does where a table is small.
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

// read is a range of keys of an index, or a whole table.
type read struct {
	table, index int32 // index -1 for the table
	width        int32 // how many of the columns of the key count
	key          [4]sql.Value
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

// reads notes what a statement is about to read.
func (x *run) reads(t *sql.Table, index int, prefix []sql.Value) {
	if x.s.serial == 0 {
		return
	}
	me := &x.db.serial[x.s.serial-1]
	r := read{table: int32(t.Number), index: int32(index)}
	r.width = int32(copy(r.key[:], prefix))
	if r.width == 0 {
		r.index = -1
	}
	for i := range me.reads {
		if me.reads[i] == r {
			return
		}
	}
	me.reads = append(me.reads, r)
}

// anyIndex stands for all reads of a table; -1 for those of all of it.
const anyIndex = sql.MaxIndexes

// covers reports whether a row lies in what a transaction has read by an index.
func (t *serial) covers(table *sql.Table, row []sql.Value, index int32) bool {
	for i := range t.reads {
		r := &t.reads[i]
		if int(r.table) == table.Number && (index == anyIndex || index == r.index) && (r.index < 0 || table.Indexes[r.index].Compare(row, r.key[:r.width]) == 0) {
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
		if int32(i) != me && r.used && !r.doomed && concurrent && r.covers(t, row, index) {
			x.edge(int32(i), me)
		}
	}
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
