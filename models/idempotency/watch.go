package idempotency

import (
	"slices"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres"
	"fencepost/sim"
)

// watched are the tables and columns that the flow declares, of which the database notes what
// each commit changes. It does not change.
type watched struct {
	effects  []effectTable // in the order of the flow
	sums     []column
	folds    []column
	recovery []column
}

// effectTable is a table of effects; a column that it does not have is -1.
type effectTable struct{ table, intent, id, amount int }

// column is a column of a table, with the one that names the row.
type column struct{ table, column, id int }

// totals are sums over all rows that are committed.
type totals struct{ sum, fold Value }

func watch(p *flow.Program) *watched {
	w := &watched{}
	for _, name := range p.Effects {
		t := p.Schema.Table(name)
		w.effects = append(w.effects, effectTable{t, p.Schema.Column(t, "intent"), max(0, p.Schema.Column(t, "id")), p.Schema.Column(t, "amount")})
	}
	columns := func(list []flow.Column) (found []column) {
		for _, c := range list {
			t := p.Schema.Table(c.Table)
			found = append(found, column{t, p.Schema.Column(t, c.Column), max(0, p.Schema.Column(t, "key"))})
		}
		return found
	}
	w.sums, w.folds, w.recovery = columns(p.Conserved), columns(p.Folds), columns(p.Recovery)
	return w
}

// initial are the sums before the first transaction.
func (w *watched) initial(db *postgres.DB) (t totals) {
	for _, c := range w.sums {
		t.sum += db.Sum(c.table, c.column)
	}
	for _, c := range w.folds {
		t.fold += db.Sum(c.table, c.column)
	}
	return t
}

// observe notes what the transaction that has just been committed has changed, if one has.
func (d *Database) observe(out *sim.Out[Msg]) {
	changes := d.db.Changes()
	if len(changes) == 0 {
		return
	}
	out.Note(Msg{Kind: Committed, Rows: uint16(min(len(changes), 1<<16-1))})
	sum, fold := false, false
	for i := range changes {
		c := &changes[i]
		d.noteEffect(out, c)
		for _, w := range d.Watch.sums {
			sum = w.add(c, &d.totals.sum) || sum
		}
		for _, w := range d.Watch.folds {
			fold = w.add(c, &d.totals.fold) || fold
		}
		for _, w := range d.Watch.recovery {
			if before, after := value(c.Old, w.column), value(c.New, w.column); w.table == c.Table && before != after && before != Null && after != Null {
				out.Note(Msg{Kind: Recovery, Values: [5]Value{value(c.New, w.id), before, after}})
			}
		}
	}
	d.noteTotals(out, sum, fold)
}

// noteTotals notes the sums that are asked for, of those that the flow declares.
func (d *Database) noteTotals(out *sim.Out[Msg], sum, fold bool) {
	if sum && len(d.Watch.sums) > 0 {
		out.Note(Msg{Kind: Sum, Values: [5]Value{d.totals.sum}})
	}
	if fold && len(d.Watch.folds) > 0 {
		out.Note(Msg{Kind: Folded, Values: [5]Value{d.totals.fold}})
	}
}

// noteEffect notes a row of an effect that has come or gone.
func (d *Database) noteEffect(out *sim.Out[Msg], c *postgres.Change) {
	i := slices.IndexFunc(d.Watch.effects, func(e effectTable) bool { return e.table == c.Table })
	if i < 0 || c.Old != nil && c.New != nil {
		return
	}
	kind, values := Effect, c.New
	if c.New == nil {
		kind, values = Removed, c.Old
	}
	e := d.Watch.effects[i]
	out.Note(row(kind, i, value(values, e.intent), value(values, e.id), value(values, e.amount)))
}

// add takes a change into a sum and reports whether it is one of the column's table.
func (w column) add(c *postgres.Change, sum *Value) bool {
	if w.table != c.Table {
		return false
	}
	for _, side := range [2]struct {
		row  []Value
		sign Value
	}{{c.Old, -1}, {c.New, 1}} {
		if v := value(side.row, w.column); v != Null {
			*sum += side.sign * v
		}
	}
	return true
}

// value is a column of a row, Null if there is no row or no such column.
func value(row []Value, column int) Value {
	if column < 0 || column >= len(row) {
		return Null
	}
	return row[column]
}
