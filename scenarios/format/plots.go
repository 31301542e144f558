package format

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fencepost/internal/text"
	"fencepost/result"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim/formula"
)

// Statistics are what may stand before a measure, as in "p99 of latency".
var statistics = []string{"mean", "p50", "p99", "p99.9", "max"}

// plotFormat is a figure of the results: simctl run --out DIR draws it.
type plotFormat struct {
	Title   string             `yaml:"title,required"`                                                     // what it shows, as a finding
	File    string             `yaml:"file,required"`                                                      // its name, without a folder and an ending
	Kind    string             `yaml:"kind,oneof=line|step|points|bar|heat|cdf|multiples|timeline|matrix"` // how it is drawn; multiples is a panel for each of the series, a timeline is who did what when in the first run, a matrix which of its events happened before which: line
	X       *strict.Value      `yaml:"x" schema:"text"`                                                    // an axis of vary, or time; a cdf, a timeline and a matrix have none
	XLabel  string             `yaml:"x-label"`                                                            // what x is: its path
	Y       []*strict.Value    `yaml:"y,one-or-many" schema:"text"`                                        // a measure, as in "p99 of latency", or the share of violated runs, "P(no-lost-update)"; a timeline and a matrix have none
	YLabel  string             `yaml:"y-label"`                                                            // what y is: its measure
	Unit    string             `yaml:"unit,oneof=count|ratio|share|bytes"`                                 // of y: the measure's
	Series  *strict.Value      `yaml:"series" schema:"text"`                                               // another axis of vary, a line for each of its values: none
	Names   []string           `yaml:"names"`                                                              // of the values of series; without it of the measures, if they are several, or else of x
	Log     string             `yaml:"log,oneof=x|y|xy"`                                                   // the logarithmic axes: none
	Limit   string             `yaml:"limit"`                                                              // a value of y that is marked: none
	Within  *strict.Value      `yaml:"within" schema:"duration"`                                           // over time: the sum of the values in the last duration
	Windows *strict.Value      `yaml:"windows" schema:"duration"`                                          // over time, with within: a line where each fixed window of that duration ends, the sum of each, and above it the sum of each sixtieth of one
	Laws    strict.Map[string] `yaml:"laws"`                                                               // by name, closed forms drawn over it, as in "max(0, x - 8060ms)"
}

// Limits of the plots of a file.
const (
	maxPlots  = 20
	maxTexts  = 100 // of the names of a plot
	MaxFile   = 100 // characters of its name
	maxLaws   = 4
	maxYs     = 8
	fileChars = "abcdefghijklmnopqrstuvwxyz0123456789-"
)

// plots reads `plots:`.
func (d *decoding) plots() []result.Plot {
	if n := len(d.format.Plots); n > maxPlots {
		d.doc.Add(d.doc.At("plots"), "", fmt.Sprintf("%d plots: want at most %d", n, maxPlots))
		return nil
	}
	var list []result.Plot
	files := map[string]bool{}
	for i := range d.format.Plots {
		f := &d.format.Plots[i]
		r := plotReader{d, f, fmt.Sprintf("plots.%d", i)}
		if f.File != "" && files[f.File] {
			r.bad("file", f.File, "another plot has this file")
		}
		files[f.File] = true
		list = append(list, r.read())
	}
	return list
}

// plotReader reads one plot.
type plotReader struct {
	d  *decoding
	f  *plotFormat
	at string // its path
}

func (r *plotReader) bad(key, text, message string, valid ...string) {
	r.d.doc.Add(r.d.doc.At(strings.TrimSuffix(r.at+"."+key, ".")), text, message, valid...)
}

