package record

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"fencepost/models/idempotency/key"
	"fencepost/sim"
)

var (
	one      = Request{Fingerprint: 1}
	other    = Request{Fingerprint: 2}
	returned = Outcome{End: Returned, Answer: Answer{Code: 201, Body: 7}}
	threw    = Outcome{End: Threw}
)

// began is a record of an attempt that began at 0.
func began(t *testing.T, r *Rules, q Request) *Record {
	t.Helper()
	rec := &Record{}
	require.Equal(t, Decision{Do: Run, Attempt: 1}, r.Begin(rec, 0, q))
	return rec
}

// ID-15
func TestARecordReplaysRefusesAndIsTakenOver(t *testing.T) {
	r := Reference()
	rec := began(t, &r, one)
	assert.Equal(t, Decision{Do: Conflict, Code: 409, RetryAfter: 6 * time.Second}, r.Begin(rec, at(4000), one))
	assert.Equal(t, Decision{Do: Conflict, Code: 409, RetryAfter: 6 * time.Second}, r.Begin(rec, at(4001), one), "whole seconds, rounded up")
	assert.Equal(t, Decision{Do: Conflict, Code: 409, RetryAfter: time.Second}, r.Begin(rec, at(10_000)-1, one))
	assert.Equal(t, Decision{Do: Mismatch, Code: 422}, r.Begin(rec, at(4000), other))
	assert.Equal(t, Decision{Do: Mismatch, Code: 422}, r.Begin(rec, at(10_000), other))
	taken := *rec
	assert.Equal(t, Decision{Do: Run, Attempt: 2}, r.Begin(&taken, at(10_000), one))
	assert.Equal(t, at(20_000), taken.LeaseUntil)
	assert.Equal(t, sim.Wall(24*time.Hour), taken.Expires, "the record is as old as before")

	assert.Equal(t, Stored, r.Finish(rec, at(5000), 1, one, returned))
	assert.Equal(t, Decision{Do: Replay, Code: 201, Answer: Answer{Code: 201, Body: 7}}, r.Begin(rec, at(5000), one))
	assert.Equal(t, Decision{Do: Mismatch, Code: 422}, r.Begin(rec, at(5000), other))
}

// ID-18: A is paused while B takes over and completes. What A did is undone, and A answers
// what B stored.
func TestAnAttemptThatWasTakenOverIsFenced(t *testing.T) {
	r := Reference()
	effects := func(r Rules) (n int, answer Decision) {
		rec := began(t, &r, one)
		require.Equal(t, Decision{Do: Run, Attempt: 2}, r.Begin(rec, at(11_000), one))
		for _, a := range []struct {
			now     sim.Wall
			attempt uint32
			body    int64
		}{{at(12_000), 2, 22}, {at(15_000), 1, 11}} {
			if r.Finish(rec, a.now, a.attempt, one, Outcome{End: Returned, Answer: Answer{Code: 201, Body: a.body}}) == Stored {
				n++
			}
		}
		return n, r.Begin(rec, at(15_000), one)
	}
	n, answer := effects(r)
	assert.Equal(t, 1, n)
	assert.Equal(t, Decision{Do: Replay, Code: 201, Answer: Answer{Code: 201, Body: 22}}, answer)

	r.Unfenced = true
	n, answer = effects(r)
	assert.Equal(t, 2, n, "without the fence both effects are committed")
	assert.EqualValues(t, 11, answer.Answer.Body, "and the answer changes")
}

func TestEndsOfAnAttempt(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules Rules
		end   Outcome
		want  Finished
		next  Decision
	}{
		{"an error is replayed by the draft", Draft(), Outcome{End: Returned, Answer: Answer{Code: 402}}, Stored, Decision{Do: Replay, Code: 402, Answer: Answer{Code: 402}}},
		{"an exception is kept as 500 by Stripe", Stripe(), threw, Stored, Decision{Do: Replay, Code: 500, Answer: Answer{Code: 500}}},
		{"what is invalid is not stored by Stripe", Stripe(), Outcome{End: Invalid}, Removed, Decision{Do: Run, Attempt: 2}},
		{"an exception deletes the record of Powertools", Powertools(), threw, Removed, Decision{Do: Run, Attempt: 2}},
		{"a returned error is kept by Powertools", Powertools(), Outcome{End: Returned, Answer: Answer{Code: 500}}, Stored, Decision{Do: Replay, Code: 500, Answer: Answer{Code: 500}}},
		{"an error is not kept by hono", Hono(), Outcome{End: Returned, Answer: Answer{Code: 404}}, Removed, Decision{Do: Run, Attempt: 2}},
		{"299 is success", Hono(), Outcome{End: Returned, Answer: Answer{Code: 299}}, Stored, Decision{Do: Replay, Code: 299, Answer: Answer{Code: 299}}},
		{"100 is none", Hono(), Outcome{End: Returned, Answer: Answer{Code: 100}}, Removed, Decision{Do: Run, Attempt: 2}},
		{"300 is none", Hono(), Outcome{End: Returned, Answer: Answer{Code: 300}}, Removed, Decision{Do: Run, Attempt: 2}},
		{"an exception releases the record of the reference", Reference(), threw, Released, Decision{Do: Run, Attempt: 2}},
		{"a refusal is kept by the reference", Reference(), Outcome{End: Returned, Answer: Answer{Code: 402}}, Stored, Decision{Do: Replay, Code: 402, Answer: Answer{Code: 402}}},
		{"what is not known stays in progress", Reference(), Outcome{End: Unknown}, Left, Decision{Do: Conflict, Code: 409, RetryAfter: 9 * time.Second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := began(t, &c.rules, one)
			assert.Equal(t, c.want, c.rules.Finish(rec, at(1000), 1, one, c.end))
			assert.Equal(t, c.next, c.rules.Begin(rec, at(1000), one))
		})
	}
}

