package searches

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// RareSchema names the form of the document that [Rarity] is.
const RareSchema = "fencepost/rare/v1"

// Rarity is how probable it is that a run violates a property, estimated by splitting.
type Rarity struct {
	Schema    string           `json:"schema"`
	Scenario  string           `json:"scenario"`
	About     string           `json:"about,omitempty"`
	Source    string           `json:"source,omitempty"`
	Model     string           `json:"model"`
	Mode      string           `json:"mode,omitempty"`
	Settings  []result.Setting `json:"settings,omitempty"`
	Property  string           `json:"property"`
	Level     string           `json:"level"` // what it measures, in words
	Durations bool             `json:"durations"`
	Seed      uint64           `json:"seed"`
	UntilNS   int64            `json:"until_ns"`

	Population        int  `json:"population"` // runs at each threshold
	Moves             int  `json:"moves"`      // of each
	RepetitionsWanted int  `json:"repetitions_wanted"`
	Repetitions       int  `json:"repetitions"`
	Interrupted       bool `json:"interrupted,omitempty"`
	Vacuous           bool `json:"vacuous,omitempty"` // no run had anything that the level measures
	OK                bool `json:"ok"`                // there is an estimate

	// Share is the probability with its 95% interval, of which Interval says what it is: "log-normal" of the
	// repetitions, or, where the estimate is 0, the "bound" of Wilson from the independent runs with which they begin. It is
	// "none", and 0 to 1, of fewer than LeastRepetitions or where some of them are 0.
	Share            *reports.Share `json:"probability,omitempty"`
	Interval         string         `json:"interval,omitempty"`
	LeastRepetitions int            `json:"least_repetitions"`

	Estimates  []float64       `json:"estimates"`     // of each repetition
	Zero       int             `json:"zero"`          // repetitions that are 0
	Largest    float64         `json:"largest_share"` // of the largest repetition in their sum
	Thresholds []RareThreshold `json:"thresholds"`
	Runs       int             `json:"runs"`       // of all repetitions
	PilotRuns  int             `json:"pilot_runs"` // besides, which chose the thresholds
	Plain      float64         `json:"plain_runs"` // that would give an interval of the same width, 0: not known
	Found      *RareFound      `json:"found,omitempty"`
}

// RareThreshold is how many runs reached a threshold.
type RareThreshold struct {
	Level       int64   `json:"level"`
	Violation   bool    `json:"violation,omitempty"` // the threshold is the violation itself
	Reached     float64 `json:"reached"`             // mean share of the population
	Repetitions int     `json:"repetitions"`         // that came to this threshold
	Moves       int     `json:"moves"`               // of runs that reach it
	Moved       float64 `json:"moved"`               // share of these that changed the run
}

// RareFound is a run that violates the property.
type RareFound struct {
	Repetition int    `json:"repetition"` // that found it, from 1
	Case       Case   `json:"case"`
	Why        string `json:"why"`
	Replay     string `json:"replay,omitempty"`   // the command that plays its file
	NoReplay   string `json:"noreplay,omitempty"` // why there is no file
}

// WriteText writes the whole report for a person.
func (r *Rarity) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, r.writeHeader, r.writeThresholds, r.writeFound, r.WriteVerdict)
}

func (r *Rarity) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(r.Scenario, r.About, r.Source, r.Model)
	writeSettings(h, r.Settings, r.Mode)
	h.Line("property", r.Property)
	h.Line("level", r.Level)
	h.Line("splitting", fmt.Sprintf("%s of %s at each of %s, each moved %s; each run %s, from seed %d",
		units.Plural(r.Repetitions, "repetition"), units.Plural(r.Population, "run"), units.Plural(len(r.Thresholds), "threshold"),
		units.Times(r.Moves), units.Duration(r.UntilNS), r.Seed))
	h.Line("runs", fmt.Sprintf("%s, and %s of the pilot that chose the thresholds", units.Number(r.Runs), units.Number(r.PilotRuns)))
	return h.To(out, s)
}

func (r *Rarity) writeThresholds(out io.Writer, _ layout.Style) error {
	if len(r.Thresholds) == 0 {
		return nil
	}
	columns := []layout.Column{layout.NumberColumn("threshold"), layout.NumberColumn("reached"), layout.NumberColumn("repetitions"), layout.NumberColumn("moves that change a run")}
	var rows [][]string
	for _, t := range r.Thresholds {
		moved := ""
		if t.Moves > 0 {
			moved = units.Percent(t.Moved)
		}
		rows = append(rows, []string{r.level(t), units.Percent(t.Reached), units.Plain(t.Repetitions), moved})
	}
	return layout.Table(out, columns, rows)
}

