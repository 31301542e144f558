package record

import (
	"slices"
	"strconv"
	"time"

	"fencepost/sim"
)

// Store keeps the records of many keys in memory, as the store of hono-idempotency does: it
// removes expired ones now and then, and the oldest completed one if there are too many.
type Store struct {
	Rules Rules
	Sweep time.Duration // between two removals of what has expired, at least; they are made when an attempt begins
	Most  int           // records; more only while all are in progress; 0: any number

	records map[string]*Record
	order   []string // in which the keys were first stored
	next    sim.Wall // from which it may sweep again
	swept   bool
}

// Call is a request as it comes in.
type Call struct {
	Method, Path string
	Tenant       string   // "" if keys are not kept apart by tenant
	Header       []string // the values of Idempotency-Key
	Body         int64    // its bytes
	Skip         bool     // the server does not want a record of it
	Request
}

// Begin decides what to do with a call, and says under which name its record is kept, "" if
// it has none. The name has the tenant, the method and the path in it, each with its length,
// so that no part can pretend to be two.
func (s *Store) Begin(now sim.Wall, c Call) (name string, d Decision) {
	if c.Skip || s.Rules.Methods != nil && !slices.Contains(s.Rules.Methods, c.Method) ||
		len(c.Header) == 0 && !s.Rules.Required {
		return "", Decision{Do: Run}
	}
	k, err := s.Rules.Header.Parse(c.Header...)
	switch {
	case err != nil:
		return "", Decision{Do: Refuse, Code: 400}
	case s.Rules.MostBody > 0 && c.Body > s.Rules.MostBody:
		return "", Decision{Do: Refuse, Code: 413}
	}
	for _, part := range []string{c.Tenant, c.Method, c.Path, k} {
		name += strconv.Itoa(len(part)) + ":" + part
	}
	return name, s.begin(now, name, c.Request)
}

func (s *Store) begin(now sim.Wall, name string, q Request) Decision {
	rec := s.records[name]
	if rec == nil {
		rec = &Record{}
	}
	d := s.Rules.Begin(rec, now, q)
	if d.Do == Run && rec.Status == InProgress { // else it is stored late
		s.put(now, name, rec)
	}
	return d
}

// Finish ends an attempt of a call with the name that Begin gave.
func (s *Store) Finish(now sim.Wall, name string, attempt uint32, q Request, o Outcome) Finished {
	rec := s.records[name]
	if rec == nil {
		rec = &Record{}
	}
	f := s.Rules.Finish(rec, now, attempt, q, o)
	switch f {
	case Stored:
		s.put(now, name, rec)
	case Removed:
		s.Delete(name)
	}
	return f
}

// put stores a record, if it is a new one after making room for it.
func (s *Store) put(now sim.Wall, name string, rec *Record) {
	if s.records == nil {
		s.records = map[string]*Record{}
	}
	if !s.swept || !now.Before(s.next) {
		s.swept, s.next = true, now.Add(s.Sweep)
		s.Purge(now)
	}
	if s.records[name] != nil {
		return
	}
	if s.Most > 0 && len(s.order) >= s.Most {
		for _, old := range s.order {
			if s.records[old].Status == Completed {
				s.Delete(old)
				break
			}
		}
	}
	s.records[name] = rec
	s.order = append(s.order, name)
}

// Get is the record of a name, absent if it has expired.
func (s *Store) Get(now sim.Wall, name string) Record {
	rec := s.records[name]
	if rec == nil || s.Rules.over(now, rec.Expires, s.Rules.TTLGrain) {
		return Record{}
	}
	return *rec
}

// Delete removes a record.
func (s *Store) Delete(name string) {
	delete(s.records, name)
	s.order = slices.DeleteFunc(s.order, func(n string) bool { return n == name })
}

// Purge removes what has expired, and says how many records that were. Where attempts are
// fenced, what is in progress stays: without it, the number of an attempt would be given
// twice.
func (s *Store) Purge(now sim.Wall) int {
	before := len(s.order)
	s.order = slices.DeleteFunc(s.order, func(name string) bool {
		rec := s.records[name]
		over := s.Rules.over(now, rec.Expires, s.Rules.TTLGrain) && (rec.Status == Completed || s.Rules.Unfenced)
		if over {
			delete(s.records, name)
		}
		return over
	})
	return before - len(s.order)
}

// Size is the number of records, with those that have expired and are not removed yet.
func (s *Store) Size() int { return len(s.order) }
