package compare

import (
	"errors"
	"fmt"
	"io"
	"time"

	"fencepost/models/internal/values"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// Program is the comparison as whatever runs programs takes it: one without nodes, whose
// worlds are a [Replay].
func (p *Params) Program() sim.Program {
	return sim.Program{
		Properties: []string{promisedWindow, equalsExactLog, boundedWait},
		Measures:   measures(p.Algorithms),
		NewWorld: func(c sim.Config) (sim.Runner, error) {
			if len(c.Faults) > 0 {
				return nil, errNoNodes
			}
			return &Replay{params: p, until: c.Until, most: MaxClients}, nil
		},
	}
}

// MaxClients is how many different keys a run may have. With all algorithms each takes
// about a kilobyte.
const MaxClients = 16 << 20

var errNoNodes = errors.New("a comparison of rate limiters has no nodes: nothing can be done to them")

// Replay compares the algorithms on the traffic of one seed after the other. It is a
// [sim.Runner] for what needs nothing but results; it knows no faults, draws or steps.
type Replay struct {
	params *Params
	until  sim.Time
	most   int64 // clients
	watch  func(done, total int64) bool
	done   *Comparison
	text   []string
	err    error
}

// Watch makes runs ask now and then whether to go on: after so many bytes of a log, or
// so much of the time, of all of it. A run that ends early has the results until then.
func (r *Replay) Watch(watch func(done, total int64) bool) { r.watch = watch }

// Err is why the last run has no result, nil if it has one.
func (r *Replay) Err() error { return r.err }

// Input says what the last run read, on lines; it is empty unless it read a log.
func (r *Replay) Input() []string { return r.text }

// Path is the log that is read, "" if there is none.
func (r *Replay) Path() string { return r.params.Traffic.AccessLog.Path }

// Span is the time from the first request of the last run to the last.
func (r *Replay) Span() time.Duration { return r.done.Span() }

// Run implements [sim.Runner].
func (r *Replay) Run(seed uint64) *sim.Result {
	c, problems := New(r.params.rules(), r.params.Algorithms)
	if len(problems) > 0 {
		panic(fmt.Sprintf("compare: %v", problems))
	}
	c.digest, r.done, r.err, r.text = sim.Digest(seed), c, nil, nil
	if r.params.Traffic.AccessLog.Open != nil {
		r.replay(c)
	} else {
		r.generate(c, seed)
	}
	c.Finish()
	return c.result(seed)
}

// pace is how many requests there are between two questions whether to go on.
const pace = 1 << 15

// generate feeds the traffic of a seed.
func (r *Replay) generate(c *Comparison, seed uint64) {
	for s, n := traffic.New(r.params.generated(time.Duration(r.until)), seed), 1; ; n++ {
		q, ok := s.Next()
		if !ok || q.At >= r.until || n%pace == 0 && !r.goOn(int64(q.At), int64(r.until)) {
			return
		}
		if c.Add(q); c.Clients() > r.most {
			r.err = r.crowd()
			return
		}
	}
}

// replay feeds a log, all of it.
func (r *Replay) replay(c *Comparison) {
	log, err := r.params.Traffic.AccessLog.Open(r.params.Traffic.options())
	if err != nil {
		r.err = err
		return
	}
	cut := ""
	for n := 1; ; n++ {
		q, ok := log.Next()
		if !ok {
			break
		}
		if c.Add(q); c.Clients() > r.most {
			r.err = r.crowd()
			break
		}
		if n%pace != 0 {
			continue
		}
		if done, total := log.Read(); !r.goOn(done, total) {
			cut = fmt.Sprintf("interrupted after %d of %d bytes", done, total)
			break
		}
	}
	c.decide()
	r.err = errors.Join(r.err, log.Err(), log.Close())
	r.text = append(log.Text(), c.whom(log)...)
	if cut != "" {
		r.text = append(r.text, cut)
	}
}

// crowd is the error for more keys than there is memory for.
func (r *Replay) crowd() error {
	return fmt.Errorf("more than %d different keys: take a key that fewer requests have for themselves, such as client with an ipv6-prefix", r.most)
}

func (r *Replay) goOn(done, total int64) bool { return r.watch == nil || r.watch(done, total) }

// whom names the clients of a log that the limit concerns most.
func (c *Comparison) whom(log Recorded) []string {
	over := 0
	for i := range c.clients.n {
		if c.clients.at(i).refused > 0 {
			over++
		}
	}
	list := []string{fmt.Sprintf("%d of %d clients ask for more than %d in %s", over, c.clients.n, c.Rules.Limit, values.Length(c.Rules.Window))}
	for _, k := range c.Refused(3) {
		name, ok := log.Name(k.Key)
		if !ok {
			name = fmt.Sprintf("a client (%016x)", k.Key)
		}
		list = append(list, fmt.Sprintf("  %s: %d of its %d requests are over the limit", name, k.Refused, k.Requests))
	}
	return list
}

// Why implements [sim.Runner].
func (r *Replay) Why(property int) string {
	if r.done == nil {
		return ""
	}
	return r.done.why(property)
}

// SetTrace implements [sim.Runner]; there are no steps to write.
func (r *Replay) SetTrace(io.Writer) {}

// SetSamples implements [sim.Runner]; what is measured is known at the end only.
func (r *Replay) SetSamples(func(sim.Time, sim.Sample)) {}

// SetTimeline implements [sim.Runner]; there are no nodes to show.
func (r *Replay) SetTimeline(*sim.Timeline) {}

// SetStory implements [sim.Runner]; there are no moments to tell.
func (r *Replay) SetStory(func(sim.Moment)) {}

// SetJournal implements [sim.Runner]; there is nothing to note.
func (r *Replay) SetJournal(*sim.Journal) {}

// SetDraws implements [sim.Runner]; traffic draws by itself.
func (r *Replay) SetDraws(func(sim.Draw, uint64)) {}

// SetAdversary implements [sim.Runner]; there is nothing that one could do.
func (r *Replay) SetAdversary(sim.Adversary) {}

// Vary implements [sim.Runner]: it refuses.
func (r *Replay) Vary(sim.Variation) error { return errNoNodes }

// Fingerprint implements [sim.Runner]; there is no state in between.
func (r *Replay) Fingerprint() sim.Print { return sim.Print{} }

// Stop implements [sim.Runner]; see [Replay.Watch].
func (r *Replay) Stop() {}
