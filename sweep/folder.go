package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// maxBatches is how many shards simctl takes.
const maxBatches = 100_000

// batchWork is how long the work of a batch is meant to be, and batchTrial for how long
// that is tried out. What the server does for a batch is below a millisecond.
const (
	batchWork  = 250 * time.Millisecond
	batchTrial = 500 * time.Millisecond
)

// sweepFile is what the folder is of.
const sweepFile = "sweep.json"

// prepare begins the folder, or continues with it, and divides the command.
func (s *serving) prepare() error {
	file := filepath.Join(s.Dir, sweepFile)
	text, err := os.ReadFile(file)
	switch {
	case err == nil && !s.Resume:
		return fmt.Errorf("%s has a sweep: --resume continues it", s.Dir)
	case err == nil:
		return s.resume(file, text)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case s.Resume:
		return fmt.Errorf("--resume: there is no %s: want the folder of a sweep that was interrupted", file)
	}
	if list, err := os.ReadDir(s.Dir); err == nil && len(list) > 0 {
		return fmt.Errorf("%s is not empty: want a new folder", s.Dir)
	}
	if s.meta, err = s.divided(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(s.Dir, "parts"), 0o777); err != nil {
		return err
	}
	if text, err = json.Marshal(s.meta); err != nil {
		return err
	}
	s.begin()
	s.unused = true
	return write(file, append(text, '\n'))
}

// discard removes what prepare has begun, so that the same command can be given again without --resume.
func (s *serving) discard() {
	for _, name := range []string{sweepFile, "parts", "store"} {
		_ = os.RemoveAll(filepath.Join(s.Dir, name))
	}
}

// begin starts with nothing.
func (s *serving) begin() {
	s.have, s.failures, s.firsts = make([]bool, s.meta.Batches+1), map[int]string{}, map[int]string{}
	s.missing, s.end = s.meta.Batches, s.meta.Batches
	s.left.Store(int64(s.missing))
}

// resume continues with what the folder has.
func (s *serving) resume(file string, text []byte) error {
	s.meta = &meta{}
	if err := json.Unmarshal(text, s.meta); err != nil || s.meta.Batches < 1 || s.meta.Batches > maxBatches {
		return fmt.Errorf("%s is damaged", file)
	}
	c, err := startChild(s.Command, s.meta.Batches)
	if err != nil {
		return err
	}
	s.checker = c
	if err := s.meta.Job.mismatch(&c.job); err != nil {
		return fmt.Errorf("--resume: this is not the command of the sweep in %s: %w", s.Dir, err)
	}
	s.begin()
	for i := 1; i <= s.meta.Batches; i++ {
		if err := s.found(i); err != nil {
			return err
		}
	}
	return nil
}

// found counts the part of a batch that is in the folder. One of no use is moved aside, and its batch done again.
func (s *serving) found(number int) error {
	info, err := os.Stat(s.path(number))
	if err != nil {
		return nil // it is done again
	}
	bad := errLarge
	var last bool
	if info.Size() <= maxPart {
		line, err := os.ReadFile(s.path(number))
		if err != nil {
			return err
		}
		last, bad = s.verify(number, line)
	}
	if bad == nil {
		s.took(number, last)
		return nil
	}
	fmt.Fprintf(os.Stderr, "simctl sweep: %s: %s\nmoved to %s; the batch is done again\n", s.path(number), printable(bad.Error()), s.aside(number))
	return os.Rename(s.path(number), s.aside(number))
}

// verify says why a line is not the part of a batch. Whether its numbers can be the result of its runs it asks simctl.
func (s *serving) verify(number int, line []byte) (last bool, err error) {
	p, whole := parsePart(line)
	switch {
	case !whole:
		return false, errors.New("it is no part, or a damaged one")
	case p.Shard != number || p.Of != s.meta.Batches:
		return false, fmt.Errorf("it is part %d of %d: want %d of %d", p.Shard, p.Of, number, s.meta.Batches)
	}
	if err := s.meta.Job.mismatch(&p.Job); err != nil {
		return false, err
	}
	if s.checker == nil {
		if s.checker, err = startChild(s.Command, s.meta.Batches); err != nil {
			return false, err
		}
	}
	bad, err := s.checker.check(line)
	switch {
	case err != nil:
		s.checker = nil // it has ended
		return false, fmt.Errorf("simctl ended when it read it: %w", err)
	case bad != "":
		return false, errors.New(bad)
	}
	return p.Last, nil
}

// took counts a batch that is there. The last one that is needed is the first that found
// something.
func (s *serving) took(number int, last bool) {
	s.have[number] = true
	delete(s.failures, number)
	if number <= s.end {
		s.missing--
	}
	for ; last && s.end > number; s.end-- {
		if delete(s.failures, s.end); !s.have[s.end] {
			s.missing--
		}
	}
	s.left.Store(int64(s.missing))
}

// divided is the command, in batches of about the same work.
func (s *serving) divided() (*meta, error) {
	c, err := startChild(s.Command, 1)
	if err != nil {
		return nil, err
	}
	c.stop()
	total := c.job.Total
	n := s.Batches
	if n == 0 {
		if n, err = s.estimate(total); err != nil {
			return nil, err
		}
	}
	if n > total {
		return nil, fmt.Errorf("--batches: there are %d runs: want at most as many batches, got %d", total, n)
	}
	return &meta{Job: c.job, Batches: n}, nil
}

// estimate is how many batches of some work there are: it does a few of the smallest.
func (s *serving) estimate(total int) (int, error) {
	finest := min(total, maxBatches)
	c, err := startChild(s.Command, finest)
	if err != nil {
		return 0, err
	}
	defer c.stop()
	began, done := time.Now(), 0
	for at := 1; at <= finest && time.Since(began) < batchTrial; at += max(finest/16, 1) {
		if _, err := c.part(at); err != nil {
			break // the batches report it
		}
		done++
	}
	if done == 0 {
		return finest, nil
	}
	each := time.Since(began) / time.Duration(done)
	return max(min(finest, int(each*time.Duration(finest)/batchWork)), 1), nil
}

// path is where the part of a batch is, as simctl names it.
func (s *serving) path(number int) string {
	digits := len(strconv.Itoa(s.meta.Batches))
	return filepath.Join(s.Dir, "parts", fmt.Sprintf("part-%0*d-of-%d.json", digits, number, s.meta.Batches))
}

// aside is where a result of a batch is kept that is of no use, to be looked at, and once where the first result of a batch
// waits for the second.
func (s *serving) aside(number int) string { return s.path(number) + ".bad" }
func (s *serving) once(number int) string  { return s.path(number) + ".once" }

func (s *serving) keep(number int, line []byte) error { return write(s.path(number), line) }

// write makes a file that is there as a whole or not at all.
func write(path string, text []byte) error {
	temporary := path + ".partial"
	if err := os.WriteFile(temporary, text, 0o666); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
