package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"fencepost/reports/units"
	"fencepost/sim"
)

// What is shown of a long log.
const (
	firstMoments = 40
	lastMoments  = 10
	nearMoments  = 5 // before and after each decisive instant

	firstFaults = 3 // that do the same, of the run and before each decisive instant
	leastFolded = 5 // fewer more than these are written
)

// WriteLog writes the moments of a log. Faults that do the same again and again are
// counted, and of a long log only how many moments there are is written for those that
// are neither at its ends nor near a decisive instant.
func WriteLog(out io.Writer, log *Log) error {
	b := &strings.Builder{}
	moments := log.fold()
	shown := log.shown(moments)
	var all []sim.Moment
	for i, m := range moments {
		if shown[i] {
			all = append(all, m)
		}
	}
	decimals := decimalsOf(all)
	for i := 0; i < len(moments); i++ {
		from := i
		for i < len(moments) && !shown[i] {
			i++
		}
		if i > from {
			fmt.Fprintf(b, "%*s  %s more, --trace shows all\n", decimals+9, "...", units.Number(i-from))
		}
		if i < len(moments) {
			writeMoments(b, moments[i:i+1], decimals)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// shown says which moments are written: all of a short log.
func (s *Log) shown(moments []sim.Moment) []bool {
	shown := make([]bool, len(moments))
	mark := func(from, to int) {
		for i := max(0, from); i < min(to, len(moments)); i++ {
			shown[i] = true
		}
	}
	if len(moments) <= firstMoments+lastMoments {
		mark(0, len(moments))
	}
	mark(0, firstMoments)
	mark(len(moments)-lastMoments, len(moments))
	for _, at := range s.Decisive {
		from, to := around(moments, at)
		mark(from-nearMoments, to+nearMoments)
	}
	return shown
}

// around are the moments of an instant, from one to before the other.
func around(moments []sim.Moment, at sim.Time) (from, to int) {
	before := func(m sim.Moment, at sim.Time) int {
		if m.At < at {
			return -1
		}
		return 1
	}
	from, _ = slices.BinarySearchFunc(moments, at, before)
	to, _ = slices.BinarySearchFunc(moments, at+1, before)
	return from, to
}

// fold counts what faults do again and again: the first of each stay, and the last to end
// of those before each decisive instant. The first of the rest becomes a line that counts them. The end
// of what a fault did goes with its beginning.
func (s *Log) fold() []sim.Moment {
	times := map[string][]int{} // by what faults do: when it began
	for i, m := range s.Moments {
		if m.Fault != "" && !m.Ends {
			times[m.Fault] = append(times[m.Fault], i)
		}
	}
	folded := make([]bool, len(s.Moments))
	counts := map[int]string{} // the lines that count, by moment
	for fault, all := range times {
		rest := s.repeated(all)
		if len(rest) < leastFolded {
			continue
		}
		for _, i := range rest {
			folded[i] = true
		}
		last := s.Moments[rest[len(rest)-1]].At
		counts[rest[0]] = fmt.Sprintf("and %s more %s until %s", units.Number(len(rest)), fault, last)
	}
	var out []sim.Moment
	hidden, open := map[string]bool{}, map[string]bool{} // by what faults do: of what has begun, since an end
	for i, m := range s.Moments {
		switch {
		case m.Fault == "":
		case m.Ends:
			folded[i] = hidden[m.Fault] && !open[m.Fault]
			hidden[m.Fault], open[m.Fault] = false, false
		case folded[i]:
			hidden[m.Fault] = true
		default:
			open[m.Fault] = true
		}
		switch text := counts[i]; {
		case text != "":
			out = append(out, sim.Moment{At: m.At, Text: text})
		case !folded[i]:
			out = append(out, m)
		}
	}
	return out
}

// repeated are those of the moments, in which something begins, that are neither the first
// nor, of those before a decisive instant, the last to end.
func (s *Log) repeated(all []int) (rest []int) {
	keep := map[int]bool{}
	for _, at := range s.Decisive {
		var before []int
		for _, i := range all {
			if s.Moments[i].At <= at {
				before = append(before, i)
			}
		}
		slices.SortStableFunc(before, func(i, j int) int { return cmp.Compare(s.Moments[i].Until, s.Moments[j].Until) })
		for _, i := range before[max(0, len(before)-firstFaults):] {
			keep[i] = true
		}
	}
	for _, i := range all[min(firstFaults, len(all)):] {
		if !keep[i] {
			rest = append(rest, i)
		}
	}
	return rest
}

func writeMoments(b *strings.Builder, moments []sim.Moment, decimals int) {
	for _, m := range moments {
		fmt.Fprintf(b, "%*d.%ss  %s\n", 7, m.At/1e9, fmt.Sprintf("%09d", m.At%1e9)[:decimals], m.Text)
	}
}

// decimalsOf is how many decimals of a second the instants need: 3, 6 or 9.
func decimalsOf(moments []sim.Moment) int {
	decimals := 3
	for _, m := range moments {
		switch {
		case m.At%1e3 != 0:
			return 9
		case m.At%1e6 != 0:
			decimals = 6
		}
	}
	return decimals
}
