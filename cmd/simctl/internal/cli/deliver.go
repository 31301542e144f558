package cli

import (
	"fmt"
	"io"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/reports"
	"fencepost/reports/layout"
)

// Document is a finished report.
type Document interface {
	WriteText(io.Writer, layout.Style) error
	WriteVerdict(io.Writer, layout.Style) error
}

// deliver prints a report as the options want it.
func (a *App) deliver(o *Subject, r Document) error {
	style := a.Style(o.Color)
	switch {
	case o.JSON:
		return reports.WriteJSON(a.Out, r)
	case o.Quiet:
		return r.WriteVerdict(a.Out, style)
	}
	return r.WriteText(a.Out, style)
}

// OutDir begins the folder of --out; it is nil without.
func OutDir(path string) (*files.Dir, error) {
	if path == "" {
		return nil, nil
	}
	dir, err := files.NewDir(path)
	if err != nil {
		return nil, Failure(fmt.Errorf("--out: %w", err))
	}
	return dir, nil
}

// DeliverTo prints a report, and lets the folder of --out appear with it.
func (a *App) DeliverTo(o *Subject, dir *files.Dir, name string, r Document) error {
	if err := a.deliver(o, r); err != nil || dir == nil {
		return err
	}
	if err := WriteReport(dir, name, r); err != nil {
		return err
	}
	return dir.Finish()
}

// WriteReport adds a report to the folder of --out, as text and as a document.
func WriteReport(dir *files.Dir, name string, r Document) error {
	err := dir.Write(name+".txt", func(w io.Writer) error { return r.WriteText(w, layout.Style{}) })
	if err != nil {
		return err
	}
	return dir.Write(name+".json", func(w io.Writer) error { return reports.WriteJSON(w, r) })
}
