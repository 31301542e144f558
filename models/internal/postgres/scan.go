package postgres

import (
	"math"
	"slices"

	"fencepost/models/internal/postgres/sql"
)

// cursor goes through the rows of a relation that a statement sees.
type cursor struct {
	relation *sql.Relation
	access   *sql.Access
	at       int
	slot     int32 // of the present row; its number in the result of a WITH query
	once     bool  // there is no relation, and one row
	key      [sql.MaxColumns]sql.Value
	high     sql.Value // of the column behind the prefix; NULL for none
	reads    [2]int32  // what is noted of the scan at SERIALIZABLE: from here to there
}

// open puts a cursor before the first row. It reports false if there can be none.
func (x *run) open(c *cursor, r *sql.Relation, a *sql.Access) bool {
	c.relation, c.access, c.once, c.high = r, a, r == nil, sql.Null
	if r == nil || r.Table == nil {
		return true
	}
	for i, n := range a.Prefix {
		if c.key[i] = x.eval(n); c.key[i] == sql.Null {
			return false
		}
	}
	from := c.key[:len(a.Prefix)]
	if a.Low != nil {
		c.key[len(from)] = x.eval(a.Low)
		from = c.key[:len(from)+1]
	}
	if a.High != nil {
		if c.high = x.eval(a.High); c.high == sql.Null {
			return false
		}
	}
	for _, n := range a.Keys {
		x.eval(n)
	}
	if x.stopped() {
		return false
	}
	x.reads(c)
	if a.Index >= 0 {
		c.at = x.db.tables[r.Table.Number].first(r.Table, a.Index, from)
	}
	return true
}

// advance puts a cursor on the next row, which becomes the present one of its relation.
func (x *run) advance(c *cursor) bool {
	switch {
	case x.stopped():
		return false
	case c.relation == nil:
		once := c.once
		c.once = false
		return once
	case c.relation.Table == nil:
		c.slot = int32(c.at)
		c.at++
		return x.load(c.relation, c.slot)
	}
	t := c.relation.Table
	s := &x.db.tables[t.Number]
	for {
		switch i := c.access.Index; {
		case i < 0 && c.at < len(s.versions):
			c.slot = int32(c.at)
		case i >= 0 && c.at < len(s.indexes[i]):
			c.slot = s.indexes[i][c.at]
			row := s.row(len(t.Columns), c.slot)
			if t.Indexes[i].Compare(row, c.key[:len(c.access.Prefix)]) != 0 || t.Indexes[i].Beyond(row, len(c.access.Prefix), c.high) {
				return false
			}
		default:
			return false
		}
		c.at++
		v := &s.versions[c.slot]
		if !v.used {
			continue
		}
		sees := v.visible(x.me, x.s)
		if x.s.serial != 0 && x.noted(c) {
			if x.sawVersion(v, sees); x.stopped() {
				return false
			}
		}
		if sees {
			return x.load(c.relation, c.slot)
		}
	}
}

// load makes a row the present one of its relation. It reports false if the result of a
// WITH query has none of that number.
func (x *run) load(r *sql.Relation, slot int32) bool {
	if r.Table != nil {
		x.rows[r.Number] = x.db.tables[r.Table.Number].row(len(r.Table.Columns), slot)
		return true
	}
	w := len(r.Columns)
	from := int(x.s.starts[r.Part]) + int(slot)*w
	if from+w > int(x.s.starts[r.Part+1]) || w == 0 {
		return false
	}
	x.rows[r.Number] = x.s.rows[from : from+w]
	return true
}

// collect adds the rows that satisfy a query, in its order, to the session's list. Conditions that take locks are
// left for later.
func (x *run) collect(q *sql.Query, most int) {
	s := x.s
	base := len(s.list)
	sorted := len(q.Order) > 0 && !q.Access.Ordered
	early := q.Lock == sql.NoLock && !sorted && !q.Late
	var c, o cursor
	for ok := x.open(&c, q.From, &q.Access); ok && !(early && len(s.list)-base >= most) && x.advance(&c); {
		if q.Other == nil {
			if q.Late || x.holds(q.Where) {
				s.list = append(s.list, candidate{c.slot, -1})
			}
			continue
		}
		o = cursor{}
		for ok := x.open(&o, q.Other, &q.Joined); ok && x.advance(&o); {
			if x.holds(q.Where) {
				s.list = append(s.list, candidate{c.slot, o.slot})
				break // an update takes the first that matches
			}
		}
	}
	switch {
	case x.stopped():
	case q.Access.Backward: // of two versions of a key, an index that is read backward gives the newer first
		slices.Reverse(s.list[base:])
	case sorted:
		x.sort(q, base)
	}
}

// limit is the most rows that a query returns.
func (x *run) limit(q *sql.Query) int {
	if q.Limit != nil {
		switch v := x.eval(q.Limit); {
		case v == sql.Null:
		case v < 0:
			x.fail(sql.InvalidRowCountInLimit)
			return 0
		default:
			return int(min(v, math.MaxInt32))
		}
	}
	return math.MaxInt
}

// sort orders the list from a place on. Rows with equal keys stay in the order in which they were found. A subquery in
// a key may use the list behind them, and move it.
func (x *run) sort(q *sql.Query, base int) {
	list := x.s.list[base:]
	defer func() { x.s.list = append(x.s.list[:base], list...) }()
	slices.SortStableFunc(list, func(a, b candidate) int {
		for _, k := range q.Order {
			x.load(q.From, a.slot)
			l := x.eval(k.By).Rank()
			x.load(q.From, b.slot)
			r := x.eval(k.By).Rank()
			if k.Descending {
				l, r = r, l
			}
			switch {
			case l < r:
				return -1
			case l > r:
				return 1
			}
		}
		return 0
	})
}

// aggregate calculates the aggregates of a query over the rows that satisfy it.
func (x *run) aggregate(q *sql.Query) {
	for i, a := range q.Aggregates {
		x.aggregates[i] = sql.Null
		if a.Kind == sql.CountAll || a.Kind == sql.Count {
			x.aggregates[i] = 0
		}
	}
	var c cursor
	for ok := x.opens(q) && x.open(&c, q.From, &q.Access); ok && x.advance(&c); {
		if !x.holds(q.Where) {
			continue
		}
		for i := range q.Aggregates {
			x.accumulate(&q.Aggregates[i], &x.aggregates[i])
		}
	}
}

// accumulate takes the present row into an aggregate.
func (x *run) accumulate(a *sql.Aggregate, total *sql.Value) {
	if a.Kind == sql.CountAll {
		*total++
		return
	}
	v := x.eval(a.Argument)
	k := a.Argument.Kind
	switch {
	case v == sql.Null:
	case a.Kind == sql.Count:
		*total++
	case *total == sql.Null,
		a.Kind == sql.Maximum && sql.Before(*total, v, k),
		a.Kind == sql.Minimum && sql.Before(v, *total, k):
		*total = v
	case a.Kind == sql.Sum:
		*total += v
	}
}
