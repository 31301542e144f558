package core

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/raft"
	"fencepost/models/kv/merkle"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// The largest and the least that a message has room for.
const (
	word  = uint64(math.MaxUint64)
	half  = uint32(math.MaxUint32)
	short = uint16(math.MaxUint16)
	octet = uint8(math.MaxUint8)
	node  = sim.NodeID(math.MaxUint16)
	past  = sim.Mono(math.MinInt64)
)

var (
	object = &version.Object{}
	write  = &version.Write{ID: half, Op: version.Remove, Data: word}
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

func TestAccessorsOfRequestsReadWhatWasWritten(t *testing.T) {
	request := func(m *Msg) []any { return all(m.Key(), m.Req(), m.Obj, m.Write, m.Client()) }
	reply := func(m *Msg) []any { return all(m.Key(), m.Req(), m.Status(), m.Obj, m.SentTo(), m.Client()) }
	put := NewPut(half, half-1, object, write)
	assertReads(t,
		read(put, request, half, half-1, object, write, uint16(0), Put),
		read(put.For(short), request, half, half-1, object, write, short, Put),
		read(put.For(short).For(0), request, half, half-1, object, write, uint16(0), Put),
		read(put.Compare(word), func(m *Msg) []any { return append(request(m), m.Expects()) }, half, half-1, object, write, uint16(0), word, CompareAndSet),
		read(NewGet(half, half-1, word), func(m *Msg) []any { return all(m.Key(), m.Req(), m.ReadFrom()) }, half, half-1, word, Get),
		read(NewPutReply(half, half-1, Mismatch, object, octet).For(short), reply, half, half-1, Mismatch, object, uint16(octet), short, PutReply),
		read(NewGetReply(half, half-1, TooOld, object), reply, half, half-1, TooOld, object, uint16(0), uint16(0), GetReply),
		read(NewRequestTimer(Poll, half), func(m *Msg) []any { return all(m.Req()) }, half, Poll),
		read(NewForwardTimeout(short, half), func(m *Msg) []any { return all(m.Client(), m.Req()) }, short, half, ForwardTimeout),
	)
}

func TestAccessorsOfTheNotesOfClientsReadWhatWasWritten(t *testing.T) {
	note := func(m *Msg) []any { return all(m.Key(), m.Req(), m.Status(), m.Obj, m.Write, m.Copies()) }
	compares := func(m *Msg) []any {
		expects, ok := m.Compares()
		return all(expects, ok)
	}
	put := NewPut(half, half-1, object, write)
	asked := NewAsked(&put, node)
	answered := NewAnswered(half, half-1, OK, object, write)
	answered.SetCopies(short)
	set, setAny := asked, answered
	set.SetCompares(word)
	setAny.SetCompares(0)
	assertReads(t,
		read(asked, func(m *Msg) []any { return append(all(m.Key(), m.Req(), m.Obj, m.Write, m.Other()), compares(m)...) },
			half, half-1, object, write, node, uint64(0), false, Asked),
		read(set, compares, word, true, Asked),
		read(setAny, compares, uint64(0), true, Answered),
		read(answered, note, half, half-1, OK, object, write, short, Answered),
		read(NewAnswered(half, half-1, Unavailable, nil, nil), note, half, half-1, Unavailable, (*version.Object)(nil), (*version.Write)(nil), uint16(0), Failed),
		read(NewBehind(half, half-1, object), func(m *Msg) []any { return all(m.Key(), m.Req(), m.Obj) }, half, half-1, object, Behind),
	)
}

func TestAccessorsOfReplicasReadWhatWasWritten(t *testing.T) {
	about := func(m *Msg) []any { return all(m.Key(), m.Req(), m.Obj) }
	sent := func(m *Msg) []any {
		s, to := m.Sent()
		return all(s, to)
	}
	to := NewReplicaWrite(half, half-1, object, short)
	ask := NewReplicaRead(half, half-1)
	remote := to.Delay(node)
	remote.Kind = Remote
	assertReads(t,
		read(to, func(m *Msg) []any { return append(about(m), m.HintFor()) }, half, half-1, object, short, ReplicaWrite),
		read(NewWriteAck(&to, Refused), func(m *Msg) []any { return all(m.Key(), m.Req(), m.Status()) }, half, half-1, Refused, WriteAck),
		read(ask, about, half, half-1, (*version.Object)(nil), ReplicaRead),
		read(NewReadAnswer(&ask, object), about, half, half-1, object, ReadAnswer),
		read(NewReplicaTimeout(half, true), func(m *Msg) []any { return all(m.Req(), m.Again()) }, half, true, ReplicaTimeout),
		read(NewReplicaTimeout(half, false), func(m *Msg) []any { return all(m.Req(), m.Again()) }, half, false, ReplicaTimeout),
		read(NewCollect(half), func(m *Msg) []any { return all(m.Key()) }, half, Collect),
		read(to.Delay(node), sent, to, node, Delayed),
		read(remote, sent, to, node, Remote),
		read(NewStored(half, object, write), func(m *Msg) []any { return all(m.Key(), m.Obj, m.Write) }, half, object, write, Stored),
		read(NewDeleted(Collected, half, object), func(m *Msg) []any { return all(m.Key(), m.Obj) }, half, object, Collected),
		read(NewSuspected(short), func(m *Msg) []any { return all(m.Other()) }, node, Suspected),
	)
}

func TestAccessorsOfRepairReadWhatWasWritten(t *testing.T) {
	hint := func(m *Msg) []any { return all(m.Key(), m.HintFor(), m.Other(), m.Obj) }
	repaired := func(m *Msg) []any { return all(m.Key(), m.Other(), m.Obj, m.HasAnswered()) }
	repair, handoff := NewRepair(half, half-1, object, true), NewHandoff(half, object)
	acknowledged := func(m *Msg) []any { return all(m.Key(), m.Req(), m.Acknowledged()) }
	compared := NewMerkleHash(math.MaxInt32, half, merkle.Node{Index: math.MaxInt32, Hash: word})
	assertReads(t,
		read(repair, func(m *Msg) []any { return all(m.Key(), m.Req(), m.Obj, m.AnswerWanted()) }, half, half-1, object, true, Repair),
		read(NewRepairAck(&repair), acknowledged, half, half-1, object.Digest(), RepairAck),
		read(handoff, func(m *Msg) []any { return all(m.Key(), m.Obj) }, half, object, Handoff),
		read(NewHandoffAck(&handoff), acknowledged, half, uint32(0), object.Digest(), HandoffAck),
		read(NewHintNote(HandedOver, half, short, object), hint, half, short, node, object, HandedOver),
		read(NewRepaired(half, short, object, true), repaired, half, node, object, true, Repaired),
		read(NewRepaired(half, short, object, false), repaired, half, node, object, false, Repaired),
		read(NewHintsLost(half), func(m *Msg) []any { return all(m.Hints()) }, half, HintsLost),
		read(compared, func(m *Msg) []any { return all(m.HashRing(), m.Share(), m.TreeNode(), m.TreeHash()) },
			math.MaxInt32, half, math.MaxInt32, merkle.Node{Index: math.MaxInt32, Hash: word}, MerkleHash),
		read(NewCompared(&compared, node), func(m *Msg) []any { return all(m.Share(), m.TreeNode(), m.Other()) }, half, math.MaxInt32, node, Compared),
		read(NewExchange(half, object, true), func(m *Msg) []any { return all(m.Key(), m.Obj, m.AnswerWanted()) }, half, object, true, Exchange),
		read(NewExchange(half, object, false), func(m *Msg) []any { return all(m.Key(), m.Obj, m.AnswerWanted()) }, half, object, false, Exchange),
		read(NewExchanged(half, node, object), func(m *Msg) []any { return all(m.Key(), m.Other(), m.Obj) }, half, node, object, Exchanged),
	)
}

func TestAccessorsOfChangesOfTheRingReadWhatWasWritten(t *testing.T) {
	rings := NewTransition(short, short-1)
	gains := func(m *Msg) []any { return all(m.Change(), m.Rings()) }
	phase := func(m *Msg) []any { return all(m.Phase(), m.Change()) }
	change := func(m *Msg) []any { return all(m.Direction(), m.Other(), m.Change(), m.Rings()) }
	refused := func(m *Msg) []any {
		does, subject := m.Ongoing()
		return all(m.Direction(), m.Other(), m.IsMember(), does, subject)
	}
	alone := NewChangeRefused(Joins, node, true)
	busy := NewChangeRefused(Leaves, node, false)
	busy.SetOngoing(Leaves, node-1)
	assertReads(t,
		read(NewRingMessage(Membership, half), func(m *Msg) []any { return all(m.Ring()) }, half, Membership),
		read(NewAdopted(half, node), func(m *Msg) []any { return all(m.Ring(), m.Other()) }, half, node, Adopted),
		read(NewGossipRound(past), func(m *Msg) []any { return all(m.RoundDue()) }, past, GossipRound),
		read(NewAnnounce(Switched, half, rings), func(m *Msg) []any { return append(phase(m), m.Rings()) }, Switched, half, rings, Announce),
		read(NewPhase(AnnounceAck, ReadNew, half), phase, ReadNew, half, AnnounceAck),
		read(NewGains(Forget, half, rings), gains, half, rings, Forget),
		read(NewOfChange(SendAgain, half), func(m *Msg) []any { return all(m.Change()) }, half, SendAgain),
		read(NewChangeDue(math.MaxInt32), func(m *Msg) []any { return all(m.NthDue()) }, math.MaxInt32, ChangeDue),
		read(NewChangeNote(ChangeDone, Leaves, node, half, rings), change, Leaves, node, half, rings, ChangeDone),
		read(alone, refused, Joins, node, true, Joins, sim.None, ChangeRefused),
		read(busy, refused, Leaves, node, false, Leaves, node-1, ChangeRefused),
	)
}

func TestAccessorsOfStreamsAndLoadReadWhatWasWritten(t *testing.T) {
	rings := NewTransition(short, short-1)
	ask := NewLoadAsk(half)
	assertReads(t,
		read(NewStreamAsk(octet, half, rings), func(m *Msg) []any { return all(m.Round(), m.Change(), m.Rings()) }, octet, half, rings, StreamAsk),
		read(NewStreamItem(octet, half, half-1, half-2, object), func(m *Msg) []any { return all(m.Round(), m.Change(), m.Nth(), m.Key(), m.Obj) },
			octet, half, half-1, half-2, object, StreamItem),
		read(NewStreamEnd(octet, half, half-1), func(m *Msg) []any { return all(m.Round(), m.Change(), m.Total()) }, octet, half, half-1, StreamEnd),
		read(NewStreamTick(node), func(m *Msg) []any { return all(m.Other()) }, node, StreamTick),
		read(NewStreamed(node, half, word), func(m *Msg) []any { return all(m.Other(), m.Objects(), m.Bytes()) }, node, half, word, Streamed),
		read(ask, func(m *Msg) []any { return all(m.Sample()) }, half, LoadAsk),
		read(NewLoadAnswer(&ask, word), func(m *Msg) []any { return all(m.Sample(), m.Handled()) }, half, word, LoadAnswer),
		read(NewSampled(half, math.MaxInt), func(m *Msg) []any { return all(m.Load(), m.Members()) }, half, math.MaxInt, Sampled),
	)
}

func TestAccessorsOfTheLeaderReadWhatWasWritten(t *testing.T) {
	packet := &raft.Packet{}
	assertReads(t,
		read(NewRaft(packet), func(m *Msg) []any { return all(m.Packet == packet) }, true, Raft),
		read(NewElectionTimeout(half), func(m *Msg) []any { return all(m.Election()) }, half, RaftElect),
		read(NewLeadership(Deposed, word), func(m *Msg) []any { return all(m.Term()) }, word, Deposed),
	)
}

func TestTheRingsOfATransitionAreThoseOfItsNumbers(t *testing.T) {
	s := &Settings{Rings: []*Ring{{Number: 0}, {Number: 1}, {Number: 2}}}
	before, after := s.RingsOf(NewTransition(2, 1))
	assert.Equal(t, []int{2, 1}, []int{before.Number, after.Number})
}

func TestEveryFieldOfAMessageIsInItsDigest(t *testing.T) {
	var writer version.Replica
	stored := version.New(version.DefaultPolicyParams()).Put(&writer, 0, nil, nil, version.Write{ID: 1})
	modeltest.Folds(t, Msg{}, Msg{Kind: 1}, Msg{code: 1}, Msg{node: 1}, Msg{key: 1}, Msg{req: 1}, Msg{number: 1}, Msg{word: 1}, Msg{Obj: stored})
	modeltest.Folds(t, Msg{Kind: Put}, Msg{Kind: Put, Write: &version.Write{ID: 1}}, Msg{Kind: Put, Write: &version.Write{Op: 1}}, Msg{Kind: Put, Write: &version.Write{Data: 1}})
}

// Each message that is under way is copied some times.
func TestAMessageIsSixWords(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Msg{}), uintptr(6*8)) // 36 bytes on 386
}
