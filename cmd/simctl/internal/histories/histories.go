// Package histories checks files of recorded histories for simctl linearize.
package histories

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/logtext"
	"fencepost/internal/text"
	"fencepost/sim/linear"
)

// Result is the result of one file, in the document of linearize.
type Result struct {
	File       string `json:"file"`
	Verdict    string `json:"verdict,omitempty"`
	Format     string `json:"format,omitempty"`
	Model      string `json:"model,omitempty"`
	Operations int    `json:"operations"`
	Keys       int    `json:"keys"`
	Open       int    `json:"open"`    // operations without an outcome
	Ignored    int    `json:"ignored"` // lines and events that are not of an operation
	Unread     int    `json:"unread"`  // lines
	Note       string `json:"note,omitempty"`
	Method     string `json:"method,omitempty"`
	Steps      int64  `json:"steps"`
	Key        string `json:"key,omitempty"`
	Why        string `json:"why,omitempty"`
	Bound      string `json:"bound,omitempty"`
	Idle       string `json:"not_exercised_because,omitempty"`
	Error      string `json:"error,omitempty"`

	// Code is the exit code for it.
	Code int `json:"-"`
}

// Options say how to read histories, and for how long to search.
type Options struct {
	Read    linear.Options
	Limits  linear.Limits
	Timeout time.Duration // for each file; 0 is none
}

// Check reads and checks one file.
func Check(ctx context.Context, name string, o *Options) *Result {
	f, err := cli.UntilDone(ctx, func() (*linear.File, error) { return loadHistory(name, o.Read) })
	if err != nil {
		return unchecked(name, err)
	}
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	r, err := linear.Check(ctx, &f.History, o.Limits)
	if err != nil {
		return unchecked(name, err)
	}
	codes := map[linear.Verdict]int{linear.Linearizable: cli.ExitOK, linear.NotLinearizable: cli.ExitNotExpected, linear.Unknown: cli.ExitError}
	l := &Result{
		File: name, Verdict: r.Verdict.String(), Format: f.Format, Model: f.Model.String(),
		Operations: len(f.Ops), Keys: r.Keys, Open: opened(f.Ops), Ignored: f.Ignored, Unread: f.Unread, Note: f.Note,
		Method: r.Method, Steps: r.Steps, Key: r.Key, Why: r.Why, Bound: r.Bound, Code: codes[r.Verdict],
	}
	if idle := f.Idle(); r.Verdict == linear.Linearizable && idle != "" {
		l.Verdict, l.Idle, l.Code = "not exercised", idle, cli.ExitNotExpected
	}
	return l
}

// unchecked is the result of a file without a verdict.
func unchecked(name string, err error) *Result {
	return &Result{File: name, Error: err.Error(), Code: cli.ExitError}
}

// loadHistory reads a file, which may be gzipped or in UTF-16.
func loadHistory(name string, o linear.Options) (*linear.File, error) {
	f, err := cli.OpenInput(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return linear.Load(logtext.Reader(f, logtext.Options{MaxLine: linear.MaxSize, MaxSize: linear.MaxSize}), name, o)
}

// opened counts the operations without an outcome.
func opened(ops []linear.Op) (n int) {
	for i := range ops {
		if ops[i].Outcome == linear.Open {
			n++
		}
	}
	return n
}

// WriteText writes one line of verdict, and one of its reason.
func (l *Result) WriteText(w io.Writer) error {
	details := []string{l.Model, text.Count(l.Operations, "operation")}
	if l.Keys > 1 {
		details = append(details, text.Count(l.Keys, "key"))
	}
	if l.Open > 0 {
		details = append(details, fmt.Sprintf("%d without an outcome", l.Open))
	}
	if l.Ignored > 0 {
		details = append(details, fmt.Sprintf("%s not of an operation", text.Count(l.Ignored, "record")))
	}
	if l.Unread > 0 {
		details = append(details, text.Count(l.Unread, "line")+" not read")
	}
	lines := fmt.Sprintf("%s: %s (%s)\n", l.File, l.Verdict, strings.Join(details, ", "))
	why := l.Why
	if l.Bound != "" {
		why = l.Bound + " did not suffice; see --timeout, --steps and --memory"
	}
	if l.Keys > 1 && why != "" {
		why = fmt.Sprintf("key %q: %s", l.Key, why)
	}
	for _, line := range []string{why, l.Idle, l.Note} {
		if line != "" {
			lines += "  " + line + "\n"
		}
	}
	_, err := io.WriteString(w, lines)
	return err
}
