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
	ordered  []column // -1: all rows have one key
	shown    []column
}

// effectTable is a table of effects; a column that it does not have is -1.
type effectTable struct{ table, intent, id, amount int }

// column is a column of a table, with the one that names the row.
type column struct{ table, column, id int }

// totals are sums over all rows that are committed, and the least value that the last commit
// wrote of those that are conserved, at most 0.
type totals struct{ sum, fold, least Value }

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
	for _, o := range p.Ordered {
		t := p.Schema.Table(o.Table)
		w.ordered = append(w.ordered, column{t, p.Schema.Column(t, o.Column), p.Schema.Column(t, "id")})
	}
	w.sums, w.folds, w.recovery, w.shown = columns(p.Conserved), columns(p.Folds), columns(p.Recovery), columns(p.Watched)
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
	d.totals.least = 0
	for _, c := range changes {
		before, after := d.db.Old(c), d.db.New(c)
		d.noteEffect(out, c.Table, before, after)
		sum = add(d.Watch.sums, c.Table, before, after, &d.totals.sum) || sum
		fold = add(d.Watch.folds, c.Table, before, after, &d.totals.fold) || fold
		d.totals.least = min(d.totals.least, lowest(d.Watch.sums, c.Table, after))
		d.noteStaged(out, c.Table, before, after)
		d.noteChanges(out, Recovery, d.Watch.recovery, c.Table, before, after)
		d.noteChanges(out, Watched, d.Watch.shown, c.Table, before, after)
	}
	d.noteTotals(out, sum, fold)
}

// noteTotals notes the sums that are asked for, of those that the flow declares.
func (d *Database) noteTotals(out *sim.Out[Msg], sum, fold bool) {
	if sum && len(d.Watch.sums) > 0 {
		out.Note(Msg{Kind: Sum, Values: [5]Value{d.totals.sum, d.totals.least}})
	}
	if fold && len(d.Watch.folds) > 0 {
		out.Note(Msg{Kind: Folded, Values: [5]Value{d.totals.fold}})
	}
}

// noteEffect notes a row of an effect that has come or gone.
func (d *Database) noteEffect(out *sim.Out[Msg], table int, before, after []Value) {
	i := slices.IndexFunc(d.Watch.effects, func(e effectTable) bool { return e.table == table })
	if i < 0 || before != nil && after != nil {
		return
	}
	kind, values := Effect, after
	if after == nil {
		kind, values = Removed, before
	}
	e := d.Watch.effects[i]
	d.say(out, row(kind, i, value(values, e.intent), value(values, e.id), value(values, e.amount)))
}

// noteStaged notes a new row of an ordered table.
func (d *Database) noteStaged(out *sim.Out[Msg], table int, before, after []Value) {
	for _, w := range d.Watch.ordered {
		if w.table == table && before == nil && after != nil {
			d.say(out, happening(Staged, 0, value(after, w.id), value(after, w.column)))
		}
	}
}

// noteChanges notes those of some columns that have changed.
func (d *Database) noteChanges(out *sim.Out[Msg], kind sim.Kind, columns []column, table int, before, after []Value) {
	for _, w := range columns {
		from, to := value(before, w.column), value(after, w.column)
		if w.table == table && from != to && from != Null && to != Null {
			d.say(out, Msg{Kind: kind, Values: [5]Value{value(after, w.id), from, to}})
		}
	}
}

// add takes a change of a row into the sum of columns, and reports whether one is of its
// table.
func add(columns []column, table int, before, after []Value, sum *Value) (yes bool) {
	for _, c := range columns {
		if c.table != table {
			continue
		}
		yes = true
		if v := value(before, c.column); v != Null {
			*sum -= v
		}
		if v := value(after, c.column); v != Null {
			*sum += v
		}
	}
	return yes
}

// lowest is the least of the columns in a row, at most 0.
func lowest(columns []column, table int, row []Value) (least Value) {
	for _, c := range columns {
		if v := value(row, c.column); c.table == table && v != Null {
			least = min(least, v)
		}
	}
	return least
}

// value is a column of a row, Null if there is no row or no such column.
func value(row []Value, column int) Value {
	if column < 0 || column >= len(row) {
		return Null
	}
	return row[column]
}
