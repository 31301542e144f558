package conformance

import (
	"errors"
	"hash/adler32"
	"os"
	"path/filepath"
	"testing"

	"fencepost/models/internal/zookeeper"
)

// snapshotWith is a snapshot of a server with a directory /node-1 that has had this many
// children.
//
// Source: ZooKeeper 3.8, FileSnap.serialize and DataTree.serialize.
func snapshotWith(creates int32) []byte {
	var e encoder
	e.int(0x5a4b534e).int(2).long(-1) // "ZKSN", version, no database
	e.int(0)                          // sessions
	e.int(0)                          // access lists
	node := func(path string, cversion int32) {
		e.string(path).buffer(nil)
		e.long(-1)                                    // everything is allowed
		e.long(0).long(0).long(0).long(0)             // czxid, mzxid, ctime, mtime
		e.int(0).int(cversion).int(0).long(0).long(0) // version, cversion, aversion, ephemeralOwner, pzxid
	}
	node("", 0)
	node("/zookeeper", 0)
	node("/zookeeper/config", 0)
	node("/zookeeper/quota", 0)
	node("/node-1", creates)
	e.string("/")
	return e.long(int64(adler32.Checksum(e.bytes))).string("/").bytes
}

// Z5: the numbers after 2147483647. If no other create is in flight the counter stays, and the
// next create fails; of creates that are in flight together the second overflows.
func TestZooKeeperSequenceNumbersOverflowOnlyInFlight(t *testing.T) {
	const creates = 1<<31 - 2
	dir := filepath.Join(folder, "zookeeper-overflow", "data", "version-2")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil { // there is one with -count
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "snapshot.5"), snapshotWith(creates), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startZooKeeper(t, "zookeeper-overflow", zkTick, never)
	c, err := dialZooKeeper(p.port, 0, nil, 5*zkTick)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()

	alone, last := agedTo(creates), "/node-1/lock-2147483647"
	alone.Stick()
	for range 4 {
		r, code, err := c.create("/node-1/lock-", zookeeper.EphemeralSequential, "")
		if err != nil {
			t.Fatal(err)
		}
		node, says := alone.Create(1, zookeeper.Directory(1), 0, zookeeper.EphemeralSequential, 0)
		if code != says || code == zookeeper.OK && r.string() != node.Path.String() {
			t.Fatalf("the server answers %v, the model %v %v", code, says, node.Path)
		}
	}
	var m encoder
	if _, code, err := c.call(opDelete, m.string(last).int(zookeeper.AnyVersion)); err != nil || code != zookeeper.OK {
		t.Fatal(code, err)
	}
	together := agedTo(creates + 1)
	for _, name := range c.createTogether(t, 3) {
		node, _ := together.Create(1, zookeeper.Directory(1), 0, zookeeper.EphemeralSequential, 0)
		if name != node.Path.String() {
			t.Errorf("the server makes %s, the model %s", name, node.Path)
		}
	}
}

// agedTo is a model with a directory that has had this many children.
func agedTo(creates int32) *zookeeper.Ensemble {
	m := &zookeeper.Ensemble{Tick: zkTick}
	m.Create(0, zookeeper.Root, 1, zookeeper.Persistent, 0)
	m.Age(zookeeper.Directory(1), creates)
	return m
}

// createTogether creates nodes in one transaction, so that each is made ready while the one
// before it is in flight, however slow the machine is; and returns the names of the nodes.
//
// Source: zookeeper.jute, MultiHeader; ZooKeeper 3.8, MultiOperationRecord.
func (c *keeper) createTogether(t testing.TB, requests int) (names []string) {
	const opCreate1, opMulti = 1, 14
	var m encoder
	for range requests {
		m.int(opCreate1).bool(false).int(-1)
		m.string("/node-1/lock-").buffer(nil).int(1).int(31).string("world").string("anyone").int(3)
	}
	m.int(-1).bool(true).int(-1)
	r, code, err := c.call(opMulti, &m)
	if err != nil || code != zookeeper.OK {
		t.Fatal(code, err)
	}
	for range requests {
		if op := r.int(); op != opCreate1 {
			t.Fatal("an answer of type ", op)
		}
		r.take(5) // done, error
		names = append(names, r.string())
	}
	return names
}
