package flow

import (
	"time"

	"fencepost/models/internal/postgres/sql"
)

// What a flow consists of. Each statement compiles itself, see compile.go.
type statement interface{ compile(c *compiler) }

type block []statement

// name is a name where it stands in the text.
type ident struct {
	at   int
	text string
}

type (
	// query is an SQL statement, captured verbatim.
	query struct {
		at, end int // offsets of the text, without "-> names" and ;
		into    []ident
		index   int16 // in Program.Statements, from 1; 0: not yet compiled
	}
	// forEach runs its body for each row.
	forEach struct {
		query *query
		body  block
	}
	assign struct {
		name    ident
		declare bool
		value   *expression
	}
	branch struct {
		condition   *expression
		then, other block
	}
	loop struct {
		at   int
		body block
	}
	leave struct { // break, continue
		at    int
		again bool
	}
	try struct {
		body    block
		catches []clause
		finally block
	}
	clause struct {
		states []sql.Code // none: every error
		body   block
	}
	raise struct{ at int }
	// act is an action that is no query.
	act struct {
		at          int
		kind        ActionKind
		note        Note
		word        string // of a key in the cache
		absent      bool
		values      []*expression // the rest of that key
		key         *expression
		value       *expression
		amount      *expression // or the status of an answer
		lifetime    *expression
		least, most time.Duration
		into        []ident
	}
)

// expression is a tree; left and right as the operator needs them.
type expression struct {
	at          int
	op          operator
	value       sql.Value // of a constant
	text        string    // of a name or a text
	left, right *expression
}

type operator uint8

const (
	constant operator = iota
	textual           // a text, whose value the schema knows
	named             // a variable, an input, a parameter or a builtin
	negate
	not
	isNull
	add
	subtract
	multiply
	divide
	equal
	less
	earlier // less, of two clock readings
	and
	or
	variable // what a name can be once it is resolved; value is its index
	input
	parameter
	builtin
)