func TestAMismatchHasTheCodeOfItsService(t *testing.T) {
	for code, r := range map[int32]Rules{400: Stripe(), 422: Draft()} {
		rec := began(t, &r, one)
		assert.Equal(t, Decision{Do: Mismatch, Code: code}, r.Begin(rec, 1, other))
		assert.Equal(t, Decision{Do: Conflict, Code: 409}, r.Begin(rec, 1, one), "and there is no lease to wait for")
	}
	r := Hono()
	assert.Equal(t, Conflict, r.Begin(began(t, &r, one), 1, other).Do, "what is in progress is looked at first")
}

// The conditional put of Powertools: there is no record, or it has expired, or it is in
// progress and its lease has passed.
func TestPowertoolsTakesOverWhenTheFunctionMustHaveEnded(t *testing.T) {
	r := Powertools()
	q := Request{Fingerprint: 1, Limited: true, Remaining: 3 * time.Second}
	rec := began(t, &r, q)
	assert.Equal(t, Conflict, r.Begin(rec, at(3000), q).Do, "its last millisecond")
	assert.Equal(t, Conflict, r.Begin(rec, at(3001)-1, q).Do)
	assert.Equal(t, Mismatch, r.Begin(rec, at(3000), other).Do)
	taken := *rec
	assert.Equal(t, Decision{Do: Run, Attempt: 2}, r.Begin(&taken, at(3001), other), "the put does not compare payloads")
	assert.EqualValues(t, 2, taken.Fingerprint)

	require.Equal(t, Stored, r.Finish(rec, at(2500), 1, q, returned))
	assert.Equal(t, Replay, r.Begin(rec, at(3_602_999), q).Do, "an hour from the answer, in whole seconds")
	assert.Equal(t, Run, r.Begin(rec, at(3_603_000), q).Do)

	rec = &Record{}
	r.Begin(rec, at(1)+400_000, q)
	assert.Equal(t, at(3001), rec.LeaseUntil, "whole milliseconds are stored")
	assert.Equal(t, at(3_600_000), rec.Expires, "and whole seconds")

	rec = began(t, &r, one)
	assert.Equal(t, Conflict, r.Begin(rec, at(3_600_999), one).Do, "no remaining time is known: until the record expires")
	assert.Equal(t, Run, r.Begin(rec, at(3_601_000), one).Do)
}

// powertools-lambda-python 4759: a function that has no time left is killed, and its record is
// in progress without an end.
func TestARemainingTimeOf0LocksTheCallerOutIfItIsReadAsNone(t *testing.T) {
	q := Request{Fingerprint: 1, Limited: true}
	lockedOut := func(r Rules) (until time.Duration) {
		rec := began(t, &r, q)
		for ; r.Begin(rec, at(int64(until/time.Millisecond)), q).Do != Run; until += time.Second {
		}
		return until
	}
	r := Powertools()
	assert.Equal(t, time.Second, lockedOut(r))
	r.ZeroIsUnlimited = true
	assert.Equal(t, time.Hour+time.Second, lockedOut(r))
}

// powertools-lambda-python 53 and 8049: the first attempt fails after the second has taken
// over, and deletes the record of the second: a third runs beside it.
func TestAnErrorPathDeletesTheRecordOfAnother(t *testing.T) {
	q := Request{Fingerprint: 1, Limited: true, Remaining: time.Second}
	third := func(r Rules) Action {
		rec := began(t, &r, q)
		require.Equal(t, Run, r.Begin(rec, at(1500), q).Do)
		r.Finish(rec, at(1600), 1, q, threw)
		return r.Begin(rec, at(1700), q).Do
	}
	r := Powertools()
	assert.Equal(t, Run, third(r))
	r.Unfenced = false
	assert.Equal(t, Conflict, third(r))
}

