package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"fencepost/reports"
	"fencepost/scenarios/format"
)

// WriteNotes writes what a scenario should say otherwise.
func WriteNotes(out io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(out, "  note: %s\n", n)
	}
}

// InvalidFile is a scenario and what is wrong with it, nil if nothing is.
type InvalidFile struct {
	Name  string
	Err   error
	Notes []string // on one that is valid
}

// interruptedAmong is the error of a file for which no one waits any more: nothing is
// known of it.
func interruptedAmong(files []InvalidFile) error {
	for _, f := range files {
		if errors.Is(f.Err, errInputInterrupted) {
			return fmt.Errorf("%s: %w", f.Name, f.Err)
		}
	}
	return nil
}

// Refuse reports scenarios that cannot be run.
func (a *App) Refuse(files []InvalidFile, asJSON bool) error {
	if err := interruptedAmong(files); err != nil {
		return err
	}
	if asJSON {
		if err := WriteValidation(a.Out, files); err != nil {
			return Failure(err)
		}
		return End(ExitUsage, nil)
	}
	bad := 0
	for _, f := range files {
		if f.Err == nil {
			continue
		}
		bad++
		fmt.Fprintf(a.ErrOut, "%v\n", f.Err)
	}
	what := "1 scenario is invalid; nothing was run"
	if bad > 1 {
		what = fmt.Sprintf("%d scenarios are invalid; nothing was run", bad)
	}
	return Usage(errors.New(what))
}

// The document of validate, and of a run that was refused.
type validationDoc struct {
	Schema string         `json:"schema"`
	OK     bool           `json:"ok"`
	Files  []validatedDoc `json:"files"`
}

type validatedDoc struct {
	File     string           `json:"file"`
	OK       bool             `json:"ok"`
	Problems []format.Problem `json:"problems"`
	Notes    []string         `json:"notes,omitempty"`
	More     int              `json:"more,omitempty"` // problems beyond those
}

// WriteValidation writes the document of validate.
func WriteValidation(w io.Writer, files []InvalidFile) error {
	return reports.WriteJSON(w, validation(files))
}

func validation(files []InvalidFile) validationDoc {
	doc := validationDoc{Schema: "fencepost/validate/v1", OK: true, Files: []validatedDoc{}}
	for _, f := range files {
		v := validatedDoc{File: f.Name, OK: f.Err == nil, Problems: []format.Problem{}, Notes: f.Notes}
		doc.OK = doc.OK && v.OK
		if e := (*format.Invalid)(nil); errors.As(f.Err, &e) {
			v.Problems, v.More = append(v.Problems, e.Problems...), e.More
		} else if f.Err != nil {
			v.Problems = append(v.Problems, format.Problem{File: f.Name, Message: f.Err.Error()})
		}
		doc.Files = append(doc.Files, v)
	}
	return doc
}

// RefuseReplays reports replay files that cannot be replayed.
func (a *App) RefuseReplays(files []InvalidFile, asJSON bool) error {
	if err := interruptedAmong(files); err != nil || asJSON {
		return cmp.Or(err, a.Refuse(files, true))
	}
	for _, f := range files {
		fmt.Fprintf(a.ErrOut, "%v\n", f.Err)
	}
	what := "1 file cannot be replayed; nothing was run"
	if len(files) > 1 {
		what = fmt.Sprintf("%d files cannot be replayed; nothing was run", len(files))
	}
	return Usage(errors.New(what))
}
