package flow

import (
	"errors"
	"fmt"
	"time"

	"fencepost/models/internal/postgres/sql"
)

// Limits of a flow.
const (
	MaxVariables    = 24      // of a handler
	MaxInstructions = 512     // of a program
	MaxText         = 1 << 16 // bytes
	maxDepth        = 64      // of blocks and of expressions
	maxProblems     = 20      // that are reported
	maxSteps        = 4096    // of a task without an action that leaves the process
)

// Problem is a mistake in the text of a flow. Line and column count from 1, the column in
// bytes.
type Problem struct {
	Line, Column int
	Message      string
	Code         sql.Code // of a mistake in SQL as PostgreSQL reports it; otherwise 0
}

func (p *Problem) Error() string { return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Message) }

// Problems are the mistakes that an error of [Parse] joins, in the order of the text.
func Problems(err error) []*Problem {
	var list []*Problem
	var p *Problem
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, each := range e.Unwrap() {
			list = append(list, Problems(each)...)
		}
	default:
		if errors.As(err, &p) {
			list = append(list, p)
		}
	}
	return list
}

// Params are the durations that a flow reads by name. They belong to the server that runs
// the program.
type Params struct {
	Lease       time.Duration // lease: how long a claim of a key holds
	LockTTL     time.Duration // lock_ttl: how long a lock in the cache holds
	MaxWait     time.Duration // max_wait: how long a duplicate waits
	Poll        time.Duration // poll: between two looks of one that waits
	TTL         time.Duration // ttl: how long an answer is kept
	LockTimeout time.Duration // lock_timeout: how long a statement waits for a lock
	ProviderTTL time.Duration // provider_ttl: how long the provider keeps a key
}

// DefaultParams are those of the sources: a lock of 5 s, a wait of 3 s, a look every
// 50 ms, answers kept for 24 h.
//
// Source: S0 11.2, S1 strategy 3.
func DefaultParams() Params {
	return Params{
		Lease: 10 * time.Second, LockTTL: 5 * time.Second, MaxWait: 3 * time.Second, Poll: 50 * time.Millisecond,
		TTL: 24 * time.Hour, LockTimeout: 3 * time.Second, ProviderTTL: 24 * time.Hour,
	}
}

// Column is a column of a table, by name.
type Column struct{ Table, Column string }

// Statement is an SQL statement of a program.
type Statement struct {
	Line, Column int            // where it begins
	Text         string         // as written, without the names of what it returns
	Values       []string       // the variables that are its arguments, in their order
	SQL          *sql.Statement // nil: the database refuses it with Code
	Code         sql.Code       // what PostgreSQL finds wrong with it, in a flow "as written"

	role role
}

// role is what a statement does to a transaction.
type role uint8

const (
	works role = iota // on rows
	begins
	ends
	other
)

// Program is a flow that can run. It does not change; tasks of many servers share it.
type Program struct {
	Name       string
	About      string // the comment that the text begins with
	Params     Params // default [DefaultParams]; to be set before a task is started
	Schema     *sql.Schema
	Statements []Statement
	Words      []string      // of keys in the cache, see Action.Word
	Period     time.Duration // of the handler every

	Effects   []string // tables in which a committed row is an effect
	Conserved []Column // whose sum does not change
	Folds     []Column // that events are added to
	Recovery  []Column // that holds a recovery point
	Ordered   []Column // of tables whose rows are events that keep the order of their commits, by the value here; "" is all rows
	Watched   []Column // whose committed values are shown

	code    []instruction
	nodes   []node
	catches []catch
	entry   [Every + 1]int16 // where a handler begins; 0: there is none
	failure [Every + 1]int16 // where it continues after an error that it does not catch
	kinds   uint32           // of actions that it may ask for
}

// Immutable implements [sim.Immutable].
func (*Program) Immutable() {}

// Has reports whether the program has a handler.
func (p *Program) Has(h Handler) bool { return p.entry[h] != 0 }

// Uses reports whether a task of the program may ask for an action.
func (p *Program) Uses(k ActionKind) bool { return p.kinds&(1<<k) != 0 }
