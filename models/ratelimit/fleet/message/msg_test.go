package message

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/redis"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// The largest and the least that a message has room for.
const (
	word  = uint64(math.MaxUint64)
	half  = uint32(math.MaxUint32)
	short = math.MaxUint16
	most  = int64(math.MaxInt64)
	least = int64(math.MinInt64)
	long  = time.Duration(most)
	past  = time.Duration(least)
	node  = sim.NodeID(math.MaxUint16)
)

// asked is the request that the messages are about.
var asked = NewRequest(word-1, word, half, long)

// reads is what a message carries, and what its accessors say.
type reads struct{ want, got []any }

func all(values ...any) []any { return values }

// read is a message: what is wanted of it is its kind, the name and the key of its request, and then
// what its accessors say.
func read(m Msg, want []any, got ...any) reads {
	return reads{want, append(all(m.Kind, m.ID, m.Key), got...)}
}

// of is what is wanted of a message about the request that was asked.
func of(kind sim.Kind, more ...any) []any { return append(all(kind, word-1, word), more...) }

// other is what is wanted of a message with another name and key, or none.
func other(kind sim.Kind, id, key uint64, more ...any) []any {
	return append(all(kind, id, key), more...)
}

func assertReads(t *testing.T, list ...reads) {
	t.Helper()
	for _, r := range list {
		assert.Equal(t, r.want, r.got)
	}
}

func TestAnswersByHandReadWhatWasWritten(t *testing.T) {
	rejection := NewRejection(word-1, past)
	headers := NewHeaders(asked, true, long, least)
	admission := NewAdmission(word-1, least)
	assertReads(t,
		read(admission, other(Response, word-1, 0, true, least), admission.OK, admission.Remaining()),
		read(rejection, other(Response, word-1, 0, false, past), rejection.OK, rejection.Wait()),
		read(headers, of(Response, true, half, long, least), headers.OK, headers.Cost, headers.Wait(), headers.Remaining()),
	)
}

func TestMessagesByHandOfTheCentralStoreReadWhatWasWritten(t *testing.T) {
	eval, set := NewCommand(Eval, asked, short, least), NewSet(asked, short, least, most)
	value, answer := NewStoreReply(set, half, least, -1), NewStoreAnswer(eval, half, true, long, least)
	failed, entry := NewStoreError(eval, redis.Error(3)), redis.Entry{Life: half, Value: least, Expires: true, ExpireAt: sim.Wall(most / 1e6 * 1e6)}
	op, copied := NewStoreOp(set, true, entry, -1), NewReplicate(word, least, true, entry)
	forever := NewReplicate(word, most, false, redis.Entry{Life: 1, Value: most})
	by := NewAdmittedBy(asked, half)
	assertReads(t,
		read(eval, of(Eval, half, uint64(short), least), eval.Cost, eval.Call(), eval.Reading()),
		read(set, of(Set, half, least, most), set.Cost, set.Reading(), set.SetTo()),
		read(value, other(StoreReply, word-1, short, Set, half, least, int64(-1)), value.Command(), value.Life(), value.Value(), value.TTL()),
		read(value, other(StoreReply, word-1, short, true, false), value.Answers(short), value.Answers(short-1)),
		read(answer, other(StoreAnswer, word-1, short, true, half, long, least), answer.OK, answer.Life(), answer.Wait(), answer.Remaining()),
		read(failed, other(StoreError, word-1, short, Eval, redis.Error(3)), failed.Command(), failed.Err()),
		read(op, of(StoreOp, true, Set, half, least, int64(-1)), op.OK, op.Command(), op.Life(), op.Value(), op.TTL()),
		read(copied, other(Replicate, 1<<63, word, true, entry), copied.OK, copied.Entry()),
		read(forever, other(Replicate, uint64(most), word, false, redis.Entry{Life: 1, Value: most}), forever.OK, forever.Entry()),
		read(by, of(Admitted, half, int64(half), time.Duration(0)), by.Cost, by.CounterLife(), by.Wait()),
	)
}

func TestMessagesByHandOfSyncRegionsAndLeasesReadWhatWasWritten(t *testing.T) {
	const number = word - 1
	sync := NewSync(number, word, int64(half), least)
	settle := NewSettle(sync, short)
	counted := NewCounted(sync, short-1, most, true)
	gossip := NewGossip(word, most, least)
	heard := NewHeard(gossip, short-1)
	grant := NewLeaseGrant(number, word, most, long, int64(half))
	until := NewAbsoluteGrant(number, word, most, sim.Wall(least), int64(half))
	leased := NewLeased(short-1, word, most, long, true)
	returned := NewReturned(0, word, most)
	assertReads(t,
		read(settle, of(Settle, short, least), settle.Syncing(), settle.Window()),
		read(counted, other(Counted, 0, word, true, short-1, half, most, least), counted.OK, counted.Synced(), counted.More(), counted.Count(), counted.Window()),
		read(heard, other(Heard, 0, word, short-1, most, least), heard.Region(), heard.Count(), heard.Window()),
		read(grant, of(LeaseGrant, false, most, long, half), grant.OK, grant.Tokens(), grant.LeaseLength(), grant.LeaseWindow()),
		read(until, of(LeaseGrant, true, most, sim.Wall(least), half), until.OK, until.Tokens(), until.LeaseUntil(), until.LeaseWindow()),
		read(leased, other(Leased, 0, word, true, short-1, most, long), leased.GrantedBefore(), leased.Holder(), leased.Tokens(), leased.LeaseLength()),
		read(returned, other(Returned, 0, word, 0, most), returned.Holder(), returned.Tokens()),
	)
}

func TestMessagesByHandOfDimensionsShardsAndBalancersReadWhatWasWritten(t *testing.T) {
	one := InDimension(Take, asked, short)
	taken := NewTaken(asked, short, least)
	full := NewNotTaken(asked, short, long)
	moved := NewMoved(1, math.MaxInt)
	x, y := moved.Moved()
	assertReads(t,
		read(one, of(Take, false, half, short), one.OK, one.Cost, one.Dimension()),
		read(taken, of(Taken, true, short, least), taken.OK, taken.Dimension(), taken.Window()),
		read(full, of(Taken, false, short, long), full.OK, full.Dimension(), full.Wait()),
		read(moved, other(Moved, 0, 0, int64(1), int64(math.MaxInt)), x, y),
	)
}

func TestEveryFieldOfAMessageIsInItsDigest(t *testing.T) {
	modeltest.Folds(t, Msg{}, Msg{Kind: 1}, Msg{OK: true}, Msg{n: 1}, Msg{Cost: 1}, Msg{ID: 1}, Msg{Key: 1}, Msg{x: 1}, Msg{y: 1})
}

// Each message that is under way is copied some times.
func TestAMessageIsFiveWords(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Msg{}), uintptr(5*8)) // as it may be smaller on 386
}