func (r *plotReader) read() result.Plot {
	f := r.f
	p := result.Plot{
		File: f.File, Title: strings.TrimSpace(f.Title), Kind: f.Kind, XLabel: f.XLabel, YLabel: f.YLabel,
		Unit: f.Unit, Names: f.Names, Log: f.Log, Limit: f.Limit,
	}
	if p.Kind == "" {
		p.Kind = "line"
	}
	if v := r.d.doc.Lookup(r.at); v == nil || v.Kind() != strict.Mapping {
		return p // which is said already
	}
	if p.Title == "" && r.given("title") {
		r.bad("title", "", "the title is empty: want the finding in a sentence")
	}
	if (strings.Trim(f.File, fileChars) != "" || f.File == "" || len(f.File) > MaxFile) && r.given("file") {
		r.bad("file", strict.Excerpt(f.File), fmt.Sprintf("want a name of small letters, digits and -, at most %d, without a folder and an ending", MaxFile))
	} else if f.File != "" && f.File[0] == '-' {
		r.bad("file", strict.Excerpt(f.File), "the name begins with -: want a letter or a digit first")
	} else if reservedByWindows(f.File) {
		r.bad("file", strict.Excerpt(f.File), "Windows reserves the name for a device: want another, as in "+f.File+"-figure")
	}
	if len(f.Names) > maxTexts {
		r.bad("names", "", fmt.Sprintf("%d names: want at most %d", len(f.Names), maxTexts))
	}
	if wholeRun(p.Kind) {
		r.ofWholeRun(&p)
		return p
	}
	p.X, p.Series = r.axis(f.X, result.TimeAxis), r.axis(f.Series)
	r.agree(&p)
	for _, v := range f.Y {
		if text, ok := strict.Read[string](v); ok {
			if slices.Contains(p.Y, text) {
				v.Errorf("%q is a y already: want each once", strict.Excerpt(text))
				continue
			}
			p.Y = append(p.Y, text)
			r.quantity(v, text, p.Timed())
		}
	}
	switch n := len(f.Y); {
	case n == 0 && r.missing("y"):
		r.bad("", "", `key "y" is missing`)
	case n == 0 && r.d.doc.Lookup(r.at+".y").Kind() != strict.List: // which is said already
	case n == 0, n > maxYs:
		r.bad("y", "", fmt.Sprintf("%d measures: want 1 to %d", n, maxYs))
	}
	r.laws(&p)
	return p
}

// given reports whether a text stands behind a key.
func (r *plotReader) given(key string) bool {
	v := r.d.doc.Lookup(r.at + "." + key)
	return v != nil && v.Kind() == strict.Scalar
}

// missing reports whether the plot has no such key, and none that is misspelt.
func (r *plotReader) missing(key string) bool {
	var valid []string
	for _, f := range strict.Fields(reflect.TypeFor[plotFormat]()) {
		valid = append(valid, f.Key)
	}
	return !slices.ContainsFunc(r.d.doc.Lookup(r.at).Keys(), func(k string) bool {
		return k == key || !slices.Contains(valid, k) && text.Nearest(k, valid) == key
	})
}

// The kinds of plot that are of a whole run.
const (
	Timeline = "timeline"
	Matrix   = "matrix"
)

func wholeRun(kind string) bool { return kind == Timeline || kind == Matrix }

// ofWholeRun checks that a plot of a whole run says nothing of its values.
func (r *plotReader) ofWholeRun(p *result.Plot) {
	f := r.f
	for key, there := range map[string]bool{
		"x": f.X != nil, "y": len(f.Y) > 0, "y-label": f.YLabel != "", "unit": f.Unit != "", "series": f.Series != nil,
		"names": len(f.Names) > 0, "log": f.Log != "", "limit": f.Limit != "", "within": f.Within != nil, "windows": f.Windows != nil, "laws": len(f.Laws) > 0,
	} {
		if there { // the mistakes are put into the order of the file
			r.bad(key, "", "a "+p.Kind+" is of a whole run: want no "+key)
		}
	}
	p.Names, p.Log, p.Limit, p.Unit, p.YLabel = nil, "", "", "", ""
}

// axis reads a path of the grid, or one of some words.
func (r *plotReader) axis(v *strict.Value, words ...string) string {
	path, ok := strict.Read[string](v)
	if !ok {
		return ""
	}
	valid := append(r.d.format.Vary.Keys(), words...)
	if !slices.Contains(valid, path) {
		r.d.doc.Add(v.Pos(), path, fmt.Sprintf("the grid has no axis %q", strict.Excerpt(path)), valid...)
	}
	return path
}

