package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// WriteText writes the whole comparison for a person.
func (c *Compare) WriteText(out io.Writer, s layout.Style) error {
	if len(c.Axes) == 2 {
		return layout.Sections(out, s, c.WriteVerdict, c.writeHeader, c.writeGridSafety, c.writeGridCost, c.writeNotes)
	}
	return layout.Sections(out, s, c.WriteVerdict, c.writeHeader, c.writeRank, c.writeSafety, c.writeDifferences, c.writeNotes)
}

func (c *Compare) writeHeader(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s: %s\n", subject(c.Subject), c.whom())
	line := func(name, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
			b.WriteString(s.Wrap(fmt.Sprintf("  %-9s ", name), strings.Split(value, " "), " "))
		}
	}
	line("about", c.About)
	line("source", c.Source)
	length := units.Duration(c.Candidates[0].UntilNS)
	if c.length() {
		length = "different lengths"
	}
	runs := units.Plural(c.Runs, "run") + " of " + length
	if c.Runs > 1 {
		line("runs", fmt.Sprintf("%s for each, with the same seeds %d to %d", runs, c.Seed, c.Seed+uint64(c.Runs)-1))
	} else {
		line("runs", fmt.Sprintf("%s for each, with the same seed %d", runs, c.Seed))
	}
	for _, s := range c.Settings {
		line("set", s.Path+" = "+s.Value)
	}
	if c.Mode == NoFaults {
		line("faults", "taken away")
	}
	for _, in := range c.Inputs {
		line("input", in.Summary)
	}
	line("differ in", strings.Join(c.Apart, ", "))
	_, err := io.WriteString(out, b.String())
	return err
}

// whom says what is compared, and in which order.
func (c *Compare) whom() string {
	if len(c.Axes) == 2 {
		return fmt.Sprintf("%d x %d points, %s down, %s across", len(c.Axes[0].Values), len(c.Axes[1].Values), shortName(c.Axes[0].Name), shortName(c.Axes[1].Name))
	}
	return units.Plural(len(c.Candidates), "candidate") + ", best first"
}

// subject is what is compared, on one line.
func subject(s string) string {
	const most = 66
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "..."
	}
	return string(r)
}

// length reports whether the runs are not as long for all.
func (c *Compare) length() bool {
	return slices.ContainsFunc(c.Candidates, func(k Candidate) bool { return k.UntilNS != c.Candidates[0].UntilNS })
}

// checked are the properties of a comparison by what became of them.
type checked struct {
	bad, good, silent []string // a candidate violates it; none does; none exercised it
	least             int      // of how few runs any of the good ones was checked
}

func (c *Compare) checked() checked {
	j := checked{least: c.Runs}
	for _, name := range c.properties() {
		runs := 0
		for i := range c.Candidates {
			if p := c.Candidates[i].property(name); p != nil {
				runs += p.Runs
			}
		}
		switch {
		case !c.untouched(name):
			j.bad = append(j.bad, name)
		case runs > 0:
			j.good = append(j.good, name)
			j.least = min(j.least, c.leastChecked(name))
		default:
			j.silent = append(j.silent, name)
		}
	}
	return j
}

// writeRank writes what decides the rank: in how many runs each class is lost, and what each candidate costs.
func (c *Compare) writeRank(out io.Writer, s layout.Style) error {
	var columns []layout.Cells
	for _, k := range c.Keeps {
		columns = append(columns, c.losses(k.Class, s))
	}
	if len(c.Keeps) == 0 {
		columns = append(columns, c.losses("", s))
	}
	shown, idle, left := c.measured()
	for _, name := range shown {
		columns = append(columns, c.costs(name)...)
	}
	title := "share of runs that lose it; cost: mean per run, or median and p99"
	if err := layout.WriteColumns(out, title, s.Widest(layout.TextWidth), []layout.Cells{c.names()}, columns); err != nil {
		return err
	}
	return writeUnshown(out, s, idle, left)
}

