package flow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
)

func TestStatementsAskForWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		body    string
		replies []flow.Reply
		want    []string
	}{
		{"answer 204;", nil, []string{"answer 204"}},
		{"answer 200, amount;", nil, []string{"answer 200 4"}},
		{"return;", nil, []string{"return"}},
		{"", nil, []string{"return"}},
		{"work; answer 200;", nil, []string{"work", "answer 200"}},
		{"sleep 50ms; return;", nil, []string{"sleep 50ms..50ms", "return"}},
		{"sleep 0s..80ms; return;", nil, []string{"sleep 0s..80ms", "return"}},
		{"sleep poll; return;", nil, []string{"sleep 50ms..50ms", "return"}},
		{"note claimed; return;", nil, []string{"note claimed", "return"}},
		{"publish event, amount; return;", nil, []string{"publish 7 4", "return"}},
		{"charge amount key key -> id, code; answer code, id;", []flow.Reply{row(77, 201)}, []string{"charge 4 key 2", "answer 201 77"}},
		{"lookup key key -> id; if found { answer 200, id; } answer 404;", []flow.Reply{row(77)}, []string{"lookup 2", "answer 200 77"}},
		{"lookup key key -> id; if found { answer 200, id; } answer 404;", nil, []string{"lookup 2", "answer 404"}},
		{"cache get order:tenant:key -> v; answer 200, v;", []flow.Reply{row(9)}, []string{"cache get order:1:2", "answer 200 9"}},
		{"cache get order:key -> v; if v is null { answer 404; } answer 200;", nil, []string{"cache get order:2", "answer 404"}},
		{"cache set lock:key owner nx px lock_ttl -> ok; if ok { answer 200; } answer 409;", []flow.Reply{row()},
			[]string{"cache set lock:2 8 nx px 5s", "answer 200"}},
		{"cache set lock:key '1' nx px 5s -> ok; if not ok { answer 409; }", nil, []string{"cache set lock:2 0 nx px 5s", "answer 409"}},
		{"cache del lock:key; return;", nil, []string{"cache del lock:2", "return"}},
		{"cache delif lock:key owner -> ok; answer 200, ok;", []flow.Reply{row()}, []string{"cache delif lock:2 8", "answer 200 1"}},
		{"insert into t (k, v) values (:key, :amount); answer 200, rows;", []flow.Reply{{Rows: 1}},
			[]string{"query insert into t (k, v) values (:key, :amount) key=2 amount=4", "answer 200 1"}},
		{"select v, k from t where k = :key -> a, b; if not found { answer 404; } answer 200, a * 10 + b;", []flow.Reply{row(7, 3)},
			[]string{"query select v, k from t where k = :key key=2", "answer 200 73"}},
		{"let x = 3; x = x + 1; answer 200, x;", nil, []string{"answer 200 4"}},
		{"if amount > 4 { answer 200; } else if amount = 4 { answer 201; } else { answer 202; }", nil, []string{"answer 201"}},
		{"let i = 0; loop { i = i + 1; if i < 3 { continue; } work; if i >= 4 { break; } } answer 200, i;", nil, []string{"work", "work", "answer 200 4"}},
		{"let until = clock + max_wait; if clock < until { answer 200, until; }", nil, []string{"answer 200 3000001000"}},
	} {
		assert.Equal(t, c.want, run(request(t, c.body), flow.Request, c.replies...), c.body)
	}
}

func TestForFetchesTheRowsOneByOne(t *testing.T) {
	p := request(t, `for a, b in select k, v from t order by k; { if a = 2 { continue; } publish a, b; } answer 200;`)
	query, fetch := "query select k, v from t order by k", "fetch select k, v from t order by k"
	assert.Equal(t, []string{query, "publish 1 10", fetch, fetch, "publish 3 30", fetch, "answer 200"},
		run(p, flow.Request, row(1, 10), row(), row(2, 20), row(3, 30), row()))
	assert.Equal(t, []string{query, "answer 200"}, run(p, flow.Request), "no row")
}

