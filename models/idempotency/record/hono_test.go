package record

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/key"
	"fencepost/sim"
)

// A vector is a case of the tests of hono-idempotency: what goes in and what comes out,
// rewritten. Source: github.com/paveg/hono-idempotency, tests/middleware.test.ts and
// tests/stores/memory.test.ts at 6d6a0757, MIT licence, Copyright (c) paveg.
//
// The table in hono_table_test.go is ours and always tested; the same cases in shared/data
// beside the repository are tested too where they are.
type vector struct {
	ID     string   `json:"id"`
	Config config   `json:"config"`
	Steps  []step   `json:"steps"`
	Input  *input   `json:"input"` // of a case of requests at once
	Expect *results `json:"expect"`
}

type config struct {
	Required    bool   `json:"required"`
	MaxKey      int    `json:"max_key_length"`
	Fingerprint string `json:"fingerprint"`
	TTL         int64  `json:"ttl_ms"`
	Sweep       *int64 `json:"sweep_interval_ms"`
	Most        int    `json:"max_size"`
	Handler     int64  `json:"handler_ms"`
}

type step struct {
	T           int64  `json:"t"` // ms
	Op          string `json:"op"`
	Method      string `json:"method"`
	Path        string `json:"path"`
	Key         string `json:"key"`
	Body        string `json:"body"`
	Tenant      string `json:"tenant"`
	Fingerprint string `json:"fingerprint"`
	Handler     int32  `json:"handler_status"`
	Expect      wanted `json:"expect"`
}

type wanted struct {
	Status      int32  `json:"status"`
	Runs        *bool  `json:"runs_handler"`
	Replayed    *bool  `json:"replayed"`
	Record      string `json:"record"`
	State       string `json:"state"`
	Fingerprint string `json:"fingerprint"`
	Locked      *bool  `json:"locked"`
	Size        *int   `json:"size"`
	Purged      *int   `json:"purged"`
}

type input struct {
	Requests   int    `json:"requests"`
	Sequential bool   `json:"sequential"`
	Skip       bool   `json:"skip"`
	Existing   string `json:"existing_record"`
	Lock       string `json:"lock"`
}

type results struct {
	Statuses   []int32 `json:"statuses"`
	RetryAfter int64   `json:"retry_after"` // s
	Runs       int     `json:"handler_runs"`
}

func TestHono(t *testing.T) {
	run := func(name string, vectors []vector) {
		require.Len(t, vectors, 40)
		for _, v := range vectors {
			t.Run(name+"/"+v.ID, func(t *testing.T) { v.run(t) })
		}
	}
	run("table", honoVectors)
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "data", "vectors", "idempotency_hono.json"))
	if os.IsNotExist(err) {
		return
	}
	require.NoError(t, err)
	var file struct{ Cases []vector }
	require.NoError(t, json.Unmarshal(text, &file))
	run("file", file.Cases)
}

// at is a reading in milliseconds.
func at(ms int64) sim.Wall { return sim.Wall(ms * 1e6) }

// hash stands for a fingerprint.
func hash(s string) uint64 { return sim.Hash(s) }

func (v *vector) store() *Store {
	s := &Store{Rules: Hono(), Most: v.Config.Most, Sweep: time.Minute}
	s.Rules.Required = v.Config.Required
	if v.Config.TTL > 0 {
		s.Rules.TTL = time.Duration(v.Config.TTL) * time.Millisecond
	}
	if v.Config.Sweep != nil {
		s.Sweep = time.Duration(*v.Config.Sweep) * time.Millisecond
	}
	if v.Config.MaxKey > 0 {
		s.Rules.Header = key.Header{Raw: true, Most: v.Config.MaxKey}
	}
	return s
}

func (v *vector) run(t *testing.T) {
	s := v.store()
	if v.Input != nil {
		v.atOnce(t, s)
		return
	}
	for i, step := range v.Steps {
		if step.Op == "request" {
			v.request(t, s, &step)
		} else {
			step.store(t, s, i)
		}
	}
}

