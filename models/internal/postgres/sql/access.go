package sql

import "slices"

// Access is how the rows of a table are found: all of them, or those in an index that
// begin with known values.
type Access struct {
	Index    int     // place in the table's indexes; -1 for all rows
	Prefix   []*Node // values of its first columns
	Low      *Node   // of the column that follows: at least this; nil for none
	High     *Node   // at most this
	Keys     []*Node // what else the columns of the index are compared with, that has a query in it: evaluated first too
	Ordered  bool    // the index has the order of ORDER BY
	Backward bool    // the index has the opposite order
	Boxes    []Box   // every row that satisfies the query lies in one of them
}

// Box is a set of rows: those that satisfy each of some conditions on one column.
type Box []Bound

// Bound is a condition on a column: a comparison with a value that is known before the rows are read, or IS [NOT] NULL.
type Bound struct {
	Column int
	Op     Op
	Value  *Node // nil for IS [NOT] NULL
}

// The bounds of what is kept of the conditions of a query at SERIALIZABLE.
const (
	MaxBoxes  = 4 // of an access
	MaxBounds = 4 // of a box
)

// plan chooses the access to the tables of a query.
func (q *Query) plan() {
	q.Access, q.Joined = Access{Index: -1}, Access{Index: -1}
	if q.From == nil {
		return
	}
	later := []int{q.From.Number}
	if q.Other != nil {
		later = append(later, q.Other.Number)
		q.Joined = q.best(q.Other, later[1:], nil)
		q.Joined.Boxes = q.Joined.boxes(q.Where, q.Other, later[1:])
	}
	q.Access = q.best(q.From, later, q.Order)
	q.Access.Boxes = q.Access.boxes(q.Where, q.From, later)
}

// boxes are sets of rows of a relation outside which no row satisfies a condition. Timestamps bound none: clock readings
// are compared with Before only.
func (a *Access) boxes(n *Node, r *Relation, later []int) []Box {
	switch {
	case n == nil:
	case n.Op == OpAnd:
		left, right := a.boxes(n.Kids[0], r, later), a.boxes(n.Kids[1], r, later)
		if len(left)*len(right) > MaxBoxes {
			return left
		}
		var list []Box
		for _, l := range left {
			for _, o := range right {
				both := slices.Concat(l, o)
				list = append(list, both[:min(len(both), MaxBounds)])
			}
		}
		return list
	case n.Op == OpOr:
		if list := append(a.boxes(n.Kids[0], r, later), a.boxes(n.Kids[1], r, later)...); len(list) <= MaxBoxes {
			return list
		}
	case n.Op == OpIsNull || n.Op == OpIsNotNull:
		if k := n.Kids[0]; k.isOf(r) && k.Kind != Timestamp {
			return []Box{{{k.Column, n.Op, nil}}}
		}
	default:
		for i := range n.Kids {
			op, ok := mirrored[n.Op]
			if i == 0 {
				op = n.Op
			}
			if ok && n.Kids[i].isOf(r) && n.Kids[i].Kind != Timestamp && n.Kids[1-i].known(later) && (!n.Kids[1-i].locks() || a.uses(n.Kids[1-i])) {
				return []Box{{{n.Kids[i].Column, op, n.Kids[1-i]}}}
			}
		}
	}
	return []Box{nil}
}

// mirrored are the comparisons that bound a column, and each with its operands exchanged.
var mirrored = map[Op]Op{OpEqual: OpEqual, OpLess: OpGreater, OpLessEqual: OpGreaterEqual, OpGreater: OpLess, OpGreaterEqual: OpLessEqual}

// uses reports whether an access evaluates an expression before rows are read.
func (a *Access) uses(n *Node) bool {
	return n == a.Low || n == a.High || slices.Contains(a.Prefix, n) || slices.Contains(a.Keys, n)
}