// level is a threshold in the unit of the level.
func (r *Rarity) level(t RareThreshold) string {
	switch {
	case t.Violation:
		return "violation"
	case r.Durations:
		return units.Duration(t.Level)
	}
	return units.Plain(t.Level)
}

// writeFound says what it takes to violate the property.
func (r *Rarity) writeFound(out io.Writer, _ layout.Style) error {
	f := r.Found
	if f == nil {
		return nil
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "a run that violates it, of repetition %d\n  what is drawn from seed %d, but for\n", f.Repetition, f.Case.Seed)
	writeFirst(b, f.Case.Draws)
	if len(f.Case.Draws) == 0 {
		b.WriteString("  nothing\n")
	}
	fmt.Fprintf(b, "  %s: %s\n", units.Instant(f.Case.AtNS), f.Why)
	_, err := io.WriteString(out, b.String())
	return err
}

// WriteVerdict writes the estimate, what is to be known of it, and how to see a violation.
func (r *Rarity) WriteVerdict(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	b.WriteString(r.line(s) + "\n")
	for _, note := range r.notes() {
		fmt.Fprintf(b, "  %s\n", note)
	}
	if f := r.Found; f != nil {
		switch {
		case f.Replay != "":
			fmt.Fprintf(b, "  replay: %s\n", f.Replay)
		case f.NoReplay != "":
			fmt.Fprintf(b, "  no replay file: %s\n", f.NoReplay)
		default:
			b.WriteString("  --out DIR writes a file that " + program.Name() + " replay plays\n")
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (r *Rarity) line(s layout.Style) string {
	if r.Vacuous {
		return s.Paint(layout.Red, "VACUOUS") + ": " + r.Property + ": no run of the pilot had anything that the level measures. Want a longer until, or parameters with which it matters"
	}
	word := s.Paint(layout.Green, "ESTIMATED")
	if r.Interrupted {
		word = s.Paint(layout.Yellow, "INTERRUPTED")
	}
	line := word + ": a run violates " + r.Property + " with a probability of " + Probability(r.Share.Value)
	of := ", of " + units.Plural(r.Repetitions, "repetition")
	switch {
	case r.Share.Value == 0:
		return word + ": " + r.Property + " was violated in no repetition; at 95% the probability is below " + Probability(r.Share.High) +
			", as the independent runs at their beginnings say"
	case r.Zero > 0:
		return line + of + fmt.Sprintf("; there is no interval, since %d of them found no violation", r.Zero)
	case r.Repetitions < r.LeastRepetitions:
		return line + of + fmt.Sprintf("; an interval takes %d", r.LeastRepetitions)
	}
	return line + fmt.Sprintf(", 95%% interval %s to %s", Probability(r.Share.Low), Probability(r.Share.High)) + of
}

// notes are what the reader of the estimate has to know.
func (r *Rarity) notes() (list []string) {
	if r.Vacuous {
		return nil
	}
	if r.Repetitions < r.RepetitionsWanted {
		list = append(list, fmt.Sprintf("%d of %d repetitions were done", r.Repetitions, r.RepetitionsWanted))
	}
	if r.Share.Value == 0 {
		return append(list, "more of --population, or a level that rises in smaller steps, may find one")
	}
	switch most := 2*r.Largest > 1 && r.Repetitions >= r.LeastRepetitions; {
	case r.Zero > 0:
		list = append(list, "the estimate is rough: more of --population makes it better")
	case most:
		list = append(list, units.Percent(r.Largest)+" of the sum is of one repetition: the interval is rough, more of --population makes it better")
	}
	if r.Plain > float64(r.Runs) {
		list = append(list, fmt.Sprintf("%s runs; as narrow an interval takes %s plain runs", units.Number(r.Runs), Probability(r.Plain)))
	} else if r.Plain > 0 {
		list = append(list, fmt.Sprintf("%s runs; as narrow an interval takes %s plain runs: without --rare it is cheaper", units.Number(r.Runs), units.Number(int64(r.Plain))))
	}
	return list
}

// Probability is a number to three digits, with an exponent if it is far from 1.
func Probability(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }
