package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/rules"
)

// book is every version of the rules, and which of them a request matches: made once, and
// then only read. The node that decides looks up what the real one would find.
type book struct {
	versions []version // by number, from 1; the first is no rules
	plans    []plan    // the limits of all versions
	slots    int       // counters
	tiers    int
	window   time.Duration // of the longest limit
}

// version is one file of rules.
type version struct {
	problem string   // the first reason why it does not load; "": it does
	ids     []string // the rules that something matches
	matches []match  // by client and tier
	most    int64    // the largest limit that a request can match
	always  bool     // some request matches no limit, or one that is unlimited
}

// match is what one request matches.
type match []use

// use is a rule that a request counts against.
type use struct {
	rule   int16 // of the version
	plan   int   // -1: unlimited
	slot   int   // of the counter
	shadow bool
}

// plan is a limit as each algorithm wants it.
type plan struct {
	limit  int64 // 0: blocked
	window time.Duration
	fixed  *ratelimit.FixedWindow
	soft   *Soft
	queue  *ratelimit.LeakyQueue
	bucket int // index in the buckets of all
}

// bookmaker makes a book.
type bookmaker struct {
	*book
	p       *Params
	buckets []*ratelimit.TokenBucket
	slotOf  map[string]int
}

// newBook reads the files. It makes the best of files that do not load.
func newBook(p *Params) (*book, []*ratelimit.TokenBucket, error) {
	b := &bookmaker{book: &book{versions: make([]version, 1), tiers: max(1, len(p.Tiers))}, p: p, slotOf: map[string]int{}}
	b.versions[0] = version{matches: make([]match, p.Clients*b.tiers), always: true}
	for i, f := range p.Rules {
		set, err := rules.Load([]rules.File{{Name: fmt.Sprintf("version %d", i+1), Text: []byte(f.File)}}, false)
		var v version
		if err != nil {
			v.problem = oneLine(err)
		} else if err := b.read(set, &v); err != nil {
			return nil, nil, fmt.Errorf("rules.%d: %w", i, err)
		}
		b.versions = append(b.versions, v)
	}
	b.slots = len(b.slotOf)
	return b.book, b.buckets, nil
}

// read looks up every request that there can be.
func (b *bookmaker) read(set *rules.Rules, v *version) error {
	for c := range b.p.Clients {
		for t := range b.tiers {
			m, err := b.match(set, v, c, t)
			if err != nil {
				return err
			}
			v.matches = append(v.matches, m)
		}
	}
	return nil
}

func (b *bookmaker) match(set *rules.Rules, v *version, client, tier int) (match, error) {
	var found []rules.Match
	for _, key := range b.p.Send {
		entries := []rules.Entry{{Key: key, Value: fmt.Sprintf("client-%d", client+1)}}
		if len(b.p.Tiers) > 0 {
			entries = append(entries, rules.Entry{Key: "tier", Value: b.p.Tiers[tier]})
		}
		if m, ok := set.Lookup(b.p.Domain, entries); ok {
			found = append(found, m)
		}
	}
	var uses match
	limited := false
	for _, m := range rules.Select(found) {
		u := use{rule: v.rule(m.Limit.ID), plan: -1, shadow: m.Limit.Shadow}
		if !m.Limit.Unlimited {
			i, err := b.plan(int64(m.Limit.Requests), m.Limit.Unit.Length())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Limit.ID, err)
			}
			u.plan, u.slot = i, b.slot(&m, client)
			limited = limited || !u.shadow
			if !u.shadow {
				v.most = max(v.most, b.plans[i].limit)
			}
			b.window = max(b.window, b.plans[i].window)
		}
		uses = append(uses, u)
	}
	v.always = v.always || !limited
	return uses, nil
}

func (v *version) rule(id string) int16 {
	if i := slices.Index(v.ids, id); i >= 0 {
		return int16(i)
	}
	v.ids = append(v.ids, id)
	return int16(len(v.ids) - 1)
}

// slot is the counter of a match: of what the descriptor says, as in the real one, or of
// the client. A window of another length is another counter, as its begin is a part of the key.
func (b *bookmaker) slot(m *rules.Match, client int) int {
	name := fmt.Sprint("client ", client)
	if b.p.Counter == "descriptor" {
		name = string(m.AppendKey(nil, 0))
	}
	if b.p.Algorithm == "window" {
		name += " " + m.Limit.Unit.String()
	}
	if _, ok := b.slotOf[name]; !ok {
		b.slotOf[name] = len(b.slotOf)
	}
	return b.slotOf[name]
}

// plan is the index of a limit.
func (b *bookmaker) plan(limit int64, window time.Duration) (int, error) {
	for i, p := range b.plans {
		if p.limit == limit && p.window == window {
			return i, nil
		}
	}
	p := plan{limit: limit, window: window, bucket: len(b.buckets)}
	err := b.fill(&p)
	b.plans = append(b.plans, p)
	return len(b.plans) - 1, err
}

// fill makes the rule of the algorithm. A limit of 0 gets one of 1: its counters may have been
// used under another limit, or will be. The window charges refused requests, the others do not.
//
// Source: envoyproxy/ratelimit, src/redis/fixed_cache_impl.go: INCRBY first, then the comparison.
// The model has the defaults, without the local cache of refused keys
// (LOCAL_CACHE_SIZE_IN_BYTES=0) and without STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT.
func (b *bookmaker) fill(p *plan) (err error) {
	limit := max(1, p.limit)
	switch b.p.Algorithm {
	case "window":
		p.fixed, err = ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: limit, Window: p.window, ChargesRejected: true})
	case "bucket":
		var bucket *ratelimit.TokenBucket
		bucket, err = ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{Capacity: limit, Refill: ratelimit.Rate{Tokens: limit, Per: p.window}})
		b.buckets = append(b.buckets, bucket)
	case "log":
		p.soft, err = NewSoft(SoftParams{Limit: limit, Hard: b.p.hard(limit), Window: p.window, Grace: b.p.SoftFor})
	case "queue":
		service := max(1, p.window/time.Duration(limit))
		places := b.p.Places
		if b.p.MaxWait == "deadline" {
			places = min(places, int64(b.p.Deadline/service))
		}
		p.queue, err = ratelimit.NewLeakyQueue(ratelimit.LeakyQueueParams{Places: places, Service: service})
	}
	return err
}

// match is what a request matches in a version.
func (b *book) match(version int16, client int16, tier uint8) match {
	return b.versions[version].matches[int(client)*b.tiers+int(tier)]
}

// name is the rule in the words of its file.
func (b *book) name(version, rule int16) string {
	if rule == noRule {
		return "no rule"
	}
	return b.versions[version].ids[rule]
}

// oneLine is the first of the mistakes in a file. What the YAML reader says of one
// takes several lines.
func oneLine(err error) string {
	first, rest, _ := strings.Cut(err.Error(), "\n")
	if strings.HasSuffix(first, ":") {
		more, _, _ := strings.Cut(rest, "\n")
		first += " " + strings.TrimSpace(more)
	}
	return first
}
