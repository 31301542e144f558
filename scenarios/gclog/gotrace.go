package gclog

import (
	"strings"
	"time"

	"fencepost/internal/lazyregexp"
)

var (
	goStart = lazyregexp.New(`\bgc \d+ @`)
	goLine  = lazyregexp.New(`\bgc \d+ @(\S+)s +\d+%: ([^+ ]+)\+([^+ ]+)\+([^+ ]+) ms clock`)
)

// isGoTrace reports whether a collection cycle of GODEBUG=gctrace=1 starts on a
// line. The program writes to the same stream, maybe without a line end.
func isGoTrace(text string) bool {
	return strings.Contains(text, "gc ") && goStart().MatchString(text)
}

// goCycle reads one cycle: "@t" is when it starts and "a+b+c ms clock" are the
// lengths of sweep termination, concurrent mark and mark termination. The first
// and the last stop the world.
//
// Source: package runtime, "Environment Variables", gctrace.
func (r *reader) goCycle() {
	if !isGoTrace(r.text) {
		return
	}
	m := goLine().FindStringSubmatch(r.text)
	if m == nil {
		r.fail(Go, `no "@t s p%: a+b+c ms clock"`)
		return
	}
	start := parseStamp(m[1], time.Second)
	mark := parseStamp(m[3], time.Millisecond) // not a pause, so not bound by MaxPause
	if start < 0 || mark < 0 {
		r.fail(Go, "bad start or mark time")
		return
	}
	sweep, err := parseLength(m[2], time.Millisecond)
	if err != nil {
		r.fail(Go, err.Error())
		return
	}
	end, err := parseLength(m[4], time.Millisecond)
	if err != nil {
		r.fail(Go, err.Error())
		return
	}
	r.add(Go, Pause{At: start, For: sweep, Kind: "sweep-term"})
	r.add(Go, Pause{At: start + sweep + mark, For: end, Kind: "mark-term"})
}
