package idempotency

import (
	"testing"

	"fencepost/models/fact"
	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// A state that a search compares has everything in it that what follows depends on: a field that
// is left out is a parameter, or is named here.
func TestPrintsSeeEachField(t *testing.T) {
	busy := slot{busy: true}
	simtest.Print(t, &Server{slots: []slot{busy}}, "Role", "Slots", "Database", "Cache", "Provider", "Broker", "Work", "Statement", "Other", "slots.task", "slots.busy")
	simtest.Print(t, &Database{sessions: []session{{}, {open: true}}, said: []Msg{{Kind: Effect}}, Connections: connections{last: []uint32{1}}},
		"Connections.First", "Connections.Slots", "db", "said.Code", "said.Slot", "said.First", "said.Status", "said.Statement", "said.Rows", "said.Attempt", "said.Call")
	simtest.Print(t, &Client{calls: []call{{}, {waiting: true}}}, "Servers", "Number", "Of", "Tenant", "Intent", "Key", "Amount", "Intents", "Start", "Gap",
		"Clicks", "Between", "KeyPer", "Attempts", "Timeout", "Backoff", "ConflictIsSuccess")
	var one ledger
	one.Take(&fact.Fact{Kind: fact.Effect, ID: 1, Token: 2})
	simtest.Print(t, &sameAnswer{Answers: table[given]{[]Value{1}, []given{{}}}, More: []given{{}}})
	simtest.Print(t, &acknowledgedIsDurable{Ledger: one, Acknowledged: table[acknowledged]{[]Value{1}, []acknowledged{{}}}}, "Acknowledged.Entries.At")
	simtest.Print(t, &isolated{Intents: table[scope]{[]Value{1}, []scope{{}}}, Rows: table[Value]{[]Value{1}, []Value{2}}, Keys: table[scope]{[]Value{1}, []scope{{}}}, More: []scope{{}}})
	simtest.Print(t, &noPhantom{Rows: table[bool]{[]Value{1}, []bool{true}}}, "Rows.Entries")
	down := downtime{Nodes: []stopped{{}}}
	simtest.Print(t, &progress{Intents: table[asked]{[]Value{1}, []asked{{}}}, Open: []Value{1}, Downtime: down}, "Within", "Intents.Entries.Known", "Downtime.Layout", "Downtime.Out")
	waits := caller{Waits: true, Again: true}
	simtest.Print(t, &told{Ledger: one, Callers: table[caller]{[]Value{1}, []caller{waits}}, Waiting: []Value{1}, Downtime: down}, "Layout", "Within", "Downtime.Layout", "Downtime.Out", "Callers.Entries.Client")
}

// The same of a task, in each of its places, and of the database with a statement that waits.
func TestPrintsOfTaskAndDatabaseSeeEachField(t *testing.T) {
	p, err := flow.Parse("test", reference)
	if err != nil {
		t.Fatal(err)
	}
	var task flow.Task
	p.Start(&task, flow.Request, flow.Input{})
	simtest.Print(t, &task)
	db := postgres.NewDB(p.Schema, postgres.Options{Sessions: 2})
	var r postgres.Result
	args := make([]Value, flow.MaxValues)
	for _, at := range []struct{ session, statement int }{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
		s := &p.Statements[at.statement]
		db.Exec(sim.Wall(1), at.session, s.SQL, args[:len(s.Values)], &r)
	}
	if !r.Waits {
		t.Fatal("no statement waits")
	}
	// What a statement that has ended worked with is left out, and the parameters.
	simtest.Print(t, &db, "options", "now", "changes", "changed", "sessions.progress", "sessions.statement", "sessions.args", "sessions.list", "sessions.source", "sessions.rows")
}