// keys finds the values with queries in them that columns of an index are compared with, besides those that bound it:
// a server evaluates them when it begins to read by the index.
func (a *Access) keys(where *Node, r *Relation, x *Index, later []int) {
	if len(a.Prefix) == 0 && a.Low == nil && a.High == nil {
		return
	}
	terms(where, func(n *Node) bool {
		for i := range n.Kids {
			if _, ok := mirrored[n.Op]; ok && n.Kids[i].isOf(r) && slices.Contains(x.columns, n.Kids[i].Column) &&
				n.Kids[1-i].known(later) && n.Kids[1-i].has((*Node).isQuery, nil) && !a.uses(n.Kids[1-i]) {
				a.Keys = append(a.Keys, n.Kids[1-i])
			}
		}
		return true
	})
}

// best is the index with the longest prefix; then one that has the order.
func (q *Query) best(r *Relation, later []int, order []OrderKey) Access {
	found := Access{Index: -1}
	if r.Table == nil {
		return found
	}
	for i, x := range r.Table.Indexes {
		a := Access{Index: i}
		for _, c := range x.columns {
			n := equalTo(q.Where, r, c, later)
			if n == nil {
				a.Low = bounding(q.Where, r, c, later, OpGreater, OpGreaterEqual)
				a.High = bounding(q.Where, r, c, later, OpLess, OpLessEqual)
				break
			}
			a.Prefix = append(a.Prefix, n)
		}
		a.keys(q.Where, r, x, later)
		a.Ordered = inOrder(order, false, r, x.columns[len(a.Prefix):])
		a.Backward = inOrder(order, true, r, x.columns[len(a.Prefix):])
		if a.score() > found.score() {
			found = a
		}
	}
	return found
}

func (a *Access) score() int {
	s := 4 * len(a.Prefix)
	if a.Low != nil || a.High != nil {
		s += 2
	}
	if a.Ordered || a.Backward {
		s++
	}
	return s
}

// inOrder reports whether there are keys, the columns of an index begin with them, and all ascend, or all descend.
func inOrder(order []OrderKey, descending bool, r *Relation, columns []int) bool {
	for i, k := range order {
		for k.By.Op == opSame {
			k.By = k.By.Kids[0]
		}
		if k.Descending != descending || i >= len(columns) || !k.By.is(r, columns[i]) {
			return false
		}
	}
	return len(order) > 0
}

// is reports whether a node is a column.
func (n *Node) is(r *Relation, c int) bool {
	return n.Op == OpColumn && n.Relation == r.Number && n.Column == c
}

// terms calls visit for the conditions that are joined by AND, until it returns false.
func terms(n *Node, visit func(n *Node) bool) bool {
	if n == nil {
		return true
	}
	if n.Op == OpAnd {
		return terms(n.Kids[0], visit) && terms(n.Kids[1], visit)
	}
	return visit(n)
}

// equalTo is the expression that a condition makes a column equal to; nil for none.
func equalTo(where *Node, r *Relation, c int, later []int) (found *Node) {
	terms(where, func(n *Node) bool {
		for i := range n.Kids {
			if n.Op == OpEqual && n.Kids[i].is(r, c) && n.Kids[1-i].known(later) {
				found = n.Kids[1-i]
			}
		}
		return found == nil
	})
	return found
}

// bounding is the expression that a condition makes a bound of a column: less than the column, or greater. The condition
// itself is evaluated too.
func bounding(where *Node, r *Relation, c int, later []int, ops ...Op) (found *Node) {
	terms(where, func(n *Node) bool {
		switch {
		case slices.Contains(ops, n.Op) && n.Kids[0].is(r, c) && n.Kids[1].known(later):
			found = n.Kids[1]
		case slices.Contains(ops, mirrored[n.Op]) && n.Kids[1].is(r, c) && n.Kids[0].known(later):
			found = n.Kids[0]
		}
		return found == nil
	})
	return found
}

// known reports whether an expression has a value before the relations are read.
func (n *Node) known(later []int) bool {
	if n.Query != nil && n.Once == 0 || n.Op == OpIn || n.Op == OpColumn && slices.Contains(later, n.Relation) {
		return false
	}
	return !slices.ContainsFunc(n.Kids, func(k *Node) bool { return !k.known(later) })
}
