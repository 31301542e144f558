package lock

import (
	"math"
	"time"

	"fencepost/sim"
)

// Release is how a client gives the lock back.
type Release uint8

// The script compares and deletes in one step; get-del does so in two; the plain
// delete does not compare.
const (
	ReleaseScript Release = iota
	ReleaseGetDel
	ReleaseDel
)

// Cleanup is which instances a client deletes its key from after an attempt that
// failed.
type Cleanup uint8

// All: a request may have been applied and its reply lost. Granted is what source
// 004 says. None is node-redlock between two tries.
const (
	CleanAll Cleanup = iota
	CleanGranted
	CleanNone
)

// Client takes the lock, reads the store's counter, works, makes sure that it
// still has the lock, writes the counter plus one, waits for the store's reply, and
// gives the lock back.
type Client struct {
	Rules   Rules
	Clock   sim.ClockID // that it measures its lease with
	Servers sim.NodeID  // the first instance; the others follow
	Store   sim.NodeID
	Counter sim.NodeID // issues fencing tokens; None: there are none

	Sequential bool          // ask one instance after the other
	PerNode    time.Duration // it waits so long for an instance; 0: for ever
	Tries      int           // attempts per acquisition; 0: without end
	Retry      sim.Dist      // pause between two attempts
	Renew      time.Duration // it extends the lock this often; 0: never
	Release    Release
	Cleanup    Cleanup
	SameValue  bool // the lock's value is the same for every client
	KeepValue  bool // the same for every attempt of an acquisition
	Unchecked  bool // it does not make sure before it writes
	FenceFirst bool // it registers its token, or its value, before it reads
	ShowValue  bool // it shows the store the lock's value, for a compare-and-set

	Unawaited bool          // it releases without waiting for the reply to its write: a bug
	WriteWait time.Duration // it waits this long for that reply, and then releases; 0: without end

	Start  time.Duration // when it first wants the lock
	Work   time.Duration // from acquiring to writing
	Hold   time.Duration // from the reply to the write to releasing
	Think  time.Duration // from releasing to wanting it again
	Rounds int           // acquisitions; 0: without end

	phase     phase
	round     int
	tries     int    // attempts in this round
	try       uint32 // attempts ever
	value     uint64 // of the lock, in this attempt
	grant     uint64 // the attempt that made the value: observers know its keys by it
	sent      uint16 // messages of the lock's protocol since the last acquisition
	acq       Acquisition
	ext       Acquisition
	extension uint16 // number of the extension under way, 0 for none: answers to earlier ones do not count
	renewals  uint16 // extensions of this lease so far
	until     int64  // the reading up to which it may act
	token     uint64
	counter   int64 // as read
	hasRead   bool
	hasWorked bool
	written   bool
	awaits    bool // the reply to its write
}

type phase uint8

const (
	idle phase = iota
	acquiring
	held
	releasing // by GET and DEL: it waits for what GET says
)

// What a timeout is about: the requests to every instance, to one of them from 1 on,
// those of a release, the write, or those of the extension whose number is added.
const (
	everyone     = 0
	theRelease   = 1 << 14
	theWrite     = theRelease + 1
	theExtension = 1 << 15
)

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch m.Kind {
	case start:
		out.After(c.Start, Msg{Kind: begin})
		return
	case begin:
		c.round++
		c.tries = 0
		c.attempt(in, out)
		return
	case retry:
		c.attempt(in, out)
		return
	case SetReply, GetReply, DelReply, ExtReply:
		c.countMessage()
	}
	if m.Try != c.try {
		return // about an attempt that is over
	}
	switch m.Kind {
	case SetReply:
		c.answer(in, out, int(in.From-c.Servers), m.OK)
	case timeout:
		c.timeout(in, out)
	case IncrReply:
		if c.token == 0 { // a second copy of the request has a token of its own
			c.token = m.Token
			c.enter(out)
		}
	case RegisterReply:
		c.fenced(in, out)
	case ReadReply:
		c.counter, c.hasRead = m.X, true
		c.act(in, out)
	case worked:
		c.hasWorked = true
		c.act(in, out)
	case done:
		if c.phase == held {
			c.leave(out, Msg{Kind: Released})
		}
	case renew:
		c.renew(in, out)
	case ExtReply:
		if m.N == c.extension {
			c.extended(in, out, int(in.From-c.Servers), m.OK)
		}
	case GetReply:
		if c.phase == releasing && m.Value == c.value {
			c.ask(out, in.From, Msg{Kind: Del})
		}
		c.compared(out, int(in.From-c.Servers))
	case WriteReply:
		c.replied(in, out)
	case DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client got " + m.String())
	}
}

// reading is what the client's clock of choice says.
func (c *Client) reading(in sim.In[Msg]) int64 {
	switch c.Clock {
	case sim.WallClock:
		return int64(in.Wall)
	case sim.BootClock:
		return int64(in.Boot)
	}
	return int64(in.Mono)
}

