package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// What one file may hold.
const (
	MaxSize  = 1 << 20 // bytes
	MaxDepth = 64      // mappings and lists inside of each other
	MaxNodes = 200_000 // values, once aliases are followed
)

// File is one file of rules.
type File struct {
	Name string // as errors call it
	Text []byte
}

// Error is one mistake in a file. Its text is what the real loader says.
type Error struct {
	File    string
	Line    int // from 1; 0 if the whole file is meant
	Message string
}

// Error implements error.
func (e *Error) Error() string { return e.File + ": " + e.Message }

// Load reads files that are used together. A domain that occurs twice is refused unless
// merge is set. All mistakes of the first file with any are reported, each an [*Error],
// in the order in which the loader comes across them: what is no YAML, then unknown keys, then types, then the rules themselves. The
// first of them is the one that the real loader stops at.
func Load(files []File, merge bool) (*Rules, error) {
	r := &Rules{domains: map[string]*level{}}
	for i := range files {
		l := loader{file: files[i].Name}
		root := l.read(files[i].Text)
		if root != nil {
			l.load(r, root, merge)
		}
		if len(l.found) > 0 {
			return nil, errors.Join(l.found...)
		}
	}
	return r, nil
}

type loader struct {
	file  string
	found []error
	nodes int // values seen
}

func (l *loader) bad(line int, format string, args ...any) {
	l.found = append(l.found, &Error{l.file, line, fmt.Sprintf(format, args...)})
}

// The file as it is written, with the line of each descriptor.
type (
	fileYAML struct {
		Domain      string
		Descriptors []descriptorYAML
	}
	descriptorYAML struct {
		Key            string
		Value          string
		RateLimit      *limitYAML `yaml:"rate_limit"`
		Descriptors    []descriptorYAML
		ShadowMode     bool `yaml:"shadow_mode"`
		QuotaMode      bool `yaml:"quota_mode"`
		DetailedMetric bool `yaml:"detailed_metric"`
		ValueToMetric  bool `yaml:"value_to_metric"`
		ShareThreshold bool `yaml:"share_threshold"`

		line int
	}
	limitYAML struct {
		RequestsPerUnit uint32 `yaml:"requests_per_unit"`
		Unit            string
		Unlimited       bool
		Name            string
		Replaces        []struct{ Name string }
	}
)

// UnmarshalYAML implements [yaml.Unmarshaler].
func (d *descriptorYAML) UnmarshalYAML(n *yaml.Node) error {
	type plain descriptorYAML
	d.line = n.Line
	return n.Decode((*plain)(d))
}

// read is the file as a struct, or nil and what is wrong with it.
func (l *loader) read(text []byte) *fileYAML {
	if len(text) > MaxSize {
		l.bad(0, "error loading config file: larger than %d bytes", MaxSize)
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		l.bad(0, "error loading config file: %s", err)
		return nil
	}
	root := &fileYAML{}
	if len(doc.Content) == 0 {
		return root // an empty file
	}
	if l.keys(doc.Content[0], 1); len(l.found) > 0 {
		return nil
	}
	if err := doc.Decode(root); err != nil {
		l.bad(0, "error loading config file: %s", err)
		return nil
	}
	return root
}

var validKeys = map[string]bool{
	"domain": true, "descriptors": true, "key": true, "value": true, "rate_limit": true,
	"unit": true, "requests_per_unit": true, "unlimited": true, "name": true, "replaces": true,
	"shadow_mode": true, "quota_mode": true, "detailed_metric": true, "value_to_metric": true,
	"share_threshold": true, "metadata": true,
}

// enter counts a value and reports whether to continue: an alias may stand for any number
// of values, or for what it is a part of.
func (l *loader) enter(n *yaml.Node, depth int) bool {
	l.nodes++
	switch {
	case depth > MaxDepth:
		l.bad(n.Line, "error loading config file: deeper than %d levels", MaxDepth)
	case l.nodes == MaxNodes+1:
		l.bad(n.Line, "error loading config file: more than %d values", MaxNodes)
	}
	return depth <= MaxDepth && l.nodes <= MaxNodes
}

// keys checks the keys of a mapping, and that lists are of mappings.
func (l *loader) keys(n *yaml.Node, depth int) {
	if !l.enter(n, depth) {
		return
	}
	switch n.Kind {
	case yaml.AliasNode:
		l.keys(n.Alias, depth+1)
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			l.key(n.Content[i], n.Content[i+1], depth+1)
		}
	case yaml.SequenceNode:
		for _, e := range n.Content {
			l.element(e, depth+1)
		}
	case yaml.ScalarNode:
		l.leaf(n)
	}
}

