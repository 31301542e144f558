package gclog

import (
	"strings"
	"time"

	"fencepost/internal/lazyregexp"
)

// A classic reads the collections of JDK 7 and 8. One is a bracket that opens
// with its cause and closes after its length:
//
//	6.062: [GC (Allocation Failure) 6.062: [ParNew: 4096K->15K(5120K), 0.0530 secs] 4096K->15K(11264K), 0.0532 secs]
//
// Concurrent threads write to the same file, so other brackets, whole lines and
// line breaks may stand anywhere inside; what cannot be broken up is the nesting.
//
// Source: HotSpot 8, GCTraceTime and G1GCPhaseTimes::print;
// CMSCollector::checkpointRootsFinal for the collection inside a remark.
type classic struct {
	open  []collection // at most two: a remark and the young collection inside it
	timed int          // the line of the last collection, 0 if its times have been read
}

// A collection is a bracket that is not closed yet.
type collection struct {
	start  Problem // its first line
	at     time.Duration
	kind   string
	depth  int  // brackets open, its own included
	nested bool // a collection may follow inside
}

// isClassic reports whether a line is of JDK 7 or 8: a collection starts on it,
// or it is about stopped threads and undecorated.
func isClassic(text string) bool {
	if i := strings.Index(text, stopped); i >= 0 {
		return !isDecorated(text[:i])
	}
	for i := 0; i < len(text); i++ {
		if text[i] == '[' && collectionKind(text[i+1:]) != "" {
			return true
		}
	}
	return false
}

// read reads the current line of r.
func (c *classic) read(r *reader) {
	text := r.text
	r.stopped()
	c.late(r)
	since := 0 // where the text after the last bracket starts
	depth := 0 // brackets open on this line
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
			c.opens(r, text[:i], text[i+1:])
		case ']':
			if depth == 0 && len(c.open) == 0 && inSecs().MatchString(text[since:i]) {
				r.fail(GC, "a length without the start of its pause")
			}
			depth = max(0, depth-1)
			c.closes(r, text[since:i], text[i+1:])
		default:
			continue
		}
		since = i + 1
	}
}

func (c *classic) opens(r *reader, before, after string) {
	if kind := collectionKind(after); kind != "" {
		c.begin(r, collection{start: r.problem(""), at: classicStamp(before), kind: kind, depth: 1})
		return
	}
	if len(c.open) == 0 || !isBracket(after) {
		return
	}
	top := &c.open[len(c.open)-1]
	top.depth++
	// With -XX:+CMSScavengeBeforeRemark a remark first prints the young
	// generation's occupancy and then runs a young collection, in the same stop.
	if strings.HasPrefix(after, "YG occupancy") {
		top.nested = true
	}
}

// begin opens a collection. One that is still open was lost, unless it is a
// remark with its young collection.
func (c *classic) begin(r *reader, next collection) {
	if len(c.open) == 1 && c.open[0].nested {
		c.open[0].nested = false
	} else {
		for _, lost := range c.open {
			lost.start.Reason = "the pause is never closed"
			r.tally(GC).fail(lost.start)
		}
		c.open = c.open[:0]
	}
	c.open = append(c.open, next)
}

var (
	// inSecs is how the length stands before the bracket that closes a collection.
	inSecs = lazyregexp.New(`, ([\d.,]+) secs$`)
	// times is what -XX:+PrintGCDetails writes right behind it, in hundredths.
	times = lazyregexp.New(`^ \[Times: user=\S+ sys=\S+,? real=(\S+) secs\]`)
)

// slack is by how much a length and its real= may differ, besides a tenth: of 327 lines of
// three public logs the most is 10 ms.
const slack = 100 * time.Millisecond