// request is a request whose handler takes no time.
func (v *vector) request(t *testing.T, s *Store, step *step) {
	body := step.Body
	if v.Config.Fingerprint == "method+path" {
		body = ""
	}
	q := Request{Fingerprint: hash(step.Method + step.Path + body)}
	c := Call{Method: step.Method, Path: step.Path, Tenant: step.Tenant, Request: q}
	if step.Key != "" {
		c.Header = []string{step.Key}
	}
	name, d := s.Begin(at(step.T), c)
	status := d.Code
	if d.Do == Run {
		status = step.Handler
		if name != "" {
			s.Finish(at(step.T), name, d.Attempt, q, Outcome{End: Returned, Answer: Answer{Code: status}})
		}
	}
	want := step.Expect
	assert.Equal(t, want.Status, status)
	assert.Equal(t, *want.Runs, d.Do == Run)
	if want.Replayed != nil {
		assert.Equal(t, *want.Replayed, d.Do == Replay)
	}
	if want.Record == "absent" {
		assert.Equal(t, Absent, s.Get(at(step.T), name).Status)
	}
}

// store is an operation on the store itself.
func (step *step) store(t *testing.T, s *Store, i int) {
	now, want := at(step.T), step.Expect
	switch step.Op {
	case "lock":
		d := s.begin(now, step.Key, Request{Fingerprint: hash(step.Fingerprint)})
		assert.Equal(t, *want.Locked, d.Do == Run, "step %d", i)
	case "complete":
		rec := s.Get(now, step.Key)
		f := s.Finish(now, step.Key, rec.Attempt, Request{Fingerprint: rec.Fingerprint}, Outcome{End: Returned, Answer: Answer{Code: 200}})
		assert.Equal(t, Stored, f, "step %d", i)
	case "get":
		rec := s.Get(now, step.Key)
		if want.Fingerprint != "" {
			assert.Equal(t, hash(want.Fingerprint), rec.Fingerprint, "step %d", i)
			return
		}
		states := map[string][]Status{"absent": {Absent}, "processing": {InProgress}, "completed": {Completed}, "present": {InProgress, Completed}}
		assert.Contains(t, states[want.State], rec.Status, "step %d", i)
	case "delete":
		s.Delete(step.Key)
	case "purge":
		assert.Equal(t, *want.Purged, s.Purge(now), "step %d", i)
	case "size":
		assert.Equal(t, *want.Size, s.Size(), "step %d", i)
	default:
		t.Fatalf("step %d: unknown operation %q", i, step.Op)
	}
}

// atOnce is requests with one key, the handlers of which end after all have begun unless they
// come one after the other.
func (v *vector) atOnce(t *testing.T, s *Store) {
	c := Call{Method: "POST", Path: "/", Header: []string{"k"}, Skip: v.Input.Skip, Request: Request{Fingerprint: 1}}
	if v.Input.Existing == "processing" || v.Input.Lock == "false" { // another one has it, or takes it first
		_, d := s.Begin(0, c)
		require.Equal(t, Run, d.Do)
	}
	type begun struct {
		name string
		Decision
	}
	var list []begun
	var statuses []int32
	runs := 0
	finish := func() {
		for _, b := range list {
			if b.name != "" {
				s.Finish(at(v.Config.Handler), b.name, b.Attempt, c.Request, Outcome{End: Returned, Answer: Answer{Code: 200}})
			}
		}
		list = nil
	}
	for range max(v.Input.Requests, 1) {
		name, d := s.Begin(0, c)
		if d.Do == Run {
			runs++
			list = append(list, begun{name, d})
			d.Code = 200
		}
		if d.Do == Conflict {
			assert.Equal(t, time.Duration(v.Expect.RetryAfter)*time.Second, d.RetryAfter)
		}
		statuses = append(statuses, d.Code)
		if v.Input.Sequential {
			finish()
		}
	}
	finish()
	assert.Equal(t, v.Expect.Statuses, statuses)
	assert.Equal(t, v.Expect.Runs, runs)
}
