package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// subqueries makes templates of statements with subqueries: scalar ones, EXISTS and IN, with every clause that a query
// has, inside one another, and with and without columns of the query outside. Each is a choice of what r draws.
//
// A server evaluates a subquery, and takes its locks, at the rows that its plan reads. The templates leave out what depends
// on the plan: a condition with a subquery beside another that an index serves; below min and max, which read an index
// from its end until a row fits; below a descending order, which an index gives backwards;
// inside EXISTS and an IN without LIMIT; in an IN without LIMIT below the first query, where a join may stop at the first
// row that fits; and of the rows that the statement itself changes one after another, see [inAnyOrder].
type subqueries struct {
	r     *rand.Rand
	depth int // of queries inside one another
}

// source is a table of a query, by the name that its columns have there.
type source struct{ table, name string }

func (s source) key() string { return s.name + map[string]string{"t": ".k", "s": ".id"}[s.table] }

// columns are columns with the same type, the first of which are unique.
func (s source) column(r *rand.Rand) string {
	return s.name + "." + pick(r, map[string][]string{"t": {"k", "v"}, "s": {"u", "u", "v", "id"}}[s.table]...)
}

// withSubquery is a template of a statement with a subquery or several.
func withSubquery(r *rand.Rand) string {
	g := subqueries{r: r}
	t := source{"t", "t"}
	switch r.IntN(12) {
	case 0:
		return "select k, v from t where " + g.condition(t) + " order by kL"
	case 1:
		return "select k, " + g.scalar(t) + " as q from t order by k"
	case 2:
		g.depth = 1
		return "select " + g.scalar(source{}) + ", count(*), " + g.scalar(source{}) + " from t where " + g.condition(t)
	case 3, 4:
		return "update t set v = v + 1 where " + inAnyOrder(t, g.condition(t)) + "R"
	case 5:
		return "update t set v = " + strings.ReplaceAll(g.scalar(t), "L", "N") + " where k = KR"
	case 6:
		s := source{"s", "s"}
		return "update s set v = v + 1 where " + inAnyOrder(s, g.condition(s)) + " returning id, v"
	case 7:
		return "delete from t where " + inAnyOrder(t, g.condition(t)) + "R"
	case 8:
		return "insert into t values (K, " + g.scalar(source{}) + ") on conflict do nothingR"
	case 9:
		return "insert into t values (K, V) on conflict (k) do update set v = " + strings.ReplaceAll(g.scalar(t), "L", "N") + "R"
	case 10:
		return "insert into s (u, v) select k, v from t where " + g.condition(t) + " order by k limit 1L returning u, v"
	}
	return "select k, v from t where " + g.condition(t) + " order by k limit 1L"
}

// condition is one on the rows of a query. Where a subquery locks, no other condition offers an index: which of two
// conditions a server looks rows up by, and so whether it evaluates the other, follows from its estimates.
func (g subqueries) condition(of source) string {
	plain := g.plain(of)
	if g.depth > 1 {
		return plain
	}
	switch g.r.IntN(9) {
	case 0:
		return plain + " or " + pick(g.r, "", "not ") + "exists (select 1" + strings.ReplaceAll(g.query(of), "L", "") + ")"
	case 1, 2:
		return of.key() + " = " + g.scalar(of)
	case 3:
		return of.name + ".v" + pick(g.r, " = ", " <= ") + g.scalar(of)
	case 4:
		return pick(g.r, "", "", "not ") + "exists (select 1" + locksOutside(g.query(of)) + ")"
	case 5, 6:
		return of.column(g.r) + pick(g.r, "", "", " not") + " in (select " + g.among(of) + ")"
	}
	more := g.condition(of)
	if strings.Contains(more, "(select") {
		plain = of.name + ".v" + pick(g.r, " < V", " >= V")
	}
	return plain + " and " + more
}

// plain is a condition without a subquery.
func (g subqueries) plain(of source) string {
	switch g.r.IntN(6) {
	case 0, 1:
		return of.name + pick(g.r, map[string][]string{"t": {".k"}, "s": {".id", ".u"}}[of.table]...) + pick(g.r, " = K", " <= K", " >= K")
	case 2, 3:
		return of.name + ".v" + pick(g.r, " < V", " >= V", " >= V")
	case 4:
		return of.column(g.r) + " is null"
	}
	return of.column(g.r) + " is not null"
}

