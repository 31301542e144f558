package core

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/etcd"
	"fencepost/models/internal/kubernetes"
	"fencepost/models/internal/raft"
	"fencepost/models/internal/redis"
	"fencepost/models/internal/zookeeper"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// The largest and the least that a message has room for.
const (
	word  = uint64(math.MaxUint64)
	half  = uint32(math.MaxUint32)
	short = uint16(math.MaxUint16)
	most  = int64(math.MaxInt64)
	least = int64(math.MinInt64)
	long  = time.Duration(most)
	past  = time.Duration(least)
	node  = sim.NodeID(math.MaxUint16)
)

// reads is what a message carries, and what its accessors say.
type reads struct{ want, got []any }

func all(values ...any) []any { return values }

// read calls the accessors of a message. The last that is wanted is its kind.
func read(m Msg, accessors func(m *Msg) []any, want ...any) reads {
	return reads{want, append(accessors(&m), m.Kind)}
}

func assertReads(t *testing.T, list ...reads) {
	t.Helper()
	for _, r := range list {
		assert.Equal(t, r.want, r.got)
	}
}

func TestNotesByHandReadWhatWasWritten(t *testing.T) {
	hold := Hold{Try: half, Grant: word, Until: least, Ends: true}
	owned := func(m *Msg) []any { return all(m.Grant(), m.Revision(), m.Ends(), m.Until()) }
	freed := func(m *Msg) []any {
		grant, ok := m.Deleted()
		return all(grant, ok, m.Loss(), m.Revision())
	}
	write := NewWrite(half, word, word, int(short), least)
	values := NewRejected(&write, word, 1)
	values.SetRegistered(word)
	compared := func(m *Msg) []any {
		value, compares := m.Registered()
		return all(m.Try, m.Grant(), m.FencingToken(), value, compares)
	}
	assertReads(t,
		read(NewCallTimeout(short, math.MaxInt), func(m *Msg) []any { return all(m.About(), m.Call()) }, short, math.MaxInt, Timeout),
		read(NewAcquired(&hold, short), func(m *Msg) []any { return all(m.Try, m.Grant(), m.Messages(), m.Ends(), m.Until()) },
			half, word, short, true, least, Acquired),
		read(NewOwned(word, word), owned, word, word, false, int64(0), Owned),
		read(NewOwnedUntil(word, word, sim.Wall(least)), owned, word, word, true, least, Owned),
		read(NewFreed(word, word), freed, word, true, ByExpiry, word, Freed),
		read(NewFreed(0, word), freed, uint64(0), false, ByExpiry, word, Freed),
		read(NewLost(ByFailover, word), freed, uint64(0), false, ByFailover, word, Freed),
		read(values, compared, half, word, word, word, true, Rejected),
	)
}

func TestMessagesOfRedisByHandReadWhatWasWritten(t *testing.T) {
	at := redis.Position{History: half, Offset: math.MaxUint32}
	key := redis.Key{Value: word, Exists: true, Expires: true, Count: math.MaxUint8, ExpireAt: sim.Wall(most / 1e6 * 1e6)}
	grant := GrantOf(math.MaxUint8, half)
	replicated := func(m *Msg) []any {
		k, owner := m.Replicated()
		return all(m.Position(), k, owner)
	}
	assertReads(t,
		read(NewReplicate(at, &key, grant), replicated, at, key, grant, Replicate),
		read(NewReplicate(at, &redis.Key{}, 0), replicated, at, redis.Key{}, uint64(0), Replicate),
		read(NewReplAck(at), func(m *Msg) []any { return all(m.Position()) }, at, ReplAck),
		read(NewDownReply(true, redis.Vote{Leader: node, Epoch: word}), func(m *Msg) []any { return all(m.OK, m.Vote()) },
			true, redis.Vote{Leader: node, Epoch: word}, DownReply),
	)
}