// attempt is steps 1 to 3: a fresh value, the time, and the requests.
func (c *Client) attempt(in sim.In[Msg], out *sim.Out[Msg]) {
	c.try++
	c.tries++
	switch {
	case c.SameValue:
		c.grant, c.value = grantOf(in.Self, c.try), constantValue
	case !c.KeepValue || c.tries == 1:
		c.grant = grantOf(in.Self, c.try)
		c.value = c.grant
	}
	c.phase = acquiring
	out.Note(Msg{Kind: Trying, Try: c.try, Value: c.grant, N: uint16(min(c.tries, 1<<16-1))})
	c.acq.Begin(c.reading(in))
	if c.Sequential {
		c.request(out, 0)
		return
	}
	for i := range c.Rules.Instances {
		c.ask(out, c.Servers+sim.NodeID(i), Msg{Kind: Set, Value: c.value, X: int64(c.Rules.TTL)})
	}
	c.wait(out, everyone)
}

// request asks one instance, in a sequential acquisition.
func (c *Client) request(out *sim.Out[Msg], i int) {
	c.ask(out, c.Servers+sim.NodeID(i), Msg{Kind: Set, Value: c.value, X: int64(c.Rules.TTL)})
	c.wait(out, uint16(i+1))
}

// ask sends a message of the lock's protocol.
func (c *Client) ask(out *sim.Out[Msg], to sim.NodeID, m Msg) {
	m.Try = c.try
	c.countMessage()
	out.Send(to, m)
}

// countMessage counts what the lock's protocol costs, as far as a note can tell.
func (c *Client) countMessage() {
	if c.sent < math.MaxUint16 {
		c.sent++
	}
}

// askAll asks every instance.
func (c *Client) askAll(out *sim.Out[Msg], m Msg) {
	for i := range c.Rules.Instances {
		c.ask(out, c.Servers+sim.NodeID(i), m)
	}
}

func (c *Client) wait(out *sim.Out[Msg], about uint16) {
	if c.PerNode > 0 {
		out.After(c.PerNode, Msg{Kind: timeout, Try: c.try, N: about})
	}
}

// answer is step 4: collect the answers, and decide when there is nothing left to
// wait for.
func (c *Client) answer(in sim.In[Msg], out *sim.Out[Msg], i int, ok bool) {
	if c.phase == acquiring && c.acq.Answer(i, ok) {
		c.settle(in, out, i)
	}
}

func (c *Client) settle(in sim.In[Msg], out *sim.Out[Msg], i int) {
	switch {
	case c.acq.Settled(&c.Rules):
		c.decide(in, out)
	case c.acq.Split(&c.Rules):
		out.Note(Msg{Kind: Hung, Try: c.try, N: uint16(c.acq.Granted())}) // and waits without end
	case c.Sequential:
		c.request(out, i+1)
	}
}

func (c *Client) timeout(in sim.In[Msg], out *sim.Out[Msg]) {
	switch about := in.Msg.N; {
	case about == everyone:
		for i := range c.Rules.Instances {
			c.miss(in, out, i)
		}
	case about == theWrite:
		c.doubt(out)
	case about == theRelease:
		for i := range c.Rules.Instances {
			c.compared(out, i)
		}
	case about == theExtension|c.extension:
		for i := range c.Rules.Instances {
			c.extended(in, out, i, false)
		}
	case about < theRelease:
		c.miss(in, out, int(about-1))
	}
}

// miss is an instance that has not answered in time.
func (c *Client) miss(in sim.In[Msg], out *sim.Out[Msg], i int) {
	if c.phase == acquiring && c.acq.Miss(i) {
		c.settle(in, out, i)
	}
}

// decide is steps 5 to 8.
func (c *Client) decide(in sim.In[Msg], out *sim.Out[Msg]) {
	t2 := c.reading(in)
	if c.acq.Accept(&c.Rules, t2) {
		c.hold(out)
		return
	}
	c.phase = idle
	out.Note(Msg{Kind: Refused, Try: c.try, N: uint16(c.acq.Granted()), X: int64(c.acq.Validity(&c.Rules, t2))})
	last := c.Tries > 0 && c.tries >= c.Tries
	if last && c.Cleanup == CleanNone {
		c.cleanUp(out, CleanAll) // it keeps its keys between two tries only
	} else {
		c.cleanUp(out, c.Cleanup)
	}
	if last {
		out.Note(Msg{Kind: Failed, Try: c.try})
		c.next(out)
		return
	}
	out.AfterDraw(c.Retry, Msg{Kind: retry})
}

// cleanUp deletes what a failed attempt may have left behind.
func (c *Client) cleanUp(out *sim.Out[Msg], which Cleanup) {
	if which == CleanNone || c.Release != ReleaseScript {
		return
	}
	for i := range c.Rules.Instances {
		refused := c.Rules.Instances == 1 && c.acq.RefusedBy(i)
		if c.acq.GrantedBy(i) || which == CleanAll && !refused {
			c.ask(out, c.Servers+sim.NodeID(i), Msg{Kind: DelIf, Value: c.value})
		}
	}
}

// Recover implements [sim.Recoverer]. Nothing is durable; but the number of
// attempts stands for the random value of the lock, and that never comes again.
func (c *Client) Recover(before *Client) { c.try = before.try }
