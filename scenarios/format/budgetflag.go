package format

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// maxFlag is the longest text of a budget, in bytes.
const maxFlag = 64 << 10

// NoBudget is the budget in one line that allows nothing.
const NoBudget = "none"

// ParseBudget reads a budget in one line, as a flag gives it, for runs of a program
// that end at until:
//
//	pauses=2,pause-for=15s|1s,crashes=1,late-by={exp: 5s}
//
// or [NoBudget]. The keys are those of the block `budget:`, and what is wrong there is wrong here.
// The items of a list stand between |. A file, as in {gclog: FILE}, is looked up in
// the working directory. An error is an [*Invalid] with every mistake, each at the
// part of the text that it is in, and offers these keys, all if there are none, in place of one that is unknown.
func ParseBudget(text string, p *sim.Program, until sim.Time, offered ...string) (explore.Budget, error) {
	if text == NoBudget {
		return explore.Budget{}, nil
	}
	doc, err := strict.Parse(budgetFlag, []byte("{}"))
	if err != nil {
		panic(err) // it is a mapping
	}
	d := &decoding{doc: doc, files: &files{}, until: until, scenario: &Scenario{}, details: map[strict.Position]string{}}
	d.words.know(p)
	strict.Teach(doc, d.dist)
	if len(offered) == 0 {
		offered = budgetNames()
	}
	r := flagReader{decoding: d, given: map[string]string{}, offered: append(slices.Clip(offered), NoBudget)}
	r.read(text)
	b := d.budget(doc.Root(), doc.Err() == nil && len(r.found.list) == 0)
	r.found.add(doc.Err(), d.details)
	for i := range r.found.list {
		r.locate(&r.found.list[i])
	}
	if err := r.found.err(); err != nil {
		return explore.Budget{}, err
	}
	return *b, b.Check()
}

// budgetFlag is where the mistakes of a budget in one line are.
const budgetFlag = "--budget"

// flagReader is a budget in one line while it is read.
type flagReader struct {
	*decoding
	given   map[string]string // the parts, by key
	offered []string
	found   findings
}

// read puts the parts of a text into the document.
func (r *flagReader) read(text string) {
	flag := strict.Position{File: budgetFlag}
	switch {
	case len(text) > maxFlag:
		r.doc.Add(flag, "", fmt.Sprintf("the budget is too long: want at most %d KiB", maxFlag>>10))
	case strings.TrimSpace(text) == "":
		r.doc.Add(flag, "", "the budget is empty: want a fault of at least one kind, as in pauses=1")
	default:
		for _, part := range splitOutside(text, ',') {
			r.part(strings.TrimSpace(part))
		}
	}
}

// part reads KEY=VALUE.
func (r *flagReader) part(part string) {
	at := strict.Position{File: strings.TrimSpace(budgetFlag + " " + strict.Excerpt(part))}
	key, value, _ := strings.Cut(part, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	_, twice := r.given[key]
	switch {
	case part == "":
		r.doc.Add(at, "", "a part between two commas is empty: want KEY=VALUE, such as pauses=1")
	case key == NoBudget:
		r.doc.Add(at, key, "none is the whole budget: want it alone, or no none")
	case budgetKey(key) == nil:
		r.doc.Add(at, key, fmt.Sprintf("unknown key %q", strict.Excerpt(key)), r.offered...)
	case twice:
		r.doc.Add(at, key, fmt.Sprintf("%q is given twice", key))
	case value == "":
		r.given[key] = part
		r.doc.Add(at, key, "no value is given: want KEY=VALUE, such as "+key+"="+budgetKey(key).example)
	default:
		r.given[key] = part
		r.found.add(r.doc.Set(key, flagValue(value)), nil)
	}
}

// locate says in which part of the flag a problem is.
func (r *flagReader) locate(p *Problem) {
	if key, _, ok := strings.Cut(p.Set, "="); ok {
		p.File, p.Set = budgetFlag+" "+strict.Excerpt(r.given[key]), ""
	}
	p.Line, p.Column, p.Path, p.Excerpt = 0, 0, "", ""
}

// flagValue is the value of a part as --set reads it: what stands between | is a list.
func flagValue(value string) string {
	items := splitOutside(value, '|')
	if len(items) == 1 {
		return value
	}
	for i, item := range items {
		if item = strings.TrimSpace(item); !strings.HasPrefix(item, "{") && !strings.HasPrefix(item, "[") {
			item = strict.Word(item, true)
		}
		items[i] = item
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// splitOutside splits a text at a separator that is not within brackets.
func splitOutside(text string, separator byte) (parts []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth = max(depth-1, 0)
		case c == separator && depth == 0:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}
