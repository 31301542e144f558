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

func TestAccessorsOfTheNotesOfAllLocksReadWhatWasWritten(t *testing.T) {
	hold := Hold{Try: half, Grant: word, Until: least, Ends: true}
	granted := func(m *Msg) []any { return all(m.Try, m.GrantedBy(), m.Validity()) }
	owned := func(m *Msg) []any { return all(m.Grant(), m.Revision(), m.Ends(), m.Until()) }
	freed := func(m *Msg) []any {
		grant, ok := m.Deleted()
		return all(grant, ok, m.Loss(), m.Revision())
	}
	revised := NewOwned(1, 2)
	revised.SetRevision(word)
	assertReads(t,
		read(NewTimeout(short).Of(half), func(m *Msg) []any { return all(m.Try, m.About()) }, half, short, Timeout),
		read(NewCallTimeout(short, math.MaxInt), func(m *Msg) []any { return all(m.About(), m.Call()) }, short, math.MaxInt, Timeout),
		read(NewTrying(half, word, math.MaxInt), func(m *Msg) []any { return all(m.Try, m.Grant(), m.Nth()) }, half, word, short, Trying),
		read(NewAcquired(&hold, short), func(m *Msg) []any { return all(m.Try, m.Grant(), m.Messages(), m.Ends(), m.Until()) },
			half, word, short, true, least, Acquired),
		read(NewExtended(half, most), func(m *Msg) []any { return all(m.Try, m.Until()) }, half, most, Extended),
		read(NewChecked(half, past), func(m *Msg) []any { return all(m.Try, m.Validity()) }, half, past, Checked),
		read(NewRefused(half, math.MaxUint16, past), granted, half, math.MaxUint16, past, Refused),
		read(NewHung(half, math.MaxUint16), granted, half, math.MaxUint16, time.Duration(0), Hung),
		read(Msg{head: head{Kind: Released}}, func(m *Msg) []any { return all(m.Unanswered()) }, false, Released),
		read(NewUnanswered(), func(m *Msg) []any { return all(m.Unanswered()) }, true, Released),
		read(NewOwned(word, word), owned, word, word, false, int64(0), Owned),
		read(NewOwnedUntil(word, word, sim.Wall(least)), owned, word, word, true, least, Owned),
		read(revised, owned, uint64(1), word, false, int64(0), Owned),
		read(NewFreed(word, word), freed, word, true, ByExpiry, word, Freed),
		read(NewFreed(0, word), freed, uint64(0), false, ByExpiry, word, Freed),
		read(NewLost(ByFailover, word), freed, uint64(0), false, ByFailover, word, Freed),
	)
}

func TestAccessorsOfTheStoreReadWhatWasWritten(t *testing.T) {
	tokens := func(m *Msg) []any { return all(m.Try, m.Grant(), m.FencingToken()) }
	operation := func(m *Msg) []any { return all(m.Try, m.FencingToken(), m.LockValue(), m.Nth(), m.Counter()) }
	applied := func(m *Msg) []any { return all(m.Try, m.Grant(), m.FencingToken(), m.Before(), m.Counter()) }
	compared := func(m *Msg) []any {
		value, compares := m.Registered()
		return all(m.Try, m.Grant(), m.FencingToken(), value, compares)
	}
	write := NewWrite(half, word, word, short, least)
	values := NewRejected(&write, word, 1)
	values.SetRegistered(word)
	assertReads(t,
		read(NewIncrReply(half, word), func(m *Msg) []any { return all(m.Try, m.FencingToken()) }, half, word, IncrReply),
		read(NewIssued(half, 1, word), tokens, half, uint64(1), word, Issued),
		read(NewRegister(half, 1, word), operation, half, uint64(1), word, uint16(0), int64(0), Register),
		read(NewRead(half, word), operation, half, word, uint64(0), uint16(0), int64(0), Read),
		read(NewReadReply(half, least), operation, half, uint64(0), uint64(0), uint16(0), least, ReadReply),
		read(NewWrite(half, 1, word, short, most), operation, half, uint64(1), word, short, most, Write),
		read(NewStoreReply(WriteReply, half, true, word), func(m *Msg) []any { return all(m.Try, m.OK, m.FencingToken()) }, half, true, word, WriteReply),
		read(NewApplied(&write, 1, short), applied, half, uint64(1), word, short, least, Applied),
		read(NewFenced(&write, 1), compared, half, uint64(1), word, uint64(0), false, Fenced),
		read(NewRejected(&write, 1, word), func(m *Msg) []any { return append(tokens(m), m.LatestToken()) }, half, uint64(1), word, word, Rejected),
		read(values, compared, half, word, word, word, true, Rejected),
		read(NewStale(true), func(m *Msg) []any { return all(m.Wrote()) }, true, Stale),
		read(NewStale(false), func(m *Msg) []any { return all(m.Wrote()) }, false, Stale),
		read(NewSkipped(half, most), func(m *Msg) []any { return all(m.Try, m.Night()) }, half, most, Skipped),
	)
}

