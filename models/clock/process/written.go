package process

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/models/clock"
	"fencepost/models/clock/script"
)

// expected is the stamp that an event of a script is to have.
type expected struct {
	asked   bool
	refused bool // it is to have none
	Stamp
	sparse clock.Sparse[uint32] // of a pruned clock
}

// matches reports whether a stamp is the expected one.
func (e *expected) matches(kind string, s Stamp) bool {
	switch {
	case e.refused:
		return false
	case kind == "vector":
		r, err := e.Vector.Compare(*s.Vector)
		return err == nil && r == clock.Equal
	case kind == "pruned":
		return e.sparse.Compare(sparse(nil, s)) == clock.Equal
	}
	return e.L == s.L && e.C == s.C
}

// stampReader reads what stamps a script is to have:
//
//	A: 1 2 3 6
//	B: 1 - 3
//
// Each line has those of a process, in the order of its events; - is not asked, and
// refused is that the clock gives none.
type stampReader struct {
	script *script.Script
	kind   string
	want   []expected // by event
	bad    func(line int, format string, args ...any)
}

func (r *stampReader) read(text string) {
	r.want = make([]expected, len(r.script.Events))
	by := make([][]int, len(r.script.Processes))
	for i, e := range r.script.Events {
		by[e.Process] = append(by[e.Process], i)
	}
	number := map[string]int{}
	for p, name := range r.script.Processes {
		number[name] = p
	}
	taken := make([]int, len(by))
	for i, line := range strings.Split(text, "\n") {
		if c := strings.IndexByte(line, '#'); c >= 0 {
			line = line[:c]
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		name, colon := strings.CutSuffix(words[0], ":")
		p, known := number[name]
		switch {
		case !colon:
			r.bad(i+1, "want PROCESS: STAMP STAMP..., got %q", excerpt(words[0]))
			continue
		case !known:
			r.bad(i+1, "the script has no process %q", excerpt(name))
			continue
		}
		for _, w := range words[1:] {
			if taken[p] == len(by[p]) {
				r.bad(i+1, "%s has %d events in the script, and more stamps here", name, len(by[p]))
				break
			}
			e, err := r.stamp(w)
			if err != nil {
				r.bad(i+1, "the stamp %q of %s: %v", excerpt(w), r.script.Events[by[p][taken[p]]].Name, err)
			}
			r.want[by[p][taken[p]]] = e
			taken[p]++
		}
	}
}

// stamp reads one in the text form of the clock.
func (r *stampReader) stamp(word string) (e expected, err error) {
	e.asked = true
	switch {
	case word == "-":
		return expected{}, nil
	case word == "refused":
		e.refused = true
		return e, nil
	}
	switch r.kind {
	case "wall":
		e.L, err = readingOf(word)
	case "hlc":
		reading, counter, _ := strings.Cut(word, ",")
		c, bad := strconv.ParseUint(counter, 10, 32)
		if e.L, err = readingOf(reading); err != nil || bad != nil {
			err = errors.New("want a reading and a counter, as in 1100ms,1")
		}
		e.C = uint32(c)
	case "lamport":
		if e.L, err = strconv.ParseInt(word, 10, 64); err != nil || e.L < 0 {
			err = errors.New("want a counter, as in 3")
		}
	case "vector":
		v, parsed := clock.ParseVector(word)
		if err = parsed; err == nil && len(v) != len(r.script.Processes) {
			err = fmt.Errorf("want %d counters, one for each process", len(r.script.Processes))
		}
		e.Vector = &v
	case "pruned":
		e.sparse, err = r.sparse(word)
	}
	return e, err
}

// sparse reads {A:1,B:2}.
func (r *stampReader) sparse(word string) (clock.Sparse[uint32], error) {
	named, err := clock.ParseSparse[string](word)
	if err != nil {
		return nil, err
	}
	var s clock.Sparse[uint32]
	for p, name := range r.script.Processes {
		if n := named.Get(name); n > 0 {
			s = append(s, clock.Entry[uint32]{ID: uint32(p), N: n})
		}
	}
	if len(s) != len(named) {
		return nil, errors.New("want processes of the script")
	}
	return s, nil
}

func readingOf(word string) (int64, error) {
	d, err := time.ParseDuration(word)
	if err != nil {
		return 0, errors.New("want a reading, as in 1100ms")
	}
	return int64(d), nil
}

// sparse is the clock of a stamp of a pruned clock, appended to one.
func sparse(to clock.Sparse[uint32], s Stamp) clock.Sparse[uint32] {
	for v := *s.Vector; len(v) >= 3; v = v[3:] {
		to = append(to, clock.Entry[uint32]{ID: uint32(v[0]), N: v[1]})
	}
	return to
}

// excerpt is the start of a text, for a message that quotes it.
func excerpt(s string) string { return text.Excerpt(s, 40) }
