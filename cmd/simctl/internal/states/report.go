package states

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"strings"

	"fencepost/internal/text"
	"fencepost/reports/units"
	"fencepost/sim/reach"
)

// Report is the document of reach.
type Report struct {
	Schema     string         `json:"schema"`
	Model      string         `json:"model"`
	Params     map[string]int `json:"params"`
	Crashes    int            `json:"crashes"`
	Duplicates int            `json:"duplicates"`
	Losses     int            `json:"losses"`
	Properties []string       `json:"properties"`
	OK         bool           `json:"ok"`
	Verdict    string         `json:"verdict"` // exhausted, violated or unknown
	Bound      string         `json:"bound,omitempty"`
	States     int64          `json:"states"`
	Moves      int64          `json:"moves"`
	Ends       int64          `json:"ends"`
	Held       int64          `json:"held"`
	Depth      int            `json:"depth"`
	Bytes      int64          `json:"bytes"`
	Violation  *Way           `json:"violation,omitempty"`

	order []string // of the parameters, as the model has them
}

// Way is a shortest way to a violation.
type Way struct {
	Property string `json:"property,omitempty"` // none of a panic
	Why      string `json:"why"`
	Moves    []Move `json:"moves"`
}

// Move is one step on the way.
type Move struct {
	What string `json:"what"`
	Node int    `json:"node,omitempty"`
	Text string `json:"text"`
}

// NewReport is the document of a result.
func NewReport(m *reach.Model, c *reach.Choice, r *reach.Result) *Report {
	f := c.Faults
	d := &Report{
		Schema: "fencepost/reach/v1", Model: m.Name, Params: map[string]int{}, Crashes: f.Crashes, Duplicates: f.Duplicates, Losses: f.Losses,
		Properties: c.Properties, OK: r.Exhausted, Verdict: "unknown", Bound: r.Bound,
		States: r.States, Moves: r.Transitions, Ends: r.Ends, Held: r.Held, Depth: r.Depth, Bytes: r.Bytes,
	}
	for _, p := range m.Params {
		d.Params[p.Name] = p.Value
		d.order = append(d.order, p.Name)
	}
	maps.Copy(d.Params, c.Values)
	if len(d.Properties) == 0 {
		d.Properties = Properties(m)
	}
	switch v := r.Violation; {
	case v != nil:
		d.Verdict = "violated"
		d.Violation = &Way{Property: v.Property, Why: v.Why, Moves: []Move{}}
		for _, m := range v.Moves {
			d.Violation.Moves = append(d.Violation.Moves, Move{m.What.String(), int(m.Node), m.Text})
		}
	case r.Exhausted:
		d.Verdict = "exhausted"
	}
	return d
}

// WriteText writes what the document says.
func (d *Report) WriteText(to io.Writer) error {
	w := &bytes.Buffer{}
	var with []string
	for _, name := range d.order {
		with = append(with, fmt.Sprintf("%s=%d", name, d.Params[name]))
	}
	for i, n := range []int{d.Crashes, d.Duplicates, d.Losses} {
		if n > 0 {
			with = append(with, fmt.Sprintf("%s=%d", []string{"crashes", "duplicates", "losses"}[i], n))
		}
	}
	fmt.Fprintf(w, "%s, %s\n", d.Model, strings.Join(with, " "))
	counts := fmt.Sprintf("%s states, %s moves", units.Number(d.States), units.Number(d.Moves))
	names := strings.Join(d.Properties, ", ")
	switch v := d.Violation; {
	case v != nil:
		fmt.Fprintf(w, "%s: violated: %s\n", cmp.Or(v.Property, "no-panic"), v.Why)
		fmt.Fprintf(w, "No shorter way leads there (%s):\n", counts)
		for i, m := range v.Moves {
			fmt.Fprintf(w, "%4d  %s\n", i+1, m.Text)
		}
	case d.OK:
		fmt.Fprintf(w, "%s: exhausted: no state violates it\n", names)
		fmt.Fprintf(w, "%s, at most %s from the start\n", counts, text.Count(d.Depth, "move"))
	default:
		fmt.Fprintf(w, "%s: unknown: stopped at %s\n", names, d.Bound)
		fmt.Fprintf(w, "%s, at most %s from the start, none of which violates it\n", counts, text.Count(d.Depth, "move"))
	}
	if d.Held > 0 {
		fmt.Fprintf(w, "%s times a link was too full for a step: with longer links there may be more states\n", units.Number(d.Held))
	}
	_, err := w.WriteTo(to)
	return err
}

// List is the document of the models.
type List struct {
	Schema string   `json:"schema"`
	Models []Listed `json:"models"`
}

// Listed is a model.
type Listed struct {
	Name   string     `json:"name"`
	About  string     `json:"about"`
	Source string     `json:"source"`
	Params []Param    `json:"params"`
	Claims []Property `json:"properties"`
}

// Param is a parameter of a model, with its range.
type Param struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Default int    `json:"default"`
	Least   int    `json:"min"`
	Most    int    `json:"max"`
}

// Property is what a model promises.
type Property struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// ListModels lists the models.
func ListModels() *List {
	l := &List{Schema: "fencepost/reach-models/v1"}
	for _, m := range Models() {
		listed := Listed{Name: m.Name, About: m.About, Source: m.Source}
		for _, p := range m.Params {
			listed.Params = append(listed.Params, Param{p.Name, p.About, p.Value, p.Least, p.Most})
		}
		for _, p := range m.Properties {
			listed.Claims = append(listed.Claims, Property{p.Name, p.About})
		}
		l.Models = append(l.Models, listed)
	}
	return l
}

// WriteText writes the list for a person.
func (l *List) WriteText(to io.Writer) error {
	w := &bytes.Buffer{}
	for i, m := range l.Models {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %s\n  source: %s\n", m.Name, m.About, m.Source)
		for _, p := range m.Params {
			fmt.Fprintf(w, "  --set %-14s %s; %d to %d\n", fmt.Sprintf("%s=%d", p.Name, p.Default), p.About, p.Least, p.Most)
		}
		for _, p := range m.Claims {
			fmt.Fprintf(w, "  --property %s: %s\n", p.Name, p.About)
		}
	}
	_, err := w.WriteTo(to)
	return err
}
