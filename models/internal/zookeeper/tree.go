package zookeeper

import (
	"math"
	"slices"
)

// Mode is the kind of a znode.
type Mode uint8

// The modes. An ephemeral node is deleted with its session; a container is deleted by the
// server some time after its last child; the name of a sequential node gets a suffix.
const (
	Persistent Mode = iota
	PersistentSequential
	Ephemeral
	EphemeralSequential
	Container
)

// Code is the outcome of an operation, with the number that it has in ZooKeeper's protocol.
type Code int16

// The codes.
const (
	OK                      Code = 0
	NoNode                  Code = -101
	BadVersion              Code = -103
	NoChildrenForEphemerals Code = -108
	NodeExists              Code = -110
	NotEmpty                Code = -111
	SessionExpired          Code = -112
)

// AnyVersion is the version that deletes or sets a node whatever version it has.
const AnyVersion = -1

// containerOwner is the owner of a container within the server, which shows it to no client.
const containerOwner SessionID = math.MinInt64

// Stat is what a client sees of a znode, but for times, lengths and access lists.
//
// Source: ZooKeeper Programmer's Guide, "ZooKeeper Stat Structure".
type Stat struct {
	Czxid, Mzxid, Pzxid Zxid      // of the creation, of the latest change of the data, of that of the children
	Version             int32     // changes of the data
	Cversion            int32     // changes of the children: 2*creates - children
	EphemeralOwner      SessionID // 0: the node is not ephemeral. A container has none
	NumChildren         int32
}

// Znode is a node of the tree.
type Znode struct {
	Path Path
	Data uint64
	stat Stat // Cversion counts the creates only
}

// Stat is what a client sees of the node. The Cversion that the server counts is the number
// of children ever created, which is the next suffix; clients of the first protocol expect
// the number of changes, and get twice the creates less the children there are.
//
// Source: ZooKeeper, DataNode.copyStat.
func (z *Znode) Stat() Stat {
	s := z.stat
	s.Cversion = 2*s.Cversion - s.NumChildren
	if !z.ephemeral() {
		s.EphemeralOwner = 0
	}
	return s
}

// Creates is the number of children ever created, and the suffix of the next sequential
// one, a signed number of 32 bits.
func (z *Znode) Creates() int32 { return z.stat.Cversion }

func (z *Znode) ephemeral() bool {
	return z.stat.EphemeralOwner != 0 && z.stat.EphemeralOwner != containerOwner
}

// tree is the znodes, in the order of their creation.
type tree struct {
	root  Znode
	nodes []Znode
	stuck bool // see [Ensemble.Stick]
}

// find is the node at a path, nil if there is none.
func (t *tree) find(p Path) *Znode {
	if p == Root {
		return &t.root
	}
	if i := t.index(p); i >= 0 {
		return &t.nodes[i]
	}
	return nil
}

func (t *tree) index(p Path) int {
	return slices.IndexFunc(t.nodes, func(z Znode) bool { return z.Path == p })
}

// create makes a node below a directory. The order of the checks is that of
// PrepRequestProcessor.pRequest2TxnCreate.
func (t *tree) create(dir Path, label uint64, mode Mode, data uint64, owner SessionID, at Zxid) (*Znode, Code) {
	parent := t.find(dir)
	if parent == nil {
		return nil, NoNode
	}
	name := Name{Label: label}
	if mode == PersistentSequential || mode == EphemeralSequential {
		name = Name{label, parent.stat.Cversion, true}
	}
	path := dir.Join(name)
	switch {
	case t.find(path) != nil:
		return nil, NodeExists
	case parent.ephemeral():
		return nil, NoChildrenForEphemerals
	}
	parent.stat.NumChildren++
	if !t.stuck || parent.stat.Cversion < math.MaxInt32 {
		parent.stat.Cversion++
		parent.stat.Pzxid = at
	}
	child := Znode{Path: path, Data: data, stat: Stat{Czxid: at, Mzxid: at, Pzxid: at}}
	switch mode {
	case Ephemeral, EphemeralSequential:
		child.stat.EphemeralOwner = owner
	case Container:
		child.stat.EphemeralOwner = containerOwner
	}
	t.nodes = append(t.nodes, child)
	return &t.nodes[len(t.nodes)-1], OK
}

// remove deletes a node, if it has the version and no children.
func (t *tree) remove(p Path, version int32, at Zxid) Code {
	i := t.index(p)
	switch {
	case i < 0:
		return NoNode
	case version != AnyVersion && version != t.nodes[i].stat.Version:
		return BadVersion
	case t.nodes[i].stat.NumChildren > 0:
		return NotEmpty
	}
	t.nodes = slices.Delete(t.nodes, i, i+1)
	parent := t.find(p.Parent())
	parent.stat.NumChildren--
	parent.stat.Pzxid = at
	return OK
}

// set changes the data of a node, if it has the version.
func (t *tree) set(p Path, data uint64, version int32, at Zxid) (*Znode, Code) {
	z := t.find(p)
	switch {
	case z == nil:
		return nil, NoNode
	case version != AnyVersion && version != z.stat.Version:
		return nil, BadVersion
	}
	z.Data, z.stat.Mzxid = data, at
	z.stat.Version++
	return z, OK
}
