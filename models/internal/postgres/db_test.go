package postgres

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// database is a database with two sessions and what it takes to run texts in it.
type database struct {
	t *testing.T
	s *sql.Schema
	DB
}

func newDatabase(t *testing.T, ddl string, o Options) *database {
	s := sql.NewSchema()
	require.NoError(t, Create(s, ddl))
	if o.Sessions == 0 {
		o.Sessions = 3
	}
	return &database{t, s, NewDB(s, o)}
}

func (d *database) exec(session int, text string, args ...sql.Value) Result {
	d.t.Helper()
	st, err := d.s.Prepare(text)
	require.NoError(d.t, err, text)
	var r Result
	d.Exec(1000, session, st, args, &r)
	return r
}

// PG-18
func TestConflictsBurnSequenceValuesAndLeaveNothingBehind(t *testing.T) {
	d := newDatabase(t, "create table orders (id bigserial primary key, k int unique, n int)", Options{})
	assert.Equal(t, sql.Value(1), d.exec(0, "insert into orders (k) values (7) returning id").Row[0])
	for range 1000 {
		r := d.exec(0, "insert into orders (k) values (7) on conflict (k) do update set n = 1 returning id, (xmax = 0)")
		require.Equal(t, []sql.Value{1, 0}, r.Row[:2])
	}
	assert.Equal(t, sql.Value(1002), d.exec(0, "insert into orders (k) values (8) returning id").Row[0])
	for range 1000 {
		require.Zero(t, d.exec(0, "insert into orders (k) values (7) on conflict do nothing returning id").Rows)
	}
	assert.Equal(t, sql.Value(2003), d.exec(0, "insert into orders (k) values (9) returning id").Row[0])
	assert.LessOrEqual(t, len(d.tables[0].versions), 4, "what no snapshot sees is removed at once")
}

func TestAnOldSnapshotKeepsVersionsOnlyWhileItIsThere(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key, v int); insert into t values (1, 0)", Options{})
	d.exec(0, "begin isolation level repeatable read")
	d.exec(0, "select v from t")
	for range 100 {
		d.exec(1, "update t set v = v + 1")
	}
	assert.Greater(t, len(d.tables[0].versions), 100)
	assert.Equal(t, sql.Value(0), d.exec(0, "select v from t").Row[0])
	d.exec(0, "commit")
	assert.LessOrEqual(t, len(d.tables[0].versions), 101)
	assert.Len(t, d.tables[0].indexes[0], 1)
	assert.Zero(t, d.commits)
	assert.Empty(t, d.recent)
	assert.Equal(t, sql.Value(100), d.exec(0, "select v from t").Row[0])
}

func TestWaitsHaveNumbersAndTimersThatAreLateDoNothing(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key, v int); insert into t values (1, 0)", Options{LockTimeout: time.Second})
	d.exec(0, "begin")
	d.exec(0, "update t set v = 1")
	r := d.exec(1, "update t set v = 2")
	require.True(t, r.Waits)
	assert.Equal(t, time.Second, r.Timeout)
	assert.EqualValues(t, 0, r.On)
	third := d.exec(2, "update t set v = 3")
	require.True(t, third.Waits)
	d.LockTimeout(2000, 1, r.Wait+1)
	d.CheckDeadlock(2000, 1, r.Wait)
	_, ok := d.Next(&r)
	require.False(t, ok, "neither the wait nor a cycle")
	d.LockTimeout(2000, 1, r.Wait)
	session, ok := d.Next(&r)
	require.True(t, ok)
	assert.Equal(t, 1, session)
	assert.Equal(t, sql.LockNotAvailable, r.Code)
	d.exec(0, "commit")
	session, ok = d.Next(&r)
	require.True(t, ok)
	assert.Equal(t, 2, session)
	assert.Equal(t, sql.OK, r.Code)
	assert.Equal(t, sql.Value(3), d.Sum(0, 1))
}

// The second of two that wait for a row begins a new wait when the first has got it, as a
// server's timers do.
func TestTheNextInTheQueueBeginsANewWait(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key, v int); insert into t values (1, 0)", Options{})
	for session := range 3 {
		d.exec(session, "begin")
	}
	d.exec(0, "update t set v = 1")
	d.exec(1, "update t set v = 2")
	last := d.exec(2, "update t set v = 3")
	d.exec(0, "commit")
	var r Result
	session, _ := d.Next(&r)
	assert.Equal(t, 1, session)
	assert.False(t, r.Waits)
	session, _ = d.Next(&r)
	assert.Equal(t, 2, session)
	assert.True(t, r.Waits)
	assert.EqualValues(t, 1, r.On)
	assert.NotEqual(t, last.Wait, r.Wait)
}

