package redis

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model"
)

// word is a message of a counter that expires, as a limiter has for each window.
type word struct {
	Kind sim.Kind
	N    int64
}

const (
	opens   sim.Kind = iota
	comes            // timer of a client: a request
	incr             // client to server
	count            // server to client: N
	expire           // client to server
	counted          // note of the server: N
)

func (w word) Label() sim.Kind              { return w.Kind }
func (w word) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(w.Kind), uint64(w.N)) }
func (w word) String() string {
	return [...]string{"opens", "comes", "incr", "count", "expire", "counted"}[w.Kind]
}

// server is a Redis with one counter. Script: INCR and, of the first, EXPIRE are one step.
type server struct {
	TTL    time.Duration
	Script bool

	db DB[int]
}

func (s *server) Reset(initial *server) {
	s.TTL, s.Script = initial.TTL, initial.Script
	s.db.CopyFrom(&initial.db)
}

func (s *server) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case incr:
		n, _ := s.db.IncrBy(in.Wall, 1, 1)
		if s.Script && n == 1 {
			s.db.PExpire(in.Wall, 1, s.TTL)
		}
		out.Note(word{counted, n})
		out.Send(in.From, word{count, n})
	case expire:
		s.db.PExpire(in.Wall, 1, s.TTL)
	}
}

// limiter counts some requests, of which each comes at any time up to Gap after the one before. Apart: it
// sends EXPIRE when it knows that it was the first.
type limiter struct {
	Gap      time.Duration
	Requests int
	Apart    bool
}

func (l *limiter) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case count:
		if l.Apart && in.Msg.N == 1 {
			out.Send(in.From, word{Kind: expire})
		}
		return
	case comes:
		l.Requests--
		out.Send(1, word{Kind: incr})
	}
	if l.Requests > 0 {
		out.AfterDraw(sim.Uniform(0, l.Gap+1), word{Kind: comes})
	}
}

func (*server) Symbolic() string                 { return "" }
func (*server) Forget()                          {}
func (*server) Ignores(*sim.Arrival[word]) bool  { return false }
func (*limiter) Symbolic() string                { return "" }
func (*limiter) Forget()                         {}
func (*limiter) Ignores(*sim.Arrival[word]) bool { return false }

// goes holds if no request is counted with one that came longer than Within before it.
type goes struct {
	Within time.Duration
	First  sim.Time
}

func (g *goes) Check(r *model.Report[word]) {
	r.Saw()
	if r.Msg.N == 1 {
		g.First = r.Now()
	} else if g.First.Add(g.Within).Before(r.Now()) {
		r.Violated(r.Node)
	}
}

func (g *goes) Symbolic() (model.Checker[word], []sim.Kind) {
	return &goes{Within: g.Within}, []sim.Kind{counted}
}

// A counter that is given its expiry by the script goes a TTL and a millisecond after it was made at the latest, and
// later than a TTL, whenever requests come. Where EXPIRE is apart, that is a reply, a command and a pause later; and a
// limiter that crashes in between leaves a counter that never goes.
func TestAnExpiryThatIsApartMayNeverCome(t *testing.T) {
	const ms, ttl, longest = time.Millisecond, 50 * time.Millisecond, 3 * time.Millisecond
	pause, crash := certify.Fault{Name: "pause", Nodes: []sim.NodeID{2}, Most: 7 * ms, Count: 1}, certify.Fault{Name: "crash", Do: sim.Crash, Nodes: []sim.NodeID{2}, Most: ms, Count: 1}
	for _, c := range []struct {
		name   string
		apart  bool
		within time.Duration
		faults []certify.Fault
		want   certify.Verdict
	}{
		{"script", false, ttl + ms, []certify.Fault{pause}, certify.Certified},
		{"script, crash", false, ttl + ms, []certify.Fault{crash}, certify.Certified},
		{"script, no longer than its TTL", false, ttl, nil, certify.Violated},
		{"apart", true, ttl + ms + 2*longest, nil, certify.Certified},
		{"apart, as the script", true, ttl + ms, nil, certify.Violated},
		{"apart, pause", true, ttl + ms + 2*longest + pause.Most, []certify.Fault{pause}, certify.Certified},
		{"apart, pause, 1 ms sooner", true, ttl + 2*longest + pause.Most, []certify.Fault{pause}, certify.Violated},
		{"apart, crash", true, 3 * ttl, []certify.Fault{crash}, certify.Violated},
	} {
		program := sim.NewProgram(func() sim.System[word] {
			return sim.System[word]{
				Kinds: []string{"opens", "comes", "incr", "count", "expire", "counted"}, Notes: []sim.Kind{counted},
				Nodes: []sim.Spec[word]{sim.Place[word]("redis", server{TTL: ttl, Script: !c.apart}),
					sim.Place[word]("limiter", limiter{Gap: 2 * ttl, Requests: 4, Apart: c.apart})},
				Properties: []sim.Property[word]{model.NewProperty("goes", &goes{Within: c.within}, counted)},
			}
		})
		s := &certify.Search{Program: program, Faults: c.faults, Limits: certify.Limits{States: 200_000},
			Config: sim.Config{Until: sim.Time(time.Hour), Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(0, longest+1)}}}}
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		t.Logf("%s: within %v: %v %v, %d states", c.name, c.within, r.Verdict, r.Bound, r.States)
		assert.Equal(t, c.want, r.Verdict, c.name)
	}
}
