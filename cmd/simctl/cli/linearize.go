package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/histories"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/sim/linear"
)

// linearizeOptions say which histories to check, what they are, and for how long.
type linearizeOptions struct {
	histories.Options
	Files []string
	JSON  bool
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

A history in which no operation returned anything, such as writes without a read, is not
exercised: nothing in it was put to the test.

Exit codes: 0 all are linearizable; 3 one is not, or is not exercised; 1 one is unknown or cannot be read,
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
	o := &linearizeOptions{Options: histories.Options{Limits: linear.DefaultLimits()}}
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
	f.StringVar(&format, "format", "auto", "format of the files: `auto`, "+text.Either(formats[1:]))
	f.StringVar(&model, "model", "auto", "what the histories are of: `auto`, "+text.Either(models[1:]))
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
			return fmt.Errorf("--model: want auto, %s, got %q", text.Either(linear.Models()), model)
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
		return fmt.Errorf("--format: want auto, %s, got %q", text.Either(linear.Formats()), format)
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

// linearizeDoc is the document of linearize.
type linearizeDoc struct {
	Schema string              `json:"schema"`
	OK     bool                `json:"ok"`
	Files  []*histories.Result `json:"files"`
}

// linearize checks one file after the other.
func (a *app) linearize(ctx context.Context, o *linearizeOptions) error {
	doc := linearizeDoc{Schema: "fencepost/linearize/v1", Files: []*histories.Result{}}
	code := cli.ExitOK
	for _, name := range o.Files {
		l := histories.Check(ctx, name, &o.Options)
		if ctx.Err() != nil {
			break
		}
		doc.Files = append(doc.Files, l)
		if code == cli.ExitOK || l.Code == cli.ExitNotExpected {
			code = l.Code
		}
		switch {
		case o.JSON:
		case l.Error != "":
			fmt.Fprintf(a.ErrOut, program.Name()+": %s\n", l.Error)
		default:
			if err := l.WriteText(a.Out); err != nil {
				return cli.Failure(err)
			}
		}
	}
	if doc.OK = code == cli.ExitOK && ctx.Err() == nil; o.JSON {
		if err := reports.WriteJSON(a.Out, doc); err != nil {
			return cli.Failure(err)
		}
	}
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	case code != cli.ExitOK:
		return cli.End(code, nil)
	}
	return nil
}
