package postgres

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// database is a database with two sessions and what it takes to run texts in it.
type database struct {
	t *testing.T
	s *Schema
	DB
}

func newDatabase(t *testing.T, ddl string, o Options) *database {
	s := NewSchema()
	require.NoError(t, s.Create(ddl))
	if o.Sessions == 0 {
		o.Sessions = 3
	}
	return &database{t, s, NewDB(s, o)}
}

func (d *database) exec(session int, sql string, args ...Value) Result {
	d.t.Helper()
	st, err := d.s.Prepare(sql)
	require.NoError(d.t, err, sql)
	var r Result
	d.Exec(1000, session, st, args, &r)
	return r
}

// PG-18
func TestConflictsBurnSequenceValuesAndLeaveNothingBehind(t *testing.T) {
	d := newDatabase(t, "create table orders (id bigserial primary key, k int unique, n int)", Options{})
	assert.Equal(t, Value(1), d.exec(0, "insert into orders (k) values (7) returning id").Row[0])
	for range 1000 {
		r := d.exec(0, "insert into orders (k) values (7) on conflict (k) do update set n = 1 returning id, (xmax = 0)")
		require.Equal(t, []Value{1, 0}, r.Row[:2])
	}
	assert.Equal(t, Value(1002), d.exec(0, "insert into orders (k) values (8) returning id").Row[0])
	for range 1000 {
		require.Zero(t, d.exec(0, "insert into orders (k) values (7) on conflict do nothing returning id").Rows)
	}
	assert.Equal(t, Value(2003), d.exec(0, "insert into orders (k) values (9) returning id").Row[0])
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
	assert.Equal(t, Value(0), d.exec(0, "select v from t").Row[0])
	d.exec(0, "commit")
	assert.LessOrEqual(t, len(d.tables[0].versions), 101)
	assert.Len(t, d.tables[0].indexes[0], 1)
	assert.Zero(t, d.commits)
	assert.Empty(t, d.recent)
	assert.Equal(t, Value(100), d.exec(0, "select v from t").Row[0])
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
	assert.Equal(t, LockNotAvailable, r.Code)
	d.exec(0, "commit")
	session, ok = d.Next(&r)
	require.True(t, ok)
	assert.Equal(t, 2, session)
	assert.Equal(t, OK, r.Code)
	assert.Equal(t, Value(3), d.Sum(0, 1))
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
			assert.Equal(t, []Value{3, 31}, d.New(c))
			assert.Nil(t, d.Old(c))
		case Updated:
			assert.Equal(t, []Value{1, 10}, d.Old(c))
			assert.Equal(t, []Value{1, 12}, d.New(c))
		case Deleted:
			assert.Equal(t, []Value{2, 20}, d.Old(c))
			assert.Nil(t, d.New(c))
		}
	}
	assert.ElementsMatch(t, []string{"inserted", "updated", "deleted"}, got)
	assert.Empty(t, d.Changes(), "they are taken")
	assert.Equal(t, 2, d.Count(d.s.Table("t")))
	assert.Equal(t, Value(43), d.Sum(0, d.s.Column(0, "v")))
}

func TestRowsAreFetchedOneByOne(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key); insert into t values (1), (2), (3)", Options{})
	r := d.exec(0, "select k, k * 2 as twice from t order by k desc limit 2")
	assert.EqualValues(t, 2, r.Rows)
	var got []Value
	for d.Fetch(0, &r) {
		got = append(got, r.Row[:r.Columns]...)
	}
	assert.Equal(t, []Value{3, 6, 2, 4}, got)
}

func TestVariables(t *testing.T) {
	s := NewSchema()
	require.NoError(t, s.Create("create table t (k int primary key, v int, at timestamptz)"))
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
	assert.Equal(t, []string{"$1", "$2", "at"}, st.Params())
	assert.Equal(t, []Kind{Int, Int, Timestamp}, st.ParamKinds())
}

