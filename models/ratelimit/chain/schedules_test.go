package chain

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// The n-th operation begins n*1s/150 after the first, whatever the rounding of each gap,
// and whatever the rate.
func TestEvenArrivals(t *testing.T) {
	for _, rate := range []traffic.Rate{perSecond(150), {Requests: 50_000_000_000_000, Per: 24 * time.Hour}} {
		c := Client{Rate: rate, Next: 2}
		trial := sim.NewTrial[Msg](2)
		now := sim.Mono(0)
		for n := int64(1); n < 1000; n++ {
			for _, e := range trial.Step(&c, sim.In[Msg]{Self: 1, From: 1, Mono: now, Msg: Msg{Kind: begin}}) {
				if e.Msg.Kind == begin {
					now = now.Add(e.For)
				}
			}
			require.EqualValues(t, n*int64(rate.Per)/rate.Requests, now)
		}
	}
}

// Layers: each makes three attempts, and what a layer may take is what its caller waits.
func TestLayers(t *testing.T) {
	p := DefaultParams()
	p.Layers, p.Retry.Attempts, p.Database.Fails = 2, 3, 26
	r := play(t, p, at(30_000), twice)
	assert.EqualValues(t, 27, r.Measure("calls"), r)
	assert.EqualValues(t, 1, r.Measure("useful"), "the 27th is no error")
	p.Database.Fails = 1000
	p.LayerRetry = &RetryParams{Attempts: 1}
	assert.EqualValues(t, 3, play(t, p, at(30_000), twice).Measure("calls"), "only the outermost layer calls again")

	p = DefaultParams()
	p.Layers, p.Timeout, p.Database.Service = 1, ptr(time.Second), ptr(sim.Constant(10*time.Second))
	p.LayerRetry = &RetryParams{Attempts: 0, Backoff: "fixed"}
	r = play(t, p, at(30_000), simtest.Delay(100*ms), twice)
	assert.EqualValues(t, 1, r.Measure("calls"), "the service has a second left, less what the way took it has none for a second call\n%v", r)
}

// What is lost with the database in a crash is work, not workers and not credits.
func TestDatabaseCrash(t *testing.T) {
	for _, kind := range []string{"none", "credits"} {
		p := overload(10)
		p.Limiter.Kind = kind
		if kind == "credits" {
			p.Limiter.Credits = 5
		}
		p.Database.Workers, p.Database.Service = 2, ptr(sim.Constant(20*ms))
		crash := sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Constant(10 * time.Second)}, For: sim.Constant(time.Second)}
		r := play(t, p, at(60_001), simtest.Inject("db", crash))
		assert.InDelta(t, 5_500, r.Measure("useful"), 30, "five seconds of sixty were lost\n%v", r)
		assert.Empty(t, without(r.Verdicts(sim.Violated), "goodput", "answered-in-time"), r)
	}
}

// The queue is durable, and a client that restarts goes on with new operations.
func TestOtherCrashes(t *testing.T) {
	for _, who := range []string{"client-1", "limiter", "queue"} {
		p := overload(50)
		p.Limiter.Kind, p.Limiter.Capacity, p.Limiter.Refill = "bucket", 10, perSecond(90)
		p.Retry = RetryParams{Attempts: 2, Backoff: "full", Budget: "ratio"}
		crash := sim.Fault{Do: sim.Crash, When: sim.When{At: at(20_000)}, For: sim.Constant(time.Second)}
		r := play(t, p, at(60_001), simtest.Inject(who, crash))
		assert.GreaterOrEqual(t, r.Measure("useful"), int64(5_250), "%s\n%v", who, r)
		assert.Empty(t, without(r.Verdicts(sim.Violated), "goodput", "answered-in-time"), "%s\n%v", who, r)
	}
}

func without(list []string, names ...string) (rest []string) {
next:
	for _, l := range list {
		for _, n := range names {
			if l == n {
				continue next
			}
		}
		rest = append(rest, l)
	}
	return rest
}

// A second copy of a request is carried out and answered, too.
func TestDuplicate(t *testing.T) {
	p := DefaultParams()
	twoCopies := simtest.Disturb("client-1", "", sim.Fault{Do: sim.Duplicate, For: sim.Constant(time.Second), Msg: sim.MsgChoice{Kind: Request}})
	r := play(t, p, at(10_000), twoCopies, twice)
	r.OnlyViolates("one-answer")
	assert.EqualValues(t, 1, r.Measure("carried-out-again"))
	assert.EqualValues(t, 1, r.Measure("useful"), "the client takes the first answer only")
}

