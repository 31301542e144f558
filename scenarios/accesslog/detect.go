package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/logtext"
)

// sampled is a line that was read to find the format, and is read again.
type sampled struct {
	text []byte
	n    int64
	long bool
}

// Bounds of what is read to find the format.
const (
	sampleLines = 1000
	sampleBytes = 1 << 20
	guesses     = 16
)

// candidate is a format that a log may have, and what is around its lines.
type candidate struct {
	format string
	within []string // names of envelopes, the outermost first
	parser parser
	header int64 // number of the line that heads a table, 0 without
	err    error // it does not have the key
	reads  int   // lines of the sample
}

// detect finds the format that most of the first lines have.
func (r *Reader) detect(key string) error {
	size := 0
	for len(r.sample) < sampleLines && size < sampleBytes {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		r.sample = append(r.sample, sampled{bytes.Clone(line), r.lines.N, r.lines.Long})
		size += len(line)
	}
	switch {
	case len(r.sample) == 0 && r.lines.Err() != nil:
		return r.lines.Err()
	case len(r.sample) == 0:
		return errors.New("the log is empty")
	}
	best := r.best(key)
	if best == nil {
		return r.unknown("")
	}
	r.found.Format, r.found.Within, r.parser = best.format, best.within, best.parser
	for _, name := range best.within {
		r.chain = append(r.chain, *envelopeOf(name))
	}
	switch p := best.parser.(type) {
	case *table:
		r.table, r.found.header = true, best.header
		r.found.Fields = printable(strings.Join(p.names, ", "))
	case *object:
		r.found.Fields = printable(strings.Join(p.scan.want[0], ".") + ", " + strings.Join(p.scan.want[1], "."))
	}
	switch {
	case best.reads == 0 && best.err != nil && best.header > 0:
		return fmt.Errorf("line %d: %w", best.header, best.err)
	case best.reads == 0 && best.err != nil:
		return best.err
	case best.reads == 0:
		return r.unknown(best.format)
	}
	r.era = r.median()
	return nil
}

// median is that of the times of the sample, the earlier of two.
func (r *Reader) median() int64 {
	var times []int64
	for _, s := range r.sample {
		if text, ok := strip(r.chain, s.text, r.table); ok && !s.long {
			if at, _, reason := r.parser.parse(text); reason == "" {
				times = append(times, at)
			}
		}
	}
	slices.Sort(times)
	return times[(len(times)-1)/2]
}

// best is the candidate that reads most of the sample, the first of equals, nil if there
// is none.
func (r *Reader) best(key string) *candidate {
	var list []*candidate
	content := false
	for _, s := range r.sample {
		line := bytes.TrimSpace(s.text)
		if len(line) == 0 || s.long {
			continue
		}
		head := int64(0)
		if !content {
			head = s.n
		}
		content = true
		read := false
		for _, c := range list {
			if c.parser == nil || s.n == c.header {
				continue
			}
			if text, ok := strip(c.chain(), line, c.header > 0); ok {
				if _, _, reason := c.parser.parse(text); reason == "" {
					c.reads++
					read = true
				}
			}
		}
		if !read && len(list) < guesses {
			for _, c := range guess(line, key, head, nil) {
				if !slices.ContainsFunc(list, c.same) {
					list = append(list, c)
				}
			}
		}
	}
	var best *candidate
	for _, c := range list {
		if best == nil || c.reads > best.reads {
			best = c
		}
	}
	return best
}

// chain is what strips what is around the lines.
func (c *candidate) chain() []envelope {
	list := make([]envelope, len(c.within))
	for i, name := range c.within {
		list[i] = *envelopeOf(name)
	}
	return list
}

// same reports whether two are the same format in the same envelopes.
func (c *candidate) same(o *candidate) bool {
	a, ok1 := c.parser.(*object)
	b, ok2 := o.parser.(*object)
	if ok1 && ok2 && !slices.EqualFunc(a.scan.want[:], b.scan.want[:], slices.Equal) {
		return false
	}
	return c.format == o.format && c.header == o.header && slices.Equal(c.within, o.within)
}

func envelopeOf(name string) *envelope {
	return &envelopes[slices.IndexFunc(envelopes, func(e envelope) bool { return e.name == name })]
}

// strip takes off what is around a line. Quotes around the whole of one are not of a table.
func strip(chain []envelope, line []byte, table bool) ([]byte, bool) {
	line = bytes.TrimSpace(line)
	if !table {
		line = unquoted(line)
	}
	for i := range chain {
		var ok bool
		if line, ok = chain[i].strip(&chain[i], line); !ok {
			return nil, false
		}
	}
	return line, len(line) > 0
}