func TestACatchTakesItsErrorsAndLeavesTheOthersToTheOuterOne(t *testing.T) {
	p := request(t, `try {
		try { update t set v = 1; work; }
		catch 23505 { answer 201; }
		catch 40001, 40P01 { answer 202, sqlstate; }
	} catch { answer 203; }`)
	update := "query update t set v = 1"
	assert.Equal(t, []string{update, "answer 201"}, run(p, flow.Request, fails(sql.UniqueViolation)))
	assert.Equal(t, []string{update, "answer 202 40001"}, run(p, flow.Request, fails(sql.SerializationFailure)))
	assert.Equal(t, "answer 202 6850865", run(p, flow.Request, fails(sql.DeadlockDetected))[1])
	assert.Equal(t, []string{update, "answer 203"}, run(p, flow.Request, fails(sql.CheckViolation)))
	assert.Equal(t, []string{update, "work", "return"}, run(p, flow.Request))
	assert.Equal(t, []string{update, "work", "answer 203"}, run(p, flow.Request, flow.Reply{}, fails(sql.ConnectionFailure)))
}

func TestAnErrorInACatchGoesToTheOuterCatch(t *testing.T) {
	p := request(t, `try { try { update t set v = 1; } catch { delete from t; } } catch { answer 200, sqlstate; }`)
	assert.Equal(t, []string{"query update t set v = 1", "query delete from t", "answer 200 40001"},
		run(p, flow.Request, fails(sql.UniqueViolation), fails(sql.SerializationFailure)))
}

func TestAnUncaughtErrorRollsBackAndAnswers500(t *testing.T) {
	p := parse(t, `on request { begin; update t set v = 1; commit; answer 200; }
		on event { begin; update t set v = 1; commit; ack; }`)
	assert.Equal(t, []string{"query begin", "query update t set v = 1", "query rollback", "answer 500"},
		run(p, flow.Request, flow.Reply{}, fails(sql.CheckViolation)))
	assert.Equal(t, []string{"query begin", "query update t set v = 1", "query rollback", "return"},
		run(p, flow.Event, flow.Reply{}, fails(sql.CheckViolation)), "the event is not acknowledged")
	assert.Equal(t, []string{"query begin", "query update t set v = 1", "answer 500"},
		run(p, flow.Request, flow.Reply{}, fails(sql.ConnectionFailure)), "there is no session to roll back")
	assert.Equal(t, []string{"query begin", "query update t set v = 1", "query commit", "answer 500"},
		run(p, flow.Request, flow.Reply{}, flow.Reply{}, fails(sql.SerializationFailure)), "COMMIT has ended the transaction")
}

func TestATransactionIsRolledBackWhenTheTaskEnds(t *testing.T) {
	p := request(t, `begin; answer 200;`)
	assert.Equal(t, []string{"query begin", "query rollback", "answer 200"}, run(p, flow.Request, flow.Reply{}, fails(sql.ConnectionFailure)))
}

func TestFinallyRunsOnEveryWayOut(t *testing.T) {
	del, update := "cache del lock:2", "query update t set v = 1"
	p := request(t, `try { update t set v = 1; if rows = 1 { answer 200; } if rows = 2 { return; } } catch 23505 { answer 409; } finally { cache del lock:key; } answer 201;`)
	assert.Equal(t, []string{update, del, "answer 200"}, run(p, flow.Request, flow.Reply{Rows: 1}))
	assert.Equal(t, []string{update, del, "return"}, run(p, flow.Request, flow.Reply{Rows: 2}))
	assert.Equal(t, []string{update, del, "answer 201"}, run(p, flow.Request, flow.Reply{Rows: 3}))
	assert.Equal(t, []string{update, del, "answer 409"}, run(p, flow.Request, fails(sql.UniqueViolation)))
	assert.Equal(t, []string{update, del, "answer 500"}, run(p, flow.Request, fails(sql.CheckViolation)), "raised again")
	assert.Equal(t, []string{update, del, "answer 500"}, run(p, flow.Request, flow.Reply{Rows: 1}, fails(sql.ConnectionFailure)), "an error in finally is not cleaned up twice")

	p = request(t, `loop { try { update t set v = 1; if found { break; } continue; } finally { loop { cache del lock:key; break; } } } answer 200;`)
	assert.Equal(t, []string{update, del, update, del, "answer 200"}, run(p, flow.Request, flow.Reply{}, flow.Reply{}, flow.Reply{Rows: 1}))
}

func TestFoundIsOfTheLastStatementThatWorksOnRows(t *testing.T) {
	p := request(t, `begin; update t set v = 1; note claimed; work; set local lock_timeout = '1s'; commit; if found { answer 200, rows; } answer 404, rows;`)
	assert.Equal(t, "answer 200 2", run(p, flow.Request, flow.Reply{}, flow.Reply{Rows: 2})[6])
	assert.Equal(t, "answer 404 0", run(p, flow.Request)[6])
}

