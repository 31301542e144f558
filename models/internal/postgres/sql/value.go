// Package sql is the subset of PostgreSQL's SQL that package postgres runs: lexer, parser,
// types, names and the choice of an index. It makes of a text what is executed, and
// executes nothing.
//
// A [Schema] holds tables, indexes, interned texts and prepared statements. A [Statement]
// is a list of parts; a part is a query with expressions that are trees of [Node]. All of
// them are written here alone, and read only by who executes them.
//
// What is not in the subset is refused with 0A000, by the place in the text.
//
// Source: PostgreSQL 15 documentation, part II "The SQL Language" and part VI "Reference".
package sql

import (
	"math"
	"strconv"
	"time"

	"fencepost/sim"
)

// Value is the value of a column. What it means depends on the [Kind] of the column: an
// integer; the number of an interned text, see [Schema.Text]; a timestamp as a reading of
// the server's wall clock in nanoseconds; an interval in nanoseconds; 0 or 1 for a
// boolean.
type Value int64

// Null is the value that is not there.
const Null Value = math.MinInt64

// Kind is the type of a column or an expression.
type Kind uint8

// The kinds. A parameter and NULL are Unknown: they take the kind that is wanted.
const (
	Unknown Kind = iota
	Int
	Text
	Timestamp
	Interval
	Bool
	Void // of a function that returns nothing
)

var kindNames = [...]string{"unknown", "integer", "text", "timestamp", "interval", "boolean", "void"}

// String is the name of the kind in messages.
func (k Kind) String() string { return kindNames[k] }

// Truth is a condition as a value.
func Truth(b bool) Value {
	if b {
		return 1
	}
	return 0
}

// Rank orders values as ORDER BY does: NULL after everything else.
func (v Value) Rank() uint64 { return uint64(v) + 1<<63 - 1 }

// FormatValue is a value as psql prints it, but for timestamps, which are nanoseconds.
func (s *Schema) FormatValue(v Value, k Kind) string {
	switch {
	case v == Null:
		return "NULL"
	case k == Void:
		return ""
	case k == Text:
		return s.TextOf(v)
	case k == Bool && v == 0:
		return "f"
	case k == Bool:
		return "t"
	case k == Interval:
		return time.Duration(v).String()
	}
	return strconv.FormatInt(int64(v), 10)
}

// Before compares two values of a kind; clock readings only as the engine does.
func Before(a, b Value, k Kind) bool {
	if k == Timestamp {
		return sim.Wall(a).Before(sim.Wall(b))
	}
	return a < b
}
