package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/logtext"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/sim/linear"
)

// linearizeOptions say which histories to check, what they are, and for how long.
type linearizeOptions struct {
	Files   []string
	Read    linear.Options
	Limits  linear.Limits
	Timeout time.Duration // for each file; 0 is none
	JSON    bool
}

const linearizeLong = `Linearize reads recorded histories, of what clients asked of an object and what they
were told, and says of each whether it is linearizable: whether every operation can have
taken effect at one instant between its call and its return. If it is not, a line says
what contradicts what. Where an instant is not in the file it is the number of a line.

Models are register (read, write, cas), kv (get, put, append), lock (acquire, release),
lease (a lock with a TTL: acquire, renew, release), set (add, remove, read), queue
(enqueue, dequeue; first in, first out) and counter (add, read). The first operation
shows which, but for a lease, a set and a counter: then give --model. docs/histories.md
has the details.

Formats are the text log of Jepsen, EDN with a map for each event, and JSON with an
object for each operation. Maps may stand in a vector, objects in an array, and the file
may be gzipped:

  INFO  jepsen.util - 3 :invoke :cas [1 2]
  {:process 3, :type :invoke, :f :append, :key "x", :value "a"}
  {"client":3,"op":"write","value":"7","call":10,"return":20}
  {"client":3,"op":"read","elements":["1","2"],"call":10,"return":20}

An operation without an outcome may take effect at any later time, or never. One that
ended with :fail did not happen. That says nothing about the object, unless the producer
of the file says that :fail of a cas means that it found another value: then give
--failed-cas mismatch. A :fail with an :error, or without the two values, never says so.

A value [k v] is a key and a value, as of jepsen.independent, if a read is called with
[k nil] or a cas with [k [old new]]; each key is then checked by itself. --independent
says so of a file that shows neither.

What is not an operation is counted in the verdict's line and in JSON. Lines of a log that
cannot be read are too, and are an error if they are more than a tenth.

Unique values are checked in no time. Others are searched, which can take forever: the
verdict is then unknown, and which bound was hit is said. --steps and --memory are
counted, so that they give the same verdict on every machine; --timeout does not.

Exit codes: 0 all are linearizable; 3 one is not; 1 one is unknown or cannot be read,
and none is known not to be; 2 usage; 130 interrupted.`

const linearizeExample = `  $ simctl linearize history.log
  $ simctl linearize etcd.log --failed-cas mismatch
  $ simctl linearize logs/*.log --json
  $ simctl linearize locks.json --model lease --timeout 5m --steps 1000000000`

// newLinearizeCmd makes the command; do, if not nil, takes the place of what it does.
func newLinearizeCmd(a *app, do func(context.Context, *linearizeOptions) error) *cobra.Command {
	if do == nil {
		do = a.linearize
	}
	o := &linearizeOptions{Limits: linear.DefaultLimits()}
	format, model, failed, memory := "", "", "", o.Limits.Memory>>20
	cmd := &cobra.Command{
		Use:     "linearize FILE...",
		Short:   "Say whether recorded histories are linearizable",
		Long:    linearizeLong,
		Example: linearizeExample,
		Args:    cli.AtLeastOne("the file of a history"),
		RunE: func(cmd *cobra.Command, files []string) error {
			o.Files = files
			if err := o.complete(format, model, failed, memory); err != nil {
				return cli.Usage(err)
			}
			return do(cmd.Context(), o)
		},
	}
	formats, models := append([]string{"auto"}, linear.Formats()...), append([]string{"auto"}, linear.Models()...)
	meanings := []string{"no-effect", "mismatch"}
	f := cmd.Flags()
	f.StringVar(&format, "format", "auto", "format of the files: `auto`, "+cli.OrList(formats[1:]))
	f.StringVar(&model, "model", "auto", "what the histories are of: `auto`, "+cli.OrList(models[1:]))
	f.StringVar(&failed, "failed-cas", meanings[0], "what :fail of a cas says: `no-effect` and nothing more, or mismatch: that it found another value")
	f.BoolVar(&o.Read.Independent, "independent", false, "each value is a pair of a key and a value")
	f.DurationVar(&o.Timeout, "timeout", time.Minute, "time for each file; 0 is any")
	f.Int64Var(&o.Limits.Steps, "steps", o.Limits.Steps, "steps of the search for each file")
	f.Int64Var(&memory, "memory", memory, "memory of the search, in MiB")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	for name, choices := range map[string][]string{"format": formats, "model": models, "failed-cas": meanings} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // there is no such flag
		}
	}
	return cmd
}

