// Package glossary says what the measures of models are, for the page of reference.
package glossary

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed glossary.txt
var text string

// Definition is what a measure is, or a property.
type Definition struct {
	Name string // with N for a number, NAME for a name and T for a duration
	Text string

	names *regexp.Regexp
}

// Of reports whether it defines a measure or property.
func (d *Definition) Of(name string) bool { return d.names.MatchString(name) }

// Several reports whether it defines more than one name, which only some parameters give.
func (d *Definition) Several() bool { return d.names.String() != "^"+regexp.QuoteMeta(d.Name)+"$" }

// All are the definitions by model, in the order of the file.
func All() (map[string][]Definition, error) {
	all := map[string][]Definition{}
	model := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch name, about, defines := strings.Cut(line, ": "); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			model = strings.Trim(line, "[]")
		case !defines || model == "":
			return nil, fmt.Errorf("glossary: want NAME: TEXT, got %q", line)
		default:
			all[model] = append(all[model], Definition{name, about, pattern(name)})
		}
	}
	return all, nil
}

// pattern matches the names that a name with N, NAME or T stands for.
func pattern(name string) *regexp.Regexp {
	p := regexp.QuoteMeta(name)
	p = strings.Replace(p, "NAME", "[a-z-]+", 1)
	p = strings.Replace(p, "-N", "-[0-9]+", 1)
	p = strings.Replace(p, "/T", "/[0-9.]+[a-z]+.*", 1)
	return regexp.MustCompile("^" + p + "$")
}
