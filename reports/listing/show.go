package listing

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"fencepost/internal/lazyregexp"
	"fencepost/reports"
	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/sim"
	"fencepost/sim/explain"
)

// Shown is a scenario in words: what it is about, what it is made of, what goes wrong and
// what is expected.
type Shown struct {
	Name, About, Source string
	Model, ModelAbout   string
	Follows             []ShownValue // products, and their versions with what is known of the difference
	Runs                int
	Seed                uint64
	UntilNS             int64

	Program  *sim.Program
	Config   *sim.Config
	Params   []ShownValue
	Budget   []ShownValue     // what a search may let go wrong besides
	Expect   []ShownValue     // properties and measures, and what is expected of them
	ExpectAt []string         // the same at points of the grid
	Reported []string         // of which nothing is expected
	Control  []result.Setting // the changes under which nothing may be violated; none is without faults
	Grid     []ShownValue     // what is varied, and the values
	Cases    []ShownCases     // of the axes that have cases
	Points   int              // of the grid
	Figures  []ShownValue     // files, and what each shows
	Inputs   []string         // what was read from files
	SeeAlso  []ShownValue     // scenarios, what each is to this one, and what it is about
	Try      []string         // command lines
}

// ShownValue is a value and what is known about it.
type ShownValue struct{ Name, Value, Meaning string }

// ShownCases are the cases of an axis, and what each changes.
type ShownCases struct {
	Axis  string
	Cases []ShownValue
}

// cited are the documents that a source has by an id.
var cited = lazyregexp.New(`\bS[0-4]\b`)

// source is where the scenario is from, and where the documents are named that it cites by an id.
func (s *Shown) source() string {
	var ids []string
	for _, id := range cited().FindAllString(s.Source, -1) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return s.Source
	}
	return fmt.Sprintf("%s (%s: see docs/sources.md)", strings.TrimSpace(s.Source), strings.Join(ids, ", "))
}

// WriteText writes it for a person, in lines of a width.
func (s *Shown) WriteText(out io.Writer, width int) error {
	w := &shownWriter{width: max(width, 60)}
	fmt.Fprintln(w, s.Name)
	w.field("about", s.About)
	w.field("source", s.source())
	w.field("model", strings.TrimSuffix(s.Model+": "+s.ModelAbout, ": "))
	if len(s.Program.Nodes) > 0 {
		w.field("nodes", ranges(s.Program.Nodes))
	}
	w.field("runs", s.runs())
	for _, in := range s.Inputs {
		w.field("input", in)
	}
	w.values("what the model follows, and which version", s.Follows)
	w.values("parameters in the file, what each means, and its default", s.Params)
	if len(s.Program.Nodes) > 0 {
		w.list("network", s.network())
		w.list("clocks and steps", s.clocks())
		w.list("what goes wrong", s.faults())
		w.values("what a search may let go wrong besides", s.Budget)
	}
	w.values("expected", s.Expect)
	w.list("expected at points of the grid", s.ExpectAt)
	if len(s.Reported) > 0 {
		w.list("reported, with no expectation", []string{strings.Join(s.Reported, ", ")})
	}
	w.list("control, under which nothing may be violated", s.control())
	w.values(fmt.Sprintf("grid of %s", units.Plural(s.Points, "point")), s.Grid)
	for _, c := range s.Cases {
		w.values("cases of "+c.Axis+", and what each changes", c.Cases)
	}
	w.values("figures", s.Figures)
	w.values("see also", s.SeeAlso)
	w.heading("try", len(s.Try))
	for _, line := range s.Try {
		fmt.Fprintf(w, "  %s\n", line)
	}
	_, err := io.WriteString(out, w.String())
	return err
}

func (s *Shown) runs() string {
	r := &reports.Run{Runs: s.Runs, Seed: s.Seed}
	if s.UntilNS == 0 { // trials have no clock
		return units.Plural(s.Runs, "run") + ", " + r.Seeds()
	}
	return fmt.Sprintf("%s of %s, %s", units.Plural(s.Runs, "run"), units.Exact(s.UntilNS), r.Seeds())
}

// network is how messages travel.
func (s *Shown) network() []string {
	n := &s.Config.Network
	order := "messages on a link stay in order"
	if n.Order == sim.Free {
		order = "messages overtake each other"
	}
	list := []string{"A message takes " + travels(&n.Default) + "; " + order + "."}
	for i := range n.Rules {
		r := &n.Rules[i]
		list = append(list, fmt.Sprintf("From %s to %s it takes %s.", s.some(r.From), s.some(r.To), travels(&r.Link)))
	}
	return list
}