// one is the rest of a query with one column.
func (g subqueries) one(outer source) string {
	from := g.from()
	return from.column(g.r) + g.rest(from, outer)
}

// among is the rest of a query of IN.
func (g subqueries) among(outer source) string {
	text := g.one(outer)
	if strings.Contains(text, " limit ") {
		return text
	}
	if g.depth > 0 {
		return strings.ReplaceAll(text, "L", "")
	}
	return locksOutside(text)
}

// inAnyOrder is the condition of a statement that changes a table, without the locks of a subquery that reads the same table
// for each of its rows: a lock passes over a row that the statement has changed already, and which rows those are follows from
// their places, which PostgreSQL uses again later than the model.
func inAnyOrder(changed source, condition string) string {
	_, inside, _ := strings.Cut(condition, "(select")
	if strings.Contains(inside, " "+changed.name+".") && strings.Contains(inside, " from "+changed.table+" ") {
		return strings.ReplaceAll(condition, "L", "")
	}
	return condition
}

// locksOutside is a query without the locks inside it: a server may make a join of it, and evaluate what is inside for
// other rows.
func locksOutside(text string) string {
	inside, locks := strings.CutSuffix(text, "L")
	inside = strings.ReplaceAll(inside, "L", "")
	if locks {
		return inside + "L"
	}
	return inside
}

// scalar is a query with one value.
func (g subqueries) scalar(outer source) string {
	switch form := g.r.IntN(4); {
	case form == 0:
		from := g.from()
		where := g.inner(from, outer)
		aggregate := pick(g.r, "max", "min", "sum", "count")
		if strings.Contains(where, "L") {
			aggregate = pick(g.r, "sum", "count")
		}
		return fmt.Sprintf("(select %s(%s) from %s %s where %s%s)", aggregate, from.column(g.r), from.table, from.name, where,
			pick(g.r, "", "", "", " limit 0", " limit 1"))
	case form == 1 && g.depth == 0: // it may have several rows; further inside a plan may pass it by
		return "(select " + g.one(outer) + ")"
	}
	from := g.from()
	where := g.inner(from, outer)
	return fmt.Sprintf("(select %s from %s %s where %s order by %s%s limit 1L)", from.column(g.r), from.table, from.name, where,
		from.key(), g.direction(where))
}

// direction is that of an order.
func (g subqueries) direction(where string) string {
	if strings.Contains(where, "L") {
		return ""
	}
	return pick(g.r, "", "", " desc")
}

// query is FROM and what follows it.
func (g subqueries) query(outer source) string {
	return g.rest(g.from(), outer)
}

func (g subqueries) from() source {
	table := pick(g.r, "t", "s")
	return source{table, fmt.Sprint(table, g.depth+1)}
}

// rest is FROM and what follows it. A query that locks has an order, because a server has none without.
func (g subqueries) rest(from, outer source) string {
	text := fmt.Sprintf(" from %s %s where %s", from.table, from.name, g.inner(from, outer))
	scalar := strings.Contains(text, "= (select")
	if g.r.IntN(2) == 0 && !scalar {
		return text
	}
	limit := pick(g.r, "", "", " limit 0", " limit 1", " limit 1", " limit 2")
	if scalar {
		limit = pick(g.r, " limit 1", " limit 2")
	}
	return text + " order by " + from.key() + g.direction(text) + limit + "L"
}

// inner is a condition inside, mostly on a row outside too.
func (g subqueries) inner(from, outer source) string {
	g.depth++
	text := g.condition(from)
	column := from.column(g.r)
	if strings.Contains(text, "(select") {
		column = from.name + ".v"
	}
	if outer.table != "" && g.r.IntN(2) == 0 && !strings.Contains(text, ".v = (") {
		text += " and " + column + pick(g.r, " = ", " = ", " <= ") + outer.column(g.r)
	}
	return text
}

// locks puts a lock clause, or none, for each L of a template. An N has no SKIP LOCKED: what a row is to be updated to is
// evaluated before the row is waited for, and a server keeps it while the model evaluates it again.
func locks(r *rand.Rand, template string) string {
	for strings.Contains(template, "N") {
		template = strings.Replace(template, "N", pick(r, "", "", " for update", " for update nowait"), 1)
	}
	for strings.Contains(template, "L") {
		template = strings.Replace(template, "L", pick(r, "", "", " for update", " for update skip locked", " for update nowait"), 1)
	}
	return template
}
