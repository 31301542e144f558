package postgres

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

const clausesSetup = `create table t (k int primary key, v int, w int);
create table s (id serial primary key, u int unique, v int not null check (v < 100));
create index t_v on t (v);
insert into t values (1, 10, 5), (2, 20, 5), (3, 20, null);
insert into s (u, v) values (1, 0), (3, 5), (null, 7);`

// clauses are statements that together have every clause at every place where the parser takes one.
var clauses = []string{
	"select k, v + w, -v, v - 1, v * 2, v / 3, v % 3 from t where k > 1 and v is not null order by v desc, k desc limit 1 for update",
	"select k from t where v >= 10 and v <= 20 order by v, k limit 1 for update skip locked",
	"select k from t where k < 3 for update nowait",
	"select k, case when w is null then 1 when v <> 10 then 2 else 3 end, coalesce(w, v), greatest(v, w), least(v, w) from t where k in (1, 3) or not k = 4",
	"select count(*), count(w), sum(v), max(v), min(v) from t where k > 1 limit 1",
	"select max(v) from t limit 0",
	"select (select k from t order by v desc, k limit 1 for update), (select sum(v) from t where k > 1), (select max(v) from t limit 0)",
	"select k, (select u from s where s.id <= t.k order by s.v desc, s.id limit 1 for update nowait) from t where k < 3 for update",
	"select k from t where exists (select 1 from s where s.u = t.k) and not exists (select 1 from s where s.v = t.v)",
	"select k from t where exists (select u from s where s.v < t.v order by s.v desc, s.id limit 1 for update skip locked)",
	"select k from t where exists (select max(u) from s where s.v > 50) and not exists (select u from s limit 0)",
	"select k from t where k in (select u from s where v >= 0 order by v desc, id limit 2 for update) for update",
	"select k from t where k in (select max(u) from s where v < 6) or v not in (select v from s where id > 1) or w in (select s.v from s where s.u = t.k)",
	"select k from t where k = 77 and exists (select 1 from s where u = 1 for update)",
	"select k from t where v > 50 and k >= (select u from s order by id limit 1 for update)",
	"select k from t where v > 50 and k <= (select u from s order by id limit 1 for update)",
	"select k from t where w = 77 and exists (select 1 from s where u = t.k for update) or k = 2 for update",
	"select k from t where k > 1 or w < 2 or v > 15 and w is null",
	"select k, v from t where k = $1 and v = :v",
	"select now(), clock_timestamp(), pg_try_advisory_xact_lock(5), 'a' = 'b', hashtext('a') = hashtext('b')",
	"select pg_advisory_xact_lock(7), 8 as named",
	"select k from t where (k = 1) is true or (w > 7) is not false union all select u from s where u is not null",
	"insert into t values ($1 + 9, 1, 2), (8, default, (select max(v) from s)) returning k, v, (xmax = 0)",
	"insert into t (k, v) select id + 5, v from s where v < 7 order by v desc, id limit 1 for update",
	"insert into t (k) select u + 20 from s where u = 1 for update nowait",
	"insert into t (k) select max(id) from s limit 0",
	"insert into t (k) select min(id) + 10 from s",
	"insert into t values (1, 7, 8) on conflict do nothing returning k",
	"insert into t values (2, 7, 8) on conflict (k) do update set v = t.v + excluded.v, w = 3 where t.v < 15 returning k, v, w, (xmax = 0)",
	"insert into s (u, v) values (1, 7) on conflict (u) do update set v = (select v from t where k = 1 for update) returning v, (xmax = 0)",
	"insert into s (v) values (1) returning *",
	"insert into s default values",
	"insert into s (u, v) values (1, 7) on conflict (id) do nothing",
	"update t set v = (select s.v from s where s.u = t.k for update nowait), w = 1 where k < 3 returning k, v, (select count(*) from s)",
	"update t set v = t.v + s.v from s where t.k = s.u and s.v < 6 returning k, t.v, s.id",
	"update s set u = u + 10, v = 1 / (v - 5) where id < 3",
	"update t as o set v = 0 where o.k = (select k from t where v > 0 order by k limit 1 for update skip locked) returning k",
	"update t set w = 1 where exists (select 1 from s where s.u = t.k for update)",
	"select k from t where k < 3 and exists (select 1 from s where s.v = t.w) for update",
	"update t set v = 1 where w in (select v from s) returning k",
	"delete from t where not exists (select 1 from s where s.v = t.v) returning k, v",
	"delete from t where exists (select 1 from s where s.u = t.k for update nowait) returning k",
	"delete from t where v in (select v from t where k = 2) returning k, v",
	"delete from t where w in (select v from s) returning k",
	"delete from s where not exists (select 1 from t where t.k = s.u) returning id",
	"with d as (select u from s for update), c as (insert into t values (9, 1, 1) returning k) update s set v = v + 1 from c where s.u < c.k returning id",
	"with e as (select k from t where v = 10) select u from s where exists (select 1 from e where e.k = s.u)",
	"with c as (delete from t where k = 3 returning k, v) select v, (select k from c) from c where v > 0 order by v limit 1",
}

// mutation is a field of a syntax tree that is not zero.
type mutation struct {
	name  string
	field reflect.Value
}

var opNames = map[sql.Op]string{sql.OpScalar: "scalar", sql.OpExists: "exists", sql.OpIn: "in"}

// planned are fields that say how rows are found, which changes no answer, and the kinds, which the parser reads itself.
var planned = []string{"Query.Access", "Query.Joined", "Relation.Columns", "Node.Kind"}

var partNames = []string{"select", "insert", "update", "delete"}

