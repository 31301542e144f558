package main

import (
	"go/ast"
	"slices"
	"strings"
)

// part is a piece of a sentence: a text, a name in braces, or a choice in brackets.
type part struct {
	text, name string
	choice     bool   // name decides between yes and no
	yes, no    []part // of a choice
}

// sentence reads say:"". It returns what it understood, and reports the rest.
func (d *declaration) sentence(k *kind, line *ast.Field, s string) (parts []part) {
	for s != "" {
		i := strings.IndexAny(s, "{[]}|")
		if i < 0 {
			return append(parts, part{text: s})
		}
		if i > 0 {
			parts = append(parts, part{text: s[:i]})
		}
		closing := map[byte]string{'{': "}", '[': "]"}[s[i]]
		inner, rest, closed := strings.Cut(s[i+1:], closing)
		if closing == "" || !closed {
			d.wrong(d.within(line, "say:"), "the sentence of %s has a %q without its other half", k.name, s[i])
			return parts
		}
		if s = rest; closing == "}" {
			d.known(k, line, inner)
			parts = append(parts, part{name: inner})
			continue
		}
		parts = append(parts, d.choice(k, line, inner))
	}
	return parts
}

// choice reads what stands in brackets.
func (d *declaration) choice(k *kind, line *ast.Field, s string) part {
	p := part{choice: true}
	if rest, asks := strings.CutPrefix(s, "?"); asks {
		p.name, s, _ = strings.Cut(rest, ":")
		d.known(k, line, p.name)
	}
	yes, no, _ := strings.Cut(s, "|")
	p.yes, p.no = d.sentence(k, line, yes), d.sentence(k, line, no)
	if i := slices.IndexFunc(p.yes, func(p part) bool { return p.name != "" }); p.name == "" && i >= 0 {
		p.name = p.yes[i].name
	}
	if p.name == "" {
		d.wrong(d.within(line, "say:"), "the sentence of %s has [%s] without a name: want [..{NAME}..] or [?NAME:yes|no]", k.name, s)
	}
	return p
}

// known reports a name that is neither a field of the kind nor a method of Msg.
func (d *declaration) known(k *kind, line *ast.Field, name string) {
	var valid []string
	for _, c := range k.carries {
		valid = append(valid, c.name)
	}
	if !slices.Contains(valid, name) && !d.byHand["Msg."+name] {
		d.wrong(d.within(line, name), "the sentence of %s has %q, which is neither a field of it nor a method of Msg%s", k.name, name, near(name, valid))
	}
}

// call is a Go expression for a name in a sentence, which is no field if it is a method by hand.
func (w *writer) call(name string) (value string, f *field) {
	if f = w.find(name); f != nil && f.at.name == name {
		return "m." + name, f
	}
	return "m." + name + "()", f
}

// shown is the value of a name as a sentence has it.
func (w *writer) shown(name string) string {
	value, f := w.call(name)
	if f != nil && f.show != "" {
		return f.show + "(" + value + ")"
	}
	return value
}

// holds is a Go condition: a name is true, or not zero.
func (w *writer) holds(name string) string {
	value, f := w.call(name)
	if f == nil || f.typ == "bool" {
		return value
	}
	return value + " != 0"
}

// saying writes the statements that add a sentence to s.
func (w *writer) saying(parts []part) {
	for len(parts) > 0 {
		if p := parts[0]; p.choice {
			w.p("if %s {", w.holds(p.name))
			w.saying(p.yes)
			if len(p.no) > 0 {
				w.p("} else {")
				w.saying(p.no)
			}
			w.p("}")
			parts = parts[1:]
			continue
		}
		format, args := "", ""
		for ; len(parts) > 0 && !parts[0].choice; parts = parts[1:] {
			if p := parts[0]; p.name != "" {
				format += "%v"
				args += ", " + w.shown(p.name)
			} else {
				format += strings.ReplaceAll(p.text, "%", "%%")
			}
		}
		if args == "" {
			w.p("s += %q", strings.ReplaceAll(format, "%%", "%"))
		} else {
			w.p("s += fmt.Sprintf(%q%s)", format, args)
		}
	}
}
