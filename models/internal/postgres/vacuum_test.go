package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/internal/postgres/sql"
)

// A version that two commits have made and replaced while a snapshot was held is removed once.
func TestAVersionIsRemovedOnce(t *testing.T) {
	s := sql.NewSchema()
	require.NoError(t, Create(s, "create table t (k int primary key, v int);"))
	db := NewDB(s, Options{Sessions: 2})
	var r Result
	for _, step := range []struct {
		session int
		sql     string
	}{
		{0, "begin isolation level repeatable read"}, {0, "select count(*) from t"},
		{1, "insert into t values (1, 0)"}, {1, "update t set v = 1 where k = 1"}, {1, "update t set v = 2 where k = 1"},
		{0, "commit"}, {1, "insert into t values (2, 5)"},
	} {
		st, err := s.Prepare(step.sql)
		require.NoError(t, err)
		db.Exec(0, step.session, st, nil, &r)
		require.Equal(t, sql.OK, r.Code, step.sql)
	}
	require.Equal(t, 2, db.Count(0))
	require.Equal(t, sql.Value(7), db.Sum(0, 1))
}