func travels(l *sim.Link) string {
	text := explain.Length(&l.Delay)
	if text == "0s" {
		text = "no time"
	}
	share := func(c sim.Chance, what string) {
		if c > 0 {
			text += ", " + units.Percent(float64(c)/float64(sim.Certain)) + " " + what
		}
	}
	share(l.Loss, "are lost")
	share(l.Duplicate, "arrive twice")
	return text
}

// some are nodes, or every node.
func (s *Shown) some(ids []sim.NodeID) string {
	if len(ids) == 0 {
		return "every node"
	}
	return ranges(s.names(ids))
}

func (s *Shown) names(ids []sim.NodeID) (names []string) {
	for _, id := range ids {
		names = append(names, s.Program.Nodes[id-1])
	}
	return names
}

// clocks are what is not perfect: clocks, and steps that take time.
func (s *Shown) clocks() []string {
	var list []string
	same := map[string][]sim.NodeID{} // by what is said of them
	say := func(i int, text string) {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
		same[text] = append(same[text], sim.NodeID(i+1))
	}
	for i, c := range s.Config.Clocks {
		var parts []string
		if c.Rate != 0 {
			parts = append(parts, fmt.Sprintf("runs at %v", c.Rate))
		}
		if c.Offset > 0 {
			parts = append(parts, "is "+units.Exact(int64(c.Offset))+" ahead at the start")
		} else if c.Offset < 0 {
			parts = append(parts, "is "+units.Exact(int64(-c.Offset))+" behind at the start")
		}
		if len(parts) > 0 {
			say(i, "The clock of %s "+strings.Join(parts, " and ")+".")
		}
	}
	for i := range s.Config.Costs {
		if d := &s.Config.Costs[i]; !d.IsZero() {
			say(i, "A step of %s takes "+explain.Length(d)+".")
		}
	}
	for i, text := range list {
		list[i] = strings.Replace(text, "%s", ranges(s.names(same[text])), 1)
	}
	return list
}

func (s *Shown) faults() []string {
	var list []string
	for i := range s.Config.Faults {
		f := &s.Config.Faults[i]
		text := explain.Phrase(s.Program, f) + "."
		if f.Name != "" && !strings.HasPrefix(f.Name, f.Do.String()+" ") {
			text = f.Name + ": " + text // the file names it
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return []string{"nothing that the file scripts"}
	}
	return list
}

func (s *Shown) control() []string {
	var list []string
	for _, set := range s.Control {
		list = append(list, set.Path+" is "+set.Value)
	}
	if len(list) > 0 || len(s.Config.Faults) == 0 {
		return list
	}
	return []string{"the run without faults"}
}

// shownWriter writes sections.
type shownWriter struct {
	strings.Builder
	width int
}

// field is a line of the head.
func (w *shownWriter) field(name, value string) {
	if value = strings.Join(strings.Fields(value), " "); value != "" {
		w.wrapped(fmt.Sprintf("  %-9s ", name), value)
	}
}

// heading begins a section that has something in it.
func (w *shownWriter) heading(title string, n int) {
	if n > 0 {
		fmt.Fprintf(w, "\n%s\n", title)
	}
}

// list is a section of sentences.
func (w *shownWriter) list(title string, lines []string) {
	w.heading(title, len(lines))
	for _, line := range lines {
		w.wrapped("  ", line)
	}
}

// values is a section of names and values, with what they mean where there is room.
func (w *shownWriter) values(title string, list []ShownValue) {
	w.heading(title, len(list))
	names, room := 0, 0
	for _, v := range list {
		names = max(names, utf8.RuneCountInString(v.Name))
		if n := len([]rune(v.Value)); n <= 24 {
			room = max(room, n)
		}
	}
	for _, v := range list {
		first := fmt.Sprintf("  %-*s  ", names, v.Name)
		switch {
		case strings.Contains(v.Value, "\n"):
			fmt.Fprintf(w, "%s%s\n", first, v.Meaning)
			for line := range strings.Lines(v.Value) {
				fmt.Fprintf(w, "      %s\n", strings.TrimRight(line, "\n"))
			}
		case v.Meaning == "" || len([]rune(v.Value)) > room:
			w.wrapped(first, v.Value)
		default:
			w.wrapped(fmt.Sprintf("%s%s%*s  ", first, v.Value, room-len([]rune(v.Value)), ""), v.Meaning)
		}
	}
}

// wrapped writes words behind a beginning, and further lines below where they begin.
func (w *shownWriter) wrapped(first, text string) {
	indent := len([]rune(first))
	line := first
	used := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case used+1+n > w.width:
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line, used = strings.Repeat(" ", indent), indent
		default:
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}
