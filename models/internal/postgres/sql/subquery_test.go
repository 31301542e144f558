package sql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func codeOf(t *testing.T, s *Schema, text string) Code {
	t.Helper()
	_, err := s.Prepare(text)
	if err == nil {
		return OK
	}
	var e *Error
	require.ErrorAs(t, err, &e, text)
	return e.Code
}

func subqueryTables(t *testing.T) *Schema {
	s := NewSchema()
	require.NoError(t, s.Create("create table t (k int primary key, v int); create table s (id serial primary key, u int unique)", noCheck))
	return s
}

func TestWhatASubqueryCannotHaveIsRefused(t *testing.T) {
	s := subqueryTables(t)
	for text, want := range map[string]Code{
		"select (with c as (select 1) select 1)":                                   FeatureNotSupported,
		"select (select 1 union all select 2)":                                     FeatureNotSupported,
		"select k from t where k in (values (1))":                                  UndefinedFunction,
		"select k from t where (k, v) in (select u, id from s)":                    FeatureNotSupported,
		"select k from t where k = any (select u from s)":                          FeatureNotSupported,
		"select (select distinct k from t)":                                        FeatureNotSupported,
		"select (select k from t offset 1)":                                        FeatureNotSupported,
		"select (select k from t for share)":                                       FeatureNotSupported,
		"select (select k from t for update of t)":                                 FeatureNotSupported,
		"select (select k from t order by k nulls first)":                          FeatureNotSupported,
		"select (select max(t.k)) from t":                                          FeatureNotSupported,
		"with c as (select k from t for update) select k from c limit 1":           FeatureNotSupported,
		"with c as (select k from t for update) select exists (select 1 from c)":   FeatureNotSupported,
		"select (select k, v from t)":                                              SyntaxError,
		"select k from t where k in (select k, v from t)":                          SyntaxError,
		"select 1 where 1 < 2 < 3":                                                 SyntaxError,
		"select 1 where true in (true) in (true)":                                  SyntaxError,
		"select count(*), (select sum(s.u + t.v) from s) from t":                   GroupingError,
		"select k from t where (select max(u) from s where count(*) > 1) = 1":      GroupingError,
		"select k as a, v as a from t order by a":                                  AmbiguousColumn,
		"select k from t order by 2":                                               InvalidColumnReference,
		"select k from t where k between (select 1) and (select max(u) from s)":    OK,
		"select k from t for update limit 1":                                       OK,
		"select k from t limit all":                                                OK,
		"with c as (select k from t for update) select k from c order by k":        OK,
		"select k from t where (select count(*) from s) between 1 and 5":           OK,
		"select k from t where (select max(u) from s) in (1, 2)":                   OK,
		"select k from t where k in ((select u from s))":                           OK,
		"select k from t where exists (select 1 from s where s.u = t.k limit (1))": OK,
	} {
		assert.Equal(t, want.String(), codeOf(t, s, text).String(), text)
	}
	for _, ddl := range []string{"create table a (k int default (select 1))", "create table a (k int, check (exists (select 1 from t)))"} {
		var e *Error
		require.ErrorAs(t, s.Create(ddl, noCheck), &e, ddl)
		assert.Equal(t, FeatureNotSupported, e.Code, ddl)
	}
}

// Whatever nests or repeats has a limit.
func TestNestingHasALimit(t *testing.T) {
	s := subqueryTables(t)
	repeat := strings.Repeat
	for name, of := range map[string]func(n int) string{
		"parentheses": func(n int) string { return "select " + repeat("(", n) + "1" + repeat(")", n) },
		"functions":   func(n int) string { return "select " + repeat("coalesce(", n) + "1" + repeat(")", n) },
		"case":        func(n int) string { return "select " + repeat("case when true then ", n) + "1" + repeat(" end", n) },
		"subqueries":  func(n int) string { return "select " + repeat("(select ", n) + "1" + repeat(")", n) },
		"not":         func(n int) string { return "select " + repeat("not ", n) + "true" },
		"signs":       func(n int) string { return "select " + repeat("- ", n) + "1" },
		"sums":        func(n int) string { return "select 1" + repeat(" + 1", n) },
		"and":         func(n int) string { return "select 1 where true" + repeat(" and true", n) },
		"or":          func(n int) string { return "select 1 where true" + repeat(" or true", n) },
		"casts":       func(n int) string { return "select 1" + repeat("::int", n) },
		"is null":     func(n int) string { return "select 1" + repeat(" is null", n) },
		"in":          func(n int) string { return "select 1 where 1 in (1" + repeat(", 1", n) + ")" },
		"in of in":    func(n int) string { return "select " + repeat("(", n) + "true" + repeat(" in (true, false))", n) },
	} {
		assert.Equal(t, OK, codeOf(t, s, of(5)), name)
		assert.Equal(t, ProgramLimitExceeded, codeOf(t, s, of(100_000)), name)
	}
}
