package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// meter shows on a terminal how far a sweep is.
type meter struct {
	stop func()
	done chan struct{}
}

// start shows the progress of a sweep each second.
func (m *meter) start(s *serving) {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.stop, m.done = cancel, make(chan struct{})
	began, before := time.Now(), s.missing
	go func() {
		defer close(m.done)
		for {
			select {
			case <-ctx.Done():
				fmt.Fprint(os.Stderr, "\r\x1b[K")
				return
			case <-time.After(time.Second):
				fmt.Fprintf(os.Stderr, "\r\x1b[K%s", s.status(ctx, time.Since(began), before))
			}
		}
	}()
}

// print writes a line of its own.
func (m *meter) print(text string) {
	begin := ""
	if m.stop != nil {
		begin = "\r\x1b[K"
	}
	fmt.Fprintf(os.Stderr, "%ssimctl sweep: %s\n", begin, printable(text))
}

// clear takes the line away.
func (m *meter) clear() {
	if m.stop != nil {
		m.stop()
		<-m.done
	}
}

// status is the line of progress.
func (s *serving) status(ctx context.Context, since time.Duration, before int) string {
	missing := int(s.left.Load())
	done := before - missing
	line := fmt.Sprintf("%d of %d batches, %.1f/s", s.meta.Batches-missing, s.meta.Batches, float64(done)/since.Seconds())
	soon, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if c, err := s.js.Consumer(soon, s.names().work(), consumer); err == nil {
		info := c.CachedInfo()
		line += fmt.Sprintf(", %d workers", info.NumAckPending+info.NumWaiting)
	}
	if done > 0 {
		line += ", " + (since / time.Duration(done) * time.Duration(missing)).Round(time.Second).String() + " left"
	}
	return line
}
