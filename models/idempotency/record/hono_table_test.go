package record

import "strings"

func ptr[T any](v T) *T { return &v }

// post is a request whose handler would answer with a status.
func post(path, key, body string, handler int32) step {
	return step{Op: "request", Method: "POST", Path: path, Key: key, Body: body, Handler: handler}
}

// runs and replays are what becomes of a request; refused that it is neither.
func (s step) runs() step {
	s.Expect = wanted{Status: s.Handler, Runs: ptr(true), Replayed: ptr(false)}
	return s
}

func (s step) runsAndLeavesNothing() step {
	s = s.runs()
	s.Expect.Record = "absent"
	return s
}

func (s step) replays(status int32) step {
	s.Expect = wanted{Status: status, Runs: ptr(false), Replayed: ptr(true)}
	return s
}

func (s step) refused(status int32) step {
	s.Expect = wanted{Status: status, Runs: ptr(false)}
	return s
}

func (s step) by(tenant string) step    { s.Tenant = tenant; return s }
func (s step) method(name string) step  { s.Method = name; return s }
func requests(steps ...step) []step     { return steps }
func operations(steps ...step) []step   { return steps }
func complete(t int64, key string) step { return step{T: t, Op: "complete", Key: key} }

func lock(t int64, key string, locked bool) step {
	return lockWith(t, key, "fp", locked)
}

func lockWith(t int64, key, fingerprint string, locked bool) step {
	return step{T: t, Op: "lock", Key: key, Fingerprint: fingerprint, Expect: wanted{Locked: &locked}}
}

func get(t int64, key, state string) step {
	return step{T: t, Op: "get", Key: key, Expect: wanted{State: state}}
}

func holds(t int64, key, fingerprint string) step {
	return step{T: t, Op: "get", Key: key, Expect: wanted{Fingerprint: fingerprint}}
}

func size(t int64, n int) step {
	return step{T: t, Op: "size", Expect: wanted{Size: &n}}
}

func purge(t int64, n int) step {
	return step{T: t, Op: "purge", Expect: wanted{Purged: &n}}
}

