package cli

import (
	"context"
	"errors"
	"io"
	"os"
)

// errInputInterrupted is that of a Ctrl-C while a command waited for what it reads.
var errInputInterrupted = errors.New("interrupted")

// UntilDone reads something, and does not wait for it any more when the context is done:
// standard input and named pipes may never say anything, and to open a pipe may take as
// long. What is abandoned ends with the program. When the context is done before, the
// command is about to end anyway, and what it reads is read.
func UntilDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
	if ctx.Err() != nil {
		return read()
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, errInputInterrupted
	}
}

// OpenInput opens a file, or standard input for -.
func OpenInput(name string) (io.ReadCloser, error) {
	if name == FromStdin {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(name)
}

// FromStdin is the file name that stands for standard input.
const FromStdin = "-"

// FileName is the name of a scenario as part of the name of a file.
func FileName(scenario string) string {
	if scenario == FromStdin {
		return "stdin"
	}
	return scenario
}

// Interruptible is a reader that ends with a context.
func Interruptible(ctx context.Context, in io.Reader) io.Reader { return &interruptible{ctx, in} }

type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (r *interruptible) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// ToStdout is the path that stands for standard output.
const ToStdout = "-"
