// Package postgres is a SQL table store with the semantics of PostgreSQL, as a plain
// data structure: tables, row versions, snapshots, locks and sessions, driven by
// statements as events. It has no node, no network and no timer of its own.
//
// A [Schema] holds what does not change: tables, indexes, interned texts and prepared
// statements. A [DB] holds what does. It can be copied with [DB.Reset] and compared, and
// equal logical states mostly have equal representations: versions that no snapshot can
// see are removed at once.
//
// What differs from PostgreSQL:
//
//   - Integers only; texts are equal or not, and have no order; timestamps and intervals
//     have nanoseconds.
//   - Rows without ORDER BY come in the order of an index, or of the places in the store.
//   - Of several sessions that wait for one transaction the first that began to wait
//     continues first, where a server has a race.
//   - At SERIALIZABLE what is read is a range of keys, or a table. A server that reads by an
//     index locks pages of it, or reads a small table as a whole, and aborts more.
//   - No joins in SELECT, no GROUP BY, no foreign keys, no FOR SHARE, no READ ONLY, no DDL
//     once sessions run. What is not there is refused with 0A000.
//
// Source: PostgreSQL 15 documentation, chapter 13 "Concurrency Control"; Ports and
// Grittner, "Serializable Snapshot Isolation in PostgreSQL", VLDB 2012.
package postgres

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

// truth is a condition as a value.
func truth(b bool) Value {
	if b {
		return 1
	}
	return 0
}

// rank orders values as ORDER BY does: NULL after everything else.
func (v Value) rank() uint64 { return uint64(v) + 1<<63 - 1 }

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

// before compares two values of a kind; clock readings only as the engine does.
func before(a, b Value, k Kind) bool {
	if k == Timestamp {
		return sim.Wall(a).Before(sim.Wall(b))
	}
	return a < b
}
