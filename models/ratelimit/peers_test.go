package ratelimit

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables of the peers' own tests, rewritten as inputs and expected outputs: what
// each limiter in use says to its own test-suite. testdata/vectors is ours and always
// tested; the same files in shared/data beside the repository are tested too where
// they are.

// object is a piece of a vector file.
type object map[string]any

func (o object) has(key string) bool { _, ok := o[key]; return ok }
func (o object) text(key string) string {
	s, _ := o[key].(string)
	return s
}
func (o object) yes(key string) bool { b, _ := o[key].(bool); return b }
func (o object) at(key string) object {
	m, _ := o[key].(map[string]any)
	return m
}
func (o object) list(key string) []any { l, _ := o[key].([]any); return l }

// num is a whole number; 0 if there is none.
func (o object) num(key string) int64 {
	f, _ := o[key].(float64)
	return int64(f)
}

// ms is a reading or a length given in milliseconds, exact to the nanosecond.
func (o object) ms(key string) int64 {
	f, _ := o[key].(float64)
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
	r.Mul(r, big.NewRat(1e6, 1))
	return r.Num().Int64() / r.Denom().Int64()
}

func (o object) steps() (steps []object) {
	for _, s := range o.list("steps") {
		steps = append(steps, s.(map[string]any))
	}
	return steps
}

type vectorFile struct {
	Source struct{ Repo, Commit, Licence string }
	Cases  []object
}