func TestClocks(t *testing.T) {
	d := newDatabase(t, "create table t (k int primary key, at timestamptz)", Options{})
	at := func(now sim.Wall, sql string) Value {
		st, err := d.s.Prepare(sql)
		require.NoError(t, err)
		var r Result
		d.Exec(now, 0, st, nil, &r)
		require.Equal(t, OK, r.Code)
		return r.Row[0]
	}
	at(5, "begin")
	assert.Equal(t, Value(5), at(7, "select now()"))
	assert.Equal(t, Value(8), at(8, "select clock_timestamp()"))
	assert.Equal(t, Value(9+10_000_000_000), at(9, "select clock_timestamp() + interval '10 s'"))
	at(9, "commit")
	assert.Equal(t, Value(11), at(11, "select now()"))
}

func TestWhatIsNotSupportedIsRefused(t *testing.T) {
	s := NewSchema()
	require.NoError(t, s.Create("create table t (k int primary key, v text)"))
	for _, sql := range []string{"select distinct k from t", "select a.k from t a, t b", "select k from t group by k", "select v || v from t",
		"select 1.5", "select k from t for share", "select v from t order by v", "drop table t", "select k from t offset 1", "set work_mem = 1"} {
		var e *Error
		_, err := s.Prepare(sql)
		require.ErrorAs(t, err, &e, sql)
		assert.Equal(t, FeatureNotSupported, e.Code, sql)
	}
}

func TestTheInitialStateHasNoParameters(t *testing.T) {
	for _, value := range []string{":v", "$1"} {
		err := NewSchema().Create("create table t (k int);\ninsert into t values (" + value + ")")
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, SyntaxError, e.Code)
		assert.Equal(t, 24, e.Offset)
	}
}

func TestATableThatIsFullTakesNoMoreRows(t *testing.T) {
	d := newDatabase(t, "create table t (id serial primary key, v int); insert into t (v) values (0)", Options{})
	rows := int32(1)
	for ; rows < maxVersions; rows *= 2 {
		require.Equal(t, OK, d.exec(0, "insert into t (v) select v from t").Code)
	}
	assert.Equal(t, ProgramLimitExceeded, d.exec(0, "insert into t (v) values (1)").Code)
	assert.Equal(t, ProgramLimitExceeded, d.exec(0, "update t set v = 1 where id = 1").Code, "a new version")
	assert.Equal(t, maxVersions, d.Count(0))
	assert.Equal(t, OK, d.exec(0, "delete from t where v = 0").Code)
	assert.Equal(t, OK, d.exec(0, "insert into t (v) values (1)").Code)
}

func TestADatabaseHasAtMostSoManyTables(t *testing.T) {
	s := NewSchema()
	for i := range maxTables {
		require.NoError(t, s.Create(fmt.Sprintf("create table t%d (k int)", i)))
	}
	var e *Error
	require.ErrorAs(t, s.Create("create table another (k int)"), &e)
	assert.Equal(t, ProgramLimitExceeded, e.Code)
}

func TestDurationsBeyondTheirRangeAreRefused(t *testing.T) {
	s := NewSchema()
	require.NoError(t, s.Create("create table t (at timestamptz)"))
	for sql, want := range map[string]Code{
		"select interval '9999999999999 days' from t":    InvalidTextRepresentation,
		"select interval '-200000 days' from t":          InvalidTextRepresentation,
		"select interval '18000 days 18000 days' from t": InvalidTextRepresentation,
		"set lock_timeout = 99999999999999":              FeatureNotSupported,
		"set lock_timeout = '99999999999999'":            FeatureNotSupported,
	} {
		_, err := s.Prepare(sql)
		var e *Error
		if assert.ErrorAs(t, err, &e, sql) {
			assert.Equal(t, want, e.Code, sql)
		}
	}
	for _, sql := range []string{"set lock_timeout = 2147483647", "select interval '-18000 days' from t"} {
		_, err := s.Prepare(sql)
		assert.NoError(t, err, sql)
	}
}
