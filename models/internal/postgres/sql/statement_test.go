package sql

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func noCheck() Code { return OK }

func TestVariables(t *testing.T) {
	s := NewSchema()
	require.NoError(t, s.Create("create table t (k int primary key, v int, at timestamptz)", noCheck))
	for _, c := range []struct {
		sql  string
		want Code
	}{
		{"insert into t values (:k, w, clock_timestamp() + :lease)", OK},
		{"select v from t where k = :k", OK},
		{"select v from t where k = :q", UndefinedColumn},
		{"select v from t where k = q", UndefinedColumn},
	} {
		_, err := s.Prepare(c.sql, "k", "w", "lease")
		if c.want == OK {
			assert.NoError(t, err, c.sql)
			continue
		}
		var e *Error
		require.ErrorAs(t, err, &e, c.sql)
		assert.Equal(t, c.want, e.Code, c.sql)
	}
	_, err := s.PrepareFunction("select v from t where k = 1", "k")
	assert.ErrorContains(t, err, "ambiguous")
	st, err := s.Prepare("insert into t values ($2, $1, :at)")
	require.NoError(t, err)
	assert.Equal(t, []string{"$1", "$2", "at"}, st.Arguments)
	assert.Equal(t, []Kind{Int, Int, Timestamp}, st.ParamKinds())
}

func TestWhatIsNotSupportedIsRefused(t *testing.T) {
	s := NewSchema()
	require.NoError(t, s.Create("create table t (k int primary key, v text)", noCheck))
	for _, text := range []string{"select distinct k from t", "select a.k from t a, t b", "select k from t group by k", "select v || v from t",
		"select 1.5", "select k from t for share", "select v from t order by v", "drop table t", "select k from t offset 1", "set work_mem = 1"} {
		var e *Error
		_, err := s.Prepare(text)
		require.ErrorAs(t, err, &e, text)
		assert.Equal(t, FeatureNotSupported, e.Code, text)
	}
}
