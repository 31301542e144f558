package sql

// Op is what a node of an expression does.
type Op uint8

// The operations.
const (
	OpConst Op = iota
	OpParam
	OpColumn
	opName // not resolved yet
	opStar // * of a select list, not expanded yet
	OpDefault
	OpNegate
	OpNot
	OpAdd
	OpSubtract
	OpMultiply
	OpDivide
	OpModulo
	OpEqual
	OpDiffer
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpAnd
	OpOr
	OpIsNull
	OpIsNotNull
	OpCase // when, then, when, then, ..., else
	OpGreatest
	OpLeast
	OpCoalesce
	OpNow
	OpClock
	OpXmax
	OpAggregate
	OpExists // of a query
	OpScalar
	OpIn // one kid: whether its value is among those of a query
	OpLock
	OpTryLock
	opHash // hashtext, evaluated as its only kid: a number that differs where texts differ
	opSame // evaluated as its only kid: a cast, a column with another name
)

// Node is a node of an expression: first as parsed, then resolved in place.
type Node struct {
	Op        Op
	Kind      Kind
	Value     Value  // OpConst
	name      string // opName; the text of a literal of unknown kind; what the column of a result is called
	qualifier string
	at        int
	Relation  int
	Column    int
	Argument  int // OpParam: place in the arguments; OpAggregate: place among the aggregates
	Kids      []*Node
	Query     *Query
	Once      int32 // a query that depends on no row outside: its number in the statement, from 1
	Join      int32 // what PostgreSQL makes a join of: its number in the statement, from 1
	Anti      bool  // it stands below NOT
}

// AggregateKind is a function over all rows.
type AggregateKind uint8

// The aggregates. CountAll is count(*); the others leave NULL out.
const (
	CountAll AggregateKind = iota
	Count
	Sum
	Maximum
	Minimum
)

// Aggregate is one aggregate of a select list.
type Aggregate struct {
	Kind     AggregateKind
	Argument *Node
}

// LockMode is what a SELECT does about row locks.
type LockMode uint8

// The locks: none, FOR UPDATE, and with SKIP LOCKED or NOWAIT.
const (
	NoLock LockMode = iota
	ForUpdate
	SkipLocked
	NoWait
)

// Relation is something with rows that an expression may refer to.
type Relation struct {
	Number  int
	name    string
	Table   *Table // nil for the result of a WITH query
	Part    int    // that result
	Columns []Column
	locks   bool // it is that of a SELECT that locks rows
}

// OrderKey is one key of ORDER BY.
type OrderKey struct {
	By         *Node
	Descending bool
}

// Query is a SELECT without WITH and UNION, and what UPDATE and DELETE look for.
// Its conditions that need a subquery for each row come last.
type Query struct {
	From       *Relation // nil for none
	Other      *Relation // UPDATE .. FROM
	Items      []*Node
	Where      *Node
	Order      []OrderKey
	Limit      *Node
	Lock       LockMode
	Aggregates []Aggregate
	Access     Access
	Joined     Access  // to other
	Constant   *Node   // conditions on no row of the query: checked before any is read
	First      []*Node // IN of few values, which are evaluated before any row is read
	Late       bool    // conditions take locks, or LIMIT counts locked rows: no row is checked before those ahead of it are dealt with
	Joins      bool    // a condition is one that PostgreSQL makes a join of
	correlated bool    // it depends on a row outside
	settled    bool    // its names are resolved
}

// PartKind is what a part of a statement does.
type PartKind uint8

// The parts.
const (
	SelectPart PartKind = iota
	InsertPart
	UpdatePart
	DeletePart
)

// Part is a query of a statement: of WITH, of UNION ALL, or the only one.
type Part struct {
	Kind      PartKind
	Query     *Query // SelectPart, UpdatePart, DeletePart; an InsertPart with SELECT
	Target    *Relation
	Columns   []int     // InsertPart, UpdatePart: places that are given
	Values    [][]*Node // InsertPart: rows; UpdatePart: one row
	Conflict  *Conflict
	Returning []*Node
	With      bool  // its rows are for the parts that follow
	Unread    bool  // no part that runs reads them: a SELECT does not run then
	reads     []int // parts
}

// Conflict is ON CONFLICT.
type Conflict struct {
	Index    *Index // nil for all unique ones
	Update   bool
	Columns  []int
	Values   []*Node
	Where    *Node
	Excluded *Relation
}

// scope is what names may refer to.
type scope struct {
	relations []*Relation
	query     *Query // that the scope is of; nil for a part's own lists
	outer     *scope
	xmax      bool
}
