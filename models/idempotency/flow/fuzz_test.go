package flow_test

import (
	"testing"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// FuzzFlow holds that Parse does not panic, and that a task of what it accepts asks for
// something or ends, whatever the replies are.
func FuzzFlow(f *testing.F) {
	f.Add(tables+"effect orders; on request { try { begin; insert into t (k) values (:key) on conflict do nothing returning v -> v; commit; } catch 23505 { raise; } finally { cache del l:key; } answer 200, v; }", uint64(1))
	f.Add("every 10ms { let i = 0; loop { i = i + 1; if i > 10 { break; } sleep 0s..5ms; note claimed; } }", uint64(2))
	f.Add("on event { cache set a:event owner nx px ttl -> ok; if ok { publish event, amount; ack; } charge 1 key 2 -> a, b; lookup key a -> c; }", uint64(3))
	f.Add(" insert}", uint64(1))
	f.Add("create table t (k int); insert into t (k) values (:a);", uint64(1))
	f.Fuzz(func(t *testing.T, text string, draw uint64) {
		p, err := flow.Parse("fuzz", text)
		if err != nil {
			if len(flow.Problems(err)) == 0 {
				t.Fatal("an error without a problem")
			}
			return
		}
		for h := flow.Request; h <= flow.Every; h++ {
			if p.Has(h) {
				storm(t, p, h, draw)
			}
		}
	})
}

// storm answers a task at random.
func storm(t *testing.T, p *flow.Program, h flow.Handler, draw uint64) {
	var task flow.Task
	p.Start(&task, h, flow.Input{Key: 1, Event: 2, Owner: 3})
	var r flow.Reply
	for range 200 {
		a := p.Next(&task, r, sim.Wall(draw%1000))
		if a.Do == flow.None {
			t.Fatal("no action")
		}
		if a.Do.Ends() {
			if !task.Idle() || p.Next(&task, r, 0).Do != flow.None {
				t.Fatal("the end is not the end")
			}
			return
		}
		draw = draw*6364136223846793005 + 1442695040888963407
		r = flow.Reply{Number: a.Number, Found: draw>>60&1 == 0, Rows: int32(draw >> 58 & 3)}
		r.Values[0], r.Values[1] = sql.Value(draw>>50&7), sql.Value(draw)
		if draw>>40&7 == 0 {
			r.Code = sql.Code(draw >> 32 % uint64(sql.ProgramLimitExceeded) & 15)
		}
	}
}