// A lost answer is a timeout; the operation is idempotent and is sent again.
func TestLostAnswer(t *testing.T) {
	p := DefaultParams()
	p.Retry.Attempts = 2
	lost := simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Reply, Nth: 1}})
	r := play(t, p, at(20_000), lost, twice)
	assert.EqualValues(t, []int64{1, 2, 1, 1}, []int64{r.Measure("useful"), r.Measure("calls"), r.Measure("carried-out-again"), r.Measure("wasted")}, r)
	p.Operation = "plain"
	r = play(t, p, at(20_000), lost, twice)
	assert.EqualValues(t, []int64{0, 1, 0}, []int64{r.Measure("useful"), r.Measure("calls"), r.Measure("carried-out-again")}, "nobody knows, so it is not sent again")
}

// TestKeys: without a key what is sent again is carried out again; with one it is answered
// from the record, also after a crash, and by whichever worker commits second (R12).
func TestKeys(t *testing.T) {
	p := DefaultParams()
	p.Retry = RetryParams{Attempts: 2, Backoff: "fixed", Blind: true}
	p.Timeout = ptr(time.Second)
	lost := simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Reply, Nth: 1}})
	of := func(r *simtest.Played) []int64 {
		return []int64{r.Measure("served"), r.Measure("carried-out-again"), r.Measure("answered-from-record"), r.Measure("useful")}
	}
	p.Operation = "plain"
	blind := play(t, p, at(20_000), lost, twice)
	blind.OnlyViolates("no-blind-retry", "carried-out-once", "answered-in-time")
	assert.Equal(t, []int64{2, 1, 0, 1}, of(blind), blind)

	p.Operation, p.Retry.Blind = "keyed", false
	keyed := play(t, p, at(20_000), lost, twice)
	keyed.Holds("no-blind-retry", "carried-out-once")
	assert.Equal(t, []int64{1, 0, 1, 1}, of(keyed), keyed)
	assert.NotEqual(t, blind.Result.Digest, keyed.Result.Digest)

	crash := simtest.Inject("db", sim.Fault{Do: sim.Crash, When: sim.When{At: at(500)}, For: sim.Constant(100 * ms)})
	assert.Equal(t, []int64{1, 0, 1, 1}, of(play(t, p, at(20_000), lost, crash, twice)), "the record is durable")

	p.Database.Workers, p.Database.Service = 2, ptr(sim.Constant(20*ms))
	copies := simtest.Disturb("client-1", "", sim.Fault{Do: sim.Duplicate, For: sim.Constant(time.Millisecond), Msg: sim.MsgChoice{Kind: Request}})
	assert.Equal(t, []int64{1, 0, 1, 1}, of(play(t, p, at(20_000), copies, twice)), "both are under way at once")
}

// The ring of the queue grows while it has wrapped around.
func TestQueueKeepsOrder(t *testing.T) {
	q := Queue{Size: 1000}
	var want []uint32
	sent := uint32(0)
	for round := range 200 {
		for range 5 {
			sent++
			q.push(item{msg: Msg{Slot: sent}})
			want = append(want, sent)
		}
		for range 3 + round%3 {
			if q.count > 0 {
				require.Equal(t, want[0], q.pop().msg.Slot)
				want = want[1:]
			}
		}
	}
	q.Newest = true
	require.Equal(t, want[len(want)-1], q.pop().msg.Slot)
	require.Equal(t, len(want)-1, q.count)
}

// With a network between them, credits must cover the way.
func TestCreditsCoverTheWay(t *testing.T) {
	useful := func(credits int64) int64 {
		p := overload(1000)
		p.Rate = []traffic.Rate{perSecond(1000)}
		p.Limiter.Kind, p.Limiter.Credits = "credits", credits
		p.Database.Workers, p.Database.Service = 4, ptr(sim.Constant(40*ms))
		return play(t, p, at(60_001), simtest.Delay(5*ms)).Measure("useful")
	}
	few, enough := useful(4), useful(8)
	assert.Less(t, few, int64(4_700), "four workers, of which each waits for the way there and back")
	assert.Less(t, few, enough)
}

// Budgets under a surge: how much is sent again.
func TestBudgetsInASurge(t *testing.T) {
	calls := map[string]int64{}
	for _, budget := range []string{"none", "quota", "grpc", "ratio"} {
		p := overload(50)
		p.Rate = []traffic.Rate{perSecond(300)}
		p.Retry = RetryParams{Attempts: 3, Backoff: "full", Budget: budget}
		r := play(t, p, at(20_000))
		calls[budget] = r.Measure("calls")
		require.EqualValues(t, 6_000, r.Measure("operations"))
		if budget != "none" {
			require.Equal(t, sim.Holds, r.Finding("budget-respected").Verdict)
		}
	}
	assert.Greater(t, calls["none"], int64(13_000))
	assert.LessOrEqual(t, calls["ratio"], int64(6_667), "1.11 times the operations")
	assert.Less(t, calls["grpc"], int64(6_100), "two of three calls fail: there are no retries")
	assert.Less(t, calls["quota"], calls["none"])
	t.Log(calls)
}

