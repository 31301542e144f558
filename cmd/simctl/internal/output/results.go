package output

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/journal"
	"fencepost/cmd/simctl/internal/plotting"
	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/plot"
	"fencepost/scenarios/format"
)

// Results takes the results of a run command to where they are wanted.
type Results struct {
	app     *cli.App
	options *Options
	several bool
	out     io.Writer // where reports go
	style   layout.Style
	dir     *files.Dir // of --out, nil without
	done    []*reports.Run
	undrawn []error // why figures are not there

	journals []*journal.Journal // of the grids
	resumed  bool               // there was something in the folder
	Document bool
}

// New opens the folder of --out. What it has begun is abandoned even if it fails.
func New(a *cli.App, o *Options, plans []*execute.Plan) (*Results, error) {
	d := &Results{app: a, options: o, several: len(plans) > 1, out: a.Out, style: a.Style(o.Color)}
	if o.Export.ToStdout() {
		d.out = a.ErrOut
	}
	if o.Out == "" {
		return d, nil
	}
	return d, d.openDir(plans)
}

// Add writes the result of one scenario.
func (d *Results) Add(s *format.Scenario, r *reports.Run) error {
	d.done = append(d.done, r)
	if err := d.trace(s); err != nil {
		return err
	}
	if err := d.options.Export.Write(s, d.app.Out, d.dir); err != nil {
		return err
	}
	if d.dir != nil {
		if err := d.files(s, r); err != nil {
			return err
		}
	}
	var err error
	switch {
	case d.options.Document():
	case d.several:
		_, err = io.WriteString(d.out, verdictLine(r, d.style))
	case d.options.Quiet:
		err = r.WriteVerdict(d.out, d.style)
	default:
		err = r.WriteText(d.out, d.style)
	}
	if err != nil {
		return err
	}
	if d.several && !d.options.Document() {
		d.app.Out.Sync()
		return d.unread()
	}
	return nil
}

// unread ends a run of several scenarios whose lines are not read any more, as that of
// simctl run --all | head -1, unless there are files to be written.
func (d *Results) unread() error {
	if d.dir == nil && d.options.Export.To == "" && d.app.Out.ReaderLeft() {
		return cli.End(cli.ExitReaderLeft, nil)
	}
	return nil
}

// trace writes what --trace wants.
func (d *Results) trace(s *format.Scenario) error {
	switch d.options.Trace {
	case "":
		return nil
	case cli.ToStdout:
		if err := execute.Trace(s, d.app.Out); err != nil {
			return err
		}
		_, err := io.WriteString(d.app.Out, "\n")
		return err
	}
	return files.Write(d.options.Trace, func(w io.Writer) error { return execute.Trace(s, w) })
}

// files writes what --out wants: into the folder itself, or for each of several
// scenarios into a folder of its own.
func (d *Results) files(s *format.Scenario, r *reports.Run) error {
	folder := d.folder(r.Scenario, len(d.done))
	if err := d.stale(folder); err != nil {
		return err
	}
	write := func(name string, fill func(io.Writer) error) error {
		return d.dir.Write(path.Join(folder, name), fill)
	}
	if err := write("report.txt", func(w io.Writer) error { return r.WriteText(w, layout.Style{}) }); err != nil {
		return err
	}
	if err := write("report.json", func(w io.Writer) error { return reports.WriteJSON(w, r) }); err != nil {
		return err
	}
	if form := renderingOf(d.options.Output); form != nil {
		if err := write(form.file, func(w io.Writer) error { return form.write(w, []*reports.Run{r}) }); err != nil {
			return err
		}
	}
	if err := d.figures(r, write); err != nil {
		return err
	}
	if len(s.Variants) > 0 || s.Replays() {
		return nil // a grid has no first run, a replay no steps
	}
	return write("trace.txt", func(w io.Writer) error { return execute.Trace(s, w) })
}

// folder is where the files of a scenario go: into the folder itself, or for each of
// several scenarios into a folder of its own.
func (d *Results) folder(name string, number int) string {
	if !d.several {
		return ""
	}
	return FolderOf(name, number)
}

// FolderOf is the folder for a scenario: its name, or for a file its number and the
// last part of its path.
func FolderOf(name string, number int) string {
	name = strings.ReplaceAll(cli.FileName(name), "\\", "/")
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.Contains(name, "..") || path.IsAbs(name) {
		base := path.Base(name)
		return fmt.Sprintf("%03d-%s", number, strings.TrimSuffix(base, path.Ext(base)))
	}
	return name
}

// suite is the document of several scenarios.
type suite struct {
	Schema    string         `json:"schema"`
	Exit      int            `json:"exit"`
	OK        bool           `json:"ok"`
	Scenarios []*reports.Run `json:"scenarios"`
}

// Exit is the exit code of all scenarios that were run: that of the worst.
func (d *Results) Exit() int { return worst(d.done) }

func worst(list []*reports.Run) (code int) {
	for _, r := range list {
		if code != cli.ExitNotExpected && r.Exit != cli.ExitOK {
			code = r.Exit
		}
	}
	return code
}

// Finish writes what is about all of them, and lets the files appear.
func (d *Results) Finish() error {
	if len(d.done) == 0 {
		return nil
	}
	bad := 0
	var failed bytes.Buffer
	for _, r := range d.done {
		if r.Exit == 0 {
			continue
		}
		bad++
		failed.WriteString("\n")
		if err := r.WriteText(&failed, d.style); err != nil {
			return err
		}
	}
	out := d.app.Out
	var err error
	form := renderingOf(d.options.Output)
	switch {
	case form != nil:
		err = form.write(out, d.done)
	case d.options.Output == JSON && d.several:
		err = reports.WriteJSON(out, suite{"fencepost/suite/v1", worst(d.done), bad == 0, d.done})
	case d.options.Output == JSON:
		err = reports.WriteJSON(out, d.done[0])
	case d.several:
		if !d.options.Quiet {
			_, err = failed.WriteTo(out)
		}
		fmt.Fprintf(out, "\n%d scenarios: %d ok, %d FAIL\n", len(d.done), len(d.done)-bad, bad)
	}
	if err != nil || d.dir == nil {
		return err
	}
	d.Document = true
	return errors.Join(append([]error{d.dir.Finish()}, d.undrawn...)...)
}

// figures draws the plots of a run into the folder of --out. What cannot be drawn is an
// error once all else is written; of a run that was interrupted it is only said.
func (d *Results) figures(r *reports.Run, write func(string, func(io.Writer) error) error) error {
	for i := range r.Plots {
		p := &r.Plots[i]
		fig, err := plot.Figure(r, p)
		if err == nil {
			err = fig.WriteSVG(io.Discard)
		}
		switch {
		case err == nil:
			if err := write(p.File+".svg", fig.WriteSVG); err != nil {
				return err
			}
		case r.PointsWanted > 0 || r.RunsWanted > 0:
			fmt.Fprintf(d.app.ErrOut, program.Name()+": %s is not drawn: the run was interrupted\n", p.File)
		default:
			d.undrawn = append(d.undrawn, fmt.Errorf("%s is not drawn: %w", p.File, plotting.Nearest(err)))
		}
	}
	return nil
}

// verdictLine is the line that one of several scenarios gets.
func verdictLine(r *reports.Run, s layout.Style) string {
	return cmp.Or(map[bool]string{true: "ok  "}[r.Exit == 0], "FAIL") + "  " + r.Scenario + ": " + r.Line(s) + "\n"
}
