package raft

import (
	"fmt"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// disk is what survives a crash: term, vote, commit index and the whole log. It implements
// [raft.Storage].
//
// Invariant: log[i] has index i+1.
type disk struct {
	hard   *raftpb.HardState
	voters *raftpb.ConfState
	log    []*raftpb.Entry
}

func newDisk(servers int) *disk {
	d := &disk{voters: &raftpb.ConfState{}}
	for id := range servers {
		d.voters.Voters = append(d.voters.Voters, uint64(id+1))
	}
	return d
}

// Immutable implements [sim.Immutable]: a server's history says what is on its disk.
func (*disk) Immutable() {}

// write appends entries, in place of those that there are from the index of the first on.
func (d *disk) write(entries []*raftpb.Entry) {
	if len(entries) == 0 {
		return
	}
	keep := entries[0].GetIndex() - 1
	if keep < uint64(len(d.log)) {
		d.log = d.log[:keep:keep] // the library may still hold what follows
	}
	d.log = append(d.log, entries...)
}

// InitialState implements [raft.Storage].
func (d *disk) InitialState() (*raftpb.HardState, *raftpb.ConfState, error) {
	return d.hard, d.voters, nil
}

// Entries implements [raft.Storage].
func (d *disk) Entries(lo, hi, maxSize uint64) ([]*raftpb.Entry, error) {
	if hi > uint64(len(d.log))+1 {
		return nil, raft.ErrUnavailable
	}
	part := d.log[lo-1 : hi-1 : hi-1]
	n := fit(part, maxSize)
	return part[:n:n], nil
}

// fit is how many of some entries have no more bytes than there is room for, 1 at least.
func fit(entries []*raftpb.Entry, room uint64) int {
	const around = 24 // of an entry's data: at least what index, term and type take
	for i, e := range entries {
		size := uint64(len(e.GetData()) + around)
		if size > room && i > 0 {
			return i
		}
		room -= min(size, room)
	}
	return len(entries)
}

// Term implements [raft.Storage].
func (d *disk) Term(i uint64) (uint64, error) {
	switch {
	case i == 0:
		return 0, nil
	case i > uint64(len(d.log)):
		return 0, raft.ErrUnavailable
	}
	return d.log[i-1].GetTerm(), nil
}

// LastIndex implements [raft.Storage].
func (d *disk) LastIndex() (uint64, error) { return uint64(len(d.log)), nil }

// FirstIndex implements [raft.Storage].
func (d *disk) FirstIndex() (uint64, error) { return 1, nil }

// Snapshot implements [raft.Storage]. The log begins with its first entry, so that no server
// needs one.
func (d *disk) Snapshot() (*raftpb.Snapshot, error) {
	return nil, fmt.Errorf("raft: a log of %d entries without snapshots", len(d.log))
}

// silent is a logger that says nothing, but panics where the library does.
type silent struct{}

func (silent) Debug(...any)            {}
func (silent) Debugf(string, ...any)   {}
func (silent) Info(...any)             {}
func (silent) Infof(string, ...any)    {}
func (silent) Warning(...any)          {}
func (silent) Warningf(string, ...any) {}
func (silent) Error(...any)            {}
func (silent) Errorf(string, ...any)   {}

func (silent) Fatal(v ...any)                 { panic(fmt.Sprint(v...)) }
func (silent) Fatalf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
func (silent) Panic(v ...any)                 { panic(fmt.Sprint(v...)) }
func (silent) Panicf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
