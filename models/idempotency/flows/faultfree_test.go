package flows_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flow"
	"fencepost/models/idempotency/flows"
)

// story is what a handler does without a fault: the first words of its statements and the
// other things that it asks for, and how it ends.
func (r *task) story() string {
	var words []string
	for !r.done && !r.waits {
		a := r.next
		switch {
		case r.asleep: // has been told
		case a.Do == flow.Query:
			words = append(words, strings.Fields(r.program.Statements[a.Statement].Text)[0])
		case a.Do != flow.NoteMade && a.Do != flow.Fetch:
			words = append(words, a.Do.String())
		}
		r.step()
	}
	return strings.Join(append(words, r.said), ", ")
}

// faultFree is what each flow does with a request of 80 and its retry, then its relay, then an
// event that is delivered twice.
var faultFree = map[string][]string{
	"add":                         {"begin, update, insert, commit, 200", "begin, update, insert, commit, 200"},
	"cache-lock-database":         {"cache get, cache set, work, insert, cache set, cache delif, 201 1", "cache get, 201 1"},
	"check-then-insert":           {"begin, select, work, insert, commit, 201 1", "begin, select, commit, 201 1"},
	"check-then-insert-no-unique": {"begin, select, work, insert, commit, 201 1", "begin, select, commit, 201 1"},
	"consumer-atomic":             {"with, ack", "with, ack"},
	"consumer-effect-then-mark":   {"select, update, insert, ack", "select, ack"},
	"consumer-mark-then-effect":   {"insert, update, ack", "insert, ack"},
	"delete-in-error-path":        {"insert, work, insert, update, 201 1", "insert, select, 201 1"},
	"external-lookup-first": {
		"begin, insert, commit, begin, insert, update, commit, lookup, charge, begin, update, commit, work, begin, insert, update, commit, 201 1",
		"begin, insert, select, rollback, 201 1",
	},
	"ietf-draft":             {"insert, work, begin, insert, update, commit, 201 1", "insert, select, 201 1", "delete, return"},
	"inbox-two-transactions": {"begin, select, insert, commit, begin, update, commit, ack", "begin, select, rollback, ack"},
	"key-and-resource-deleted": {
		"begin, insert, insert, update, commit, 201 1",
		"begin, insert, select, select, rollback, 201 1",
		"begin, delete, commit, return",
	},
	"key-kept-resource-deleted": {
		"begin, insert, insert, update, commit, 201 1",
		"begin, insert, select, select, rollback, 201 1",
		"delete, return",
	},
	"lookup-for-update":    {"begin, select, work, insert, insert, commit, 201 1", "begin, select, rollback, 201 1"},
	"lookup-process-store": {"select, work, insert, insert, 201 1", "select, 201 1"},
	"on-conflict":          {"work, insert, 201 1", "work, insert, select, 201 1"},
	"outbox-by-ids": {
		"begin, insert, insert, work, commit, 201 1",
		"begin, insert, insert, work, commit, 201 2",
		"begin, select, publish, delete, select, publish, delete, select, commit, return",
		"with, ack",
		"with, ack",
	},
	"outbox-commit-order": {
		"begin, insert, work, update, insert, commit, 201 1",
		"begin, insert, work, update, insert, commit, 201 2",
		"select, select, publish, publish, update, return",
		"with, ack",
		"with, ack",
	},
	"outbox-delete-to-last": {
		"begin, insert, insert, work, commit, 201 1",
		"begin, insert, insert, work, commit, 201 2",
		"begin, select, publish, publish, delete, commit, return",
		"with, ack",
		"with, ack",
	},
	"outbox-delete-to-last-repeatable-read": {
		"begin, insert, insert, work, commit, 201 1",
		"begin, insert, insert, work, commit, 201 2",
		"begin, select, publish, publish, delete, commit, return",
		"with, ack",
		"with, ack",
	},
	"outbox-delete-then-send": {
		"begin, insert, insert, work, commit, 201 1",
		"begin, insert, insert, work, commit, 201 2",
		"delete, publish, publish, return",
		"with, ack",
		"with, ack",
	},
	"outbox-skip-locked": {
		"begin, insert, insert, work, commit, 201 1",
		"begin, insert, insert, work, commit, 201 2",
		"begin, select, publish, delete, select, publish, delete, select, commit, return",
		"with, ack",
		"with, ack",
	},
	"outbox-watermark": {
		"begin, insert, insert, work, commit, 201 1",
		"begin, insert, insert, work, commit, 201 2",
		"select, select, publish, publish, update, return",
		"with, ack",
		"with, ack",
	},
	"partial-failure-as-written": {
		"begin, select, update, insert, cache set, commit, 201 1",
		"begin, select, update, insert, rollback, 500",
	},
	"partial-failure-no-transaction": {"insert, update, 201 1", "insert, update, 201 2"},
	"partial-failure-repaired":       {"begin, insert, select, update, commit, cache set, 201 1", "begin, insert, select, commit, 201 1"},
	"partial-failure-row-ignored": {
		"begin, select, update, insert, cache set, commit, 201 1",
		"begin, select, update, insert, commit, 201 null",
	},
	"powertools": {"insert, work, insert, update, 201 1", "insert, select, 201 1"},
	"recovery-points": {
		"begin, select, insert, commit, begin, insert, update, commit, charge, begin, update, commit, work, begin, insert, update, commit, 201 1",
		"begin, select, commit, 201 1",
	},
	"recovery-points-fenced": {
		"begin, insert, commit, begin, insert, update, commit, charge, begin, update, commit, work, begin, insert, update, commit, 201 1",
		"begin, insert, select, rollback, 201 1",
	},
	"reference": {"begin, insert, commit, work, begin, insert, update, commit, 201 1", "begin, insert, select, rollback, 201 1"},
	"reference-with-balance": {
		"begin, insert, commit, work, begin, update, insert, update, commit, 201 1", "begin, insert, select, rollback, 201 1"},
	"reference-with-reaper": {
		"begin, insert, commit, work, begin, insert, update, commit, 201 1", "begin, insert, select, rollback, 201 1", "delete, return"},
	"reference-one-transaction": {
		"begin, set, insert, work, insert, update, commit, 201 1",
		"begin, set, insert, select, rollback, 201 1",
	},
	"reference-wait": {
		"begin, insert, commit, work, begin, insert, update, commit, 201 1",
		"begin, insert, select, rollback, 201 1",
	},
	"remaining-time-zero":    {"insert, work, insert, update, 201 1", "insert, select, 201 1"},
	"retry-loop-as-written":  {"begin, select, work, insert, commit, 201 1", "begin, select, commit, 201 1"},
	"retry-loop-repaired":    {"begin, select, work, insert, commit, 201 1", "begin, select, commit, 201 1"},
	"set":                    {"update, 200", "update, 200"},
	"set-after-read":         {"select, work, begin, update, insert, commit, 200", "select, work, begin, update, insert, commit, 200"},
	"set-versioned":          {"update, 200", "update, 200"},
	"spend-for-update":       {"begin, select, work, update, insert, commit, 201 1", "begin, select, rollback, 402"},
	"spend-plain":            {"begin, select, work, update, insert, commit, 201 1", "begin, select, rollback, 402"},
	"strategy-1":             {"work, insert, 201 1", "work, insert, 201 2"},
	"strategy-2-as-written":  {"begin, select, insert, rollback, 500", "begin, select, insert, rollback, 500"},
	"strategy-2-on-conflict": {"work, insert, 201 1", "work, insert, select, 200 1"},
	"strategy-2-repaired":    {"begin, select, work, insert, commit, 201 1", "begin, select, select, commit, 200 1"},
	"strategy-2-upsert":      {"work, insert, 201 1", "work, insert, 200 1"},
	"strategy-3-as-written": {
		"cache get, cache set, select, work, begin, insert, commit, cache set, cache del, 201 1",
		"cache get, 200 1",
	},
	"strategy-3-no-unique": {"cache get, cache set, work, begin, insert, commit, cache set, cache del, 201 1", "cache get, 200 1"},
	"strategy-3-repaired":  {"select, cache set, work, insert, cache delif, 201 1", "select, 201 1"},
	"stripe":               {"insert, work, begin, insert, update, commit, 200 1", "insert, select, 200 1", "delete, return"},
	"ttl-cache-only":       {"cache get, work, insert, cache set, 201 1", "cache get, 201 1"},
	"versioned-update-as-written": {
		"select, work, begin, update, insert, commit, 200",
		"select, work, begin, update, insert, commit, 200",
	},
	"versioned-update-repaired": {"select, work, begin, insert, update, commit, 200", "select, work, begin, insert, rollback, 200"},
}

func TestAFaultFreeRequestAndItsRetry(t *testing.T) {
	assert.Len(t, faultFree, len(flows.Names()))
	for _, name := range flows.Names() {
		w := newWorld(t, name)
		var stories []string
		in := flow.Input{Tenant: 1, Key: 1, Fingerprint: 10, Amount: 80, Intent: 1}
		for in.Attempt = 1; in.Attempt <= 2 && w.program.Has(flow.Request); in.Attempt++ {
			stories = append(stories, w.start(flow.Request, in).story())
		}
		if w.program.Has(flow.Every) {
			stories = append(stories, w.relay().story())
		}
		for range 2 {
			if w.program.Has(flow.Event) {
				stories = append(stories, w.event(1, 80).story())
			}
		}
		assert.Equal(t, faultFree[name], stories, name)
	}
}
