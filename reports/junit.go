package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/result"
)

// The document that build servers read: https://github.com/testmoapp/junitxml has what
// there is of a specification.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitDetail  `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
	Error   *junitDetail  `xml:"error"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitDetail struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a test case for the verdict of each run, or of each point of a grid, and one for each expectation of its
// file. A failure has the command that shows it again. The build is red where the exit code is not 0: after a change by the
// command what the file expects is skipped, and what an interrupted run lacks is an error.
func WriteJUnit(out io.Writer, list []*Run) error {
	all := junitSuites{Name: program.Name() + " run"}
	for _, r := range list {
		s := r.junit()
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Suites = append(all.Suites, s)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, xml.Header+string(text)+"\n")
	return err
}

func (r *Run) junit() junitSuite {
	s := junitSuite{Name: r.Scenario}
	for i, p := range r.points() {
		var at []result.Setting
		if len(r.Variants) > 0 {
			at = r.Variants[i].Settings
		}
		s.Cases = append(s.Cases, p.junit(r, at)...)
	}
	if missing := r.missing(); missing != "" {
		s.Cases = append(s.Cases, junitCase{Class: r.Scenario, Name: "complete", Error: &junitDetail{Message: "interrupted " + missing}})
		s.Errors++
	}
	for i := range s.Cases {
		if s.Cases[i].Failure != nil {
			s.Failures++
		}
		if s.Cases[i].Skipped != nil {
			s.Skipped++
		}
	}
	s.Tests = len(s.Cases)
	return s
}

// junit is the cases of one point.
func (p *Variant) junit(r *Run, at []result.Setting) (list []junitCase) {
	where := ""
	if len(at) > 0 {
		where = " at " + settingsText(at)
	}
	v := junitCase{Class: r.Scenario, Name: "verdict" + where}
	if !p.Word.Good() && p.Word != "" && p.Word != verdict.Interrupted { // which is an error below
		v.Failure = &junitDetail{Message: p.Verdict.String(), Text: p.junitText(r, "")}
	}
	list = append(list, v)
	for _, e := range p.Expectations {
		c := junitCase{Class: r.Scenario, Name: e.Name + ": " + e.Want + where}
		switch {
		case e.Met:
		case len(r.Changed) > 0 && !e.Commanded:
			c.Skipped = &junitSkipped{Message: "after a change by the command: " + strings.Join(r.Changed, ", ")}
		default:
			c.Failure = &junitDetail{Message: fmt.Sprintf("want %s, got %s", e.Want, e.Got), Text: p.junitText(r, e.Name)}
		}
		list = append(list, c)
	}
	return list
}

// junitText is how the violation of a property, or of any, came about and is shown again.
func (p *Variant) junitText(r *Run, property string) string {
	var b strings.Builder
	for i := range p.Properties {
		if f := p.Properties[i].First; (property == "" || p.Properties[i].Name == property) && f != nil && f.Why != "" {
			fmt.Fprintf(&b, "%s first in run %d (seed %d) at %s: %s\n", p.Properties[i].Name, f.Run, f.Seed, units.Instant(f.AtNS), f.Why)
		}
	}
	if p.Panic != nil {
		b.WriteString(p.Panic.What(r.Runs) + "\n")
	}
	if p.Reproduce != "" {
		b.WriteString("reproduce: " + p.Reproduce + "\n")
	}
	return b.String()
}

// settingsText names a point of a grid.
func settingsText(list []result.Setting) string {
	var words []string
	for _, s := range list {
		words = append(words, shortPath(s.Path, list)+"="+s.Value)
	}
	return strings.Join(words, " ")
}