var honoVectors = []vector{
	{ID: "an answer is replayed", Steps: requests(post("/t", "1", "", 200).runs(), post("/t", "1", "", 200).replays(200))},
	{ID: "of JSON too", Steps: requests(post("/j", "2", "{}", 200).runs(), post("/j", "2", "{}", 200).replays(200))},
	{ID: "with its status", Steps: requests(post("/c", "3", "A", 201).runs(), post("/c", "3", "A", 200).replays(201))},
	{ID: "no key and one is required", Config: config{Required: true}, Steps: requests(post("/t", "", "", 200).refused(400))},
	{ID: "no key and none is required", Steps: requests(post("/t", "", "", 200).runs(), post("/t", "", "", 200).runs())},
	{ID: "a key longer than the longest", Config: config{MaxKey: 36}, Steps: requests(post("/t", strings.Repeat("a", 37), "", 200).refused(400))},
	{ID: "a key as long as the longest", Config: config{MaxKey: 36}, Steps: requests(post("/t", strings.Repeat("a", 36), "", 200).runs())},
	{ID: "another body", Steps: requests(post("/c", "8", "A", 201).runs(), post("/c", "8", "B", 200).refused(422))},
	{ID: "an answer of 500 is not kept", Steps: requests(post("/e", "5", "", 500).runsAndLeavesNothing(), post("/e", "5", "", 500).runs())},
	{ID: "nor an exception", Steps: requests(post("/x", "6", "", 500).runsAndLeavesNothing())},
	{ID: "GET has no record", Steps: requests(post("/g", "7", "", 200).method("GET").runs(), post("/g", "7", "", 200).method("GET").runs())},
	{ID: "PATCH has one", Steps: requests(post("/p", "9", "", 200).method("PATCH").runs(), post("/p", "9", "", 200).method("PATCH").replays(200))},
	{ID: "a key is of one path", Steps: requests(post("/t", "x", "", 200).runs(), post("/j", "x", "", 200).runs())},
	{ID: "a fingerprint without the body", Config: config{Fingerprint: "method+path"}, Steps: requests(post("/f", "k", "1", 200).runs(), post("/f", "k", "2", 200).replays(200))},
	{ID: "a key is of one tenant", Steps: requests(post("/n", "s", "", 200).by("a").runs(), post("/n", "s", "", 200).by("b").runs())},

	{ID: "two at once", Config: config{Handler: 100}, Input: &input{Requests: 2}, Expect: &results{Statuses: []int32{200, 409}, RetryAfter: 1, Runs: 1}},
	{ID: "one in progress", Input: &input{Existing: "processing"}, Expect: &results{Statuses: []int32{409}, RetryAfter: 1}},
	{ID: "a race for the lock that is lost", Input: &input{Lock: "false"}, Expect: &results{Statuses: []int32{409}, RetryAfter: 1}},
	{ID: "requests that want no record", Input: &input{Requests: 2, Sequential: true, Skip: true}, Expect: &results{Statuses: []int32{200, 200}, Runs: 2}},

	{ID: "a new key is in progress", Steps: operations(lock(0, "a", true), get(0, "a", "processing"))},
	{ID: "the first has it", Steps: operations(lockWith(0, "a", "first", true), lockWith(0, "a", "second", false), holds(0, "a", "first"))},
	{ID: "completed", Steps: operations(lock(0, "a", true), complete(0, "a"), get(0, "a", "completed"))},
	{ID: "absent after its TTL", Config: config{TTL: 1000}, Steps: operations(lock(0, "a", true), get(0, "a", "present"), get(1001, "a", "absent"))},
	{ID: "begun anew after its TTL", Config: config{TTL: 1000}, Steps: operations(lockWith(0, "a", "old", true), lockWith(1001, "a", "new", true), holds(1001, "a", "new"))},
	{ID: "deleted", Steps: operations(lock(0, "a", true), step{Op: "delete", Key: "a"}, get(0, "a", "absent"))},
	{ID: "the TTL is over at its end", Config: config{TTL: 1000}, Steps: operations(lock(0, "a", true), get(999, "a", "present"), get(1000, "a", "absent"))},
	{ID: "and can be begun there", Config: config{TTL: 1000}, Steps: operations(lockWith(0, "a", "old", true), lockWith(1000, "a", "new", true), holds(1000, "a", "new"))},
	{ID: "a TTL of a day", Steps: operations(lock(0, "a", true), get(86_399_000, "a", "present"), get(86_401_000, "a", "absent"))},
	{ID: "the expired are swept", Config: config{TTL: 1000, Sweep: ptr(int64(0))}, Steps: operations(lock(0, "a", true), lock(0, "b", true), size(0, 2), lock(1001, "c", true), size(1001, 1))},
	{ID: "the others are not", Config: config{TTL: 10_000}, Steps: operations(lock(0, "a", true), lock(5000, "b", true), size(5000, 2))},
	{ID: "the oldest completed one makes room", Config: config{Most: 2}, Steps: operations(lock(0, "a", true), complete(0, "a"), lock(0, "b", true), complete(0, "b"),
		size(0, 2), lock(0, "c", true), size(0, 2), get(0, "a", "absent"), get(0, "b", "present"), get(0, "c", "present"))},
	{ID: "room for one", Config: config{Most: 1}, Steps: operations(lock(0, "a", true), complete(0, "a"), lock(0, "b", true), size(0, 1), get(0, "a", "absent"), get(0, "b", "present"))},
	{ID: "what is in progress makes no room", Config: config{Most: 2}, Steps: operations(lock(0, "a", true), lock(0, "b", true), complete(0, "b"), lock(0, "c", true),
		size(0, 2), get(0, "a", "processing"), get(0, "b", "absent"), get(0, "c", "present"))},
	{ID: "all in progress: more than there is room for", Config: config{Most: 2}, Steps: operations(lock(0, "a", true), lock(0, "b", true), lock(0, "c", true), size(0, 3))},
	{ID: "two are purged", Config: config{TTL: 1000}, Steps: operations(lock(0, "a", true), lock(0, "b", true), lock(500, "c", true), purge(1001, 2), size(1001, 1), get(1001, "c", "present"))},
	{ID: "none is purged", Config: config{TTL: 10_000}, Steps: operations(lock(0, "a", true), purge(0, 0), size(0, 1))},
	{ID: "nothing to purge", Steps: operations(purge(0, 0), size(0, 0))},
	{ID: "no sweep too soon", Config: config{TTL: 1000, Sweep: ptr(int64(5000))}, Steps: operations(lock(0, "a", true), lock(1001, "b", true), size(1001, 2), lock(5001, "c", true), size(5001, 1))},
	{ID: "a sweep of nothing counts", Config: config{TTL: 5000, Sweep: ptr(int64(3000))}, Steps: operations(lock(0, "a", true), lock(3001, "b", true), size(3001, 2),
		lock(5001, "c", true), size(5001, 3), lock(6002, "d", true), size(6002, 3))},
	{ID: "a sweep makes room first", Config: config{TTL: 1000, Most: 2, Sweep: ptr(int64(0))}, Steps: operations(lock(0, "a", true), lock(0, "b", true), lock(1001, "c", true), size(1001, 1))},
}
