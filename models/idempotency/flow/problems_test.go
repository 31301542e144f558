package flow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
)

func TestAMistakeIsReportedAtItsPlaceWithTheNearestWord(t *testing.T) {
	for body, want := range map[string]string{
		"anser 200;":                      "4:1: want a statement, got anser (did you mean answer?)",
		"answer 200":                      "5:1: want ;, got }",
		"answer 99;":                      "4:8: want an HTTP status from 100 to 599",
		"let x = amout;":                  "4:9: no variable amout (did you mean amount?)",
		"x = 1;":                          "4:1: no variable x",
		"let key = 1;":                    "4:5: key is given and cannot be set",
		"let let = 1;":                    "4:5: want the name of a variable, got let",
		"select v from t -> a, b;":        "4:20: the statement returns 1 columns for 2 names",
		"update t set v = 1 -> a;":        "4:23: the statement returns 0 columns for 1 names",
		"selekt v from t;":                "4:1: want a statement, got selekt (did you mean select?)",
		"select v from t where k = :kei;": "4:27: no variable kei (did you mean key?)",
		"select v from t where k = $1;":   "4:27: want a variable as :key",
		"loop { }":                        "4:1: the loop does nothing that takes time and never ends",
		"loop { note claimed; }":          "4:1: the loop does nothing that takes time and never ends",
		"break;":                          "4:1: break or continue outside a loop",
		"raise;":                          "4:1: raise outside a catch",
		"note clamed;":                    "4:6: no note named clamed (did you mean claimed?)",
		"cache gett a:key -> v;":          "4:7: want cache get, set, del or delif, got gett (did you mean get?)",
		"cache get a:key -> v, w;":        "4:17: want at most 1 names, got 2",
		"try { work; }":                   "5:1: try without catch and finally",
		"try { work; } catch 2350 { }":    "4:21: 2350 is no SQLSTATE that can occur (did you mean 23502?)",
		"update t set v = 1 }":            "4:1: the statement has no semicolon before }",
		"let x = 'abc;":                   "4:9: a text without its closing quote",
		"let x = 5x;":                     "4:9: want a number, a duration as 50ms, or an SQLSTATE as 40P01, got 5x",
		"let x = 1 +;":                    "4:12: want a value, got ;",
		"let x = ?;":                      "4:9: unexpected character '?'",
		"sleep -1s;":                      "4:1: want a duration of 0s or more",
		"ack;":                            "4:1: on request has no client to which it could ack",
		"let x = 'a' + 1;":                "4:13: a text can only be compared, with = and <>",
		"let x = 1 < 'a';":                "4:11: a text can only be compared, with = and <>",
		"answer 200; work;":               "4:1: what follows is never reached",
		"loop { break; work; }":           "4:8: what follows is never reached",
		"sleep 80ms..1ms;":                "4:7: want a range of durations as 0s..80ms",
		"let x = clock - clock;":          "4:15: two clock readings can only be compared: let deadline = clock + max_wait",
		"let x = clock = 1;":              "4:15: clock readings are compared by <, <=, > or >=",
		"let x = clock * 2;":              "4:15: a clock reading can only be compared, and a duration be added",
		"select k, v, k, v, k, v from t -> a, b, c, d, e, f;": "4:35: a flow reads at most 5 columns of a row, not 6",
	} {
		got := problems(tables + "on request {\n" + body + "\n}")
		if assert.NotEmpty(t, got, body) {
			assert.Equal(t, want, got[0], body)
		}
	}
}

func TestNamesInSQLThatDoNotExistHaveTheirSQLSTATE(t *testing.T) {
	_, err := flow.Parse("test", tables+"on request {\n  select v from tt;\n  update t set w = 1 where k = 2;\n  insert into orders (amout) values (1);\n  select key from t;\n}")
	want := []flow.Problem{
		{Line: 4, Column: 17, Code: sql.UndefinedTable, Message: `relation "tt" does not exist (SQLSTATE 42P01)`},
		{Line: 5, Column: 16, Code: sql.UndefinedColumn, Message: `column "w" of relation "t" does not exist (SQLSTATE 42703)`},
		{Line: 6, Column: 23, Code: sql.UndefinedColumn, Message: `column "amout" of relation "orders" does not exist (SQLSTATE 42703) (did you mean amount?)`},
		{Line: 7, Column: 10, Code: sql.UndefinedColumn, Message: `column "key" does not exist (SQLSTATE 42703)`},
	}
	got := flow.Problems(err)
	for i := range want {
		if assert.Greater(t, len(got), i) {
			assert.Equal(t, want[i], *got[i])
		}
	}
	assert.Len(t, got, len(want), "all at once")
}

// What a statement with a mistake would return is there for what follows: one mistake is one
// report.
func TestAMistakeInSQLHasNoConsequences(t *testing.T) {
	got := problems(tables + "on request {\nselect v from tt -> v;\nif v = 1 { answer 200, v; }\n}")
	assert.Equal(t, []string{"4:15: relation \"tt\" does not exist (SQLSTATE 42P01)"}, got)
	got = problems("create tabel t (k int);\non request {\nselect v from t -> v;\nanswer 200, v;\n}")
	assert.Len(t, got, 1)
}

