package compare

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"fencepost/models/internal/nodeless"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Program is the comparison as whatever runs programs takes it: one without nodes, whose
// worlds are a [Replay].
func (p *Params) Program() sim.Program {
	return sim.Program{
		Properties: []string{promisedWindow, equalsExactLog, boundedWait},
		Bounds:     []sim.Bound{{Text: "what each promises: measure promise"}, {}, {Text: "the wait for all places of the queue"}},
		Measures:   measures(p.Algorithms),
		NewWorld: func(c sim.Config) (sim.Runner, error) {
			if err := model.Errors(p.Problems()).Err("compare"); err != nil {
				return nil, err
			}
			if len(c.Faults) > 0 {
				return nil, nodeless.ErrNoNodes
			}
			return &Replay{params: p, until: c.Until, memory: DefaultMemory}, nil
		},
	}
}

// DefaultMemory is what the clients of a run may take, in bytes. With all algorithms each
// takes about 1.2 KB, and so these are about 900,000.
const DefaultMemory = 1 << 30

// Replay compares the algorithms on the traffic of one seed after the other. It is a
// [sim.Runner] for what needs nothing but results; it knows no faults, draws or steps.
type Replay struct {
	nodeless.Runner
	params *Params
	until  sim.Time
	memory int64 // bytes that the clients may take
	left   [2]int64
	alone  bool
	cut    string
	done   *Comparison
	text   []string
	over   []overLimit
	coarse string
	err    error
}

// overLimit is a client of a log that the exact log refused something.
type overLimit struct {
	Client
	name string
}

// EachRefused gives do the clients of the log that asked for more than the limit, the most
// often refused first.
func (r *Replay) EachRefused(do func(name string, requests, refused int64)) {
	for _, c := range r.over {
		do(c.name, c.Requests, c.Refused)
	}
}

// Err is why the last run has no result, nil if it has one.
func (r *Replay) Err() error { return r.err }

// Input says what the last run read, on lines; it is empty unless it read a log.
func (r *Replay) Input() []string { return r.text }

// Bound changes the bytes that a run may keep from [DefaultMemory].
func (r *Replay) Bound(memory int64) { r.memory = memory }

// LeftOut is how many lines of the log are not among the requests of the last run, of how
// many that should be; 0 of 0 without a log.
func (r *Replay) LeftOut() (n, of int64) { return r.left[0], r.left[1] }

// Caution is what the reader of the verdict has to know of the log, "" if nothing.
func (r *Replay) Caution() string {
	list := []string{}
	if r.alone {
		list = append(list, fmt.Sprintf("all %d requests are of one %s", r.done.requests, r.params.Traffic.key()))
	}
	if r.coarse != "" {
		list = append(list, r.coarse)
	}
	if r.cut != "" {
		list = append(list, r.cut)
	}
	return strings.Join(list, "; ")
}

// Path is the log that is read, "" if there is none.
func (r *Replay) Path() string { return r.params.Traffic.AccessLog.Path }

// Span is the time from the first request of the last run to the last, 0 before any run.
func (r *Replay) Span() time.Duration {
	if r.done == nil {
		return 0
	}
	return r.done.Span()
}

// Run implements [sim.Runner].
func (r *Replay) Run(seed uint64) *sim.Result {
	c, problems := New(r.params.rules(), r.params.Algorithms)
	if len(problems) > 0 {
		panic(fmt.Sprintf("compare: %v", problems))
	}
	c.digest, r.done, r.err, r.text, r.left, r.alone = sim.Digest(seed), c, nil, nil, [2]int64{}, false
	r.cut, r.coarse, r.over = "", "", nil
	if r.params.Traffic.AccessLog.Open != nil {
		r.replay(c)
	} else {
		r.generate(c, seed)
	}
	c.Finish()
	return c.result(seed)
}

// pace is how many requests there are between two questions whether to continue.
const pace = 1 << 15

// check is how many there are between two looks at the memory.
const check = 1 << 12

// generate feeds the traffic of a seed.
func (r *Replay) generate(c *Comparison, seed uint64) {
	for s, n := traffic.New(r.params.generated(time.Duration(r.until)), seed), 1; ; n++ {
		q, ok := s.Next()
		if !ok || q.At >= r.until || n%pace == 0 && !r.Continue(int64(q.At), int64(r.until)) {
			return
		}
		if c.Add(q); n%check == 0 && c.Memory() > r.memory {
			r.err = r.crowd(c)
			return
		}
	}
}

// replay feeds a log, all of it.
func (r *Replay) replay(c *Comparison) {
	log, err := r.params.Traffic.AccessLog.Open(r.params.Traffic.options(r.memory))
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
		if c.Add(q); n%check == 0 && c.Memory() > r.memory {
			r.err = r.crowd(c)
			break
		}
		if n%pace != 0 {
			continue
		}
		if done, total := log.Read(); !r.Continue(done, total) {
			cut = fmt.Sprintf("interrupted after %d of %d bytes", done, total)
			break
		}
	}
	c.decide()
	if r.err == nil && cut == "" {
		if r.err = log.Err(); r.err == nil {
			r.err = r.ofTheirOwn(c)
		}
	}
	r.err = errors.Join(r.err, log.Close())
	r.alone = c.Clients() == 1 && c.requests > 1
	r.cut = log.Cut()
	r.left[0], r.left[1] = log.LeftOut()
	r.text = log.Text()
	if cut != "" {
		r.text = append(r.text, cut)
	} else if r.err == nil {
		r.text = append(r.text, r.withinSteps(c, log.Grain())...)
	}
	r.text = append(r.text, r.whom(c, log))
}

// crowd is the error for more keys than there is memory for.
func (r *Replay) crowd(c *Comparison) error {
	return fmt.Errorf("%d different keys take more than %s, the bound of memory: raise --memory, compare fewer algorithms, or take a key that fewer requests have for themselves, such as client with an ipv6-prefix",
		c.Clients(), bytesText(r.memory))
}

// bytesText is a size in the unit in which it is a small number.
func bytesText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// ofTheirOwn is the error for a log of which nearly every request has a key of its own:
// there is nothing to limit, or the key is not what it should be.
func (r *Replay) ofTheirOwn(c *Comparison) error {
	const few = 100 // requests that may well be of as many clients
	if c.requests < few || 100*c.Clients() <= 95*c.requests {
		return nil
	}
	return fmt.Errorf("%d requests are of %d different keys: nearly every request has its own, and there is nothing to limit: want a key that tells clients apart, not requests; it is %s now (traffic.key)",
		c.requests, c.Clients(), r.params.Traffic.key())
}

// key is by which requests are told apart.
func (t *Traffic) key() string {
	if t.Key == "" {
		return "client"
	}
	return t.Key
}

// whom notes the clients of a log that the limit concerns, and counts them.
func (r *Replay) whom(c *Comparison, log traffic.Recorded) string {
	for _, k := range c.Refused() {
		name, ok := log.Name(k.Key)
		if !ok {
			name = fmt.Sprintf("a client (%016x)", k.Key)
		}
		r.over = append(r.over, overLimit{k, name})
	}
	return fmt.Sprintf("%d of %d clients ask for more than %d in %s", len(r.over), c.store.n, c.Rules.Limit, values.Length(c.Rules.Window))
}

// Why implements [sim.Runner].
func (r *Replay) Why(property int) string {
	if r.done == nil {
		return ""
	}
	return r.done.why(property)
}
