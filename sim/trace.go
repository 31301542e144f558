package sim

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// tracer writes one line for each step: the true instant, the node and its own
// clocks, what it handled, and what it asked for.
type tracer[M Message] struct {
	out  io.Writer
	line strings.Builder
}

// step writes the step under way.
//
//	10.015s  redis-1   mono 10.015s wall 10.015s  client-2: set c2#1 px 10s  -> client-2: ok
func (t *tracer[M]) step(w *World[M]) {
	in := &w.handling
	b := &t.line
	b.Reset()
	fmt.Fprintf(b, "%12s  %-10s mono %s wall %s  ", w.now, w.names[in.Self], Seconds(int64(in.Mono)), Seconds(int64(in.Wall)))
	if in.From != in.Self {
		fmt.Fprintf(b, "%s: ", w.names[in.From])
	}
	b.WriteString(in.Msg.String())
	for i := range w.log {
		e := &w.log[i]
		switch e.kind {
		case sends:
			fmt.Fprintf(b, "; send %s: %v", w.names[e.to], e.msg)
		case arms:
			fmt.Fprintf(b, "; after %v: %v", time.Duration(e.length), e.msg)
		case sets:
			fmt.Fprintf(b, "; at wall %s: %v", Seconds(e.length), e.msg)
		case notes:
			fmt.Fprintf(b, "; note %v", e.msg)
		}
	}
	if w.out.mode == holding {
		b.WriteString("  (held back)")
	}
	b.WriteByte('\n')
	_, _ = io.WriteString(t.out, b.String())
}

// sameEffects compares what two runs of a step asked for.
func sameEffects[M Message](a, b []effect[M]) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !reflect.DeepEqual(a[i], b[i]) {
			return false
		}
	}
	return true
}
