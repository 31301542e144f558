// Package logtext reads the lines of logs that other programs have written: those of
// collections and those of clocks.
package logtext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Each gives every line of a log to take, with its number from 1 and its end, which a cut
// last line lacks. It refuses what is no text, and lines of more than maxLine bytes.
func Each(src io.Reader, maxLine int, take func(n int, line string) error) error {
	sc := bufio.NewScanner(src)
	sc.Buffer(nil, maxLine)
	sc.Split(keepLineEnd)
	n := 0
	for sc.Scan() {
		n++
		raw := sc.Bytes()
		if err := check(n, raw); err != nil {
			return err
		}
		if n == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		if err := take(n, string(raw)); err != nil {
			return err
		}
	}
	if errors.Is(sc.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: longer than %d KiB", n+1, maxLine>>10)
	}
	return sc.Err()
}

// keepLineEnd splits into lines with their "\n".
func keepLineEnd(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// check refuses what is not a text log, by its line n.
func check(n int, line []byte) error {
	switch {
	case n == 1 && bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return errors.New("the log is gzipped: gunzip it first")
	case bytes.IndexByte(line, 0) >= 0:
		return fmt.Errorf("line %d: zero byte: the file is binary, UTF-16, or was truncated while the process wrote it", n)
	}
	return nil
}