// agree checks what the keys need of each other.
func (r *plotReader) agree(p *result.Plot) {
	over := p.X == result.TimeAxis
	switch {
	case r.f.X == nil && p.Kind != "cdf":
		r.bad("", "", "the plot has no x: want an axis of vary, or time")
	case r.f.X != nil && p.Kind == "cdf":
		r.bad("x", p.X, "a cdf is of the values of a measure: want no x")
	case over && p.Kind != "line" && p.Kind != "step" && p.Kind != "points" && p.Kind != "multiples":
		r.bad("kind", p.Kind, "over time: want line, step, points or multiples")
	case p.X != "" && p.X == p.Series:
		r.bad("series", p.Series, "x and series are the same: want another axis")
	case p.Kind == "heat" && (p.Series == "" || len(r.f.Y) > 1):
		r.bad("kind", p.Kind, "a heat map is of one measure by x and series: want one y, and series")
	case p.Kind == "multiples" && r.f.Series == nil && len(r.f.Y) < 2:
		r.bad("kind", p.Kind, "multiples are a panel for each of the series: want series, or several y")
	}
	if within, ok := strict.Read[durationText](r.f.Within); ok {
		p.Within = string(within)
		if !over {
			r.bad("within", p.Within, "only over time is there a sum of the last values: want x: time")
		}
	}
	if windows, ok := strict.Read[durationText](r.f.Windows); ok {
		p.Windows = string(windows)
		if p.Kind != "step" || p.Within == "" || len(r.f.Y) > 1 || r.f.Series != nil {
			r.bad("windows", p.Windows, "windows are of the sum of one measure over time: want kind: step, x: time, within, one y and no series")
		}
	}
}

// durationText is the text of a duration, which is checked.
type durationText string

// UnmarshalStrict implements [strict.Unmarshaler].
func (t *durationText) UnmarshalStrict(v *strict.Value) {
	if n, ok := strict.Scan(v, strict.Duration); ok {
		if *t = durationText(n.String()); n == 0 {
			v.Errorf("want more than 0s")
		}
	}
}

// quantity checks the measure or the property of a y. What is timed is the single values
// of one run.
func (r *plotReader) quantity(v *strict.Value, text string, timed bool) {
	program := r.d.words.program
	if program == nil {
		return
	}
	if name, ok := strings.CutPrefix(text, "P("); ok {
		if name, ok = strings.CutSuffix(name, ")"); !ok {
			v.Errorf("%q: want P(PROPERTY), as in P(%s)", strict.Excerpt(text), first(program.Properties))
			return
		}
		if !slices.Contains(program.Properties, name) {
			r.d.unknown(v.Pos(), name, fmt.Sprintf("there is no property %q", strict.Excerpt(name)), program.Properties)
		} else if timed {
			v.Errorf("%s is the share of some runs, and this is about one: want a measure", strict.Excerpt(text))
		}
		return
	}
	name := text
	if statistic, of, ok := strings.Cut(text, " of "); ok {
		if name = of; !slices.Contains(statistics, statistic) {
			r.d.doc.Add(v.Pos(), statistic, fmt.Sprintf("there is no statistic %q", strict.Excerpt(statistic)), statistics...)
			return
		}
	}
	r.measure(v, name, name != text, timed)
}

func (r *plotReader) measure(v *strict.Value, name string, statistic, timed bool) {
	program := r.d.words.program
	var valid []string
	for _, m := range program.Measures {
		valid = append(valid, m.Name)
	}
	i := slices.Index(valid, name)
	if i < 0 {
		for _, p := range program.Properties {
			valid = append(valid, "P("+p+")")
		}
		r.d.unknown(v.Pos(), name, fmt.Sprintf("there is no measure %q", strict.Excerpt(name)), valid)
		return
	}
	switch m := program.Measures[i]; {
	case statistic && (m.Total || m.Per != ""):
		v.Errorf("%s is one value for each run: want it without a statistic", name)
	case statistic && timed:
		v.Errorf("each value of %s is drawn: want it without a statistic", name)
	case m.Per != "" && timed:
		v.Errorf("%s is a ratio, which is known at the end only", name)
	}
}

func first(list []string) string {
	if len(list) == 0 {
		return "PROPERTY"
	}
	return list[0]
}

// laws reads the closed forms.
func (r *plotReader) laws(p *result.Plot) {
	if n := len(r.f.Laws); n > maxLaws {
		r.bad("laws", "", fmt.Sprintf("%d laws: want at most %d", n, maxLaws))
		return
	}
	for _, e := range r.f.Laws {
		if _, err := formula.Parse(e.Value); err != nil {
			r.d.doc.Add(e.Pos, e.Key, err.Error())
		}
		p.Laws = append(p.Laws, result.Law{Name: e.Key, Formula: e.Value})
	}
	if len(p.Laws) > 0 && p.X == result.TimeAxis {
		r.bad("laws", "", "over time there is no law: want an axis of the grid as x")
	} else if len(p.Laws) > 0 && (p.Kind == "bar" || p.Kind == "heat" || p.Kind == "cdf") {
		r.bad("laws", "", "a "+p.Kind+" has no law: want line, step, points or multiples")
	}
}

// reservedByWindows reports whether no file of Windows can have a name, whatever its
// ending.
func reservedByWindows(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && name[3] >= '0' && name[3] <= '9'
}
