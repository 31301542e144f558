package main

import (
	"bufio"
	"errors"
	"io"
	"syscall"

	"fencepost/internal/printable"
)

// output is standard output. What comes from a file reaches it without control
// characters. A reader who has left is no error: the exit code still tells the verdict.
type output struct {
	terminal io.Writer // the same without the buffer
	buffer   *bufio.Writer
	text     *printable.Writer // before the buffer
	err      error
}

func newOutput(to io.Writer) *output {
	b := bufio.NewWriterSize(to, 1<<16)
	return &output{terminal: to, buffer: b, text: printable.NewWriter(b)}
}

// Write implements [io.Writer].
func (o *output) Write(b []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.text.Write(b)
	}
	return len(b), nil
}

// binary is where pictures go: byte for byte.
func (o *output) binary() io.Writer { return o.buffer }

// sync writes what is left, and keeps the error.
func (o *output) sync() {
	if o.err == nil {
		o.err = errors.Join(o.text.Flush(), o.buffer.Flush())
	}
}

// readerLeft reports whether nobody reads any more, as far as writing has shown.
func (o *output) readerLeft() bool {
	return errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe)
}

// flush writes what is left, and returns the first error of all writes.
func (o *output) flush() error {
	if o.sync(); o.err == nil || o.readerLeft() {
		return nil
	}
	return failure(o.err)
}