// closes takes a closing bracket, the text between it and the bracket before, and what
// follows it.
// A collection inside a remark is part of the remark's length, not a pause more.
func (c *classic) closes(r *reader, text, after string) {
	last := len(c.open) - 1
	if last < 0 {
		return
	}
	top := &c.open[last]
	if top.depth--; top.depth > 0 {
		return
	}
	done := *top
	c.open = c.open[:last]
	if last > 0 {
		return
	}
	m := inSecs().FindStringSubmatch(text)
	if m == nil {
		r.fail(GC, "no comma and length in secs before the closing bracket")
		return
	}
	length, err := parsePrinted(m[1], time.Second)
	real := length
	if m := times().FindStringSubmatch(after); err == nil && m != nil {
		real, err = parsePrinted(m[1], time.Second)
	}
	if err != nil {
		r.fail(GC, err.Error())
		return
	}
	r.add(GC, Pause{At: done.at, For: length, Kind: done.kind})
	r.compare(real)
	c.timed = r.line
}

// late reads the times of a collection of G1, which stand on a line of their own behind its
// phases.
func (c *classic) late(r *reader) {
	if !strings.HasPrefix(r.text, " [Times: ") || len(c.open) > 0 || c.timed == 0 {
		return
	}
	c.timed = 0
	if m := times().FindStringSubmatch(r.text); m != nil {
		if real, err := parsePrinted(m[1], time.Second); err == nil {
			r.compare(real)
		}
	}
}

// compare compares the last collection with its time by the clock on the wall. Where the two
// disagree, as on a host that swaps, the stop was as long as the longer says: it counts, and
// is doubtful.
func (r *reader) compare(real time.Duration) {
	t := r.tally(GC)
	p := &t.pauses[len(t.pauses)-1]
	if (p.For - real).Abs() <= slack+max(p.For, real)/10 {
		return
	}
	p.For = max(p.For, real)
	if t.doubtful++; t.firstDoubtful == 0 {
		t.firstDoubtful = r.line
	}
}

// unfinished returns the collection that is open at the end of the log, if any.
func (c *classic) unfinished() *Problem {
	if len(c.open) == 0 {
		return nil
	}
	p := c.open[0].start
	p.Reason = "the log is cut inside this pause"
	return &p
}

// collectionName matches "GC" or "Full GC", for G1 its phase, and the causes in parentheses.
var collectionName = lazyregexp.New(`^(Full GC|GC( pause| remark| cleanup)?)( ?\((\(\)|[^()])*\))*`)

// collectionKind returns the name of the collection that text, which follows an
// opening bracket, starts; "" if it starts something else.
func collectionKind(text string) string {
	if !strings.HasPrefix(text, "GC") && !strings.HasPrefix(text, "Full GC") {
		return ""
	}
	for _, part := range []string{"GC concurrent-", "GC ref-proc", "GC Worker"} {
		if strings.HasPrefix(text, part) {
			return ""
		}
	}
	name := collectionName().FindString(text)
	if rest := text[len(name):]; rest != "" && isLetter(rest[0]) {
		return ""
	}
	return name
}

// isBracket reports whether an opening bracket before text has a closing one. An
// address range "[0x1000, 0x2000)" has none, nor has an array class of a
// histogram, "[B", "[[I" or "[Ljava.lang.Object;".
func isBracket(text string) bool {
	switch {
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "["), strings.HasPrefix(text, "L"):
		return false
	case text == "":
		return true
	}
	return !isLetter(text[0]) || len(text) > 1 && (isLetter(text[1]) || '0' <= text[1] && text[1] <= '9')
}

func isLetter(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z'
}

// A date alone, "2015-03-07T15:09:22.950+0000: ", also ends in a number.
var classicUptime = lazyregexp.New(`(?:^|[^-+:.,\d])(\d+[.,]\d+): (?:#\d+: )?$`)

// classicStamp returns the uptime that ends text, as in "6.062: ", with or
// without a date before it and the number of -XX:+PrintGCID after it; -1 if there
// is none.
func classicStamp(text string) time.Duration {
	const longest = 64 // of all stamps together; a line may hold many after a long text
	m := classicUptime().FindStringSubmatch(text[max(0, len(text)-longest):])
	if m == nil {
		return -1
	}
	return parseStamp(strings.Replace(m[1], ",", ".", 1), time.Second)
}
