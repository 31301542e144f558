package eventlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// clockReader reads clocks, {"alice":2,"bob":1}, and gives hosts their numbers.
type clockReader struct {
	hosts  []string
	number map[string]int32

	text  string
	at    int
	err   *clockError
	clock []counter
	last  []named // the hosts of the clock before: those of the next mostly come in the same order
	names int     // of this clock
}

// named is a host as a clock spells it.
type named struct {
	text string // with its quotes
	host int32
}

// clockError is what is wrong with a clock, and how many bytes from its beginning.
type clockError struct {
	at  int
	why string
}

func (r *clockReader) fail(at int, format string, args ...any) {
	if r.err == nil {
		r.err = &clockError{at, fmt.Sprintf(format, args...)}
	}
}

// intern is the number of a host.
func (r *clockReader) intern(name string, at int) int32 {
	if host, known := r.number[name]; known {
		return host
	}
	switch {
	case name == "":
		r.fail(at, "the host has no name")
	case len(name) > MaxName:
		r.fail(at, "the name of the host has %d bytes: want at most %d", len(name), MaxName)
	case len(r.hosts) == MaxHosts:
		r.fail(at, "more than %d hosts", MaxHosts)
	default:
		host := int32(len(r.hosts))
		r.hosts, r.number[name] = append(r.hosts, name), host
		return host
	}
	return 0
}

// read reads a clock. The result is good until the next call.
func (r *clockReader) read(text string) ([]counter, *clockError) {
	r.text, r.at, r.err, r.clock, r.names = text, 0, nil, r.clock[:0], 0
	r.want('{')
	for r.err == nil && !r.eat('}') {
		if r.names > 0 && !r.eat(',') {
			r.fail(r.at, "expected ',' or '}', got %s", r.next())
			break
		}
		r.entry()
		r.names++
	}
	if r.peek(); r.err == nil && r.at < len(text) {
		r.fail(r.at, "more behind the clock: %s", r.next())
	}
	if r.err != nil {
		return nil, r.err
	}
	if !slices.IsSorted(r.clock) {
		slices.Sort(r.clock)
	}
	for i := range r.clock {
		if i > 0 && r.clock[i-1].host() == r.clock[i].host() {
			r.fail(0, "%q comes twice", excerpt(r.hosts[r.clock[i].host()]))
		}
	}
	return r.clock, r.err
}

// entry reads a host and its counter. One that is 0 says no more than none.
func (r *clockReader) entry() {
	host := r.host()
	r.want(':')
	n := r.count()
	if r.err != nil || n == 0 {
		return
	}
	r.clock = append(r.clock, count(host, n))
}

// host reads a name in quotes.
func (r *clockReader) host() int32 {
	r.peek()
	at := r.at
	if !r.eat('"') {
		r.fail(at, "expected a host in quotes, got %s", r.next())
		return 0
	}
	if r.names < len(r.last) && strings.HasPrefix(r.text[at:], r.last[r.names].text) {
		r.at = at + len(r.last[r.names].text)
		return r.last[r.names].host
	}
	for r.at < len(r.text) && r.text[r.at] != '"' {
		if r.text[r.at] == '\\' {
			r.at++
		}
		r.at++
	}
	if r.at >= len(r.text) {
		r.at = len(r.text)
		r.fail(at, "the quote is not closed")
		return 0
	}
	r.at++
	quoted := r.text[at:r.at]
	name := quoted[1 : len(quoted)-1]
	if strings.IndexByte(name, '\\') >= 0 || !utf8.ValidString(name) {
		if err := json.Unmarshal([]byte(quoted), &name); err != nil {
			r.fail(at, "%s is no string of JSON", shown(quoted))
			return 0
		}
	}
	host := r.intern(name, at)
	if r.names < len(r.last) {
		r.last[r.names] = named{quoted, host}
	} else if r.names == len(r.last) {
		r.last = append(r.last, named{quoted, host})
	}
	return host
}

// count reads a counter.
func (r *clockReader) count() uint64 {
	r.peek()
	at := r.at
	n, full := uint64(0), false
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		n = n*10 + uint64(r.text[r.at]-'0')
		if full = full || n > maxCount; full {
			n = 0
		}
		r.at++
	}
	switch {
	case r.err != nil:
	case at == r.at && r.eat('-'):
		r.fail(at, "the counter %s is negative", r.digits(at))
	case at == r.at:
		r.fail(at, "expected a counter, got %s", r.next())
	case full:
		r.fail(at, "the counter %s is above the limit of %d", r.digits(at), uint64(maxCount))
	case r.at < len(r.text) && strings.IndexByte(".eE", r.text[r.at]) >= 0:
		r.fail(at, "the counter %s is no whole number", r.digits(at))
	}
	return n
}

// digits is the number at an offset, for a message.
func (r *clockReader) digits(at int) string {
	rest := r.text[at:]
	return excerpt(rest[:len(rest)-len(strings.TrimLeft(rest, "+-.eE0123456789"))])
}

// peek goes to the next byte that is no space.
func (r *clockReader) peek() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// eat takes a byte if it is the next.
func (r *clockReader) eat(c byte) bool {
	r.peek()
	if r.at == len(r.text) || r.text[r.at] != c || r.err != nil {
		return false
	}
	r.at++
	return true
}

// want takes a byte that has to be the next.
func (r *clockReader) want(c byte) {
	if !r.eat(c) {
		r.fail(r.at, "expected %q, got %s", c, r.next())
	}
}

// next is what comes next, for a message.
func (r *clockReader) next() string {
	if r.peek(); r.at == len(r.text) {
		return "the end"
	}
	return strconv.Quote(excerpt(r.text[r.at:]))
}
