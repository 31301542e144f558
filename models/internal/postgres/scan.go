package postgres

import (
	"math"
	"slices"
)

// cursor goes through the rows of a relation that a statement sees.
type cursor struct {
	relation *relation
	access   *access
	at       int
	slot     int32 // of the present row; its number in the result of a WITH query
	once     bool  // there is no relation, and one row
	key      [maxColumns]Value
}

// open puts a cursor before the first row. It reports false if there can be none.
func (x *run) open(c *cursor, r *relation, a *access) bool {
	c.relation, c.access, c.once = r, a, r == nil
	if r == nil || r.table == nil {
		return true
	}
	for i, n := range a.prefix {
		if c.key[i] = x.eval(n); c.key[i] == Null {
			return false
		}
	}
	x.reads(r.table, a.index, c.key[:len(a.prefix)])
	if a.index >= 0 {
		from := c.key[:len(a.prefix)]
		if a.low != nil {
			c.key[len(from)] = x.eval(a.low)
			from = c.key[:len(from)+1]
		}
		c.at = x.db.tables[r.table.number].first(r.table, a.index, from)
	}
	return !x.stopped()
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
	case c.relation.table == nil:
		c.slot = int32(c.at)
		c.at++
		return x.load(c.relation, c.slot)
	}
	t := c.relation.table
	s := &x.db.tables[t.number]
	for {
		switch i := c.access.index; {
		case i < 0 && c.at < len(s.versions):
			c.slot = int32(c.at)
		case i >= 0 && c.at < len(s.indexes[i]):
			c.slot = s.indexes[i][c.at]
			if t.indexes[i].compare(s.row(len(t.columns), c.slot), c.key[:len(c.access.prefix)]) != 0 {
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
		if x.s.serial != 0 {
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
func (x *run) load(r *relation, slot int32) bool {
	if r.table != nil {
		x.rows[r.number] = x.db.tables[r.table.number].row(len(r.table.columns), slot)
		return true
	}
	w := len(r.columns)
	from := int(x.s.starts[r.part]) + int(slot)*w
	if from+w > int(x.s.starts[r.part+1]) || w == 0 {
		return false
	}
	x.rows[r.number] = x.s.rows[from : from+w]
	return true
}

// collect lists the rows that satisfy a query, in its order.
func (x *run) collect(q *query) {
	s := x.s
	s.list = s.list[:0]
	most := x.limit(q)
	early := q.lock == noLock && (len(q.order) == 0 || q.access.ordered) && len(q.aggregates) == 0
	var c, o cursor
	for ok := x.open(&c, q.from, &q.access); ok && !(early && len(s.list) >= most) && x.advance(&c); {
		if q.other == nil {
			if x.holds(q.where) {
				s.list = append(s.list, candidate{c.slot, -1})
			}
			continue
		}
		o = cursor{}
		for ok := x.open(&o, q.other, &q.joined); ok && x.advance(&o); {
			if x.holds(q.where) {
				s.list = append(s.list, candidate{c.slot, o.slot})
				break // an update takes the first that matches
			}
		}
	}
	if len(q.order) > 0 && !q.access.ordered && !x.stopped() {
		x.sort(q)
	}
}

// limit is the most rows that a query returns.
func (x *run) limit(q *query) int {
	if q.limit != nil {
		switch v := x.eval(q.limit); {
		case v == Null:
		case v < 0:
			x.fail(InvalidRowCountInLimit)
			return 0
		default:
			return int(min(v, math.MaxInt32))
		}
	}
	return math.MaxInt
}

// sort orders the list. Rows with equal keys stay in the order in which they were found.
func (x *run) sort(q *query) {
	slices.SortStableFunc(x.s.list, func(a, b candidate) int {
		for _, k := range q.order {
			x.load(q.from, a.slot)
			l := x.eval(k.by).rank()
			x.load(q.from, b.slot)
			r := x.eval(k.by).rank()
			if k.descending {
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
func (x *run) aggregate(q *query) {
	for i, a := range q.aggregates {
		x.aggregates[i] = Null
		if a.kind == countAll || a.kind == count {
			x.aggregates[i] = 0
		}
	}
	var c cursor
	for ok := x.open(&c, q.from, &q.access); ok && x.advance(&c); {
		if !x.holds(q.where) {
			continue
		}
		for i := range q.aggregates {
			x.accumulate(&q.aggregates[i], &x.aggregates[i])
		}
	}
}

// accumulate takes the present row into an aggregate.
func (x *run) accumulate(a *aggregate, total *Value) {
	if a.kind == countAll {
		*total++
		return
	}
	v := x.eval(a.argument)
	k := a.argument.kind
	switch {
	case v == Null:
	case a.kind == count:
		*total++
	case *total == Null,
		a.kind == maximum && before(*total, v, k),
		a.kind == minimum && before(v, *total, k):
		*total = v
	case a.kind == sum:
		*total += v
	}
}
