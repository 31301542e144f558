// Package script reads a run that a person writes down: which events each process has,
// and which of them are the two ends of a message.
//
//	# S4, section 9.2.
//	P: a b c
//	Q: d e f
//	b -> e
//
// A line names a process and its events in their order; a process may continue in a later
// line. An event may say an instant before which it does not happen: a@1s. A message
// goes from one event to another of another process; it may have several receivers,
// b -> e, g, but an event receives one message at most. The lines may stand in any order.
//
// The order that the lines describe must have no circle: a message is not received
// before it is sent.
//
// Source: Lamport 1978, the relation ->.
package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fencepost/internal/text"
)

// Limits of a script.
const (
	MaxEvents    = 1 << 20
	MaxProcesses = 1 << 10
	MaxName      = 64 // bytes, of an event or a process
	maxMistakes  = 20 // that are reported
	maxInstant   = 1000 * time.Hour
)

// None is no event.
const None = -1

// Event is an event of a script.
type Event struct {
	Process int
	Name    string
	At      time.Duration // it does not happen before that; 0: as soon as its turn has come
	From    int           // which event sends what this one receives; None: it receives nothing
	Line    int           // where it stands, from 1
}

// Script is a run as it is written: a partial order of events.
type Script struct {
	Processes []string // in the order in which they first appear
	Events    []Event  // of each process in its order
}

// Mistake is what is wrong with a script, and where: line and column from 1.
type Mistake struct {
	Line, Column int
	Why          string
}

func (m *Mistake) Error() string { return fmt.Sprintf("%d:%d: %s", m.Line, m.Column, m.Why) }

// Mistakes are all that is wrong with a script, in the order of its lines; at most 20.
type Mistakes []*Mistake

func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i := range m {
		lines[i] = m[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Parse reads a script. What it returns else are [Mistakes].
func Parse(text string) (*Script, error) {
	p := parser{script: &Script{}, process: map[string]int{}, event: map[string]int{}}
	for i, line := range strings.Split(text, "\n") {
		p.line = i + 1
		p.read(line)
	}
	p.connect()
	if len(p.mistakes) == 0 {
		if circle := p.script.circle(); circle != nil {
			p.line = p.script.Events[circle[0]].Line
			p.bad(0, "the events go round in a circle: %s", p.script.path(circle))
		}
	}
	if len(p.mistakes) > 0 {
		slices.SortStableFunc(p.mistakes, func(a, b *Mistake) int { return cmp.Compare(a.Line, b.Line) })
		return nil, p.mistakes
	}
	return p.script, nil
}

// message is a line b -> e, as long as not all events are known.
type message struct {
	line     int
	from, to word
}

// word is a piece of a line.
type word struct {
	text string
	at   int // bytes before it on its line
}

type parser struct {
	script   *Script
	process  map[string]int // by name
	event    map[string]int
	messages []message
	line     int
	mistakes Mistakes
}

func (p *parser) bad(at int, format string, args ...any) {
	if len(p.mistakes) < maxMistakes {
		p.mistakes = append(p.mistakes, &Mistake{p.line, at + 1, fmt.Sprintf(format, args...)})
	}
}

func (p *parser) read(line string) {
	if i := strings.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	words := split(line)
	if len(words) == 0 {
		return
	}
	if i := strings.Index(line, "->"); i >= 0 {
		p.message(split(line[:i]), words, line[i+len("->"):], i+len("->"))
		return
	}
	name, colon := strings.CutSuffix(words[0].text, ":")
	if !colon {
		p.bad(words[0].at, "want PROCESS: EVENT EVENT... or EVENT -> EVENT, got %q", excerpt(words[0].text))
		return
	}
	if !p.named(word{name, words[0].at}, "process") {
		return
	}
	id, known := p.process[name]
	if !known {
		if id = len(p.script.Processes); id == MaxProcesses {
			p.bad(words[0].at, "more than %d processes", MaxProcesses)
			return
		}
		p.process[name] = id
		p.script.Processes = append(p.script.Processes, name)
	}
	for _, w := range words[1:] {
		p.add(id, w)
	}
}

// add reads an event of a process, as a or a@1s.
func (p *parser) add(process int, w word) {
	name, instant, timed := strings.Cut(w.text, "@")
	e := Event{Process: process, Name: name, From: None, Line: p.line}
	if !p.named(word{name, w.at}, "event") {
		return
	}
	if timed {
		at, err := time.ParseDuration(instant)
		if err != nil || at < 0 || at > maxInstant {
			p.bad(w.at+len(name)+1, "want an instant from 0s to %v, as in a@100ms, got %q", maxInstant, excerpt(instant))
		}
		e.At = at
	}
	if first, taken := p.event[name]; taken {
		p.bad(w.at, "another event is named %q, in line %d", name, p.script.Events[first].Line)
		return
	}
	if len(p.script.Events) == MaxEvents {
		p.bad(w.at, "more than %d events", MaxEvents)
		return
	}
	p.event[name] = len(p.script.Events)
	p.script.Events = append(p.script.Events, e)
}

// message reads what a line with an arrow says: its left side, all of its words, and
// its right side, which begins at a column.
func (p *parser) message(left, words []word, right string, at int) {
	if len(left) != 1 {
		p.bad(words[0].at, "want one event that sends, as in a -> b")
		return
	}
	to := split(strings.ReplaceAll(right, ",", " "))
	if len(to) == 0 {
		p.bad(at, "want an event that receives, as in a -> b")
	}
	for _, w := range to {
		p.messages = append(p.messages, message{p.line, left[0], word{w.text, at + w.at}})
	}
}

// connect finds the events of the messages.
func (p *parser) connect() {
	for _, m := range p.messages {
		p.line = m.line
		from, ok := p.find(m.from)
		to, too := p.find(m.to)
		if !ok || !too {
			continue
		}
		sender, receiver := &p.script.Events[from], &p.script.Events[to]
		switch {
		case sender.Process == receiver.Process:
			p.bad(m.to.at, "%s and %s are both events of %s: a message goes to another process", sender.Name, receiver.Name, p.script.Processes[sender.Process])
		case receiver.From != None:
			p.bad(m.to.at, "%s receives a message already, that of %s", receiver.Name, p.script.Events[receiver.From].Name)
		default:
			receiver.From = from
		}
	}
}

func (p *parser) find(w word) (int, bool) {
	i, ok := p.event[w.text]
	if !ok {
		p.bad(w.at, "there is no event %q", excerpt(w.text))
	}
	return i, ok
}

// named reports whether a word may be a name.
func (p *parser) named(w word, what string) bool {
	switch {
	case w.text == "":
		p.bad(w.at, "the %s has no name", what)
	case len(w.text) > MaxName:
		p.bad(w.at, "the name of the %s has %d bytes: want at most %d", what, len(w.text), MaxName)
	case strings.ContainsAny(w.text, ":,@"):
		p.bad(w.at, "%q is no name of a process or an event: want no colon, comma or @ in it", excerpt(w.text))
	case !utf8.ValidString(w.text), strings.ContainsFunc(w.text, func(r rune) bool { return !unicode.IsPrint(r) }):
		p.bad(w.at, "%q is no name of a process or an event: want printable characters only", excerpt(w.text))
	default:
		return true
	}
	return false
}

// split cuts a line into words.
func split(line string) (words []word) {
	at := 0
	for _, field := range strings.Fields(line) {
		at += strings.Index(line[at:], field)
		words = append(words, word{field, at})
		at += len(field)
	}
	return words
}

// excerpt is the start of a text, for a message that quotes it.
func excerpt(s string) string { return text.Excerpt(s, 40) }