func TestMessagesOfEtcdByHandReadWhatWasWritten(t *testing.T) {
	packet := raft.Header{Sum: word, Term: word - 1, Type: 255, Reject: true, Index: half, LogTerm: 1<<24 - 1, Commit: half - 1, Entries: short}
	asked := NewEtcdUnlock(1, 2).Of(half)
	asked.SetNumber(short)
	const lease, rev = etcd.LeaseID(least), most
	assertReads(t,
		read(NewRaft(packet), func(m *Msg) []any { return all(m.RaftHeader()) }, packet, Raft),
		read(NewEtcdLease(EtcdCheckpoint, lease, 9), func(m *Msg) []any { return all(m.LeaseTTL()) }, 9*time.Second, EtcdCheckpoint),
		read(NewEtcdLocked(&asked, true, word, rev), func(m *Msg) []any { return all(m.Oldest()) }, uint64(rev), EtcdLocked),
	)
}

func TestMessagesOfZooKeeperByHandReadWhatWasWritten(t *testing.T) {
	own := zookeeper.Name{Label: word, Sequence: math.MinInt32, Sequential: true}
	before := zookeeper.Name{Label: 1, Sequence: math.MaxInt32, Sequential: true}
	one := func(m *Msg) []any { return all(m.Session(), m.ZKNode(), m.Watches()) }
	asked := NewZKRead(ZKGet, own, true).Of(half)
	asked.SetZKRequest(word, short)
	var answer Msg
	answer.SetZKReply(&asked)
	assertReads(t,
		read(asked, one, word, own, true, ZKGet),
		read(answer, func(m *Msg) []any { return all(m.Try, m.Number()) }, half, short, Start),
		read(NewZKNode(ZKDelete, own), one, uint64(0), own, false, ZKDelete),
		read(NewZKEvent(word, own), one, word, own, false, ZKEvent),
		read(NewZKCreated(&zookeeper.Znode{}, zookeeper.NodeExists), func(m *Msg) []any { return all(m.OK, m.Code()) }, false, zookeeper.NodeExists, ZKCreated),
		read(NewZKGot(&zookeeper.Znode{}, true), func(m *Msg) []any { return all(m.OK, m.Czxid()) }, true, uint64(0), ZKGot),
		read(NewZKListed(own, before, math.MaxInt), func(m *Msg) []any { return all(m.OK, m.Sequence(), m.Predecessor(), m.Place()) },
			true, own.Sequence, before, math.MaxInt, ZKListed),
		read(NewZKListed(before, own, 0), func(m *Msg) []any { return all(m.OK, m.Sequence(), m.Predecessor(), m.Place()) },
			true, before.Sequence, own, 0, ZKListed),
	)
}

func TestMessagesOfElectionsByHandReadWhatWasWritten(t *testing.T) {
	lease := kubernetes.Lease{Version: uint64(half), Record: kubernetes.Record{Holder: word, Seconds: short, Renewed: sim.Wall(least), Transitions: half}}
	update := Msg{head: head{Kind: UpdateObject}}
	update.SetLease(lease)
	missing := func(m *Msg) []any { return all(m.Try, m.OK, m.NotFound()) }
	assertReads(t,
		read(update, func(m *Msg) []any { return all(m.Lease()) }, lease, UpdateObject),
		read(NewConflict(half, lease), missing, half, false, false, ObjectReply),
		read(Msg{head: head{Kind: ObjectReply}}, missing, uint32(0), false, true, ObjectReply),
	)
}

func TestEveryFieldOfAMessageIsInItsDigest(t *testing.T) {
	modeltest.Folds(t, Msg{}, Msg{head: head{Kind: 1}}, Msg{head: head{OK: true}}, Msg{head: head{n: 1}}, Msg{Try: 1}, Msg{value: 1}, Msg{tail: tail{token: 1}}, Msg{tail: tail{x: 1}})
}

// The log of etcd keeps messages as bytes.
func TestAMessageInBytesIsTheMessage(t *testing.T) {
	m := Msg{head: head{Kind: EtcdDeleted, OK: true, n: short}, Try: half, value: word, tail: tail{token: word - 1, x: least}}
	got, rest := CutMsg(append(m.Append([]byte{7})[1:], 8, 9))
	assert.Equal(t, m, got)
	assert.Equal(t, []byte{8, 9}, rest)
}

// Each message that is under way is copied some times.
func TestAMessageIsFiveWords(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Msg{}), uintptr(5*8)) // 36 bytes on 386
}