// guess is what a line may be: of a format as it is, or else within an envelope. Only the
// first line, whose number is head, can head a table.
func guess(line []byte, key string, head int64, within []string) (list []*candidate) {
	if head > 0 {
		if t, err := newTable(line, key); t != nil || err != nil {
			c := &candidate{format: CSV, within: within, header: head, err: err}
			if t != nil {
				c.parser = t
			}
			return []*candidate{c}
		}
	}
	if text := unquoted(line); len(text) > 0 {
		if c := guessFormat(text, key); c != nil {
			c.within = within
			if c.parser != nil && c.err == nil {
				if _, _, reason := c.parser.parse(text); reason == "" {
					c.reads = 1
				}
			}
			return []*candidate{c}
		}
		line = text
	}
	if len(within) == maxEnvelopes {
		return nil
	}
	for i := range envelopes {
		e := envelopes[i]
		if rest, ok := e.strip(&e, line); ok && len(rest) > 0 {
			list = append(list, guess(rest, key, head, append(slices.Clone(within), e.name))...)
		}
	}
	return list
}

// guessFormat is the format of a line without what is around it, nil if it has none.
func guessFormat(line []byte, key string) *candidate {
	if line[0] == '{' {
		o, err := newObject(line, key)
		switch {
		case err != nil:
			return &candidate{format: JSON, err: err}
		case o == nil:
			return nil
		}
		return &candidate{format: JSON, parser: o}
	}
	clf := &common{key: Client}
	if _, _, reason := clf.parse(line); reason == "" {
		c := &candidate{format: Common, parser: &common{key: key}}
		headers := clf.hasHeaders(line)
		if headers {
			c.format = Combined
		}
		return c.keyed(key, commonKeys(headers))
	}
	if _, _, reason := (&envoy{key: Client}).parse(line); reason == "" {
		return (&candidate{format: Envoy, parser: &envoy{key: key}}).keyed(key, envoyKeys)
	}
	if _, _, reason := (&balancer{key: Client}).parse(line); reason == "" {
		return (&candidate{format: ALB, parser: &balancer{key: key}}).keyed(key, envoyKeys)
	}
	return nil
}

// keyed is the candidate with the error for a key that it does not have.
func (c *candidate) keyed(key string, keys []string) *candidate {
	if !slices.Contains(keys, key) {
		c.err = fmt.Errorf("key %q: a log in %s format has none: want one of %s", key, c.format, listed(keys))
		c.parser = nil
	}
	return c
}

// unknown is the error for a log of which no line can be read.
func (r *Reader) unknown(format string) error {
	var b strings.Builder
	rows, zero, directive := 0, false, int64(0)
	problems := []Problem{}
	clf := &common{key: Client}
	for _, s := range r.sample {
		line := bytes.TrimSpace(s.text)
		if len(line) == 0 || s.n == r.found.header {
			continue
		}
		rows++
		zero = zero || bytes.IndexByte(line, 0) >= 0
		if directive == 0 && bytes.HasPrefix(line, []byte("#Fields:")) {
			directive = s.n
		}
		reason := logtext.Options{MaxLine: MaxLine}.TooLong()
		if !s.long && r.parser != nil {
			_, _, reason = r.parser.parse(line)
		} else if !s.long {
			_, _, reason = clf.parse(line)
		}
		if len(problems) < shown && reason != "" {
			problems = append(problems, Problem{s.n, excerpt(s.text), reason})
		}
	}
	switch {
	case format == CSV:
		fmt.Fprintf(&b, "no row of the table can be read (%d rows)", rows)
	case zero:
		b.WriteString("zero bytes, and no line of a known format: the file is binary")
		return errors.New(b.String())
	case directive > 0:
		fmt.Fprintf(&b, "line %d: a W3C extended log, as of IIS and CloudFront, is not read: write its time and client as a CSV whose header is time,client, with times such as 2015-05-17T10:05:03Z", directive)
		return errors.New(b.String())
	default:
		fmt.Fprintf(&b, `no line of %d is of a known format. Tried were
  common    192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 512
  combined  the same, followed by "referer" "user agent"
  json      {"time": "2015-05-17T10:05:03Z", "remote_addr": "192.0.2.1"}, of nginx, Caddy, Traefik or Envoy
  envoy     [2015-05-17T10:05:03.000Z] "GET / HTTP/1.1" 200 - 0 512 1 1 "192.0.2.1" "user agent" ...
  alb       https 2015-05-17T10:05:03.000000Z app/name/id 192.0.2.1:2817 10.0.0.1:80 ... "GET https://host/ HTTP/1.1" "user agent"
  csv       a header such as time,client, and below it 2015-05-17T10:05:03Z,192.0.2.1
each as it is or with what these put before it: %s`, len(r.sample), listed(envelopeNames()))
	}
	for _, p := range problems {
		b.WriteString("\n" + p.String())
	}
	return errors.New(b.String())
}

func envelopeNames() (names []string) {
	for i := range envelopes {
		names = append(names, envelopes[i].name)
	}
	return names
}