func TestAccessorsOfRedisReadWhatWasWritten(t *testing.T) {
	command := func(m *Msg) []any { return all(m.LockValue(), m.TTL(), m.Number()) }
	reply := func(m *Msg) []any { return all(m.Try, m.Number(), m.LockValue(), m.Refusal(), m.Left(), m.Unlocked()) }
	asked := NewExtend(ExtendOrSet, short, word, long).Of(half)
	plain := NewRedisReply(ExtReply, &asked)
	value, refused, left, unlocked := plain, plain, plain, plain
	value.SetLockValue(word)
	refused.SetRefusal(NoReplicas)
	left.SetLeft(-1)
	unlocked.SetUnlocked()
	assertReads(t,
		read(NewSet(word, long), command, word, long, uint16(0), Set),
		read(NewDelIf(word), command, word, time.Duration(0), uint16(0), DelIf),
		read(asked, command, word, long, short, ExtendOrSet),
		read(plain, reply, half, short, uint64(0), Refusal(0), time.Duration(0), false, ExtReply),
		read(value, reply, half, short, word, Refusal(0), time.Duration(0), false, ExtReply),
		read(refused, reply, half, short, uint64(0), NoReplicas, time.Duration(0), false, ExtReply),
		read(left, reply, half, short, uint64(0), Refusal(0), time.Duration(-1), false, ExtReply),
		read(unlocked, reply, half, uint16(1), uint64(0), Refusal(0), time.Duration(0), true, ExtReply),
		read(NewScript(Leave, word, long), command, word, long, uint16(0), Leave),
		read(NewWatch(short, true), func(m *Msg) []any { return all(m.Number(), m.Late()) }, short, true, Watch),
		read(NewWatchEnded(half, true), func(m *Msg) []any { return all(m.Try, m.Believes()) }, half, true, WatchEnded),
	)
}