// complete makes options of the flags, and checks them.
func (o *linearizeOptions) complete(format, model, failed string, memory int64) (err error) {
	if format != "auto" {
		o.Read.Format = format
	}
	if model != "auto" {
		if o.Read.Model, err = linear.ParseModel(model); err != nil {
			return fmt.Errorf("--model: want auto, %s, got %q", cli.OrList(linear.Models()), model)
		}
	}
	o.Read.Mismatch = failed == "mismatch"
	known := o.Read.Format == ""
	for _, f := range linear.Formats() {
		known = known || f == o.Read.Format
	}
	const mostMemory = 1 << 20 // MiB
	switch {
	case !known:
		return fmt.Errorf("--format: want auto, %s, got %q", cli.OrList(linear.Formats()), format)
	case failed != "no-effect" && failed != "mismatch":
		return fmt.Errorf("--failed-cas: want no-effect or mismatch, got %q", failed)
	case o.Timeout < 0:
		return fmt.Errorf("--timeout: want 0 or more, got %v", o.Timeout)
	case o.Limits.Steps < 1:
		return fmt.Errorf("--steps: want 1 or more, got %d", o.Limits.Steps)
	case memory < 1 || memory > mostMemory:
		return fmt.Errorf("--memory: want 1 to %d MiB, got %d", mostMemory, memory)
	}
	o.Limits.Memory = memory << 20
	return nil
}

// A linearized is what came of a file, in the document of linearize.
type linearized struct {
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
	Error      string `json:"error,omitempty"`

	code int
}

type linearizeDoc struct {
	Schema string        `json:"schema"`
	OK     bool          `json:"ok"`
	Files  []*linearized `json:"files"`
}

func (a *app) linearize(ctx context.Context, o *linearizeOptions) error {
	doc := linearizeDoc{Schema: "fencepost/linearize/v1", Files: []*linearized{}}
	code := cli.ExitOK
	for _, name := range o.Files {
		l := linearizeFile(ctx, name, o)
		if ctx.Err() != nil {
			break
		}
		doc.Files = append(doc.Files, l)
		if code == cli.ExitOK || l.code == cli.ExitNotExpected {
			code = l.code
		}
		if !o.JSON {
			a.tellLinearized(l)
		}
	}
	if doc.OK = code == cli.ExitOK && ctx.Err() == nil; o.JSON {
		if err := reports.WriteJSON(a.Out, doc); err != nil {
			return cli.Failure(err)
		}
	}
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, errors.New("interrupted; what was done until then is reported"))
	case code != cli.ExitOK:
		return cli.End(code, nil)
	}
	return nil
}

// linearizeFile reads and checks one file.
func linearizeFile(ctx context.Context, name string, o *linearizeOptions) *linearized {
	f, err := cli.UntilDone(ctx, func() (*linear.File, error) { return loadHistory(name, o.Read) })
	if err != nil {
		return &linearized{File: name, Error: err.Error(), code: cli.ExitError}
	}
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	r, err := linear.Check(ctx, &f.History, o.Limits)
	if err != nil {
		return &linearized{File: name, Error: err.Error(), code: cli.ExitError}
	}
	codes := map[linear.Verdict]int{linear.Linearizable: cli.ExitOK, linear.NotLinearizable: cli.ExitNotExpected, linear.Unknown: cli.ExitError}
	return &linearized{
		File: name, Verdict: r.Verdict.String(), Format: f.Format, Model: f.Model.String(),
		Operations: len(f.Ops), Keys: r.Keys, Open: opened(f.Ops), Ignored: f.Ignored, Unread: f.Unread, Note: f.Note,
		Method: r.Method, Steps: r.Steps, Key: r.Key, Why: r.Why, Bound: r.Bound, code: codes[r.Verdict],
	}
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

// tellLinearized writes one line of verdict, and one of its reason.
func (a *app) tellLinearized(l *linearized) {
	if l.Error != "" {
		fmt.Fprintf(a.ErrOut, "simctl: %s\n", l.Error)
		return
	}
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
	fmt.Fprintf(a.Out, "%s: %s (%s)\n", l.File, l.Verdict, strings.Join(details, ", "))
	why := l.Why
	if l.Bound != "" {
		why = l.Bound + " did not suffice; see --timeout, --steps and --memory"
	}
	if l.Keys > 1 && why != "" {
		why = fmt.Sprintf("key %q: %s", l.Key, why)
	}
	for _, line := range []string{why, l.Note} {
		if line != "" {
			fmt.Fprintf(a.Out, "  %s\n", line)
		}
	}
}
