package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// errInputInterrupted is that of a Ctrl-C while a command waited for what it reads.
var errInputInterrupted = errors.New("interrupted")

// untilDone reads something, and does not wait for it any more when the context is done:
// standard input and named pipes may never say anything, and to open a pipe may take as
// long. What is abandoned ends with the program. When the context is done before, the
// command is about to end anyway, and what it reads is read.
func untilDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
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

// openInput opens a file, or standard input for -.
func openInput(name string) (io.ReadCloser, error) {
	if name == fromStdin {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(name)
}

// fromStdin is the file name that stands for standard input.
const fromStdin = "-"

// withInput is the catalog in which - is the scenario that a reader has. It is read once:
// a command may load a scenario more than once.
func (c catalog) withInput(in io.Reader) catalog {
	text := sync.OnceValues(func() ([]byte, error) {
		// One byte more than allowed is enough to refuse the rest.
		return io.ReadAll(io.LimitReader(in, format.MaxText+1))
	})
	load, source := c.load, c.source
	c.load = func(nameOrPath string, o format.Options) (*format.Scenario, error) {
		if nameOrPath != fromStdin {
			return load(nameOrPath, o)
		}
		data, err := text()
		if err != nil {
			return nil, err
		}
		return scenarios.LoadText(fromStdin, data, o)
	}
	c.source = func(nameOrPath string) ([]byte, error) {
		if nameOrPath != fromStdin {
			return source(nameOrPath)
		}
		return text()
	}
	return c
}

// renamed is the catalog that says, once for each, which scenarios have another name now.
func (c catalog) renamed(errOut io.Writer) catalog {
	var said sync.Map
	load, source := c.load, c.source
	say := func(nameOrPath string) {
		if now, ok := scenarios.Renamed(nameOrPath); ok {
			if _, before := said.LoadOrStore(nameOrPath, true); !before {
				fmt.Fprintf(errOut, "simctl: %s is called %s now; the old name goes with the next release\n", nameOrPath, now)
			}
		}
	}
	c.load = func(nameOrPath string, o format.Options) (*format.Scenario, error) {
		say(nameOrPath)
		return load(nameOrPath, o)
	}
	c.source = func(nameOrPath string) ([]byte, error) {
		say(nameOrPath)
		return source(nameOrPath)
	}
	return c
}

// fileNameOf is the name of a scenario as part of the name of a file.
func fileNameOf(scenario string) string {
	if scenario == fromStdin {
		return "stdin"
	}
	return scenario
}

// interruptible is the catalog whose reading ends with a context.
func (c catalog) interruptible(ctx context.Context) catalog {
	load, source := c.load, c.source
	c.load = func(nameOrPath string, o format.Options) (*format.Scenario, error) {
		return untilDone(ctx, func() (*format.Scenario, error) { return load(nameOrPath, o) })
	}
	c.source = func(nameOrPath string) ([]byte, error) {
		return untilDone(ctx, func() ([]byte, error) { return source(nameOrPath) })
	}
	return c
}