func TestAccessorsOfReplicationAndSentinelsReadWhatWasWritten(t *testing.T) {
	at := redis.Position{History: half, Offset: math.MaxUint32}
	key := redis.Key{Value: word, Exists: true, Expires: true, Count: math.MaxUint8, ExpireAt: sim.Wall(most / 1e6 * 1e6)}
	grant := GrantOf(math.MaxUint8, half)
	replicated := func(m *Msg) []any {
		k, owner := m.Replicated()
		return all(m.Position(), k, owner)
	}
	wait := func(m *Msg) []any { return all(m.Try, m.Replicas(), m.WaitsFor()) }
	of := func(m *Msg) []any { return all(m.Master(), m.Epoch()) }
	down := func(m *Msg) []any { return all(m.Master(), m.Sentinels()) }
	assertReads(t,
		read(NewReplicate(at, &key, grant), replicated, at, key, grant, Replicate),
		read(NewReplicate(at, &redis.Key{}, 0), replicated, at, redis.Key{}, uint64(0), Replicate),
		read(NewReplAck(at), func(m *Msg) []any { return all(m.Position()) }, at, ReplAck),
		read(NewWait(math.MaxUint16, long), wait, uint32(0), math.MaxUint16, long, Wait),
		read(NewWaitReply(half, math.MaxUint16), wait, half, math.MaxUint16, time.Duration(0), WaitReply),
		read(NewWaited(half, node), func(m *Msg) []any { return all(m.Try, m.Waiter()) }, half, node, Waited),
		read(NewFlush(half, math.MaxUint16), func(m *Msg) []any { return all(m.History(), m.Replica()) }, half, math.MaxUint16, Flush),
		read(NewBeat(half), func(m *Msg) []any { return all(m.Turn()) }, half, Beat),
		read(NewFollowing(node, true), func(m *Msg) []any { return all(m.Master(), m.WasMaster()) }, node, true, Following),
		read(NewMaster(Hello, node, word), of, node, word, Hello),
		read(NewEpoch(Elected, word), of, sim.None, word, Elected),
		read(NewMasterIs(half, node), func(m *Msg) []any { return all(m.Try, m.Master()) }, half, node, MasterIs),
		read(NewInfo(true, node, math.MaxUint16, word), func(m *Msg) []any { return all(m.OK, m.Master(), m.Priority(), m.Offset()) },
			true, node, math.MaxUint16, word, Info),
		read(NewAskDown(node, word, true), func(m *Msg) []any { return append(of(m), m.AsksForVote()) }, node, word, true, AskDown),
		read(NewDownReply(true, redis.Vote{Leader: node, Epoch: word}), func(m *Msg) []any { return all(m.OK, m.Vote()) },
			true, redis.Vote{Leader: node, Epoch: word}, DownReply),
		read(NewSubjectivelyDown(node), down, node, 0, SubjectivelyDown),
		read(NewObjectivelyDown(node, math.MaxUint16), down, node, math.MaxUint16, ObjectivelyDown),
	)
}

func TestAccessorsOfEtcdReadWhatWasWritten(t *testing.T) {
	const lease, rev = etcd.LeaseID(least), most
	about := func(m *Msg) []any { return all(m.LeaseID(), m.Seconds(), m.Relay()) }
	key := func(m *Msg) []any { return all(m.KeyName(), m.CreateRev(), m.Rev()) }
	reply := func(m *Msg) []any { return all(m.Try, m.Number(), m.OK, m.KeyName(), m.CreateRev(), m.Rev()) }
	asked := NewEtcdUnlock(1, 2).Of(half)
	asked.SetNumber(short)
	relayed := NewEtcdRequest(EtcdKeepAlive, lease)
	relayed.SetRelay(node)
	packet := raft.Header{Sum: word, Term: word - 1, Type: 255, Reject: true, Index: half, LogTerm: 1<<24 - 1, Commit: half - 1, Entries: short}
	assertReads(t,
		read(NewRaft(packet), func(m *Msg) []any { return all(m.RaftHeader()) }, packet, Raft),
		read(NewLeads(word), func(m *Msg) []any { return all(m.Term()) }, word, Leads),
		read(NewEtcdRequest(EtcdLock, lease), about, lease, int64(0), sim.None, EtcdLock),
		read(relayed, about, lease, int64(0), node, EtcdKeepAlive),
		read(NewEtcdLease(EtcdGrant, lease, most), about, lease, most, sim.None, EtcdGrant),
		read(NewEtcdLease(EtcdCheckpoint, lease, 9), func(m *Msg) []any { return all(m.LeaseTTL()) }, 9*time.Second, EtcdCheckpoint),
		read(NewEtcdKeptAlive(lease, most, node), about, lease, most, node, EtcdKeptAlive),
		read(NewEtcdSeek(lease, uint64(rev)), func(m *Msg) []any { return all(m.LeaseID(), m.Rev()) }, lease, rev, EtcdSeek),
		read(NewEtcdWatch(word, rev), key, word, uint64(0), rev, EtcdWatch),
		read(NewEtcdUnlock(word, 1), key, word, uint64(1), int64(0), EtcdUnlock),
		read(NewEtcdResend(short, node), func(m *Msg) []any { return all(m.Number(), m.Server()) }, short, node, EtcdResend),
		read(NewEtcdReply(EtcdRevoked, &asked, true, rev), reply, half, short, true, uint64(1), uint64(0), rev, EtcdRevoked),
		read(NewEtcdLocked(&asked, true, word, rev), reply, half, short, true, uint64(1), word, rev, EtcdLocked),
		read(NewEtcdLocked(&asked, true, word, rev), func(m *Msg) []any { return all(m.Oldest()) }, uint64(rev), EtcdLocked),
		read(NewEtcdSought(&asked, true, word, rev), reply, half, short, true, word, uint64(0), rev, EtcdSought),
		read(NewEtcdVerified(&asked, true, word, rev), reply, half, short, true, uint64(1), word, rev, EtcdVerified),
		read(NewEtcdCreated(&asked, true, 3, word, rev), reply, half, short, true, uint64(3), word, rev, EtcdCreated),
		read(NewEtcdWatched(half, short, word, true, rev), reply, half, short, true, word, uint64(0), rev, EtcdDeleted),
	)
}

