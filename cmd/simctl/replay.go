package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/searches"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
)

// replayOptions say which files to replay, and what to show.
type replayOptions struct {
	Files  []string
	Trace  bool
	Export export
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
	o, color, export := &replayOptions{}, "", ""
	cmd := &cobra.Command{
		Use:     "replay FILE...",
		Short:   "Run the violation of a replay file again",
		Long:    replayLong,
		Example: replayExample,
		Args:    atLeastOne("a replay file"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			o.Files = names
			if o.Color, err = a.color(color); err != nil {
				return usage(err)
			}
			if err = o.Export.parse(export, "", cmd.Flags()); err != nil {
				return usage(err)
			}
			if err = o.check(); err != nil {
				return usage(fmt.Errorf("replay: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Trace, "trace", false, "write every step of the run to standard output, before the verdict")
	defineExport(cmd, &export, "the run")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.BoolVar(&o.Force, "force", false, "replay a file that was edited all the same")
	f.StringVar(&color, "color", "auto", "colour verdicts: `auto`, always or never")
	mustRegister(cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// check says what is wrong with the options as such.
func (o *replayOptions) check() error {
	trace := ""
	if o.Trace {
		trace = toStdout
	}
	switch {
	case o.Trace && o.JSON:
		return errors.New("want --trace or --json, not both")
	case o.Trace && len(o.Files) > 1:
		return errors.New("--trace is for one file")
	}
	return o.Export.check(trace, o.JSON, len(o.Files) > 1)
}

// readRecord reads a replay file; edited says that somebody has changed it.
func readRecord(ctx context.Context, name string, force bool) (r *record.Record, edited bool, err error) {
	r, err = untilDone(ctx, func() (*record.Record, error) {
		f, err := openInput(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return record.Read(f)
	})
	if errors.Is(err, record.ErrEdited) && force {
		return r, true, nil
	}
	return r, false, err
}

// isRecord reports whether a name is that of a replay file.
func isRecord(name string) bool { return strings.HasSuffix(name, ".json") }

// replay reads all files first, so that a mistake in the last is found before anything
// has run.
func (a *app) replay(ctx context.Context, o *replayOptions) error {
	var records []*record.Record
	var edited []bool
	var invalid []invalidFile
	var loaded *format.Scenario
	for _, name := range o.Files {
		r, changed, err := readRecord(ctx, name, o.Force)
		if err == nil {
			loaded, err = r.Load(scenarios.Models())
		}
		if err != nil {
			invalid = append(invalid, invalidFile{name: name, err: err})
			continue
		}
		records, edited = append(records, r), append(edited, changed)
	}
	if len(invalid) > 0 {
		return a.refuseFiles(invalid, o.JSON)
	}
	if err := o.Export.ready(ctx, loaded); err != nil {
		return err
	}
	all := searches.Replays{Schema: searches.ReplaysSchema, OK: true, Files: []*searches.Replay{}}
	for i, r := range records {
		if ctx.Err() != nil {
			break
		}
		got, err := execute.Replay(ctx, r)
		switch {
		case err != nil && ctx.Err() != nil:
			return &exit{exitInterrupted, err}
		case err != nil:
			return failure(err)
		}
		rep := execute.Replayed(o.Files[i], r, got)
		rep.Edited = edited[i]
		all.Files, all.OK = append(all.Files, rep), all.OK && rep.OK
		if err := a.showReplay(o, rep, got); err != nil {
			return failure(err)
		}
	}
	return a.endReplay(ctx, o, &all)
}

// showReplay prints what came of one file.
func (a *app) showReplay(o *replayOptions, r *searches.Replay, got *record.Replayed) error {
	style, out := layout.Style{Color: o.Color}, io.Writer(a.out)
	if o.Export.toStdout() {
		out = a.errOut
	}
	if err := o.Export.write(got.Scenario, a.out, nil); err != nil {
		return err
	}
	switch {
	case o.JSON:
		return nil
	case len(o.Files) > 1:
		_, err := io.WriteString(a.out, r.Short(style))
		return err
	case o.Trace:
		if err := execute.Trace(got.Scenario, a.out); err != nil {
			return err
		}
		fmt.Fprintln(a.out)
	}
	return r.WriteText(out, style)
}

// endReplay prints what is about all files.
func (a *app) endReplay(ctx context.Context, o *replayOptions, all *searches.Replays) error {
	var err error
	switch {
	case o.JSON && len(o.Files) > 1:
		err = reports.WriteJSON(a.out, all)
	case o.JSON && len(all.Files) == 1:
		err = reports.WriteJSON(a.out, all.Files[0])
	case len(o.Files) > 1:
		fmt.Fprintf(a.out, "\n%s\n", all.Sum())
	}
	switch {
	case err != nil:
		return failure(err)
	case ctx.Err() != nil:
		return &exit{exitInterrupted, errInterrupted}
	case !all.OK:
		return &exit{exitNotExpected, nil}
	}
	return nil
}

// refuseFiles reports replay files that cannot be replayed.
func (a *app) refuseFiles(files []invalidFile, asJSON bool) error {
	if err := interruptedAmong(files); err != nil || asJSON {
		return cmp.Or(err, a.refuse(files, true))
	}
	for _, f := range files {
		fmt.Fprintf(a.errOut, "%v\n", f.err)
	}
	what := "1 file cannot be replayed; nothing was run"
	if len(files) > 1 {
		what = fmt.Sprintf("%d files cannot be replayed; nothing was run", len(files))
	}
	return usage(errors.New(what))
}
