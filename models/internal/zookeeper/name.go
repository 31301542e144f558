package zookeeper

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
)

// Name is the name of a znode below its parent: a label, and the sequence number that the
// server has appended if the node is sequential. It stands for a string without being one,
// so that a node can be created without an allocation. The zero Name is none.
type Name struct {
	Label      uint64 // of a sequential node: the GUID of Curator's protection, 0 for none
	Sequence   int32
	Sequential bool
}

// Path is the path of a znode: a directory, or a node within one. The zero Path is the root.
type Path struct{ Dir, Node Name }

// Root is the path of the root.
var Root Path

// Directory is the path of a child of the root.
func Directory(label uint64) Path { return Path{Dir: Name{Label: label}} }

// Join is the path of a child.
func (p Path) Join(child Name) Path {
	if p == Root {
		return Path{Dir: child}
	}
	return Path{p.Dir, child}
}

// Parent is the path of the node's parent. That of the root is the root.
func (p Path) Parent() Path {
	if p.Node != (Name{}) {
		return Path{Dir: p.Dir}
	}
	return Root
}

// Base is the last part of the path.
func (p Path) Base() Name {
	if p.Node != (Name{}) {
		return p.Node
	}
	return p.Dir
}

// String is the path as ZooKeeper writes it.
func (p Path) String() string {
	switch {
	case p == Root:
		return "/"
	case p.Node == Name{}:
		return "/" + p.Dir.String()
	}
	return "/" + p.Dir.String() + "/" + p.Node.String()
}

// String is the name as Curator makes it: "_c_00000000000000ff-lock-0000000001" with a GUID,
// "lock-0000000001" without.
func (n Name) String() string {
	if n.Sequential {
		return n.Prefix() + string(appendSuffix(nil, n.Sequence))
	}
	return n.Prefix()
}

// Prefix is the name without the suffix that the server appends.
func (n Name) Prefix() string {
	switch {
	case !n.Sequential:
		return "node-" + strconv.FormatUint(n.Label, 10)
	case n.Label == 0:
		return "lock-"
	}
	return fmt.Sprintf("_c_%016x-lock-", n.Label)
}

// appendSuffix appends a sequence number as the server does: %010d of a signed number of
// 32 bits, the sign being one of the ten characters.
func appendSuffix(to []byte, sequence int32) []byte {
	width, n := 10, int64(sequence)
	if n < 0 {
		to, width, n = append(to, '-'), 9, -n
	}
	var digits [10]byte
	d := strconv.AppendInt(digits[:0], n, 10)
	for range width - len(d) {
		to = append(to, '0')
	}
	return append(to, d...)
}

// CompareSuffix orders names by their suffix alone, as a string: by age, until the number
// overflows. A negative suffix is before every other one.
//
// Source: Curator, StandardLockInternalsDriver.standardFixForSorting.
func CompareSuffix(a, b Name) int {
	if a.Sequence >= 0 && b.Sequence >= 0 { // as numbers of one width
		return cmp.Compare(a.Sequence, b.Sequence)
	}
	var x, y [11]byte
	return bytes.Compare(appendSuffix(x[:0], a.Sequence), appendSuffix(y[:0], b.Sequence))
}

// CompareName orders names as whole strings, as a client does that sorts what getChildren
// returns as it is: by the GUID first, which has nothing to do with age.
func CompareName(a, b Name) int {
	if a.Label != b.Label {
		if a.Label < b.Label { // as hexadecimal numbers of one width
			return -1
		}
		return 1
	}
	return CompareSuffix(a, b)
}
