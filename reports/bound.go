package reports

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/reports/units"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// boundOf is what a property allows, in words with its numbers, and the worst that the
// runs of a tally have seen of it. A property that was not exercised has none, but may say
// why.
func boundOf(p *sim.Program, i int, t *stats.Tally) (b Bounded) {
	is := p.Bound(i)
	if t.Properties[i].Runs() == 0 {
		return Bounded{Idle: is.Idle, Needs: is.Needs}
	}
	if is.Text == "" {
		return b
	}
	b.Bound, b.Loose = is.Text, is.Loose
	for k := range t.Measures {
		m := &t.Measures[k]
		if m.Name != is.Worst && m.Name != is.Least || m.Name == "" || m.Count() == 0 {
			continue
		}
		worst := m.Max()
		if m.Name == is.Least {
			worst = m.Min()
		}
		if b.Worst = &worst; m.Unit == sim.Duration {
			b.Worst, b.WorstNS = nil, &worst
		}
	}
	return b
}

// allowed is the bound for a person: "at most 200 in any 1m; the limit is 100; worst seen 199".
func (b *Bounded) allowed() string {
	switch {
	case b.Bound == "":
		return ""
	case b.Worst != nil:
		return b.Bound + "; worst seen " + units.Plain(*b.Worst)
	case b.WorstNS != nil:
		return b.Bound + "; worst seen " + units.Duration(*b.WorstNS)
	}
	return b.Bound
}

// loose is a loose bound in brackets behind the name of its property.
func (b *Bounded) loose() string {
	if !b.Loose {
		return ""
	}
	return " (" + b.allowed() + ")"
}

// boundsOf says what properties with some names allow, each once for those that allow the
// same: "window-limit: at most 100 in any 1m". Where they differ, those who allow what
// are named.
func boundsOf(names []string, who []string, property func(who int, name string) *Property) (lines []string) {
	for _, name := range names {
		var texts []string
		by := map[string][]string{}
		for i := range who {
			p := property(i, name)
			if p == nil || p.Bound == "" {
				continue
			}
			if !slices.Contains(texts, p.Bound) {
				texts = append(texts, p.Bound)
			}
			by[p.Bound] = append(by[p.Bound], who[i])
		}
		const most = 6
		switch {
		case len(texts) == 0:
			continue
		case len(texts) == 1:
			lines = append(lines, name+": "+texts[0])
			continue
		}
		var parts []string
		for i, text := range texts {
			if i == most {
				parts = append(parts, fmt.Sprintf("and %d more bounds", len(texts)-most))
				break
			}
			whose := strings.Join(by[text], ", ")
			if n := len(by[text]); n > 3 {
				whose = fmt.Sprintf("%s and %d more", by[text][0], n-1)
			}
			parts = append(parts, text+" ("+whose+")")
		}
		lines = append(lines, name+": "+strings.Join(parts, "; "))
	}
	return lines
}