// The story says each thing once, and then when there are a thousand of it.
func TestStory(t *testing.T) {
	r := play(t, overload(1000), at(60_001))
	var text []string
	for _, m := range r.Moments {
		text = append(text, m.At.String()+" "+m.Text)
	}
	for _, want := range []string{
		"0.000s client-1 calls",
		"14.980s client-1 hears nothing and waits no longer",
		"14.980s an answer reaches client-1, which does not wait for it any more",
		"20.006666666s the queue refuses client-1: 503, retry after 1s",
		"24.970s an answer reaches client-1, which does not wait for it any more, the 1000th time",
	} {
		assert.Contains(t, text, want)
	}
	assert.Less(t, len(text), 20)
}

// What a node does in a journal, for an explanation.
func TestDetail(t *testing.T) {
	p := overload(0)
	p.Operations = []int{2}
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(100)})
	require.NoError(t, err)
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	w.Run(1)
	var details []string
	for _, e := range j.Entries {
		details = append(details, e.Detail...)
	}
	for _, want := range []string{"begins operation 1", "hands over operation 1 of client-1, which has waited 0s", "refuses operation 2 of client-1", "carries out operation 1 of client-1"} {
		assert.Contains(t, details, want)
	}
}

// The numbers of CL-03 to CL-07 are those of one set of generators. With twenty others
// they are much the same.
func TestHerdWithOtherGenerators(t *testing.T) {
	for _, v := range []struct {
		name        string
		retry       RetryParams
		wish        string
		least, most int64 // calls
		last        int64 // success, at most: ms
	}{
		{"full", RetryParams{Backoff: "full"}, "none", 1_595, 1_631, 27_200},
		{"equal", RetryParams{Backoff: "equal"}, "none", 1_507, 1_528, 29_500},
		{"decorrelated", RetryParams{Backoff: "decorrelated"}, "none", 1_675, 1_869, 26_200},
		{"jittered", RetryParams{Backoff: "none", Jitter: 10 * time.Second}, "seconds", 488, 533, 27_800},
	} {
		for source := range 20 {
			p := herd(v.retry)
			p.Source, p.Limiter.RetryAfter = ptr(1000*source), v.wish
			r := play(t, p, at(60_000))
			calls := r.Measure("calls")
			assert.True(t, calls >= v.least && calls <= v.most, "%s: %d calls", v.name, calls)
			assert.LessOrEqual(t, r.Measure("last-success")/1e6, v.last, v.name)
		}
	}
}

// A client has no patience beyond the deadline of an operation, and a layer none beyond
// that of its caller or its own.
func TestPatienceEndsWithTheDeadline(t *testing.T) {
	gaveUp := func(set func(*Params)) (when []sim.Time) {
		p := DefaultParams()
		p.Timeout, p.Database.Service = ptr(time.Second), ptr(sim.Constant(100*time.Hour))
		p.Retry = RetryParams{Backoff: "fixed", Deadline: 1500 * ms}
		set(&p)
		r := play(t, p, at(30_000), twice)
		for _, m := range r.Moments {
			if strings.HasSuffix(m.Text, "gives up an operation") {
				when = append(when, m.At)
			}
		}
		return when
	}
	assert.Equal(t, []sim.Time{at(1500)}, gaveUp(func(*Params) {}))
	assert.Equal(t, []sim.Time{at(300)}, gaveUp(func(p *Params) {
		p.Retry = RetryParams{Attempts: 1}
		p.Layers, p.LayerRetry = 1, &RetryParams{Backoff: "fixed", Deadline: 300 * ms}
	}), "the layer's own deadline is sooner than that of its caller")
}

// A retry after a timeout costs ten tokens of 500, and one that succeeds returns its price.
func TestQuotaInAChain(t *testing.T) {
	p := DefaultParams()
	p.Timeout, p.Operations, p.Database.Service = ptr(10*ms), []int{100}, ptr(sim.Constant(time.Hour))
	p.Retry = RetryParams{Attempts: 3, Backoff: "full", Budget: "quota"}
	r := play(t, p, at(20_000), twice)
	assert.EqualValues(t, 50, r.Measure("retries"), r)

	p.Source = ptr(0)
	c := p.client(0, 2)
	trial := sim.NewTrial[Msg](2)
	step := func(m Msg) (call Msg) {
		for _, e := range trial.Step(&c, sim.In[Msg]{Self: 1, From: 2, Msg: m}) {
			if e.Msg.Kind == again || e.Msg.Kind == Request {
				call = e.Msg
			}
		}
		return call
	}
	c.Next = 2
	first := step(Msg{Kind: begin})
	second := first.about(Reply)
	second.Status = 500
	repeat := step(second)
	assert.Equal(t, 495, c.Budget.Quota.Left())
	done := step(repeat).about(Reply)
	done.Status = 200
	step(done)
	assert.Equal(t, 500, c.Budget.Quota.Left())
}

