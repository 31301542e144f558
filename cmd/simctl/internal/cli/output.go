package cli

import (
	"bufio"
	"errors"
	"io"
	"syscall"

	"fencepost/internal/printable"
)

// Output is standard output. What comes from a file reaches it without control
// characters. A reader who has left is no error: the exit code still tells the verdict.
type Output struct {
	Terminal io.Writer // the same without the buffer
	buffer   *bufio.Writer
	text     *printable.Writer // before the buffer
	Err      error
}

// NewOutput is for a writer that is standard output.
func NewOutput(to io.Writer) *Output {
	b := bufio.NewWriterSize(to, 1<<16)
	return &Output{Terminal: to, buffer: b, text: printable.NewWriter(b)}
}

// Write implements [io.Writer].
func (o *Output) Write(b []byte) (int, error) {
	if o.Err == nil {
		_, o.Err = o.text.Write(b)
	}
	return len(b), nil
}

// Binary is where pictures go: byte for byte.
func (o *Output) Binary() io.Writer { return o.buffer }

// Sync writes what is left, and keeps the error.
func (o *Output) Sync() {
	if o.Err == nil {
		o.Err = errors.Join(o.text.Flush(), o.buffer.Flush())
	}
}

// ReaderLeft reports whether the reader of standard output has closed it, as far as writing has shown.
func (o *Output) ReaderLeft() bool {
	return errors.Is(o.Err, syscall.EPIPE) || errors.Is(o.Err, io.ErrClosedPipe)
}

// Flush writes what is left, and returns the first error of all writes.
func (o *Output) Flush() error {
	if o.Sync(); o.Err == nil || o.ReaderLeft() {
		return nil
	}
	return Failure(o.Err)
}
