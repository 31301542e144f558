package postgres

import (
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// Print implements [sim.Printer]: all of the database that what it does from now on depends
// on. That a statement has ended is known by its effects; what it worked with is left out.
func (db *DB) Print(p *sim.Print) {
	p.Fold(uint64(db.commits), uint64(len(db.tables)))
	for i := range db.tables {
		db.tables[i].print(p)
	}
	for i := range db.sessions {
		db.sessions[i].print(p)
	}
	printInts(p, db.queue)
	printInts(p, db.ended)
	p.Fold(uint64(len(db.recent)))
	for _, at := range db.recent {
		p.Fold(uint64(uint32(at.table))<<32 | uint64(uint32(at.slot)))
	}
	p.Fold(uint64(len(db.advisory)))
	for _, a := range db.advisory {
		p.Fold(uint64(a.key), uint64(a.holder))
	}
	p.Fold(uint64(len(db.serial)), uint64(len(db.results)))
	if len(db.serial) > 0 {
		p.Value(db.serial)
		p.Value(db.conflicts)
	}
	if len(db.results) > 0 {
		p.Value(db.results)
	}
}

func (s *store) print(p *sim.Print) {
	p.Fold(uint64(len(s.versions)))
	for i := range s.versions {
		v := &s.versions[i]
		p.Fold(bits(v.used, v.successor), uint64(v.from)<<32|uint64(v.to), uint64(uint32(v.by))<<32|uint64(uint32(v.dead)),
			uint64(uint32(v.locked))<<32|uint64(uint32(v.newer)), uint64(v.command)<<32|uint64(v.killed))
	}
	printValues(p, s.cells)
	printInts(p, s.free)
	for i := range s.indexes {
		printInts(p, s.indexes[i])
	}
	printValues(p, s.serials[:])
}

func (s *session) print(p *sim.Print) {
	p.Fold(bits(s.open, s.block, s.failed, s.seeing)|uint64(s.isolation)<<8, uint64(s.snapshot)<<32|uint64(s.command),
		uint64(uint32(s.serial))<<32|uint64(uint32(s.on)), uint64(s.wait), uint64(s.started), uint64(s.lockTimeout), uint64(s.ifCommitted), uint64(s.ifAborted))
	p.Fold(uint64(len(s.undo)), uint64(len(s.savepoints)))
	for _, u := range s.undo {
		p.Fold(uint64(u.kind), uint64(uint32(u.table))<<32|uint64(uint32(u.slot)))
	}
	for _, v := range s.savepoints {
		p.Fold(uint64(v.name), uint64(v.mark), uint64(v.lockTimeout), uint64(v.ifCommitted))
	}
	p.Fold(uint64(s.width)<<32|uint64(s.fetched), uint64(len(s.rows)))
	if s.fetched < len(s.rows) {
		printValues(p, s.rows)
	}
	if s.waits() {
		s.printStatement(p)
	}
}

// printStatement is what a statement that waits needs to continue.
func (s *session) printStatement(p *sim.Print) {
	p.Fold(uint64(s.statement)<<32|uint64(uint32(s.part)), bits(s.begun, s.evaluated, s.updated, s.checked), uint64(uint32(s.position))<<32|uint64(uint32(s.pending)),
		uint64(uint32(s.linked))<<32|uint64(uint32(s.count)), uint64(uint32(s.taken)), uint64(uint32(s.waited.table))<<32|uint64(uint32(s.waited.slot)))
	printInts(p, s.starts[:])
	printValues(p, s.row[:])
	printValues(p, s.args[:])
	p.Fold(uint64(len(s.list)))
	for _, c := range s.list {
		p.Fold(uint64(uint32(c.slot))<<32 | uint64(uint32(c.other)))
	}
	printValues(p, s.memo)
	printValues(p, s.totals)
	printValues(p, s.rows)
}

func printInts(p *sim.Print, list []int32) {
	p.Fold(uint64(len(list)))
	for _, n := range list {
		p.Fold(uint64(n))
	}
}

func printValues(p *sim.Print, list []sql.Value) {
	p.Fold(uint64(len(list)))
	for _, v := range list {
		p.Fold(uint64(v))
	}
}

// bits are conditions as a word.
func bits(conditions ...bool) (word uint64) {
	for i, c := range conditions {
		if c {
			word |= 1 << i
		}
	}
	return word
}