// What a queue refuses or throws away gives its credit back.
func TestCreditsOfWhatIsNotCarriedOut(t *testing.T) {
	q := Queue{Database: 2, Limiter: 1, Size: 1, Drop: DropHopeless, Expected: 10 * ms, Workers: 1}
	trial := sim.NewTrial[Msg](4)
	grants := func(now time.Duration, m Msg) (n int64) {
		for _, e := range trial.Step(&q, sim.In[Msg]{Self: 3, From: 1, Mono: sim.Mono(now), Msg: m}) {
			if e.Msg.Kind == Grant {
				requests, _ := e.Msg.Granted()
				n += requests
			}
		}
		return n
	}
	request := Msg{Kind: Request, ID: operation(4, 1), value: int64(time.Second)}
	assert.EqualValues(t, 0, grants(0, request), "it waits")
	assert.EqualValues(t, 1, grants(0, request), "refused")
	assert.EqualValues(t, 2, grants(995*ms, newFree(Msg{})), "one that is done, and one that is thrown away")
}

// A limiter that has restarted gets back credits that it does not know of.
func TestCreditsAfterARestart(t *testing.T) {
	l := Limiter{Next: 2, Entry: Credits, Credits: 1, Retry: 70 * ms, Refusal: Refusal{Wish: Exact}}
	trial := sim.NewTrial[Msg](3)
	trial.Step(&l, sim.In[Msg]{Self: 1, From: 2, Msg: newGrant(5, 0)})
	request := Msg{Kind: Request, ID: operation(3, 1), Root: operation(3, 1), Attempt: 1}
	var kinds []sim.Kind
	var wait time.Duration
	for range 2 {
		for _, e := range trial.Step(&l, sim.In[Msg]{Self: 1, From: 3, Msg: request}) {
			kinds, wait = append(kinds, e.Msg.Kind), e.Msg.patience()
		}
	}
	assert.Equal(t, []sim.Kind{Admitted, Request, Rejected, Reply}, kinds)
	assert.EqualValues(t, 70*ms, wait, "when a credit should be free")
}

// A queue that has restarted learns how many workers are free, not how many there are.
func TestDatabaseSaysWhoIsFree(t *testing.T) {
	d := Database{Queue: 2, Workers: 3, Service: sim.Constant(ms)}
	trial := sim.NewTrial[Msg](3)
	for range 2 {
		trial.Step(&d, sim.In[Msg]{Self: 1, From: 2, Msg: Msg{Kind: Request, ID: operation(3, 1)}})
	}
	e := trial.Step(&d, sim.In[Msg]{Self: 1, From: 2, Msg: Msg{Kind: Credit}})
	require.Len(t, e, 1)
	assert.Equal(t, newWorkers(1, 0), e[0].Msg)
}

// After a surge that fills the queue, the load survives if attempts times the rate is less
// than the 100 a second that the database does: "k attempts, up to k*lambda".
func TestMetastableThreshold(t *testing.T) {
	for _, v := range []struct {
		rate     int64
		attempts int
		budget   string
		want     sim.Verdict
	}{
		{30, 3, "none", sim.Holds}, {40, 3, "none", sim.Violated},
		{40, 2, "none", sim.Holds}, {80, 2, "none", sim.Violated},
		{80, 1, "none", sim.Holds}, {80, 3, "ratio", sim.Holds},
	} {
		p := DefaultParams()
		p.Clients, p.Timeout, p.Queue.Size = 2, ptr(time.Second), 1000
		p.Start, p.Rate, p.Operations = []time.Duration{0, 20 * time.Second}, []traffic.Rate{perSecond(v.rate), perSecond(200)}, []int{0, 2000}
		p.Retry = RetryParams{Attempts: v.attempts, Backoff: "full", Budget: v.budget}
		p.Bounds.GoodputFrom = 240 * time.Second
		r := play(t, p, at(300_000))
		assert.Equal(t, v.want, r.Finding("goodput").Verdict, "%+v\n%v", v, r)
		assert.Equal(t, sim.Violated, r.Finding("queue-wait").Verdict, "the surge fills the queue")
	}
}

// A client that counts what is accepted sends twice as much as that, and no more.
func TestAdaptiveThrottle(t *testing.T) {
	p := overload(50)
	p.Rate[0] = perSecond(1000)
	p.Limiter.Kind, p.Limiter.Refill = "bucket", perSecond(100)
	p.Retry.Adaptive = 20
	r := play(t, p, at(20_000))
	assert.InDelta(t, 2*2_000, r.Measure("calls"), 400, r)
	assert.Equal(t, r.Measure("operations"), r.Measure("calls")+r.Measure("suppressed"))
}
