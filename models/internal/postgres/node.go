package postgres

// op is what a node of an expression does.
type op uint8

const (
	opConst op = iota
	opParam
	opColumn
	opName // not resolved yet
	opStar // * of a select list, not expanded yet
	opDefault
	opNegate
	opNot
	opAdd
	opSubtract
	opMultiply
	opDivide
	opModulo
	opEqual
	opDiffer
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opAnd
	opOr
	opIsNull
	opIsNotNull
	opCase // when, then, when, then, ..., else
	opGreatest
	opLeast
	opCoalesce
	opNow
	opClock
	opXmax
	opAggregate
	opExists
	opScalar
	opLock
	opTryLock
	opHash // hashtext: a number that differs where texts differ
	opSame // its only kid: a cast, a column with another name
)

// node is a node of an expression: first as parsed, then resolved in place.
type node struct {
	op        op
	kind      Kind
	value     Value  // opConst
	name      string // opName; the text of a literal of unknown kind; what the column of a result is called
	qualifier string
	at        int
	relation  int
	column    int
	argument  int // opParam: place in the arguments; opAggregate: place among the aggregates
	kids      []*node
	query     *query
}

// aggregateKind is a function over all rows.
type aggregateKind uint8

const (
	countAll aggregateKind = iota
	count
	sum
	maximum
	minimum
)

// aggregate is one aggregate of a select list.
type aggregate struct {
	kind     aggregateKind
	argument *node
}

// lockMode is what a SELECT does about row locks.
type lockMode uint8

const (
	noLock lockMode = iota
	forUpdate
	skipLocked
	noWait
)

// relation is something with rows that an expression may refer to.
type relation struct {
	number  int
	name    string
	table   *table // nil for the result of a WITH query
	part    int    // that result
	columns []column
}

// orderKey is one key of ORDER BY.
type orderKey struct {
	by         *node
	descending bool
}

// query is a SELECT without WITH and UNION, and what UPDATE and DELETE look for.
type query struct {
	from       *relation // nil for none
	other      *relation // UPDATE .. FROM
	items      []*node
	where      *node
	order      []orderKey
	limit      *node
	lock       lockMode
	aggregates []aggregate
	access     access
	joined     access // to other
}

// partKind is what a part of a statement does.
type partKind uint8

const (
	selectPart partKind = iota
	insertPart
	updatePart
	deletePart
)

// part is a query of a statement: of WITH, of UNION ALL, or the only one.
type part struct {
	kind      partKind
	query     *query // selectPart, updatePart, deletePart; an insertPart with SELECT
	target    *relation
	columns   []int     // insertPart, updatePart: places that are given
	values    [][]*node // insertPart: rows; updatePart: one row
	conflict  *conflict
	returning []*node
	with      bool // its rows are for the parts that follow
}

// conflict is ON CONFLICT.
type conflict struct {
	index    *index // nil for all unique ones
	update   bool
	columns  []int
	values   []*node
	where    *node
	excluded *relation
}

// scope is what names may refer to.
type scope struct {
	relations []*relation
	outer     *scope
	xmax      bool
}
