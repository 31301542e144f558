package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/internal/postgres/sql"
)

// A restart rolls back what is not committed, and no statement that waits for it runs.
func TestRestartRunsNoStatementThatWaits(t *testing.T) {
	s := sql.NewSchema()
	require.NoError(t, Create(s, "create table t (k int primary key); insert into t values (1);"))
	var st [3]*sql.Statement
	for i, text := range []string{"begin", "delete from t where k = 1", "update t set k = 2 where k = 1"} {
		var err error
		st[i], err = s.Prepare(text)
		require.NoError(t, err)
	}
	db := NewDB(s, Options{Sessions: 2})
	var r Result
	db.Exec(0, 0, st[0], nil, &r)
	db.Exec(0, 0, st[1], nil, &r)
	db.Exec(0, 1, st[2], nil, &r)
	require.True(t, r.Waits)
	db.Restart()
	_, ended := db.Next(&r)
	require.False(t, ended, "nobody is there to be told")
	require.Equal(t, sql.Value(1), db.Sum(0, 0), "the row is as it was")
	db.Exec(0, 1, st[2], nil, &r)
	require.Equal(t, sql.OK, r.Code)
	require.Equal(t, sql.Value(2), db.Sum(0, 0))
}