// losses is the column of a class: the share of runs in which that property of it is violated that is violated most.
func (c *Compare) losses(class string, s layout.Style) layout.Cells {
	head := map[string]string{"": "anything\nviolated", "data": "data\nlost", "exclusion": "exclusion\nlost", "liveness": "progress\nlost"}[class]
	col := layout.Cells{Column: layout.NumberColumn(head)}
	for i := range c.Candidates {
		k := &c.Candidates[i]
		cell := s.Paint(layout.Green, "0")
		if lost := k.lost(class); lost > 0 {
			cell = s.Paint(layout.Red, units.Percent(float64(lost)/float64(c.Runs)))
		} else if !k.checkedFor(class) {
			cell = VerdictWord(s, NotExercised)
		}
		col.Rows = append(col.Rows, cell)
	}
	return col
}

// checkedFor reports whether any property of a class had something to check.
func (k *Candidate) checkedFor(class string) bool {
	return slices.ContainsFunc(k.Properties, func(p Property) bool { return p.Class == class && p.Runs > 0 })
}

// writeSafety writes how often each property was violated that any candidate violates, the worst class first.
func (c *Compare) writeSafety(out io.Writer, s layout.Style) error {
	title := "share of the runs in which it is violated, with its 95% interval"
	if c.Runs == 1 {
		title = "the first violation"
	}
	j := c.checked()
	slices.SortStableFunc(j.bad, func(a, b string) int { return cmp.Compare(c.rank(a), c.rank(b)) })
	var columns []layout.Cells
	for _, name := range j.bad {
		col := layout.Cells{Column: layout.TextColumn(heading(name))}
		for i := range c.Candidates {
			cell := ""
			if p := c.Candidates[i].property(name); p != nil {
				cell = p.compared(s)
			}
			col.Rows = append(col.Rows, cell)
		}
		columns = append(columns, col)
	}
	if err := layout.WriteColumns(out, title, s.Widest(layout.TextWidth), []layout.Cells{c.names()}, columns); err != nil {
		return err
	}
	return c.writeUnviolated(out, s, j)
}

// rank is the place of the class of a property, the worst first.
func (c *Compare) rank(property string) int {
	for i := range c.Candidates {
		if p := c.Candidates[i].property(property); p != nil {
			if k := slices.Index(classes, p.Class); k >= 0 {
				return k
			}
		}
	}
	return len(classes)
}

// writeUnviolated names the properties that no candidate violates, and says what those allow that
// have a bound.
func (c *Compare) writeUnviolated(out io.Writer, s layout.Style, j checked) error {
	none := "violated by none"
	if c.Runs > 1 && len(j.good) > 0 {
		none += ", " + Bound(j.least)
	}
	text := s.Wrap(" "+none+": ", j.good, ", ") + s.Wrap(" not exercised: ", j.silent, ", ")
	at := func(i int, name string) *Property { return c.Candidates[i].property(name) }
	var differ []string
	for _, line := range boundsOf(c.properties(), c.names().Rows, at) {
		if name, _, _ := strings.Cut(line, ":"); len(c.Axes) == 2 && !oneBound(len(c.Candidates), name, at) {
			differ = append(differ, name)
			continue
		}
		text += s.Wrap(" ", strings.Fields(line), " ")
	}
	text += s.Wrap(differBounds, differ, ", ")
	_, err := io.WriteString(out, text)
	return err
}

