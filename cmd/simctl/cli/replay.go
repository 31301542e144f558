package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/export"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/searches"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
)

// replayOptions say which files to replay, and what to show.
type replayOptions struct {
	Files  []string
	Trace  bool
	Export export.Request
	JSON   bool
	Force  bool // replay what was edited, too
	Color  bool
}

const replayLong = `Replay runs the violation of a replay file again, on any operating system and
processor, and says whether it is reproduced. A replay file holds everything that
its run consists of: the text of the scenario, the seed, the faults and the draws.

If the run differs from the one recorded, since the model was changed, it shows
with which step the two part. It is reproduced all the same if the same property is
violated, between the same nodes.

Of several files each gets one line.

--export FORMAT writes the events of the run to standard output, and the report to
standard error: shiviz is a log with vector clocks that ShiViz draws and simctl order
reads, perfetto a trace, mermaid a sequence diagram and csv a table. --export
FORMAT=FILE writes it to a file.

Exit codes: 0 every violation is reproduced; 3 one is not; 2 usage, or a file that
is cut off, was edited, or is of a newer fencepost or of a model that this one does not
know; 1 error; 130 interrupted.`

const replayExample = `  $ simctl replay found/redlock-gc-pause-no-lost-update.replay.json
  $ simctl replay scenarios/*/replays/*.replay.json
  $ simctl replay found/x.replay.json --trace | grep client-1
  $ simctl replay found/x.replay.json --export shiviz > run.log`

// newReplayCmd makes the command; do, if not nil, takes the place of what it does.
func newReplayCmd(a *app, do func(context.Context, *replayOptions) error) *cobra.Command {
	if do == nil {
		do = a.replay
	}
	o, color, events := &replayOptions{}, "", ""
	cmd := &cobra.Command{
		Use:     "replay FILE...",
		Short:   "Run the violation of a replay file again",
		Long:    replayLong,
		Example: replayExample,
		Args:    cli.AtLeastOne("a replay file"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			o.Files = names
			if o.Color, err = a.Color(color); err != nil {
				return cli.Usage(err)
			}
			if err = o.Export.Parse(events, "", cmd.Flags()); err != nil {
				return cli.Usage(err)
			}
			o.Export.Force = o.Force
			if err = o.check(); err != nil {
				return cli.Usage(fmt.Errorf("replay: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Trace, "trace", false, "write every step of the run to standard output, before the verdict")
	export.Define(cmd, &events, "the run")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.BoolVar(&o.Force, "force", false, "replay a file that was edited all the same, and replace the file of --export if it is there")
	f.StringVar(&color, "color", "auto", "colour verdicts: `auto`, always or never")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// check says what is wrong with the options as such.
func (o *replayOptions) check() error {
	trace := ""
	if o.Trace {
		trace = cli.ToStdout
	}
	switch {
	case o.Trace && o.JSON:
		return errors.New("want --trace or --json, not both")
	case o.Trace && len(o.Files) > 1:
		return errors.New("--trace is for one file")
	}
	return o.Export.Check(trace, o.JSON, len(o.Files) > 1)
}

// replay reads all files first, so that a mistake in the last is found before anything
// has run.
func (a *app) replay(ctx context.Context, o *replayOptions) error {
	var records []*record.Record
	var edited []bool
	var invalid []cli.InvalidFile
	var loaded *format.Scenario
	for _, name := range o.Files {
		r, changed, err := cli.ReadRecord(ctx, name, o.Force)
		if err == nil {
			loaded, err = r.Load(a.Models)
		}
		if err != nil {
			invalid = append(invalid, cli.InvalidFile{Name: name, Err: err})
			continue
		}
		records, edited = append(records, r), append(edited, changed)
	}
	if len(invalid) > 0 {
		return a.RefuseReplays(invalid, o.JSON)
	}
	if err := o.Export.Free(); err != nil {
		return cli.Failure(err)
	}
	if err := o.Export.Ready(ctx, loaded); err != nil {
		return err
	}
	all := searches.Replays{Schema: searches.ReplaysSchema, OK: true, Files: []*searches.Replay{}}
	for i, r := range records {
		if ctx.Err() != nil {
			break
		}
		got, err := execute.Replay(ctx, r, a.Models)
		switch {
		case err != nil && ctx.Err() != nil:
			return cli.End(cli.ExitInterrupted, err)
		case err != nil:
			return cli.Failure(err)
		}
		rep := execute.Replayed(o.Files[i], r, got)
		if rep.Edited = edited[i]; rep.Edited {
			rep.Sentence = "from an edited file: " + rep.Sentence
		}
		all.Files, all.OK = append(all.Files, rep), all.OK && rep.OK
		if err := a.showReplay(o, rep, got); err != nil {
			return cli.Failure(err)
		}
	}
	return a.endReplay(ctx, o, &all)
}

// showReplay prints what came of one file.
func (a *app) showReplay(o *replayOptions, r *searches.Replay, got *record.Replayed) error {
	style, out := layout.Style{Color: o.Color}, io.Writer(a.Out)
	if o.Export.ToStdout() {
		out = a.ErrOut
	}
	if err := o.Export.Write(got.Scenario, a.Out, nil); err != nil {
		return err
	}
	switch {
	case o.JSON:
		return nil
	case len(o.Files) > 1:
		_, err := io.WriteString(a.Out, r.Short(style))
		return err
	case o.Trace:
		if err := execute.Trace(got.Scenario, a.Out); err != nil {
			return err
		}
		fmt.Fprintln(a.Out)
	}
	return r.WriteText(out, style)
}

// endReplay prints what is about all files.
func (a *app) endReplay(ctx context.Context, o *replayOptions, all *searches.Replays) error {
	var err error
	switch {
	case o.JSON && len(o.Files) > 1:
		err = reports.WriteJSON(a.Out, all)
	case o.JSON && len(all.Files) == 1:
		err = reports.WriteJSON(a.Out, all.Files[0])
	case len(o.Files) > 1:
		fmt.Fprintf(a.Out, "\n%s\n", all.Sum())
	}
	switch {
	case err != nil:
		return cli.Failure(err)
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	case !all.OK:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return nil
}