// fields are the fields of a tree that the parser has filled, each by its place: that of a query says what the query is.
func fields(v reflect.Value, place string, seen map[uintptr]bool) (list []mutation) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return nil
		}
		seen[v.Pointer()] = true
		switch o := v.Interface().(type) {
		case *sql.Table, *sql.Index: // no part of the tree
			return nil
		case *sql.Part:
			place = partNames[o.Kind]
		case *sql.Node:
			place = fmt.Sprint("op ", o.Op)
			if name := opNames[o.Op]; name != "" {
				place = name
			}
		}
		return fields(v.Elem(), place, seen)
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, fields(v.Index(i), place, seen)...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || v.Field(i).IsZero() || slices.Contains(planned, v.Type().Name()+"."+f.Name) {
				continue
			}
			name := fmt.Sprintf("%s: %s.%s", place, v.Type().Name(), f.Name)
			if v.Type() == reflect.TypeFor[sql.Relation]() {
				name = "Relation." + f.Name
			}
			list = append(list, mutation{name, v.Field(i)})
			list = append(list, fields(v.Field(i), place, seen)...)
		}
	}
	return list
}

// ends is what a statement leads to, in some situations: alone, where others have locked and changed rows, and at
// SERIALIZABLE; with all that is in the database afterwards.
func ends(t *testing.T, s *sql.Schema, others map[string]*sql.Statement, st *sql.Statement) (all string) {
	defer func() {
		if r := recover(); r != nil {
			all += fmt.Sprint("panic: ", r)
		}
	}()
	for _, before := range [][]string{{}, {"serializable"}, {"begin", "lock"}, {"begin", "change"}, {"begin", "move"}, {"begin", "lock s"}, {"begin", "change s"}} {
		db := NewDB(s, Options{Sessions: 3})
		var r Result
		args := []sql.Value{2, 20}
		run := func(session int, st *sql.Statement) {
			db.Exec(sim.Wall(1000+len(all)), session, st, args[:len(st.Arguments)], &r)
			all += fmt.Sprintf("%v %v %v ", r.Code, r.Waits, r.Rows)
			for !r.Waits && r.Code == sql.OK && db.Fetch(session, &r) {
				all += fmt.Sprint(r.Row[:r.Columns])
			}
		}
		for _, name := range before {
			run(map[bool]int{true: 0, false: 1}[name == "serializable"], others[name])
		}
		if !slices.Contains(before, "serializable") {
			run(0, others["begin"])
		}
		run(0, st)
		all += fmt.Sprintf("%+v %+v %+v %+v", db.tables, db.sessions, db.advisory, db.serial)
		if slices.Contains(before, "begin") {
			run(1, others["commit"])
			for {
				session, ok := db.Next(&r)
				if !ok {
					break
				}
				all += fmt.Sprintf("%d: %v %v ", session, r.Code, r.Rows)
				for db.Fetch(session, &r) {
					all += fmt.Sprint(r.Row[:r.Columns])
				}
			}
			all += fmt.Sprintf("%+v %+v %+v", db.tables, db.sessions, db.advisory)
		}
	}
	return all
}

// unnoticed are fields that may be taken out of a tree without a difference, each for its reason.
var unnoticed = map[string]string{
	"op 30: Node.Kids":           "the argument of an aggregate stands in Aggregate too, where it is read",
	"exists: Aggregate.Argument": "an aggregate is one row, whatever its value",
	"exists: Aggregate.Kind":     "as before",
}

// Each field of a syntax tree that the parser fills changes, by its absence, what some statement does, at each place
// where there is one: none is parsed and then left out of account.
func TestEachFieldOfASyntaxTreeIsRead(t *testing.T) {
	s := sql.NewSchema()
	require.NoError(t, Create(s, clausesSetup))
	prepare := func(text string) *sql.Statement {
		st, err := s.Prepare(text)
		require.NoError(t, err, text)
		return st
	}
	others := map[string]*sql.Statement{}
	for name, text := range map[string]string{"begin": "begin", "serializable": "begin isolation level serializable", "commit": "commit",
		"lock": "select k from t where k = 2 for update", "change": "update t set v = 11 where k = 1", "move": "update t set w = 7, v = 0 where k = 1",
		"lock s": "select u from s where id = 1 for update", "change s": "update s set u = 2, v = 1 where id = 1"} {
		others[name] = prepare(text)
	}
	read, filled := map[string]bool{}, map[string]string{}
	for _, text := range clauses {
		st := prepare(text)
		want := ends(t, s, others, st)
		require.NotContains(t, want, "panic", text)
		for _, m := range fields(reflect.ValueOf(st).Elem().FieldByName("Parts"), "", map[uintptr]bool{}) {
			filled[m.name] = text
			if read[m.name] {
				continue
			}
			before := reflect.New(m.field.Type()).Elem()
			before.Set(m.field)
			m.field.SetZero()
			read[m.name] = ends(t, s, others, st) != want
			m.field.Set(before)
		}
		require.Equal(t, want, ends(t, s, others, st), "a tree is as it was")
	}
	for name, text := range filled {
		assert.True(t, read[name] || unnoticed[name] != "", "%s is filled, and nobody reads it: %s", name, text)
	}
	for name := range unnoticed {
		assert.NotEmpty(t, filled[name], name)
	}
	for _, place := range []string{"select", "insert", "scalar", "exists", "in"} {
		for _, clause := range []string{"From", "Items", "Where", "Order", "Limit", "Lock", "Aggregates"} {
			assert.True(t, read[place+": Query."+clause], "%s: Query.%s is in no statement", place, clause)
		}
	}
}
