package idempotency

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

// orders is the table of effects that most flows of these tests have.
const orders = `create table orders (id serial primary key, tenant int, intent int, amount int);
effect orders;
`

// record is the table of keys of the reference algorithm.
const record = `create table idem (tenant int, key int, fp int, status text not null, attempt int, lease_until timestamptz,
  code int, body int, primary key (tenant, key));
`

// reference claims a key with a lease, and commits effect and answer together if the claim
// is still its own.
const reference = record + orders + `
on request {
  let mine = 0;
  let looks = 0;
  loop {
    begin;
    insert into idem (tenant, key, fp, status, attempt, lease_until)
      values (:tenant, :key, :fp, 'PROCESSING', 1, clock_timestamp() + :lease)
      on conflict do nothing returning attempt -> mine;
    if found { commit; note claimed; break; }
    select fp, status, lease_until - clock_timestamp(), code, body from idem where tenant = :tenant and key = :key for update
      -> seen_fp, status, left, stored_code, stored_body;
    if not found { rollback; continue; }
    if seen_fp <> fp { rollback; answer 422; }
    if status = 'COMPLETED' { rollback; note replayed; answer stored_code, stored_body; }
    update idem set attempt = attempt + 1, lease_until = clock_timestamp() + :lease
      where tenant = :tenant and key = :key and lease_until < clock_timestamp() returning attempt -> mine;
    if found { commit; note takeover; break; }
    rollback;
    answer 409, left;
  }
  work;
  begin;
  insert into orders (tenant, intent, amount) values (:tenant, :intent, :amount) returning id -> order_id;
  note processed;
  update idem set status = 'COMPLETED', code = 201, body = :order_id
    where tenant = :tenant and key = :key and attempt = :mine and status = 'PROCESSING';
  if not found { rollback; note fenced; answer 409, poll; }
  commit;
  note recorded;
  answer 201, order_id;
}
`

// lookup looks for a stored answer, carries the request out, and stores the answer.
const lookup = record + orders + `
on request {
  select code, body from idem where tenant = :tenant and key = :key and fp = :fp -> code, body;
  if found { note replayed; answer code, body; }
  work;
  insert into orders (tenant, intent, amount) values (:tenant, :intent, :amount) returning id -> order_id;
  note processed;
  insert into idem (tenant, key, fp, status, code, body) values (:tenant, :key, :fp, 'COMPLETED', 201, :order_id);
  note recorded;
  answer 201, order_id;
}
`

// of is the default parameters with the text of a flow.
func of(program string, set ...func(*Params)) *Params {
	p := DefaultParams()
	p.Program = program
	for _, f := range set {
		f(&p)
	}
	return &p
}

// system makes the system of parameters, which must be valid.
func system(t testing.TB, program string, set ...func(*Params)) func() sim.System[Msg] {
	t.Helper()
	p := of(program, set...)
	require.Empty(t, p.Problems())
	return p.System
}

// play plays a flow for a minute in which a message takes 5 ms.
func play(t testing.TB, program string, set func(*Params), change ...simtest.Change) *simtest.Played {
	t.Helper()
	return modeltest.Play(t, system(t, program, set), change...)
}

func usual(*Params) {}

// busy is three clients of two servers: two of one tenant, and one of another, who use the
// same keys.
func busy(p *Params) {
	p.Clients, p.Servers, p.Tasks = 3, 2, 4
	p.Tenant, p.Intent, p.Key = []int{1, 1, 2}, []int{1, 1, 2}, []int{1}
	p.Intents, p.Gap, p.Clicks = []int{5}, []sim.Dist{sim.Exponential(800 * ms)}, []int{2}
	p.Lease, p.Timeout, p.Backoff = ptr(300*ms), []time.Duration{400 * ms}, []sim.Dist{sim.Exponential(100 * ms)}
	p.StatementTimeout = 300 * ms
	p.Attempts = []int{0}
	p.Bounds.Within = ptr(10 * time.Second)
}
