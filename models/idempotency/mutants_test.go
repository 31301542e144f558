package idempotency

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// account is a flow that pays for an order from an account, in one transaction.
const account = `create table account (id int primary key, balance int);
insert into account values (1, 1000);
create table orders (id serial primary key, intent int, amount int);
effect orders;
conserve account.balance + orders.amount;

on request {
  begin;
  update account set balance = balance - :amount where id = 1;
  note claimed;
  insert into orders (intent, amount) values (:intent, :amount) returning id -> order_id;
  commit;
  answer 201, order_id;
}
`

// counter is a flow whose events are added to a total, each once.
const counter = `create table orders (id serial primary key, intent int, amount int);
create table outbox (id serial primary key, amount int);
create table seen (event int primary key);
create table total (id int primary key, n int);
insert into total values (1, 0);
effect orders;
fold total.n;

on request {
  begin;
  insert into orders (intent, amount) values (:intent, :amount) returning id -> order_id;
  insert into outbox (amount) values (:amount);
  commit;
  answer 201, order_id;
}

every 100ms {
  select id, amount from outbox order by id limit 1 -> id, n;
  if not found { return; }
  publish id, n;
  delete from outbox where id = :id;
}

on event {
  begin;
  insert into seen (event) values (:event) on conflict do nothing returning event -> first;
  if found { update total set n = n + :amount where id = 1; }
  commit;
  note processed;
  ack;
}
`

// points is a flow that moves a key through recovery points.
const points = `create table idem (key int primary key, point int);
create table orders (id serial primary key, intent int);
effect orders;
recovery idem.point;

on request {
  insert into idem (key, point) values (:key, 1) on conflict do nothing;
  update idem set point = 2 where key = :key and point < 2;
  insert into orders (intent) values (:intent) returning id -> order_id;
  update idem set point = 3 where key = :key and point < 3;
  answer 201, order_id;
}
`

// caught is a flow whose second request finds its order by an error.
const caught = orders + `create table keys (key int primary key);

on request {
  begin;
  try { insert into keys (key) values (:key); } catch 23505 { rollback; answer 200; }
  insert into orders (tenant, intent, amount) values (:tenant, :intent, :amount) returning id -> order_id;
  commit;
  answer 201, order_id;
}
`

// shut is a flow that takes no order of tenant 1 and asks it to come again.
const shut = orders + `
on request {
  if tenant = 1 { answer 409; }
  insert into orders (tenant, intent, amount) values (:tenant, :intent, :amount) returning id -> order_id;
  answer 201, order_id;
}
`

// without is a text in which something is replaced.
func without(t testing.TB, text, part, by string) string {
	require.Contains(t, text, part)
	return strings.Replace(text, part, by, 1)
}

func crashAt(who string, note sim.Kind) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{Note: note, Nth: 1}, For: sim.Constant(100 * ms)})
}

// Each property sees a flow that does not have it, and holds of the same flow without the
// mistake.
func TestMutants(t *testing.T) {
	twice := func(p *Params) { p.Clicks = []int{2} }
	sharedKey := func(p *Params) {
		p.Clients, p.Key, p.Amount = 2, []int{1}, []int{100, 200}
		p.Start = []time.Duration{0, time.Second}
	}
	patient := func(p *Params) { p.Bounds.Within = ptr(20 * time.Second) }
	mutant := func(property, correct, wrong string, set func(*Params), changes ...simtest.Change) modeltest.Mutant[Msg] {
		return modeltest.Mutant[Msg]{Property: property, Correct: system(t, correct, set), Mutant: system(t, wrong, set), Changes: changes}
	}
	impatient := func(p *Params) {
		p.Clients, p.Tenant, p.Intent, p.Key = 2, []int{1}, []int{1}, []int{1}
		p.Start, p.Bounds.Told = []time.Duration{0, time.Second}, ptr(time.Second)
	}
	oneOrder := func(p *Params) {
		p.Clients, p.Tenant, p.Intent, p.Attempts = 2, []int{1, 2}, []int{1}, []int{1}
		p.Start = []time.Duration{0, time.Second}
	}
	burst := func(p *Params) { p.Intents, p.Gap = []int{5}, []sim.Dist{sim.Constant(20 * ms)} }
	keyed := without(t, counter, "fold total.n;", "fold total.n;\nordered outbox.amount;")
	commit := "commit;\n  note recorded;\n"
	modeltest.Mutants(t,
		mutant("at-most-once", reference, lookup, usual, crashAt("api-1", Processed)),
		mutant("same-answer", reference, without(t, reference, "answer stored_code", "answer 200"), twice),
		mutant("acknowledged-is-durable", reference, without(t, reference, commit, "note recorded;\n"), usual),
		mutant("isolated", reference, without(t, reference, "if seen_fp <> fp { rollback; answer 422; }", ""), sharedKey),
		mutant("isolated", reference, lookup, sharedKey), // looks for key and content: two effects under one key
		mutant("isolated", reference, strings.ReplaceAll(without(t, reference, "primary key (tenant, key)", "primary key (key)"), "tenant = :tenant and ", ""),
			func(p *Params) { sharedKey(p); p.Amount, p.Tenant = nil, []int{1, 2} }),
		mutant("progress", reference, without(t, reference, "and lease_until < clock_timestamp()", "and false"), patient, crashAt("api-1", Claimed)),
		mutant("conserved", account, without(t, without(t, account, "begin;", ""), "commit;", ""), usual, crashAt("api-1", Claimed)),
		mutant("no-phantom", reference, without(t, reference, commit, "rollback;\n"), usual),
		mutant("exactly-once-fold", counter, without(t, counter, "if found", "if true"), usual, crashAt("consumer-1", Processed)),
		mutant("exactly-once-fold", counter, without(t, counter, "publish id, n;", "if id <> 2 { publish id, n; }"), func(p *Params) { patient(p); p.Intents = []int{3} }),
		mutant("told", caught, without(t, caught, "answer 200", "answer 500"), twice),                                                       // an error about an order that exists
		mutant("told", reference, without(t, reference, "note replayed; answer stored_code, stored_body;", "answer 409, poll;"), impatient), // asks again and again
		mutant("told", shut, without(t, shut, "answer 409", "answer 500"), oneOrder),                                                        // has given up before the order was there
		mutant("events-in-order", keyed, without(t, keyed, "order by id limit", "order by id desc limit"), burst),
		mutant("events-in-order", without(t, keyed, "outbox.amount;", "outbox;"), without(t, without(t, keyed, "outbox.amount;", "outbox;"), "order by id limit", "order by id desc limit"), burst),
		mutant("monotone-recovery", points, without(t, points, "point = 2 where key = :key and point < 2", "point = 2 where key = :key"), twice),
	)
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	modeltest.Needs(t, system(t, reference)())
}