func TestRaiseRaisesTheCaughtErrorAgain(t *testing.T) {
	p := request(t, `try { try { update t set v = 1; } catch { work; raise; } } catch 40001 { answer 200; }`)
	assert.Equal(t, []string{"query update t set v = 1", "work", "answer 200"}, run(p, flow.Request, fails(sql.SerializationFailure)))
	assert.Equal(t, []string{"query update t set v = 1", "work", "answer 500"}, run(p, flow.Request, fails(sql.UniqueViolation)))
}

func TestAReplyToAnotherActionIsIgnored(t *testing.T) {
	p := request(t, `update t set v = 1; delete from t; answer 200;`)
	var task flow.Task
	assert.Equal(t, flow.None, p.Next(&task, flow.Reply{}, now).Do, "an idle task")
	p.Start(&task, flow.Request, input)
	first := p.Next(&task, flow.Reply{}, now)
	before := task
	assert.Equal(t, flow.Action{}, p.Next(&task, flow.Reply{Number: first.Number + 1, Code: sql.UniqueViolation}, now))
	assert.Equal(t, before, task)
	second := p.Next(&task, flow.Reply{Number: first.Number}, now)
	assert.Equal(t, flow.None, p.Next(&task, flow.Reply{Number: first.Number}, now).Do, "the same reply twice")
	p.Start(&task, flow.Request, input)
	p.Next(&task, flow.Reply{}, now)
	assert.Equal(t, flow.None, p.Next(&task, flow.Reply{Number: second.Number}, now).Do, "a reply to the run before")
}

func TestALoopWithoutAnActionEndsWithAnError(t *testing.T) {
	p := request(t, `let i = 0; loop { i = i + 1; if i < 0 { break; } }`)
	assert.Equal(t, []string{"answer 500"}, run(p, flow.Request))
	p = request(t, `loop { note claimed; if amount = 0 { work; } }`)
	var task flow.Task
	p.Start(&task, flow.Request, input)
	for range 5000 {
		a := p.Next(&task, flow.Reply{Number: 0}, now)
		for a.Do == flow.NoteMade {
			a = p.Next(&task, flow.Reply{Number: a.Number}, now)
		}
		if a.Do == flow.Answer {
			return
		}
	}
	require.Fail(t, "notes without end")
}

func TestNullIsUnknownAsInSQL(t *testing.T) {
	for e, want := range map[string]string{
		"null = null": "null", "null + 1": "null", "not null": "null", "null is null": "1", "1 is not null": "1", "false and null": "0",
		"true or null": "1", "true and null": "null", "null / 0": "null", "-null": "null", "7 / 2": "3", "1 + 2 * 3 - -4": "11", "not 1 = 2": "1",
		"2 <= 2 and 2 >= 3": "0", "2 <> 3": "1", "(1 + 2) * 3": "9", "40P01 = 40P01": "1", "08006": "8006", "1m30s": "90000000000",
	} {
		assert.Equal(t, []string{"answer 200 " + want}, run(request(t, "answer 200, "+e+";"), flow.Request), e)
	}
}

func TestAnExpressionThatHasNoValueIsAnErrorAsInSQL(t *testing.T) {
	for e, want := range map[string]string{
		"1 / 0": "22012", "9223372036854775807 + 1": "22003", "-9223372036854775807 - 2": "22003", "9223372036854775807 * 9223372036854775807": "22003",
		"4611686018427387904 * -2": "22003", "3037000500 * 3037000500": "22003", "3037000499 * -3037000499": "0", "9223372036854775806 + 1": "0",
		"-9223372036854775807 + 0": "0", "0 - 9223372036854775807": "0", "amount = 0 or 1 / 0 = 1": "22012", "amount = 0 and 1 / 0 = 1": "0", "amount = 4 or 1 / 0 = 1": "0",
	} {
		body := "let code = 0; try { let x = " + e + "; } catch 22012 { code = 22012; } catch 22003 { code = 22003; } answer 200, code;"
		assert.Equal(t, []string{"answer 200 " + want}, run(request(t, body), flow.Request), e)
	}
	assert.Equal(t, []string{"answer 500"}, run(request(t, "if 1 / 0 = 1 { answer 200; }"), flow.Request), "in a condition")
	assert.Equal(t, []string{"answer 500"}, run(request(t, "answer 200, amount / 0;"), flow.Request), "in an action, which is not taken")
	assert.Equal(t, []string{"answer 500"}, run(request(t, "loop { try { sleep amount / 0; } catch { } }"), flow.Request), "a loop that never leaves the process")
}