func TestChangesAreThoseOfTheCommit(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key, v int); insert into t values (1, 10), (2, 20)", Options{})
	d.exec(0, "begin")
	d.exec(0, "insert into t values (3, 30), (4, 40)")
	d.exec(0, "update t set v = v + 1 where k <> 2")
	d.exec(0, "update t set v = v + 1 where k = 1")
	d.exec(0, "delete from t where k in (2, 4)")
	d.exec(0, "savepoint s")
	d.exec(0, "insert into t values (5, 50)")
	d.exec(0, "rollback to s")
	assert.Empty(t, d.Changes(), "nothing is committed")
	d.exec(0, "commit")
	var got []string
	for _, c := range d.Changes() {
		got = append(got, c.Kind.String())
		switch c.Kind {
		case Inserted:
			assert.Equal(t, []sql.Value{3, 31}, d.New(c))
			assert.Nil(t, d.Old(c))
		case Updated:
			assert.Equal(t, []sql.Value{1, 10}, d.Old(c))
			assert.Equal(t, []sql.Value{1, 12}, d.New(c))
		case Deleted:
			assert.Equal(t, []sql.Value{2, 20}, d.Old(c))
			assert.Nil(t, d.New(c))
		}
	}
	assert.ElementsMatch(t, []string{"inserted", "updated", "deleted"}, got)
	assert.Empty(t, d.Changes(), "they are taken")
	assert.Equal(t, 2, d.Count(d.s.Table("t")))
	assert.Equal(t, sql.Value(43), d.Sum(0, d.s.Column(0, "v")))
}

func TestRowsAreFetchedOneByOne(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key); insert into t values (1), (2), (3)", Options{})
	r := d.exec(0, "select k, k * 2 as twice from t order by k desc limit 2")
	assert.EqualValues(t, 2, r.Rows)
	var got []sql.Value
	for d.Fetch(0, &r) {
		got = append(got, r.Row[:r.Columns]...)
	}
	assert.Equal(t, []sql.Value{3, 6, 2, 4}, got)
}

func TestClocks(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key, at timestamptz)", Options{})
	at := func(now sim.Wall, text string) sql.Value {
		st, err := d.s.Prepare(text)
		require.NoError(t, err)
		var r Result
		d.Exec(now, 0, st, nil, &r)
		require.Equal(t, sql.OK, r.Code)
		return r.Row[0]
	}
	at(5, "begin")
	assert.Equal(t, sql.Value(5), at(7, "select now()"))
	assert.Equal(t, sql.Value(8), at(8, "select clock_timestamp()"))
	assert.Equal(t, sql.Value(9+10_000_000_000), at(9, "select clock_timestamp() + interval '10 s'"))
	at(9, "commit")
	assert.Equal(t, sql.Value(11), at(11, "select now()"))
}

func TestTheInitialStateHasNoParameters(t *testing.T) {
	for _, value := range []string{":v", "$1"} {
		err := Create(sql.NewSchema(), "create table t (k int);\ninsert into t values ("+value+")")
		var e *sql.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, sql.SyntaxError, e.Code)
		assert.Equal(t, 24, e.Offset)
	}
}

func TestATableThatIsFullTakesNoMoreRows(t *testing.T) {
	d := newDatabase(t, "create table t (id serial primary key, v int); insert into t (v) values (0)", Options{})
	rows := int32(1)
	for ; rows < sql.MaxVersions; rows *= 2 {
		require.Equal(t, sql.OK, d.exec(0, "insert into t (v) select v from t").Code)
	}
	assert.Equal(t, sql.ProgramLimitExceeded, d.exec(0, "insert into t (v) values (1)").Code)
	assert.Equal(t, sql.ProgramLimitExceeded, d.exec(0, "update t set v = 1 where id = 1").Code, "a new version")
	assert.Equal(t, sql.MaxVersions, d.Count(0))
	assert.Equal(t, sql.OK, d.exec(0, "delete from t where v = 0").Code)
	assert.Equal(t, sql.OK, d.exec(0, "insert into t (v) values (1)").Code)
}

func TestADatabaseHasAtMostSoManyTables(t *testing.T) {
	s := sql.NewSchema()
	for i := range sql.MaxTables {
		require.NoError(t, Create(s, fmt.Sprintf("create table t%d (k int)", i)))
	}
	var e *sql.Error
	require.ErrorAs(t, Create(s, "create table another (k int)"), &e)
	assert.Equal(t, sql.ProgramLimitExceeded, e.Code)
}

func TestDurationsBeyondTheirRangeAreRefused(t *testing.T) {
	s := sql.NewSchema()
	require.NoError(t, Create(s, "create table t (at timestamptz)"))
	for text, want := range map[string]sql.Code{
		"select interval '9999999999999 days' from t":    sql.InvalidTextRepresentation,
		"select interval '-200000 days' from t":          sql.InvalidTextRepresentation,
		"select interval '18000 days 18000 days' from t": sql.InvalidTextRepresentation,
		"set lock_timeout = 99999999999999":              sql.FeatureNotSupported,
		"set lock_timeout = '99999999999999'":            sql.FeatureNotSupported,
	} {
		_, err := s.Prepare(text)
		var e *sql.Error
		if assert.ErrorAs(t, err, &e, text) {
			assert.Equal(t, want, e.Code, text)
		}
	}
	for _, text := range []string{"set lock_timeout = 2147483647", "select interval '-18000 days' from t"} {
		_, err := s.Prepare(text)
		assert.NoError(t, err, text)
	}
}
