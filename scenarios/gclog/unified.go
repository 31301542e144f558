package gclog

import (
	"strings"
	"time"

	"fencepost/internal/lazyregexp"
)

const stopped = "Total time for which application threads were stopped: "

var (
	// Between the name and the Total, JDK 17 has "Cleanup", JDK 25 "Leaving
	// safepoint" and JDK 21 both; JDK 25 continues after the Total.
	safepointLine = lazyregexp.New(`^Safepoint "([^"]*)", .*\bTotal: (\d+) ns`)

	stoppedLine    = lazyregexp.New(`^` + stopped + `(\S+) seconds`)
	collectionLine = lazyregexp.New(`\bGC\(\d+\) `)
	generation     = lazyregexp.New(`^[A-Za-z]: `) // of generational ZGC: y, Y (young), O (old)
)

// isUnified reports whether a line is one of -Xlog about a collection, a
// safepoint or stopped threads.
func isUnified(text string) bool {
	if i := strings.Index(text, stopped); i >= 0 {
		return isDecorated(text[:i])
	}
	return strings.Contains(text, `Safepoint "`) ||
		strings.Contains(text, "GC(") && collectionLine().MatchString(text)
}

// isDecorated reports whether the text before a message is the decorations of -Xlog.
func isDecorated(text string) bool {
	return strings.HasSuffix(strings.TrimSpace(text), "]")
}

// unified reads a line of -Xlog. A line is written when its stop is over.
//
// Source: HotSpot, SafepointTracing::end; logs of JDK 11 to 25.
func (r *reader) unified() {
	r.stopped()
	if i := strings.Index(r.text, `Safepoint "`); i >= 0 {
		r.safepoint(uptime(r.text[:i]), r.text[i:])
	} else if m := collectionLine().FindStringIndex(r.text); m != nil {
		r.collection(uptime(r.text[:m[0]]), strings.TrimSpace(r.text[m[1]:]))
	}
}

// stopped reads "Total time for which application threads were stopped", which
// JDK 7 to 12 write.
func (r *reader) stopped() {
	i := strings.Index(r.text, stopped)
	if i < 0 {
		return
	}
	m := stoppedLine().FindStringSubmatch(r.text[i:])
	if m == nil {
		r.fail(App, "no length in seconds")
		return
	}
	length, err := parsePrinted(m[1], time.Second)
	if err != nil {
		r.fail(App, err.Error())
		return
	}
	stamp := classicStamp(r.text[:i])
	if isDecorated(r.text[:i]) {
		stamp = uptime(r.text[:i])
	}
	r.addEnded(App, stamp, length, "stopped")
}

func (r *reader) safepoint(stamp time.Duration, message string) {
	m := safepointLine().FindStringSubmatch(message)
	if m == nil || strings.Count(message, `Safepoint "`) > 1 {
		r.fail(Safepoint, "not one Total in ns")
		return
	}
	length, err := parseLength(m[2], time.Nanosecond)
	if err != nil {
		r.fail(Safepoint, err.Error())
		return
	}
	r.addEnded(Safepoint, stamp, length, m[1])
}

// collection reads what follows "GC(n) ". A line [gc,start] is the same without
// the heap's change and the length.
func (r *reader) collection(stamp time.Duration, message string) {
	if !strings.HasPrefix(message[len(generation().FindString(message)):], "Pause ") {
		return
	}
	heap := strings.Index(message, "->")
	space := strings.LastIndexByte(message, ' ')
	number, ok := strings.CutSuffix(message[space+1:], "ms")
	if !ok {
		if heap >= 0 {
			r.fail(GC, "no length in ms at the end")
		}
		return
	}
	if collectionLine().MatchString(message) {
		r.fail(GC, "another line inside this one")
		return
	}
	length, err := parsePrinted(number, time.Millisecond)
	if err != nil {
		r.fail(GC, err.Error())
		return
	}
	kind := message[:space]
	if heap >= 0 {
		kind = message[:max(0, strings.LastIndexByte(message[:heap], ' '))]
	}
	r.addEnded(GC, stamp, length, kind)
}

// uptime returns the time since the process started among decorations such as
// "[2026-03-16T16:44:06Z][2.029s][info][gc]"; -1 if there is none. Several
// clocks may be shown (uptime, uptimemillis, timenanos, ...) and nothing but the
// value tells them apart: the process is younger than the machine and the
// epoch, so the smallest is the uptime.
func uptime(decorations string) time.Duration {
	least := time.Duration(-1)
	for decorations != "" {
		_, after, _ := strings.Cut(decorations, "[")
		var one string
		one, decorations, _ = strings.Cut(after, "]")
		if d := parseDecoration(one); d >= 0 && (least < 0 || d < least) {
			least = d
		}
	}
	return least
}

func parseDecoration(text string) time.Duration {
	number, unit := cutUnit(strings.Replace(text, ",", ".", 1))
	if unit == 0 {
		return -1
	}
	return parseStamp(number, unit)
}
