package main

import (
	"fmt"
	"maps"
	"strings"

	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/reports/units"
	"fencepost/sim/reach"
)

// reachDoc is the document of reach.
type reachDoc struct {
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
	Violation  *reachWay      `json:"violation,omitempty"`
}

// reachWay is a shortest way to a violation.
type reachWay struct {
	Property string      `json:"property,omitempty"` // none of a panic
	Why      string      `json:"why"`
	Moves    []reachMove `json:"moves"`
}

type reachMove struct {
	What string `json:"what"`
	Node int    `json:"node,omitempty"`
	Text string `json:"text"`
}

// reportOf is the document of a result.
func reportOf(o *reachOptions, r *reach.Result) *reachDoc {
	f := o.Choice.Faults
	d := &reachDoc{
		Schema: "fencepost/reach/v1", Model: o.Model.Name, Params: map[string]int{}, Crashes: f.Crashes, Duplicates: f.Duplicates, Losses: f.Losses,
		Properties: o.Choice.Properties, OK: r.Exhausted, Verdict: "unknown", Bound: r.Bound,
		States: r.States, Moves: r.Transitions, Ends: r.Ends, Held: r.Held, Depth: r.Depth, Bytes: r.Bytes,
	}
	for _, p := range o.Model.Params {
		d.Params[p.Name] = p.Value
	}
	maps.Copy(d.Params, o.Choice.Values)
	if len(d.Properties) == 0 {
		d.Properties = claimsOf(o.Model)
	}
	switch v := r.Violation; {
	case v != nil:
		d.Verdict = "violated"
		d.Violation = &reachWay{Property: v.Property, Why: v.Why, Moves: []reachMove{}}
		for _, m := range v.Moves {
			d.Violation.Moves = append(d.Violation.Moves, reachMove{m.What.String(), int(m.Node), m.Text})
		}
	case r.Exhausted:
		d.Verdict = "exhausted"
	}
	return d
}

// tellReach writes the document, or what it says.
func (a *app) tellReach(o *reachOptions, d *reachDoc) error {
	if o.JSON {
		return reports.WriteJSON(a.Out, d)
	}
	var with []string
	for _, p := range o.Model.Params {
		with = append(with, fmt.Sprintf("%s=%d", p.Name, d.Params[p.Name]))
	}
	for i, n := range []int{d.Crashes, d.Duplicates, d.Losses} {
		if n > 0 {
			with = append(with, fmt.Sprintf("%s=%d", []string{"crashes", "duplicates", "losses"}[i], n))
		}
	}
	fmt.Fprintf(a.Out, "%s, %s\n", d.Model, strings.Join(with, " "))
	counts := fmt.Sprintf("%s states, %s moves", units.Number(d.States), units.Number(d.Moves))
	names := strings.Join(d.Properties, ", ")
	switch v := d.Violation; {
	case v != nil:
		if v.Property == "" {
			v.Property = "no-panic"
		}
		fmt.Fprintf(a.Out, "%s: violated: %s\n", v.Property, v.Why)
		fmt.Fprintf(a.Out, "No shorter way leads there (%s):\n", counts)
		for i, m := range v.Moves {
			fmt.Fprintf(a.Out, "%4d  %s\n", i+1, m.Text)
		}
	case d.OK:
		fmt.Fprintf(a.Out, "%s: exhausted: no state violates it\n", names)
		fmt.Fprintf(a.Out, "%s, at most %s from the start\n", counts, text.Count(d.Depth, "move"))
	default:
		fmt.Fprintf(a.Out, "%s: unknown: stopped at %s\n", names, d.Bound)
		fmt.Fprintf(a.Out, "%s, at most %s from the start, none of which violates it\n", counts, text.Count(d.Depth, "move"))
	}
	if d.Held > 0 {
		fmt.Fprintf(a.Out, "%s times a link was too full for a step: with longer links there may be more states\n", units.Number(d.Held))
	}
	return nil
}

// The document of the models.
type reachList struct {
	Schema string        `json:"schema"`
	Models []reachListed `json:"models"`
}

type reachListed struct {
	Name   string       `json:"name"`
	About  string       `json:"about"`
	Source string       `json:"source"`
	Params []reachParam `json:"params"`
	Claims []reachClaim `json:"properties"`
}

type reachParam struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Default int    `json:"default"`
	Least   int    `json:"min"`
	Most    int    `json:"max"`
}

type reachClaim struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// listReach lists the models.
func (a *app) listReach(asJSON bool) error {
	l := reachList{Schema: "fencepost/reach-models/v1"}
	for _, m := range reachModels() {
		listed := reachListed{Name: m.Name, About: m.About, Source: m.Source}
		for _, p := range m.Params {
			listed.Params = append(listed.Params, reachParam{p.Name, p.About, p.Value, p.Least, p.Most})
		}
		for _, p := range m.Properties {
			listed.Claims = append(listed.Claims, reachClaim{p.Name, p.About})
		}
		l.Models = append(l.Models, listed)
	}
	if asJSON {
		return reports.WriteJSON(a.Out, l)
	}
	for i, m := range l.Models {
		if i > 0 {
			fmt.Fprintln(a.Out)
		}
		fmt.Fprintf(a.Out, "%s  %s\n  source: %s\n", m.Name, m.About, m.Source)
		for _, p := range m.Params {
			fmt.Fprintf(a.Out, "  --set %-14s %s; %d to %d\n", fmt.Sprintf("%s=%d", p.Name, p.Default), p.About, p.Least, p.Most)
		}
		for _, p := range m.Claims {
			fmt.Fprintf(a.Out, "  --property %s: %s\n", p.Name, p.About)
		}
	}
	return nil
}