func TestAccessorsOfZooKeeperReadWhatWasWritten(t *testing.T) {
	own := zookeeper.Name{Label: word, Sequence: math.MinInt32, Sequential: true}
	before := zookeeper.Name{Label: 1, Sequence: math.MaxInt32, Sequential: true}
	session := func(m *Msg) []any { return all(m.OK, m.Session(), m.SessionTimeout(), m.Connection()) }
	one := func(m *Msg) []any { return all(m.Session(), m.ZKNode(), m.Watches()) }
	asked := NewZKRead(ZKGet, own, true).Of(half)
	asked.SetZKRequest(word, short)
	var answer Msg
	answer.SetZKReply(&asked)
	assertReads(t,
		read(NewZKConnect(word, long, short), session, false, word, long, short, ZKConnect),
		read(NewZKConnected(true, word, long, short), session, true, word, long, short, ZKConnected),
		read(NewZKSession(ZKPatience, word), session, false, word, time.Duration(0), uint16(0), ZKPatience),
		read(NewZKTimer(ZKQuiet, short), session, false, uint64(0), time.Duration(0), short, ZKQuiet),
		read(NewZKPong(word, short), func(m *Msg) []any { return all(m.Session(), m.Events()) }, word, short, ZKPong),
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
		read(NewZKListing(half, math.MaxInt, most), func(m *Msg) []any { return all(m.Try, m.Bytes()) }, half, most, ZKListing),
		read(NewZKSessionEnded(word, node, long), func(m *Msg) []any { return all(m.Session(), m.SessionClient(), m.Silence()) },
			word, node, long, ZKSessionEnded),
	)
}

func TestAccessorsOfElectionsAndConsulReadWhatWasWritten(t *testing.T) {
	lease := kubernetes.Lease{Version: uint64(half), Record: kubernetes.Record{Holder: word, Seconds: short, Renewed: sim.Wall(least), Transitions: half}}
	update := Msg{head: head{Kind: UpdateObject}}
	update.SetLease(lease)
	missing := func(m *Msg) []any { return all(m.Try, m.OK, m.NotFound()) }
	request := NewConsulRequest(ConsulAcquire, word, long, math.MaxUint16).Of(half)
	reply := func(m *Msg) []any { return all(m.Try, m.Number(), m.OK, m.LockIndex(), m.Delayed()) }
	assertReads(t,
		read(update, func(m *Msg) []any { return all(m.Lease()) }, lease, UpdateObject),
		read(NewConflict(half, lease), missing, half, false, false, ObjectReply),
		read(Msg{head: head{Kind: ObjectReply}}, missing, uint32(0), false, true, ObjectReply),
		read(request, func(m *Msg) []any { return all(m.Grant(), m.TTL(), m.Number()) }, word, long, short, ConsulAcquire),
		read(NewConsulReply(&request, true), reply, half, short, true, uint64(0), false, ConsulReply),
		read(NewConsulAcquired(&request, word), reply, half, short, true, word, false, ConsulReply),
		read(NewConsulRefused(&request, true), reply, half, short, false, uint64(0), true, ConsulReply),
		read(NewConsulRefused(&request, false), reply, half, short, false, uint64(0), false, ConsulReply),
		read(NewConsulChanged(half, word), func(m *Msg) []any { return all(m.Try, m.Grant()) }, half, word, ConsulChanged),
		read(NewConsulAgain(math.MaxUint16), func(m *Msg) []any { return all(m.Number()) }, short, ConsulAgain),
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