func (l *loader) key(k, v *yaml.Node, depth int) {
	switch tag := k.ShortTag(); {
	case tag == "!!merge":
		l.keys(v, depth)
	case tag != "!!str":
		l.bad(k.Line, "config error, key is not of type string: %s", k.Value)
	case !validKeys[k.Value]:
		l.bad(k.Line, "config error, unknown key '%s'", k.Value)
	case k.Value == "metadata": // whatever its owner likes
		l.count(v, depth)
	default:
		l.keys(v, depth)
	}
}

// count keeps what is not looked at within bounds.
func (l *loader) count(n *yaml.Node, depth int) {
	if !l.enter(n, depth) {
		return
	}
	if n.Kind == yaml.AliasNode {
		l.count(n.Alias, depth+1)
	}
	for _, c := range n.Content {
		l.count(c, depth+1)
	}
}

func (l *loader) element(e *yaml.Node, depth int) {
	is := e
	for hops := 0; is.Kind == yaml.AliasNode && hops < MaxDepth; hops++ {
		is = is.Alias
	}
	if is.Kind == yaml.MappingNode {
		l.keys(e, depth)
		return
	}
	text := is.Value
	if is.Kind == yaml.SequenceNode {
		text = "a list"
	}
	l.bad(e.Line, "config error, yaml file contains list of type other than map: %s", text)
}

// leaf refuses a value that no field has.
func (l *loader) leaf(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!str", "!!bool", "!!null", "!!timestamp":
		return
	case "!!int":
		if _, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return
		}
	}
	l.bad(n.Line, "error checking config")
}

// load adds the rules of one file.
func (l *loader) load(r *Rules, root *fileYAML, merge bool) {
	if root.Domain == "" {
		l.bad(0, "config file cannot have empty domain")
		return
	}
	domain := r.domains[root.Domain]
	switch {
	case domain == nil:
		first := newLevel()
		domain = &first
		r.domains[root.Domain] = domain
	case !merge:
		l.bad(0, "duplicate domain '%s' in config file", root.Domain)
		return
	}
	l.descriptors(domain, root.Domain+".", root.Descriptors)
}

func (l *loader) descriptors(into *level, parent string, list []descriptorYAML) {
	for i := range list {
		d := &list[i]
		if d.Key == "" {
			l.bad(d.line, "descriptor has empty key")
			continue
		}
		// The composite key is all there is: (a, b_c) and (a_b, c) are the same.
		key := d.Key
		if d.Value != "" {
			key += "_" + d.Value
		}
		id := parent + key
		if into.byKey[key] != nil {
			l.bad(d.line, "duplicate descriptor composite key '%s'", id)
			continue
		}
		made := &descriptor{limit: l.limit(d, id), level: newLevel()}
		wild := strings.HasSuffix(key, "*")
		if d.ShareThreshold {
			if !wild {
				l.bad(d.line, "share_threshold can only be used with wildcard values (ending with '*'), but found key '%s'", key)
			}
			made.share = strings.TrimPrefix(key, d.Key+"_")
		}
		if wild {
			into.wildcards = append(into.wildcards, key)
		}
		into.byKey[key] = made
		l.descriptors(&made.level, id+".", d.Descriptors)
	}
}

// limit is the limit of a descriptor, nil if it has none.
func (l *loader) limit(d *descriptorYAML, id string) *Limit {
	y := d.RateLimit
	if y == nil {
		return nil
	}
	unit := unitOf(y.Unit)
	switch {
	case y.Unlimited && unit != 0:
		l.bad(d.line, "should not specify rate limit unit when unlimited")
	case !y.Unlimited && unit == 0:
		l.bad(d.line, "invalid rate limit unit '%s'", y.Unit)
	}
	limit := &Limit{ID: id, Requests: y.RequestsPerUnit, Unit: unit, Unlimited: y.Unlimited,
		Shadow: d.ShadowMode, Quota: d.QuotaMode, Name: y.Name}
	for _, r := range y.Replaces {
		if r.Name == "" {
			l.bad(d.line, "should not have an empty replaces entry")
		}
		if r.Name == y.Name {
			l.bad(d.line, "replaces should not contain name of same descriptor")
		}
		limit.Replaces = append(limit.Replaces, r.Name)
	}
	return limit
}
