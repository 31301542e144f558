package idempotency_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fencepost/models/idempotency"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// credit is a webhook that credits a payment: the claim of the payment and the credit are
// one transaction.
const credit = `
create table payments (id int primary key);
create table ledger (id serial primary key, account int, amount int, intent int);
effect ledger;

on request {
  begin;
  insert into payments (id) values (:key) on conflict do nothing;
  if not found { rollback; note replayed; answer 200; }
  insert into ledger (account, amount, intent) values (:tenant, :amount, :intent);
  commit;
  note recorded;
  answer 200;
}`

// creditTwice does the same without a transaction, the credit first.
const creditTwice = `
create table payments (id int primary key);
create table ledger (id serial primary key, account int, amount int, intent int);
effect ledger;

on request {
  select id from payments where id = :key;
  if found { note replayed; answer 200; }
  insert into ledger (account, amount, intent) values (:tenant, :amount, :intent);
  note processed;
  insert into payments (id) values (:key);
  note recorded;
  answer 200;
}`

// payments is a system of two servers that run a flow, and a client.
func payments(program string) func() sim.System[idempotency.Msg] {
	return func() sim.System[idempotency.Msg] {
		p := idempotency.DefaultParams()
		p.Program, p.Servers = program, 2
		p.Timeout = []time.Duration{time.Second}
		return p.System()
	}
}

// printer is a test that prints its log, but for the kinds of messages that never occur; in
// your tests t is a *testing.T.
type printer struct{ testing.TB }

func (printer) Helper()                        {}
func (printer) Name() string                   { return "TestCredit" }
func (printer) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...) }
func (printer) Logf(format string, a ...any) {
	if line := fmt.Sprintf(format, a...); !strings.HasPrefix(line, "no node") {
		fmt.Println(line)
	}
}

// Every schedule of a flow of one's own with one pause and one lost message, wherever they
// come.
func Example_everySchedule() {
	t := printer{}
	simtest.Explore(t, simtest.Case[idempotency.Msg]{
		System:     payments(credit),
		Config:     sim.Config{Until: sim.Time(30 * time.Second)},
		Properties: []string{"at-most-once", "acknowledged-is-durable", "progress"},
		Mode:       explore.Exhaustive,
		Budget: explore.Budget{
			Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{2 * time.Second}},
			Lost: 1,
		},
	})
	// Output:
	// holds: exhausted, 1078 schedules, 6075 states
}

// One schedule, written down: the server crashes between credit and record, the client asks
// again, and the payment is credited twice.
func Example_oneSchedule() {
	t := printer{}
	r := simtest.Play(t, payments(creditTwice), sim.Config{Until: sim.Time(30 * time.Second)},
		simtest.Delay(5*time.Millisecond),
		simtest.Inject("api-1", sim.Fault{Do: sim.Crash, When: sim.When{Note: idempotency.Processed, Nth: 1}, For: sim.Constant(time.Second)}))
	fmt.Print(r.Log())
	fmt.Println(r.Measure("effects"), "credits of one payment,", r.Verdicts(sim.Violated), "violated")
	// Output:
	// 0.000s client-1 sends intent 1 with key 1 and amount 100
	// 0.020s row 1 in ledger is durable, of intent 1
	// 0.025s api-1 crashes
	// 1.000s client-1 has no answer for intent 1 in time, and does not know whether it is done
	// 1.025s api-1 restarts
	// 1.200s client-1 sends intent 1 with key 1 and amount 100, attempt 2
	// 1.220s row 2 in ledger is durable, of intent 1
	// 1.235s api-2 has stored the answer for key 1
	// 1.240s client-1 has the final answer 200 for intent 1
	// 2 credits of one payment, [at-most-once] violated
}

// A mistake in a flow has its line, the SQLSTATE of PostgreSQL and the nearest word.
func ExampleParams_Problems() {
	p := idempotency.DefaultParams()
	p.Program = "create table payments (id int primary key);\non request {\n  insert into payment (id) values (:key);\n  answer 200;\n}"
	for _, mistake := range p.Problems() {
		fmt.Println(mistake.Path, mistake.Message)
	}
	// Output:
	// program line 3, column 15: relation "payment" does not exist (SQLSTATE 42P01) (did you mean payments?)
}