func TestAVariableThatIsAColumnTooIsAmbiguousAsInAFunction(t *testing.T) { // PG-01
	text := tables + "plpgsql; on request { let status = null; select status from t -> status; }"
	_, err := flow.Parse("test", text)
	got := flow.Problems(err)
	if assert.Len(t, got, 1) {
		assert.Equal(t, sql.AmbiguousColumn, got[0].Code)
		assert.Equal(t, strings.LastIndex(strings.Split(text, "\n")[2], "status from")+1, got[0].Column)
	}
	_, err = flow.Parse("test", strings.Replace(text, "plpgsql; ", "", 1))
	assert.NoError(t, err, "elsewhere a variable has a colon")
}

func TestTheInitialRowsAreConstant(t *testing.T) {
	assert.Equal(t, []string{"1:51: outside a handler there are no variables"},
		problems("create table t (k int); insert into t (k) values (:key); on request { }"))
}

func TestAllMistakesOfAFileAreReported(t *testing.T) {
	assert.Equal(t, []string{
		"1:21: type \"itn\" does not exist in the model (SQLSTATE 0A000)",
		"2:1: want a declaration or a handler, got efect (did you mean effect?)",
		"3:4: want on request or on event, got requst (did you mean request?)",
		"3:13: want a statement, got anser (did you mean answer?)",
		"4:7: want a period as 100ms, of at least 1ms, got 0s",
		"5:1: there is a handler request already",
	}, problems("create table itn (a itn);\nefect t;\non requst { anser; }\nevery 0s { }\non request { }")[:6])
}

func TestTheLimitsOfAFlowAreHeld(t *testing.T) {
	var b strings.Builder
	for i := range flow.MaxVariables + 1 {
		b.WriteString("let v" + string(rune('a'+i)) + " = 1;\n")
	}
	assert.Contains(t, problems("on request {" + b.String() + "}")[0], "more than 24 variables")
	assert.Contains(t, problems("on request {" + strings.Repeat("work;", flow.MaxInstructions) + "}")[0], "more than 512 instructions")
	assert.Contains(t, problems(strings.Repeat(" ", flow.MaxText+1))[0], "longer than 64 KB")
	assert.Contains(t, problems("on request {" + strings.Repeat("if found {", 100))[0], "nested deeper than 64")
	assert.Contains(t, problems("on request { let x = " + strings.Repeat("(", 100))[0], "nested deeper than 64")
	assert.Contains(t, problems("on request { let x = 1" + strings.Repeat("+1", 5000) + "; }")[0], "more than 4096 operands")
	assert.Contains(t, problems("")[0], "no handler")
	assert.LessOrEqual(t, len(problems(strings.Repeat("x;\n", 1000))), 20)
}

func TestAHandlerHasSomebodyToAnswer(t *testing.T) {
	assert.Equal(t, []string{"1:12: on event has no client to which it could answer"}, problems("on event { answer 200; }"))
	assert.Equal(t, []string{"1:7: want a period as 100ms, of at least 1ms, got 1ns"}, problems("every 1ns { }"))
}

func TestADeclarationNamesWhatThereIs(t *testing.T) {
	head := "create table t (k int);\non request { }\n"
	for text, want := range map[string]string{
		"effect orders;":   `3:8: relation "orders" does not exist (SQLSTATE 42P01)`,
		"effect t;":        "3:8: column t.intent does not exist (SQLSTATE 42703)",
		"fold t.kk;":       "3:8: column t.kk does not exist (SQLSTATE 42703)",
		"conserve t;":      "3:11: want ., got ;",
		"ordered t;":       "3:9: column t.id does not exist (SQLSTATE 42703)",
		"ordered t.kk;":    "3:9: column t.id does not exist (SQLSTATE 42703)",
		"recovery t.k, x;": `3:15: relation "x" does not exist (SQLSTATE 42P01)`,
	} {
		got := problems(head + text)
		if assert.NotEmpty(t, got, text) {
			assert.Equal(t, want, got[0])
		}
	}
}

func TestTheBodyOfForHasNoSQL(t *testing.T) {
	for body, want := range map[string]string{
		"for a in select k from t; { delete from t; }":                            "4:29: SQL in the body of for ends the result that it fetches",
		"for a in work; { }":                                                      "4:10: want an SQL statement that returns rows, got work",
		"for a in select k from t -> b; { }":                                      "4:29: the names stand before in",
		"for a in select k from t; { try { break; } finally { delete from t; } }": "4:54: SQL in the body of for ends the result that it fetches",
	} {
		got := problems(tables + "on request {\n" + body + "\n}")
		if assert.NotEmpty(t, got, body) {
			assert.Equal(t, want, got[0], body)
		}
	}
	request(t, "try { for a in select k from t; { answer 200; } } finally { delete from t; }") // it has left the loop
}