// vectorDirs are where the tables are.
func vectorDirs(t *testing.T) []string {
	dirs := []string{filepath.Join("testdata", "vectors")}
	if dir := filepath.Join("..", "..", "..", "shared", "data", "vectors"); exists(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// distributed are cases of two limiters and a store between them: no core.
var distributed = []string{"two_limiters_synchronised"}

// TestPeers runs each case of each table by its id.
func TestPeers(t *testing.T) {
	for _, table := range []struct {
		file, name string
		cases      int
		run        func(t *testing.T, c object)
	}{
		{"gcra_throttled_redis_cell.json", "throttled", 12, runThrottled},
		{"fixed_window_ulule.json", "ulule", 10, runUlule},
		{"interval_bucket_sethvargo.json", "sethvargo", 9, runSethvargo},
		{"leaky_bucket_nginx_limit_req.json", "nginx", 11, runNginx},
		{"leaky_bucket_uber_ratelimit.json", "uber", 11, runUber},
		{"sliding_window_russellluo.json", "russellluo", 2, runRussellLuo},
		{"token_bucket_golang_x_time.json", "x-time", 38, runXTime},
	} {
		for _, dir := range vectorDirs(t) {
			text, err := os.ReadFile(filepath.Join(dir, table.file))
			require.NoError(t, err)
			var f vectorFile
			require.NoError(t, json.Unmarshal(text, &f))
			assert.NotEmpty(t, f.Source.Licence)
			assert.GreaterOrEqual(t, len(f.Cases), table.cases, "%s in %s", table.file, dir)
			for _, c := range f.Cases {
				t.Run(table.name+"/"+c.text("id"), func(t *testing.T) { table.run(t, c) })
			}
		}
	}
}

// rate reads "3 per 10 ms" as its two numbers.
func parsePer(t *testing.T, s string) (int64, time.Duration) {
	words := strings.Fields(s)
	require.Len(t, words, 4, s)
	count, err := strconv.ParseInt(words[0], 10, 64)
	require.NoError(t, err)
	length, err := strconv.ParseInt(words[2], 10, 64)
	require.NoError(t, err)
	return count, time.Duration(length) * time.Millisecond
}

// slot is a store in memory. A store that loses every swap is broken.
type slot struct {
	tat     Reading
	expires Reading // when the store forgets
	now     Reading
	set     bool
	broken  bool
	swaps   int
}

func (s *slot) Get() (Reading, bool) {
	if !s.set || s.now >= s.expires {
		return 0, false
	}
	return s.tat, true
}

func (s *slot) CompareAndSwap(old Reading, existed bool, tat Reading, ttl time.Duration) bool {
	s.swaps++
	now, there := s.Get()
	if s.broken || there != existed || there && now != old {
		return false
	}
	s.tat, s.set, s.expires = tat, true, s.now+Reading(ttl)
	return true
}

func runThrottled(t *testing.T, c object) {
	switch c.text("kind") {
	case "emission_interval":
		th, err := NewThrottled(c.at("input").num("count"), time.Duration(c.at("input").ms("period_ms")), 0, 1)
		require.NoError(t, err)
		assert.Equal(t, time.Duration(c.at("expect").ms("interval_ms")), th.Interval())
		return
	case "gcra_config":
		_, err := NewThrottled(c.at("input").num("count"), time.Duration(c.at("input").ms("period_ms")), 0, 1)
		assert.Error(t, err)
		return
	}
	count, period := parsePer(t, c.at("config").text("rate"))
	attempts := ThrottledAttempts
	if c.at("config").has("max_cas_attempts") {
		attempts = int(c.at("config").num("max_cas_attempts"))
	} else if n := c.steps()[0].num("cas_attempts"); n > 0 {
		attempts = int(n)
	}
	th, err := NewThrottled(count, period, c.at("config").num("max_burst"), attempts)
	require.NoError(t, err)
	s := &slot{broken: c.text("kind") == "gcra_cas"}
	for i, step := range c.steps() {
		if step.text("op") == "hit_repeated" {
			for i := range step.num("count") { // the peer's clock stands still in this test
				r, err := th.Limit(s, 0, 1)
				require.NoError(t, err)
				assert.True(t, r.Limited || i == 0 || i%3 != 0, "hit %d", i)
			}
			continue
		}
		s.now = Reading(step.ms("t"))
		r, err := th.Limit(s, s.now, step.num("quantity"))
		want := step.at("expect")
		if want.has("error") {
			require.Error(t, err)
			assert.Contains(t, err.Error(), "after "+strconv.Itoa(attempts)+" attempts")
			assert.Equal(t, attempts, s.swaps)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want.yes("limited"), r.Limited, "step %d", i)
		assert.Equal(t, want.num("limit"), r.Limit, "step %d", i)
		assert.Equal(t, want.num("remaining"), r.Remaining, "step %d", i)
		for key, got := range map[string]time.Duration{"retry_after": r.RetryAfter, "reset_after": r.ResetAfter} {
			switch {
			case want.num(key) == -1 || want.num(key+"_s") == -1:
				assert.EqualValues(t, -1, got, "step %d, %s", i, key)
			case want.has(key):
				assert.EqualValues(t, want.ms(key), got, "step %d, %s", i, key)
			case want.has(key + "_s"):
				assert.EqualValues(t, want.num(key+"_s"), got/time.Second, "step %d, %s", i, key)
			}
		}
	}
}

func runUlule(t *testing.T, c object) {
	if c.text("kind") == "parse_rate" {
		r, err := ParseUluleRate(c.text("input"))
		assert.Equal(t, c.at("expect").yes("error"), err != nil, c.text("input"))
		assert.Equal(t, c.at("expect").num("limit"), r.Tokens)
		assert.EqualValues(t, c.at("expect").ms("period_ms"), r.Per)
		return
	}
	u, err := NewUlule(Rate{c.at("config").num("limit"), time.Duration(c.at("config").ms("period_ms"))})
	require.NoError(t, err)
	k := u.window.Start(0)
	do := map[string]func(*FixedWindowState, Reading) UluleContext{"get": u.Get, "peek": u.Peek, "reset": u.Reset}
	for i, step := range c.steps() {
		got, want := do[step.text("op")](&k, Reading(step.ms("t"))), step.at("expect")
		if want == nil {
			continue
		}
		assert.Equal(t, want.num("remaining"), got.Remaining, "step %d", i)
		assert.Equal(t, want.yes("reached"), got.Reached, "step %d", i)
		assert.Equal(t, c.at("config").num("limit"), got.Limit)
	}
}

func runSethvargo(t *testing.T, c object) {
	if c.text("kind") == "tick" {
		in := c.at("input")
		assert.Equal(t, c.at("expect").num("tick"), Tick(Reading(in.num("start_ns")), Reading(in.num("now_ns")), time.Duration(in.num("interval_ns"))))
		return
	}
	s, err := NewSethvargo(c.at("config").num("tokens"), time.Duration(c.at("config").ms("interval_ms")))
	require.NoError(t, err)
	var k *SethvargoState // what the store has of the key, if anything
	for i, step := range c.steps() {
		now, want := Reading(step.ms("t")), step.at("expect")
		switch step.text("op") {
		case "get":
			limit, remaining := int64(0), int64(0)
			if k != nil {
				limit, remaining = s.Get(k)
			}
			assert.Equal(t, [2]int64{want.num("limit"), want.num("remaining")}, [2]int64{limit, remaining}, "step %d", i)
		case "set":
			s, err = NewSethvargo(step.num("tokens"), time.Duration(step.ms("interval_ms")))
			require.NoError(t, err)
			k = ptr(s.Start(now))
		case "burst":
			s.Burst(k, step.num("tokens"))
		case "take":
			if k == nil {
				k = ptr(s.Start(now))
			}
			d := s.Take(k, now)
			assert.Equal(t, want.yes("ok"), d.Allowed, "step %d", i)
			if want.has("remaining") {
				assert.Equal(t, want.num("remaining"), d.Remaining, "step %d", i)
				assert.Equal(t, want.num("limit"), s.bucket.Limit(), "step %d", i)
			}
		default:
			t.Fatal(step)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// nginxZone reads rate=2r/s.
func nginxZone(t *testing.T, s string) NginxZone {
	count, unit, ok := strings.Cut(s, "r/")
	n, err := strconv.ParseInt(count, 10, 64)
	require.True(t, ok && err == nil, s)
	if unit == "m" {
		return NginxPerMinute(n)
	}
	return NginxPerSecond(n)
}

func runNginx(t *testing.T, c object) {
	config := c.at("config")
	if c.text("kind") == "limit_req_multi" {
		runNginxZones(t, c)
		return
	}
	keys := map[string]*NginxState{}
	for i, step := range c.steps() {
		l := NginxLimit{Zone: nginxZone(t, config.text("rate")), Burst: config.num("burst"), Delay: config.num("delay"), NoDelay: config.yes("nodelay")}
		if step.has("burst") {
			l.Burst = step.num("burst")
		}
		k := keys[step.text("key")]
		if k == nil {
			k = &NginxState{}
			keys[step.text("key")] = k
		}
		delay, allowed := l.Take(k, Reading(step.ms("t")))
		want := step.at("expect")
		if want == nil {
			continue
		}
		result := map[bool]string{true: "accept", false: "reject"}[allowed]
		if delay > 0 {
			result = "delayed"
		}
		if want.has("result") {
			assert.Equal(t, want.text("result"), result, "step %d", i)
		}
		if want.has("computed_delay_ms") {
			assert.EqualValues(t, want.ms("computed_delay_ms"), delay, "step %d", i)
		}
		if want.has("limit_req_status") { // a dry run says what it would do, and serves
			dry := !step.has("dry_run")
			status := map[string]string{"accept": "PASSED", "delayed": "DELAYED", "reject": "REJECTED"}[result]
			if dry && status != "PASSED" {
				status += "_DRY_RUN"
			}
			assert.Equal(t, want.text("limit_req_status"), status, "step %d", i)
			assert.Equal(t, want.num("status") == 200, allowed || dry, "step %d", i)
		}
	}
}

func runNginxZones(t *testing.T, c object) {
	var limits []NginxLimit
	var names []string
	for _, z := range c.at("config").list("zones") {
		zone := object(z.(map[string]any))
		limits = append(limits, NginxLimit{Zone: nginxZone(t, zone.text("rate")), Burst: zone.num("burst")})
		names = append(names, zone.text("key"))
	}
	states := map[string]*NginxState{}
	for i, step := range c.steps() {
		var keys []*NginxState
		for _, name := range names {
			value, ok := step.at("keys")[name]
			if !ok {
				keys = append(keys, nil)
				continue
			}
			id := name + strconv.FormatFloat(value.(float64), 'f', 0, 64)
			if states[id] == nil {
				states[id] = &NginxState{}
			}
			keys = append(keys, states[id])
		}
		_, allowed := Nginx(limits, keys, Reading(step.ms("t")))
		assert.Equal(t, step.at("expect").text("result") == "accept", allowed, "step %d", i)
	}
}
