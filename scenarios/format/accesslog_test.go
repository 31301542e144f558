package format_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/compare"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

const ownLog = "../accesslog/testdata/combined.log"

// replayed runs a scenario once, and gives its measures by name.
func replayed(t *testing.T, nameOrPath string, sets ...result.Setting) (map[string]int64, *compare.Replay) {
	t.Helper()
	s, err := scenarios.Load(nameOrPath, format.Options{Sets: sets})
	require.NoError(t, err)
	require.True(t, s.Replays())
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r := w.Run(s.Seed)
	replay := w.(*compare.Replay)
	require.NoError(t, replay.Err())
	for i, p := range r.Properties {
		require.NotEqual(t, sim.Violated, p.Verdict, replay.Why(i))
	}
	values := map[string]int64{}
	for _, m := range r.Samples {
		values[s.Program.Measures[m.Measure].Name] = m.Value
	}
	return values, replay
}

func TestReplayOfAnAccessLog(t *testing.T) {
	limit := result.Setting{Path: "params.limit", Value: "5"}
	m, r := replayed(t, "limiter/compare", limit, result.Setting{Path: "params.traffic.accesslog", Value: ownLog})
	assert.EqualValues(t, 58, m["requests"])
	assert.EqualValues(t, 5, m["clients"])
	assert.EqualValues(t, 5, m["sliding-log/worst"])
	assert.Positive(t, m["token-bucket/false-admits"])
	assert.Equal(t, m["requests"], m["gcra/admitted"]+m["gcra/rejected"])
	assert.Equal(t, ownLog, r.Path())
	require.Len(t, r.Input(), 3+1)
	assert.Contains(t, r.Input()[0], "combined.log: combined, 60 lines, 58 requests")
	assert.Contains(t, r.Input()[1], "line 31: no time such as")
	assert.Contains(t, r.Input()[3], "of 5 clients ask for more than 5 in 1m")
	var refused []string
	r.EachRefused(func(name string, _, _ int64) { refused = append(refused, name) })
	assert.Len(t, refused, 2)
	assert.Equal(t, "192.0.2.1", refused[0])

	log := result.Setting{Path: "params.traffic.accesslog", Value: ownLog}
	m, _ = replayed(t, "limiter/compare", limit, log, result.Setting{Path: "params.traffic.ipv6-prefix", Value: "64"})
	assert.EqualValues(t, 4, m["clients"])
	m, _ = replayed(t, "limiter/compare", limit, log, result.Setting{Path: "params.traffic.key", Value: "path"})
	assert.EqualValues(t, 8, m["clients"])
	m, _ = replayed(t, "limiter/compare", limit, log, result.Setting{Path: "params.traffic.horizon", Value: "0s"})
	assert.EqualValues(t, 58, m["requests"], "all is held to be sorted")
}

// A log beside a scenario is found there, also gzipped.
func TestAccessLogBesideItsScenario(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(ownLog)
	require.NoError(t, err)
	file, err := os.Create(filepath.Join(dir, "access.log.gz"))
	require.NoError(t, err)
	z := gzip.NewWriter(file)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, file.Close())
	path := fake.WriteFile(t, dir, "mine.yaml", "model: compare\nuntil: 1s\nparams:\n  algorithms: gcra\n  traffic:\n    accesslog: access.log.gz\n")
	m, r := replayed(t, path)
	assert.EqualValues(t, 58, m["requests"])
	assert.Contains(t, r.Input()[0], "combined, gzip, 60 lines")
	done, total := int64(0), int64(0)
	r.Ask(func(d, all int64) bool { done, total = d, all; return true })
	r.Run(1)
	assert.LessOrEqual(t, done, total)
}

// TestPublishedAccessLogs: with 60 a minute, the exact log refuses something to as many
// clients as shared/data/SOURCES.md says had more than 60 in a minute, or to a few more:
// those whose minute is not one of the clock.
func TestPublishedAccessLogs(t *testing.T) {
	for _, v := range []struct {
		file    string
		clients int64
		over    int64
		busiest string
	}{
		{"elastic_apache_logs_2015.log", 1753, 2, "75.97.9.59"},
		{"logisland_access_2013w45.log", 801, 11, "194.199.16.116"},
		{"twiki_2004.log", 169, 0, ""},
	} {
		path := filepath.Join("..", "..", "..", "shared", "data", "access", v.file)
		if _, err := os.Stat(path); err != nil {
			continue // a clone without the shared files has this test with no rows
		}
		m, r := replayed(t, "limiter/compare", result.Setting{Path: "params.traffic.accesslog", Value: path})
		assert.Equal(t, v.clients, m["clients"], v.file)
		assert.GreaterOrEqual(t, m["sliding-log/clients-hit"], v.over, v.file)
		assert.LessOrEqual(t, m["sliding-log/clients-hit"], 2*v.over, v.file)
		var refused []string
		r.EachRefused(func(name string, _, _ int64) { refused = append(refused, name) })
		if v.busiest != "" {
			assert.Contains(t, refused, v.busiest, v.file)
		}
	}
}

func TestAccessLogMistakes(t *testing.T) {
	dir := t.TempDir()
	empty := fake.WriteFile(t, dir, "empty.log", "")
	other := fake.WriteFile(t, dir, "other.log", "{\"a\": 1}\n")
	for _, v := range []struct{ path, value, want string }{
		{"params.traffic.accesslog", empty, "the log is empty"},
		{"params.traffic.accesslog", other, "no line of 1 is of a known format. Tried were"},
		{"params.traffic.accesslog", filepath.Join(dir, "nothing.log"), "there is no file"},
		{"params.traffic.accesslog", dir, "is a directory"},
		{"params.traffic.accesslog", "''", "the path is empty"},
		{"params.traffic", "{accesslog: " + ownLog + ", rate: 5/s}", "there is an accesslog, so nothing is generated"},
		{"params.traffic", "{accesslog: " + ownLog + ", key: cookie}", `key "cookie": a log in combined format has none`},
		{"params.traffic", "{accesslog: " + ownLog + ", horizon: 25h}", "horizon: must be 0s to 24h0m0s"},
		{"network.delay", "5ms", "model compare has no nodes: want no network"},
		{"faults", "[{pause: client-1, at: 1s, for: 1s}]", "want no faults"},
	} {
		_, err := scenarios.Load("limiter/compare", format.Options{Sets: []result.Setting{{Path: v.path, Value: v.value}}})
		require.ErrorContains(t, err, v.want, v.value)
	}
	embeds := fake.WriteFile(t, dir, "pipe.yaml", "model: compare\nuntil: 1s\nparams: {traffic: {accesslog: other.log}}\n")
	_, err := scenarios.Load(embeds, format.Options{})
	require.ErrorContains(t, err, "csv ", "all of a message of several lines is shown")
}