// properties names the properties of any candidate, in their order.
func (c *Compare) properties() (names []string) {
	for i := range c.Candidates {
		for j := range c.Candidates[i].Properties {
			if name := c.Candidates[i].Properties[j].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// leastChecked is of how few runs a property was checked by any candidate that has it.
func (c *Compare) leastChecked(name string) int {
	least := c.Runs
	for i := range c.Candidates {
		if p := c.Candidates[i].property(name); p != nil && p.Runs > 0 {
			least = min(least, p.Runs)
		}
	}
	return least
}

func (c *Compare) names() layout.Cells {
	first := layout.Cells{Column: layout.TextColumn("")}
	for i := range c.Candidates {
		first.Rows = append(first.Rows, shortName(c.Candidates[i].Name))
	}
	return first
}

// shortName is a name that leaves room for columns: of a long one its two ends, on one line.
func shortName(name string) string {
	const most = 44
	r := []rune(oneLine(name))
	if len(r) > most {
		r = slices.Concat(r[:most/2-2], []rune("..."), r[len(r)-most/2+1:])
	}
	return string(r)
}

// oneLine is a text without what moves a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, text)
}

// compared is a property in a comparison.
func (p *Property) compared(s layout.Style) string {
	switch {
	case p.Runs == 0:
		return VerdictWord(s, NotExercised)
	case p.Share == nil && p.First != nil:
		return VerdictWord(s, p.Verdict) + " at " + units.Instant(p.First.AtNS)
	case p.Share == nil:
		return VerdictWord(s, p.Verdict)
	case p.Violated == 0:
		return s.Paint(layout.Green, p.share())
	}
	return s.Paint(layout.Red, sharePart(p.Share))
}

// sharePart is a share with its interval: "5% (4% to 6%)".
func sharePart(s *Share) string {
	return units.Percent(s.Value) + " (" + units.Percent(s.Low) + " to " + units.Percent(s.High) + ")"
}

// measured are the metrics that all have: those that are shown, those that are 0
// for all, and those that were not asked for. If none is asked for, all are shown, but not
// of two axes, where each would be a table.
func (c *Compare) measured() (shown, idle, left []string) {
	for _, name := range c.metrics() {
		switch {
		case (len(c.Asked) > 0 || len(c.Axes) == 2) && !slices.Contains(c.Asked, name):
			left = append(left, name)
		case c.idle(name):
			idle = append(idle, name)
		default:
			shown = append(shown, name)
		}
	}
	return shown, idle, left
}

// writeUnshown names the metrics that have no column.
func writeUnshown(out io.Writer, s layout.Style, idle, left []string) error {
	_, err := io.WriteString(out, s.Wrap(" none for any: ", idle, ", ")+s.Wrap(" also measured, see --json: ", left, ", "))
	return err
}

// metrics names the metrics that all candidates have.
func (c *Compare) metrics() (names []string) {
	for i := range c.Candidates[0].Metrics {
		if name := c.Candidates[0].Metrics[i].Name; slices.Contains(c.Shared, name) {
			names = append(names, name)
		}
	}
	return names
}

// idle reports whether a metric is 0 or missing for all.
func (c *Compare) idle(name string) bool {
	for i := range c.Candidates {
		if m := c.Candidates[i].metric(name); m != nil && !m.nothing() && (m.Value.Known() || m.Count > 0 && m.Max != result.Int(0)) {
			return false
		}
	}
	return true
}

// costs is the column of a total or a ratio, or the two of a distribution.
func (c *Compare) costs(name string) []layout.Cells {
	value, p50, p99, spread := layout.Cells{Column: layout.NumberColumn(heading(name))}, layout.Cells{Column: layout.NumberColumn(heading(name) + " p50")},
		layout.Cells{Column: layout.NumberColumn("\np99"), With: true}, false
	for i := range c.Candidates {
		m := c.Candidates[i].metric(name)
		value.Rows = append(value.Rows, m.short())
		p50.Rows, p99.Rows = append(p50.Rows, m.quantity(m.P50)), append(p99.Rows, m.quantity(m.P99))
		spread = spread || m.Count > 0
	}
	if spread {
		return []layout.Cells{p50, p99}
	}
	return []layout.Cells{value}
}

// writeNotes writes what keeps the comparison from saying what it seems to say.
func (c *Compare) writeNotes(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	b.WriteString(s.Wrap(" only some have: ", c.Others, ", "))
	if len(c.Axes) == 2 {
		b.WriteString(c.gridNotes(s))
	} else {
		for i := range c.Candidates {
			k := &c.Candidates[i]
			b.WriteString(s.Wrap(" never injected for "+shortName(k.Name)+": ", k.never(), ", "))
			if k.Panic != nil {
				b.WriteString(s.Wrap(" "+shortName(k.Name)+": ", strings.Split(k.Panic.What(c.Runs), " "), " "))
			}
		}
	}
	for i := range c.Candidates {
		if k := &c.Candidates[i]; k.Reproduce != "" {
			name := shortName(k.Name)
			if len(c.Axes) == 2 {
				name = oneLine(k.Name)
			}
			b.WriteString(s.Wrap(" how ", strings.Split(name+" fails:", " "), " ") + "   " + k.Reproduce + "\n")
			break
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// never names the faults that were injected in no run.
func (k *Candidate) never() (faults []string) {
	for i := range k.Faults {
		if k.Faults[i].Runs == 0 {
			faults = append(faults, k.Faults[i].Fault)
		}
	}
	return faults
}

// WriteVerdict says first who keeps what, and whether what is required is so.
func (c *Compare) WriteVerdict(out io.Writer, s layout.Style) error {
	var lines []string
	if c.Word != "" {
		lines = append(lines, Paint(s, c.Word)+": "+c.Sentence)
	}
	for _, k := range c.Keeps {
		lines = append(lines, k.line(s, len(c.Axes) == 2))
	}
	if len(c.Axes) == 2 {
		lines = append(lines, c.throughout(s))
	} else if len(c.Keeps) == 0 {
		k := Keepers{Of: len(c.Candidates)}
		for i := range c.Candidates {
			if one := &c.Candidates[i]; one.safe() {
				k.Names = append(k.Names, one.Name)
			}
		}
		lines = append(lines, k.line(s, false))
	}
	if c.RunsWanted > 0 {
		lines = append(lines, fmt.Sprintf("INTERRUPTED after %s of %s runs", units.Number(c.Runs), units.Number(c.RunsWanted)))
	}
	for i := range c.Inputs {
		if words := caution(&c.Inputs[i]); words != "" {
			lines = append(lines, strings.TrimPrefix(words, "; "))
		}
	}
	for _, line := range lines {
		if _, err := io.WriteString(out, s.Wrap("", strings.Split(line, " "), " ")); err != nil {
			return err
		}
	}
	return nil
}

// line says which candidates keep a class, or how many points of a grid of two axes do.
func (k *Keepers) line(s layout.Style, points bool) string {
	const most = 8
	word := map[string]string{"": "NOTHING IS VIOLATED", "data": "DATA IS KEPT", "exclusion": "EXCLUSION IS KEPT", "liveness": "PROGRESS IS KEPT"}[k.Class]
	switch {
	case len(k.Names) == 0 && k.Class == "":
		return s.Paint(layout.Red, "SOMETHING IS VIOLATED") + fmt.Sprintf(" by each of %d", k.Of)
	case len(k.Names) == 0:
		return s.Paint(layout.Red, word) + fmt.Sprintf(" by none of %d", k.Of)
	case points:
		return s.Paint(layout.Green, word) + fmt.Sprintf(" at %d of %d points", len(k.Names), k.Of)
	}
	var names []string
	for _, name := range k.Names[:min(most, len(k.Names))] {
		names = append(names, shortName(name))
	}
	if n := len(k.Names) - most; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	line := s.Paint(layout.Green, word) + fmt.Sprintf(" by %d of %d: ", len(k.Names), k.Of) + strings.Join(names, "; ")
	if k.Idle > 0 {
		line += fmt.Sprintf(" (not exercised by %d more)", k.Idle)
	}
	return line
}

// throughout names the values of either axis at which no property is violated, whatever the value of the other.
func (c *Compare) throughout(s layout.Style) string {
	if safe := c.safeThroughout(); len(safe) > 0 {
		return s.Paint(layout.Green, "NOTHING IS VIOLATED") + " for " + strings.Join(safe, "; ")
	}
	return s.Paint(layout.Red, "SOMETHING IS VIOLATED") + fmt.Sprintf(" for each %s and for each %s, or not exercised", shortName(c.Axes[0].Name), shortName(c.Axes[1].Name))
}

// safe reports whether nothing of a candidate was violated, and something was checked.
func (k *Candidate) safe() bool {
	checked, violated := 0, 0
	for i := range k.Properties {
		checked, violated = checked+k.Properties[i].Runs, violated+k.Properties[i].Violated
	}
	return checked > 0 && violated == 0 && k.Panic == nil
}