func TestADeclarationNamesItsColumns(t *testing.T) {
	p := parse(t, `effect orders; conserve t.v + orders.amount; fold t.v; recovery t.k; watch t.status; every 100ms { return; }`)
	assert.Equal(t, []string{"orders"}, p.Effects)
	assert.Equal(t, []flow.Column{{Table: "t", Column: "v"}, {Table: "orders", Column: "amount"}}, p.Conserved)
	assert.Equal(t, []flow.Column{{Table: "t", Column: "v"}}, p.Folds)
	assert.Equal(t, []flow.Column{{Table: "t", Column: "k"}}, p.Recovery)
	assert.Equal(t, []flow.Column{{Table: "t", Column: "status"}}, p.Watched)
	assert.Equal(t, 100*time.Millisecond, p.Period)
	assert.True(t, p.Has(flow.Every))
	assert.False(t, p.Has(flow.Request))
	assert.False(t, p.Uses(flow.Charge))
}

func TestAStatementThatPostgreSQLRefusesRaisesItsErrorInAFlowAsWritten(t *testing.T) {
	p := parse(t, `as written; plpgsql; on request { let status = null; begin; try { select status from t -> status; } catch 42702 { work; }
		try { update t set v = 1; } catch 25P02 { commit; } update t set v = 2; answer 200; }`)
	assert.Nil(t, p.Statements[1].SQL)
	assert.Equal(t, sql.AmbiguousColumn, p.Statements[1].Code)
	assert.Equal(t, []string{"query begin", "query select status from t", "work", "query update t set v = 1", "query commit", "query update t set v = 2", "answer 200"},
		run(p, flow.Request, flow.Reply{}, fails(sql.AmbiguousColumn), flow.Reply{}, fails(sql.InFailedTransaction)))
}

func TestParametersAreReadByName(t *testing.T) {
	p := request(t, `answer 200, lease + 2 * lock_ttl + 3 * max_wait + 4 * poll + 5 * ttl + 6 * lock_timeout + 7 * provider_ttl;`)
	p.Params = flow.Params{Lease: 1, LockTTL: 10, MaxWait: 100, Poll: 1000, TTL: 10_000, LockTimeout: 100_000, ProviderTTL: 1_000_000}
	assert.Equal(t, []string{"answer 200 7654321"}, run(p, flow.Request))
}

func TestCommentsAndTextsDoNotEndAStatement(t *testing.T) {
	p := request(t, "update t set status = 'a;b''c -> d # e' # 1; }\n -- 2; {\n where k = :key; answer 200; # 3\n")
	assert.Equal(t, "answer 200", run(p, flow.Request)[1])
	assert.Equal(t, []string{"key"}, p.Statements[0].Values)
	p = request(t, "let x = 'a''b'; select status from t -> y; if x = y { answer 200; } answer 404;")
	assert.Equal(t, "answer 200", run(p, flow.Request, row(p.Schema.Text("a'b")))[1])
}

func TestAnAbortedTransactionIsUsableAfterRollbackToASavepoint(t *testing.T) {
	p := parse(t, `as written; on request { begin; savepoint s; try { select nothing from t; } catch 42703 { rollback to s; } update t set v = 1; commit; answer 200; }`)
	assert.Equal(t, []string{"query begin", "query savepoint s", "query select nothing from t", "query rollback to s", "query update t set v = 1", "query commit", "answer 200"},
		run(p, flow.Request, flow.Reply{}, flow.Reply{}, fails(sql.UndefinedColumn)))
}

func TestAStatusThatIsNoneIs500(t *testing.T) {
	assert.Equal(t, []string{"answer 500"}, run(request(t, "answer amount;"), flow.Request))
	assert.Equal(t, []string{"answer 500"}, run(request(t, "let code = null; answer code;"), flow.Request))
}

func TestAHandlerThatIsNotThereIsNotStarted(t *testing.T) {
	assert.PanicsWithValue(t, "flow: test has no handler event", func() {
		request(t, "return;").Start(&flow.Task{}, flow.Event, flow.Input{})
	})
}