// idempot-js 182 and 186: nothing is stored when the work begins, and the retry arrives
// before it ends.
func TestAKeyThatIsStoredAfterTheEffectLetsTheRetryRun(t *testing.T) {
	second := func(r Rules) Action {
		s := Store{Rules: r}
		c := Call{Method: "POST", Path: "/", Header: []string{"key"}, Request: one}
		name, first := s.Begin(0, c)
		require.Equal(t, Run, first.Do)
		_, d := s.Begin(1, c)
		require.Equal(t, Stored, s.Finish(2, name, first.Attempt, one, returned))
		_, last := s.Begin(3, c)
		require.Equal(t, Replay, last.Do)
		return d.Do
	}
	r := Hono()
	assert.Equal(t, Conflict, second(r))
	r.StoreLate = true
	assert.Equal(t, Run, second(r))
}

// mastodon 37879, ID-14 in small: the client retries later than the key lives.
func TestARetryAfterTheTTLRunsAgain(t *testing.T) {
	r := Draft()
	r.TTL = time.Hour
	rec := began(t, &r, one)
	r.Finish(rec, at(100), 1, one, returned)
	assert.Equal(t, Replay, r.Begin(rec, at(3_599_000), one).Do)
	assert.Equal(t, Run, r.Begin(rec, at(3_601_000), one).Do)
}

func TestAStoreRefusesAHeaderThatIsNoKey(t *testing.T) {
	s := Store{Rules: Reference()}
	for _, header := range [][]string{nil, {"unquoted-key-of-20-characters"}, {`"short"`}, {`"` + "a-key-of-20-characters" + `"`, `"b"`}} {
		name, d := s.Begin(0, Call{Method: "PUT", Header: header})
		assert.Equal(t, Decision{Do: Refuse, Code: 400}, d)
		assert.Empty(t, name)
	}
	name, d := s.Begin(0, Call{Method: "PUT", Path: "/a", Tenant: "t", Header: []string{`"a-key-of-20-characters"`}})
	assert.Equal(t, Run, d.Do)
	assert.Equal(t, "1:t3:PUT2:/a22:a-key-of-20-characters", name)
	assert.Equal(t, key.Structured(), s.Rules.Header)
}

// Whatever the order in which attempts begin, end, throw and are late, the reference rules
// let one effect be committed for a key while its record lives, and every later request gets
// its answer. A fenced store that sweeps keeps that up.
func TestTheReferenceRulesCommitOneEffect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Reference()
		var rec Record
		var now sim.Wall
		var open []uint32
		committed := int64(0)
		for i := range rapid.IntRange(1, 20).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, fmt.Sprint("pause ", i))) * time.Second)
			if len(open) > 0 && rapid.Bool().Draw(t, "finish") {
				n := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				o := Outcome{End: rapid.SampledFrom([]End{Returned, Threw, Invalid, Unknown}).Draw(t, "end"), Answer: Answer{Code: 201, Body: int64(i + 1)}}
				if r.Finish(&rec, now, open[n], one, o) == Stored {
					if committed != 0 {
						t.Fatalf("effects %d and %d are both committed", committed, i+1)
					}
					committed = int64(i + 1)
				}
				open = append(open[:n], open[n+1:]...)
				continue
			}
			switch d := r.Begin(&rec, now, one); {
			case d.Do == Run && committed != 0:
				t.Fatal("an attempt begins after the effect")
			case d.Do == Run:
				open = append(open, d.Attempt)
			case d.Do == Replay && d.Answer.Body != committed:
				t.Fatalf("replays %d, committed is %d", d.Answer.Body, committed)
			case d.Do != Replay && d.Do != Conflict:
				t.Fatalf("%v", d)
			}
		}
	})
}

func TestAFencedStoreKeepsWhatIsInProgress(t *testing.T) {
	s := Store{Rules: Reference()}
	s.Rules.TTL = time.Second
	require.Equal(t, Run, s.begin(0, "a", one).Do)
	assert.Zero(t, s.Purge(at(2000)))
	assert.EqualValues(t, 2, s.begin(at(2000), "a", one).Attempt)
	assert.Equal(t, Fenced, s.Finish(at(2001), "a", 1, one, returned))
	assert.Equal(t, Stored, s.Finish(at(2002), "a", 2, one, returned))
	assert.Equal(t, 1, s.Purge(at(3000)))
}

func TestDecisionsAllocateNothing(t *testing.T) {
	r := Reference()
	var rec Record
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		d := r.Begin(&rec, 0, one)
		r.Finish(&rec, 0, d.Attempt, one, Outcome{End: Invalid})
	}))
}

// A body over the limit is refused before anything is stored, so that the same key can come
// with the right one.
func TestAStoreRefusesABodyOverItsLimitAndKeepsNothingOfIt(t *testing.T) {
	rules := Reference()
	rules.MostBody = 1000
	s := Store{Rules: rules}
	c := Call{Method: "POST", Path: "/orders", Header: []string{`"8e03978e-40d5-43e8-bc93-6894a57f9324"`}, Body: 1001}
	name, d := s.Begin(0, c)
	assert.Equal(t, Decision{Do: Refuse, Code: 413}, d)
	assert.Empty(t, name)
	assert.Zero(t, s.Size())
	c.Body = 1000
	_, d = s.Begin(0, c)
	assert.Equal(t, Run, d.Do)
}
