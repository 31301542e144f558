package eventlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fencepost/internal/text"
	"fencepost/models/clock"
)

// HostFirst is the expression of the logs that [Writer] and GoVector write. That a
// clock comes before its event leaves no doubt what an event that looks like a clock is.
const HostFirst = `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`

// Writer writes a log for ShiViz, event by event.
type Writer struct {
	out   *bufio.Writer
	hosts []string
	keys  [][]byte // the hosts as JSON has them, with a colon
}

// NewWriter begins a log of events on these hosts, which get their numbers in order.
// A name is cleaned by [CleanHost]; two that are the same then get numbers behind. Two
// that are the same before are an error, and so are more than [MaxHosts].
func NewWriter(out io.Writer, hosts ...string) (*Writer, error) {
	w := &Writer{out: bufio.NewWriterSize(out, 1<<16)}
	if len(hosts) > MaxHosts {
		return nil, fmt.Errorf("event log: %d hosts: want at most %d", len(hosts), MaxHosts)
	}
	taken := map[string]bool{}
	for _, name := range hosts {
		if taken[name] {
			return nil, fmt.Errorf("event log: two hosts are named %q", excerpt(name))
		}
		taken[name] = true
	}
	used := map[string]bool{}
	for _, name := range hosts {
		clean := CleanHost(name)
		for n := 2; used[clean] || clean != name && taken[clean]; n++ {
			clean = cut(CleanHost(name), MaxName-len("_65536")) + "_" + strconv.Itoa(n)
		}
		used[clean] = true
		w.hosts = append(w.hosts, clean)
		w.keys = append(w.keys, jsonKey(clean))
	}
	_, err := w.out.WriteString(HostFirst + "\n\n")
	return w, err
}

// Host is the name of a host as the log has it.
func (w *Writer) Host(host int) string { return w.hosts[host] }

// Add writes an event of a host, by number, with its vector clock: of as many counters
// as there are hosts, that of the host at least 1. The text is cleaned by [CleanText].
func (w *Writer) Add(host int, v clock.Vector, text string) error {
	switch {
	case len(v) != len(w.hosts):
		return fmt.Errorf("event log: a clock of %d counters, and %d hosts", len(v), len(w.hosts))
	case host < 0 || host >= len(v):
		return fmt.Errorf("event log: host %d: there are 0 to %d", host, len(v)-1)
	case v[host] == 0:
		return fmt.Errorf("event log: an event of %s that has not been counted: %v", w.hosts[host], v)
	case slices.Max(v) > maxCount:
		return fmt.Errorf("event log: a counter is above %d: %v", uint64(maxCount), v)
	}
	w.out.WriteString(w.hosts[host])
	before := " {"
	var digits [20]byte
	for q, n := range v {
		if n > 0 {
			w.out.WriteString(before)
			w.out.Write(w.keys[q])
			w.out.Write(strconv.AppendUint(digits[:0], n, 10))
			before = ","
		}
	}
	w.out.WriteString("}\n")
	w.out.WriteString(CleanText(text))
	return w.out.WriteByte('\n') // the buffer keeps the first error
}

// Flush writes what is still in memory, and returns the first error of all writes.
func (w *Writer) Flush() error { return w.out.Flush() }

// jsonKey is a host and a colon in JSON.
func jsonKey(host string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(host); err != nil {
		panic(err) // a string has a JSON form
	}
	return append(bytes.TrimSpace(b.Bytes()), ':')
}

// CleanText is the text of an event on one line, as it can be read back: what is no
// printable character becomes a space, at the ends there is none, and an empty text is
// "-".
func CleanText(text string) string {
	if plain(text) {
		return text
	}
	if text = strings.Trim(clean(text, ' '), " "); text == "" {
		return "-"
	}
	return text
}

// CleanHost is the name of a host as it can be read back: what is no printable
// character, and each space, becomes _, and so does an empty name. A long one is cut.
func CleanHost(name string) string {
	if name = strings.ReplaceAll(clean(name, '_'), " ", "_"); name == "" {
		return "_"
	}
	return cut(name, MaxName)
}

// cut is a name without what is behind the given number of bytes.
func cut(name string, most int) string {
	for len(name) > most {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}

// plain reports whether a text needs no cleaning: the short way for most.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return text != "" && text[0] != ' ' && text[len(text)-1] != ' '
}

// clean puts another character in the place of those that do not print, and of bytes
// that are none. Spaces other than ' ' do not print: to some readers they end a line.
func clean(text string, instead rune) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return instead
		}
		return r
	}, text)
}

// shown is the same for a message that does not: what is no printable character becomes
// a question mark.
func shown(s string) string { return clean(excerpt(s), '?') }

// excerpt is the start of a text, for a message that quotes it.
func excerpt(s string) string { return text.Excerpt(s, 40) }
