package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/ordering"
	"fencepost/models/clock/eventlog"
	"fencepost/reports"
	"fencepost/reports/layout"
)

// orderOptions say which log to read, and what to tell of it.
type orderOptions struct {
	File    string // "-" is standard input
	Read    eventlog.Options
	Others  bool // the log has any number of lines that are part of no event
	Pairs   bool
	Between string // two events with a comma, or ""
	Limit   int
	JSON    bool
	Color   bool
}

const orderLong = `Order reads a log whose events carry vector clocks and says what happened before what,
what was concurrent, who sent to whom, and what in the log contradicts itself: a host
whose counter goes back or leaves one out, a receive without its send, a clock that
forgets, or that knows of an event and not of all that this event knew, events that are
each before the other.

The format is that of ShiViz: a regular expression with the groups host, clock and
event, which a file may have as its first line, and clocks as JSON. Without it the log
shows whether the text of an event stands before or behind its clock. If both fit, order
asks for --regex. The expression of the second line, or --delimiter, separates executions.
Without it order notices that every host counts from 1 again, and asks for --execution.

  (?<host>\S*) (?<clock>{.*})\n(?<event>.*)

  alice {"alice":1}
  asks bob
  bob {"alice":1,"bob":1}
  is asked

The name of a scenario, or its file, is run: its events and what their stamps say of each
two are compared with what caused what. Its model is one whose events clocks stamp.

Lines that are part of no event are left out and counted. More than a tenth is an error
without --other-lines; a short log may have two. The log may be gzipped, or in UTF-16, with any ends of lines.

An event script, written by hand, is read as well: its events get the Lamport stamps
and vector clocks that they would have.

  P: a b c
  Q: d e f
  b -> e

An event is named as in the script, or by its host and its counter, as in alice:1.
--between A,B says how two of them stand to each other, and why: which messages lead from
one to the other, or that none do.

Exit codes: 0 the log is consistent; 3 it is not; 1 it cannot be read; 2 usage.`

const orderExample = `  $ simctl order service.log
  $ simctl order clock/vector-source --between b2,c2
  $ cat *-Log.txt | simctl order - --pairs --limit 20
  $ simctl order service.log --between alice:3,bob:7 --json
  $ simctl order runs.log --delimiter '^=== (?<trace>.*) ===$' --execution base
  $ simctl order app.log --regex '(?<date>\S+) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})'`

// newOrderCmd makes the command; do, if not nil, takes the place of what it does.
func newOrderCmd(a *app, do func(context.Context, *orderOptions) error) *cobra.Command {
	if do == nil {
		do = a.order
	}
	o := &orderOptions{}
	color := "auto"
	cmd := &cobra.Command{
		Use:               "order FILE|NAME|-",
		Short:             "Say what happened before what in a log with vector clocks, or in a run",
		Long:              orderLong,
		Example:           orderExample,
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := o.complete(a, files, color); err != nil {
				return cli.Usage(fmt.Errorf("order: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	formats := []string{eventlog.Auto, eventlog.ShiViz, eventlog.Script}
	f := cmd.Flags()
	f.StringVar(&o.Read.Format, "format", eventlog.Auto, "format of the file: `auto`, shiviz or script")
	f.StringVar(&o.Read.Expression, "regex", "", "regular expression of an event, instead of the file's, with the groups host, clock and event")
	f.StringVar(&o.Read.Delimiter, "delimiter", "", "regular expression between executions, instead of the file's; its group trace names them")
	f.StringVar(&o.Read.Execution, "execution", "", "name or number of the execution to read, if there are several")
	f.BoolVar(&o.Others, "other-lines", false, "read the log even if more than a tenth of its lines belong to no event")
	f.BoolVar(&o.Pairs, "pairs", false, "list the concurrent pairs; of a script they are listed anyway")
	f.StringVar(&o.Between, "between", "", "how two events stand to each other, as `A,B`")
	f.IntVar(&o.Limit, "limit", 50, "how many events, pairs and inconsistencies are listed, of each")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.StringVar(&color, "color", "auto", "colour verdicts: `auto`, always or never")
	for name, choices := range map[string][]string{"format": formats, "color": {"auto", "always", "never"}} {
		cli.MustRegister(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)))
	}
	return cmd
}

// mostListed is the largest --limit.
const mostListed = 1_000_000

// complete makes options of the flags, and checks them.
func (o *orderOptions) complete(a *app, files []string, color string) (err error) {
	if len(files) != 1 {
		return fmt.Errorf("want one file of a log, or - for standard input, got %d", len(files))
	}
	o.File = files[0]
	if o.Color, err = a.Color(color); err != nil {
		return err
	}
	ofClocks := o.Read.Expression + o.Read.Delimiter + o.Read.Execution
	switch f := o.Read.Format; {
	case f != eventlog.Auto && f != eventlog.ShiViz && f != eventlog.Script:
		return fmt.Errorf("--format: want auto, shiviz or script, got %q", f)
	case f == eventlog.Script && ofClocks != "":
		return errors.New("--format script: it has no --regex, --delimiter and --execution")
	case o.Between != "" && !strings.Contains(o.Between, ","):
		return fmt.Errorf("--between: want two events, as A,B, got %q", o.Between)
	case o.Limit < 1 || o.Limit > mostListed:
		return fmt.Errorf("--limit: want 1 to %d, got %d", mostListed, o.Limit)
	}
	if o.Read.Expression == "" && o.Read.Delimiter == "" {
		return nil
	}
	return eventlog.CheckExpressions(o.Read.Expression, o.Read.Delimiter)
}

// order reads a log and tells its order.
func (a *app) order(ctx context.Context, o *orderOptions) error {
	var run *execute.Ordering
	var l *eventlog.Log
	var err error
	if ordering.IsScenario(a.App, o.File) {
		if run, err = ordering.OfRun(a.App, o.File, o.Read, o.JSON); err == nil {
			l = run.Log
		}
	} else {
		l, err = ordering.Read(ctx, a.App, o.File, o.Read, o.Others)
	}
	if err != nil {
		return err
	}
	order := l.Order(o.Limit)
	doc := ordering.Document(&ordering.Request{File: o.File, Pairs: o.Pairs, Limit: o.Limit}, l, order)
	if run != nil {
		ordering.AddRun(doc, run, o.Limit)
	}
	if o.Between != "" {
		if doc.Between, err = ordering.Relate(o.Between, l, order); err != nil {
			return cli.Failure(fmt.Errorf("%s: %w", o.File, err))
		}
		if run != nil {
			ordering.AddStamps(doc.Between, run)
		}
	}
	if o.JSON {
		err = reports.WriteJSON(a.Out, doc)
	} else {
		err = doc.WriteText(a.Out, layout.Style{Color: o.Color})
	}
	switch {
	case err != nil:
		return cli.Failure(err)
	case !doc.OK:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return nil
}
