package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Batches that two workers do: a part says nothing of who computed it, and a worker whose memory, processor or simctl is
// broken gives numbers that fit each other. The second worker is handed such a batch when the first result is there.

// isShare reports whether a text is a share as --check takes it.
func isShare(text string) bool {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	return percent && err == nil && v >= 0 && v <= 100
}

// twiceOf is how many of some batches are done twice: at least one, if any share is.
func twiceOf(share string, batches int) int {
	v, _ := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
	n := int(v * float64(batches) / 100)
	if v > 0 && n == 0 {
		return 1
	}
	return n
}

// isTwice reports whether a batch is done twice; these are as far apart as possible.
func (s *serving) isTwice(number int) bool {
	n, twice, all := int64(number), int64(s.twice), int64(s.meta.Batches)
	return n*twice/all > (n-1)*twice/all
}

// second takes a result of a batch that is done twice. Equal says that it is the second, is what the first is, and is kept.
func (s *serving) second(ctx context.Context, msg *jetstream.RawStreamMsg, number int, worker string, line []byte) (equal bool, err error) {
	before := s.firsts[number]
	switch first := msg.Subject == s.names().result(number); {
	case first && before == "":
		if err := write(s.once(number), line); err != nil {
			return false, err
		}
		s.firsts[number] = worker
		return false, s.handOutAgain(ctx, number)
	case first:
		return false, nil
	case before == "" || before == worker: // it says nothing, and stands where another worker's result belongs
		return false, s.remove(ctx, msg)
	}
	delete(s.firsts, number)
	kept, err := os.ReadFile(s.once(number))
	if err != nil {
		return false, err
	}
	if bytes.Equal(kept, line) {
		return true, os.Rename(s.once(number), s.path(number))
	}
	s.failures[number] = fmt.Sprintf("workers %s and %s give different results, and neither is taken: they are in %s and %s",
		before, worker, s.once(number), s.aside(number))
	if err := write(s.aside(number), line); err != nil {
		return false, err
	}
	return false, again(ctx, s.Wait, func(ctx context.Context) error {
		results, err := s.js.Stream(ctx, s.names().results())
		for _, subject := range []string{s.names().result(number), s.names().compare(number)} {
			if err == nil {
				err = results.Purge(ctx, jetstream.WithPurgeSubject(subject))
			}
		}
		return err
	})
}

// handOutAgain hands out a batch whose first result is there.
func (s *serving) handOutAgain(ctx context.Context, number int) error {
	err := again(ctx, s.Wait, func(ctx context.Context) error {
		_, err := s.js.PublishMsg(ctx, &nats.Msg{Subject: s.names().second(number), Header: nats.Header{idHeader: {s.meta.id()}}})
		return err
	})
	if isSecond(err) {
		return nil
	}
	return err
}

// askAfter is how long all that is missing is a second result before a worker is asked for.
const askAfter = 5 * time.Second

// askForSecond says once that a second worker is needed.
func (s *serving) askForSecond(idle time.Duration) {
	if s.asked || idle < askAfter || len(s.firsts) == 0 || len(s.firsts) < s.missing-len(s.failures) {
		return
	}
	s.asked = true
	s.progress.print(fmt.Sprintf("--check: %d batches wait for another worker than the one that did them: start one", len(s.firsts)))
}
