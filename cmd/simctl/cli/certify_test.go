package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/whole"
	"fencepost/reports/golden"
	"fencepost/reports/searches"
	"fencepost/reports/verdict"
	"fencepost/scenarios"
)

// A lease of 10 s on one Redis, delays of 0 to 5 ms, 1990 ms of work. By hand: a client believes to
// hold the lock until the reply to its write, at most three delays, the work and the pause after the
// key was set; another has it when the key is gone, and a reply has come: never sooner than the TTL. It
// is safe up to pause + work + 3 * delay.max = TTL + delay.min, which is 7.995 s; to be violated takes
// strictly more twice, for the key is there for longer than its TTL, and both have to be inside.
const leaseOfRedis = "certify redis/gc-pause --set params.hold=0s --over network.delay=0..5ms --over faults.0.for="

// looked is what depends on how the explorer goes about it.
var looked = regexp.MustCompile(`(?m)^  explored .*$|(?s:mutual-exclusion is violated at .*?\n[0-9]+ values)|digest [0-9a-f]{16}`)

func TestCertifyText(t *testing.T) {
	for name, line := range map[string]struct {
		pause string
		code  int
	}{"below": {"0..5s", cli.ExitOK}, "above": {"0..10s", cli.ExitNotExpected}} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := fed("", strings.Fields(leaseOfRedis+line.pause)...)
			require.Equal(t, line.code, code, stderr)
			require.Regexp(t, looked, stdout)
			golden.Require(t, looked.ReplaceAllString(stdout, "[...]"), ".txt")
		})
	}
}

// short is a lease of 1 s, which has a tenth of the attempts.
const short = "certify redis/gc-pause --set params.hold=0s --set params.ttl=1s --set params.work=190ms --set params.start=0s "

// What is found is a run: its replay file is replayed, explained and shown.
func TestCertifyReplays(t *testing.T) {
	out := filepath.Join(t.TempDir(), "found")
	code, stdout, stderr := fed("", append(strings.Fields(short+"--no-edge --over network.delay=0..5ms --over faults.0.for=0..2s --out"), out)...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	require.Contains(t, stdout, "VIOLATED: mutual-exclusion at ")
	file := filepath.Join(out, "gc-pause-mutual-exclusion.replay.json")
	require.FileExists(t, filepath.Join(out, "certify.txt"))
	for _, line := range [][]string{{"replay", file}, {"explain", file, "--no-curve"}, {"view", file, "--out", filepath.Join(out, "page.html")}} {
		code, stdout, stderr := fed("", line...)
		require.Equal(t, cli.ExitOK, code, "%s: %s%s", line[0], stdout, stderr)
	}
	text, err := os.ReadFile(filepath.Join(out, "certify.json"))
	require.NoError(t, err)
	var d searches.Certification
	require.NoError(t, json.Unmarshal(text, &d))
	assert.Equal(t, verdict.Violated, d.Word)
	assert.False(t, d.OK)
	assert.Equal(t, []searches.Ranged{{Path: "network.delay", MostNS: 5e6}, {Path: "faults.0.for", MostNS: 2e9}}, d.Over)
	assert.Equal(t, []string{"client-2", "client-1"}, d.Case.Nodes)
}

// A delay that is the same for all messages is no choice of the run that shows a violation, and a note that leaves at the end of a
// step that takes time is told although a pause begins just after it.
func TestCertifyExplainsStepsThatTakeTime(t *testing.T) {
	out := filepath.Join(t.TempDir(), "found")
	code, stdout, stderr := fed("", "certify", "redis/figure-pause", "--no-edge", "--set", "protection=check", "--over", "faults.0.for=0s..15s", "--budget", "pauses=1", "--out", out)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	assert.Contains(t, stdout, "\n1 value of messages, timers and faults chosen for it")
	code, stdout, stderr = fed("", "explain", filepath.Join(out, "figure-pause-mutual-exclusion.replay.json"), "--no-curve")
	require.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, stdout, "0.050s  client-1 acquired the lock  ")
	assert.Contains(t, stdout, "0.070s  client-1 is paused for ")
}

// certified is the document of a command line.
func certified(t *testing.T, line string) *searches.Certification {
	t.Helper()
	_, stdout, stderr := fed("", strings.Fields(line+" --json")...)
	var d searches.Certification
	require.NoError(t, json.Unmarshal([]byte(stdout), &d), stderr)
	return &d
}

// Each pause after the acquisition counts, no matter which client is paused: two pauses may be half as long.
func TestCertifyBudget(t *testing.T) {
	for _, c := range []struct {
		flags string
		holds int64
	}{
		{"--over faults.0.for=0..2s", 795e6},
		{"--over faults.0.for=0..2s --budget pauses=2", 397_500_000},
		{"--no-faults --budget pauses=1,pause-for=2s,nodes=client-*", 795e6},
		{"--no-faults --budget pauses=1,nodes=client-* --over budget.pause-for=0..2s", 795e6},
	} {
		d := certified(t, short+"--over network.delay=0..5ms "+c.flags)
		require.Len(t, d.Edges, 1, c.flags)
		assert.Equal(t, c.holds, d.Edges[0].HoldsNS, c.flags)
		assert.True(t, d.Edges[0].Known)
	}
}

// A step of a clock may go back by any amount of a range, ahead by one, or either way.
func TestCertifySteps(t *testing.T) {
	for over, want := range map[string]string{
		"-300ms..0":     "at most 1 step of the wall clock back, of redis-1, at any moment, by any amount from 0s to 300ms",
		"0..300ms":      "at most 1 step of the wall clock, of redis-1, at any moment, by any amount from 0s to 300ms",
		"-300ms..100ms": "at most 1 step of the wall clock, of redis-1, at any moment, by any amount from -300ms to 100ms",
	} {
		code, stdout, stderr := fed("", "certify", "redis/pause-certified", "--no-edge", "--set", "faults.0={step-clock: redis-1, at: 1s, by: 1s}", "--over", "faults.0.by="+over)
		assert.Equal(t, cli.ExitOK, code, stderr)
		assert.Contains(t, stdout, want)
	}
}

// What the budget lets go wrong besides is in the assumptions.
func TestCertifyAssumptions(t *testing.T) {
	d := certified(t, short+"--no-edge --no-faults --states 10 --budget lost=1,duplicated=2,slews=1,slew-to=100ppm|-200ppm --over network.delay=0..5ms")
	text := strings.Join(d.Assumptions, "\n")
	assert.Contains(t, text, "any 1 at most may be lost, and any 2 at most arrive twice, the copy at any moment after it was sent")
	assert.Contains(t, text, "each clock runs at any rate from -200ppm to +200ppm at any moment")
	assert.Contains(t, text, "no node is paused")
}

// A limit is no proof, and says what would help.
func TestCertifyUnknown(t *testing.T) {
	for flags, want := range map[string]string{
		"--states 50":   "UNKNOWN: mutual-exclusion: stopped at 50 states",
		"--memory 10kB": "UNKNOWN: mutual-exclusion: stopped at 10 kB of memory\n",
		"--for 1ns":     "UNKNOWN: mutual-exclusion: stopped after 1ns\n",
	} {
		code, stdout, stderr := fed("", strings.Fields(short+"--quiet --no-edge --over network.delay=0..5ms --over faults.0.for=0..2s "+flags)...)
		assert.Equal(t, cli.ExitError, code, stderr)
		assert.Contains(t, stdout, want)
		assert.Contains(t, stdout, " allows more; fewer or shorter pauses, a shorter range of delays, longer times between attempts or a smaller scenario need less")
	}
}

// What lies between whole nanoseconds is decided by another range, which the edge has where it is looked for.
func TestCertifyUnknownNamesTheEdgeThatThereIs(t *testing.T) {
	const line = short + "--quiet --over network.delay=0..5ms --over faults.0.for=0..795000001ns"
	code, stdout, stderr := fed("", strings.Fields(line)...)
	assert.Equal(t, cli.ExitError, code, stderr)
	assert.Contains(t, stdout, "up to 795ms;")
	assert.Contains(t, stdout, "and a shorter one certified: see the edge\n")
	_, stdout, _ = fed("", strings.Fields(line+" --no-edge")...)
	assert.Contains(t, stdout, "and a shorter one certified\n")
}

// Where steps take time, the paths that lead to the edge have a run in the millisecond after the next of Redis, and another path has one
// sooner: the first pause that a run violates is found by bisection, and is played.
func TestCertifyFindsTheShortestPauseByBisection(t *testing.T) {
	const line = "certify redis/gc-pause --set params.hold=0s --set params.ttl=1s --set params.work=190ms --set params.retry=50ms --set costs.client-1=2ms --over network.delay=0..5ms "
	d := certified(t, line+"--over faults.0.for=0..2s")
	require.Len(t, d.Edges, 1)
	assert.Equal(t, []int64{787_000_000, 788_000_001}, []int64{d.Edges[0].HoldsNS, d.Edges[0].FromNS})
	assert.Equal(t, verdict.Violated, certified(t, line+"--no-edge --over faults.0.for=0..788000001ns").Word)
	assert.Equal(t, verdict.Unknown, certified(t, line+"--no-edge --over faults.0.for=0..788ms").Word)
}

// A search gives up on a range after some paths without a run, and a shorter range has one: here that up to 1 ns below the first that is
// found is UNKNOWN, and half of it is VIOLATED.
func TestCertifyBisectsBelowARangeThatIsUnknown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`about: A lock whose steps take time.
model: lock
until: 8s
params: {service: redis, clients: 2, start: [0ms, 7ms], ttl: 300ms, work: 30ms, hold: 0ms, retry: 30ms}
network: {delay: {uniform: [0ms, 1ms]}}
faults:
  - {pause: client-1, at: 0s, for: 1s}
costs: {client-1: 2ms, redis-1: 1ms}
`), 0o600))
	line := "certify " + file + " --property mutual-exclusion "
	d := certified(t, line+"--over faults.0.for=0..400ms")
	require.Len(t, d.Edges, 1)
	assert.Equal(t, int64(261_000_003), d.Edges[0].HoldsNS)
	assert.Less(t, d.Edges[0].FromNS, int64(280_000_000))
	assert.Equal(t, verdict.Violated, certified(t, line+fmt.Sprintf("--no-edge --over faults.0.for=0..%dns", d.Edges[0].FromNS)).Word)
	assert.Equal(t, verdict.Unknown, certified(t, line+"--no-edge --over faults.0.for=0..338999999ns").Word)
}

// --for bounds the law and the map as well, which have what is done, and say so.
func TestCertifyForBoundsAll(t *testing.T) {
	for flags, want := range map[string]string{
		"--over faults.0.for=0..2s --law --points 100000":           ": stopped after 100ms: --for allows more\n",
		"--map x=params.ttl:500ms..1s/100,y=faults.0.for:0..1s":     "UNKNOWN: stopped after 100ms: --for allows more: mutual-exclusion at ",
		"--over faults.0.for=0..2s --law --points 100000 --for 1ns": "law: none was found: stopped after 1ns: --for allows more\n",
	} {
		code, stdout, stderr := fed("", strings.Fields(short+"--quiet --over network.delay=0..5ms --for 100ms "+flags)...)
		assert.Contains(t, []int{cli.ExitError, cli.ExitNotExpected}, code, stderr) // unknown, or violated before that
		assert.Contains(t, stdout, want)
	}
}

// Before anything was found a limit says nothing of the edge: it lies beyond this range.
func TestCertifyEdgeUnknown(t *testing.T) {
	d := certified(t, short+"--over network.delay=0..5ms --over faults.0.for=0..500ms --states 10")
	assert.Equal(t, []searches.Edge{{Path: "faults.0.for", HoldsNS: -1, EndNS: 500e6, States: d.Edges[0].States}}, d.Edges)
}

// --budget none leaves out that of the file, and says no more than no budget where it has none.
func TestCertifyNoBudget(t *testing.T) {
	for _, flags := range []string{"--no-faults --budget none", "--no-faults", "--no-faults --set budget={pauses:~1,pause-for:~2s} --budget none"} {
		words := strings.Fields("certify redis/pause-certified " + flags)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "~", " ")
		}
		code, stdout, stderr := fed("", words...)
		assert.Equal(t, cli.ExitOK, code, stderr)
		assert.Contains(t, stdout, "no node is paused", flags)
	}
}

// A property that no run exercises is certified only because there is nothing to violate it: fenced-order without fencing
// tokens. Mutant: leaving out the question whether it is exercised says CERTIFIED.
func TestCertifyVacuous(t *testing.T) {
	code, stdout, stderr := fed("", strings.Fields(short+"--quiet --law --property fenced-order --over faults.0.for=0..100ms")...)
	assert.Equal(t, cli.ExitNotExpected, code, stderr)
	assert.Equal(t, "NOT EXERCISED: fenced-order had nothing to check: it is proven, and no run of 20 exercised it\n"+
		"  a client must write with a fencing token: add fencing\n", stdout)
}

// Ctrl-C ends with what was proven so far, and how much was still to be looked at.
func TestCertifyInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errOut bytes.Buffer
	code := simctl(ctx, cli.CatalogOf(scenarios.Catalog(), strings.NewReader("")), strings.Fields(short+"--over network.delay=0..5ms"), &out, &errOut)
	assert.Equal(t, cli.ExitInterrupted, code, errOut.String())
	assert.Contains(t, out.String(), "INTERRUPTED: after 1 symbolic state, 1 state in the queue: no violation so far\n")
}

// A proof without faults, of a file that varies them, is of one point of what is left.
func TestCertifyWithoutFaultsThatAreVaried(t *testing.T) {
	code, stdout, stderr := fed("", "certify", "redis/figure-pause", "--no-faults", "--set", "protection=check", "--quiet")
	assert.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, stdout, "CERTIFIED: with protection=check, no faults: mutual-exclusion")
}

// All mistakes at once, each in words.
func TestCertifyRefuses(t *testing.T) {
	for line, want := range map[string][]string{
		"redis/gc-pause --over network.delay=5ms..0 --over faults.0.for=3 --over params.ttl --over a=1s --over a=0..2s --over b=1s --memory 3 --states -1 --for -1s --budget= --property=": {
			"--over: want at most 5 ranges, got 6", "--over network.delay: the range is upside down: want 0s..5ms",
			`--over faults.0.for: want a duration such as 5ms, or a range such as 0..5ms, got "3"`, `--over: want PATH=A..B, as in network.delay=0..5ms, got "params.ttl"`,
			"--over a: it has a range already", "--memory: want a size above 0", "--states: want 0 or more, got -1", "--for: want more than 0, such as 30s, got -1s",
			"--budget: it is empty", "--property: it is empty",
		},
		"redis/gc-pause --over network.dely=0..5ms --over params.ttl=1s..2s": {
			`--over network.dely=0s..5ms: unknown key "dely"; did you mean "delay"?`,
			"--over params.ttl=1s..2s: it is the same in all of a run, and a range is of what a run draws",
		},
		"redis/gc-pause --over faults.3.for=0..1s --over network.links.0.delay=0..1s --over faults.0.by=0..1s --cap network.delay=0..1s": {`--cap network.delay: want the longest alone, such as 5ms, got "0..1s": --over has both ends`},
		"redis/gc-pause --over faults.3.for=0..1s --over network.links.0.delay=0..1s --over faults.0.by=0..1s": {
			"--over faults.3.for: the file has 1 fault, the first of which is faults.0", "--over network.links.0.delay: the file has 0 rules of links: want network.delay",
			"--over faults.0.by: it is no step of a clock",
		},
		"redis/gc-pause --over faults.1.for=0..1s":                                                         {"--over faults.1.for: the file has 1 fault, the first of which is faults.0"},
		"redis/gc-pause --figure x.svg":                                                                    {"--figure is for --map"},
		"redis/gc-pause --map x=params.ttl:1s..2s,y=faults.0.for:0..1s --figure x.gif":                     {"--figure: want a file that ends in .svg, .png or .pdf"},
		"redis/gc-pause --map x=params.ttl:1s..2s,y=faults.0.for:0..1s --law":                              {"want --map, or --law or --no-edge"},
		"redis/gc-pause --map x=a":                                                                         {"--map: want x=PATH:A..B/N,y=PATH:A..B"},
		"redis/gc-pause --map x=params.ttl:1s..500ms/1,y=faults.0.for:1s/3":                                {"--map: x: want 2 to 100 points", "--map: x: the range is upside down: want 500ms..1s", "--map: y: the edge is found to the nanosecond", "--map: y: want a range"},
		"redis/gc-pause --map x=params.ttl:1s..2s,y=params.work:0..1s":                                     {"--map: y: want the duration of a pause of the file, such as faults.0.for, got params.work"},
		"redis/gc-pause --map x=faults.0.for:1s..2s,y=faults.0.for:0..1s":                                  {"--map: x and y are both faults.0.for"},
		"redis/gc-pause --map x=params.tl:1s..2s,y=faults.0.for:0..1s":                                     {`--map x=params.tl:1s..2s: unknown key "tl"; did you mean "ttl"?`},
		"redis/gc-pause --map x=params.ttl:1s..1001ms/3,y=faults.0.for:0..1s":                              {"--map x=params.ttl:1s..1.001s: want whole milliseconds, as Redis has them, got 1.0005s"},
		"redis/gc-pause --map x=params.extend:300ms..2s,y=faults.0.for:0..1s --set params.ttl=1s":          {"--map x=params.extend:300ms..2s: must be shorter than the TTL of 1s, got 1.15s"},
		"redis/gc-pause --map x=params.ttl:1s..2s,y=faults.1.for:0..1s":                                    {"--map y=faults.1.for: the file has 1 fault"},
		"redis/gc-pause --budget none --over budget.pause-for=0..1s":                                       {"--over budget.pause-for: --budget none has none: want one of the two"},
		"redis/gc-pause --budget crashes=1 --over budget.pause-for=0..1s":                                  {"--over budget.pause-for=0s..1s: pause-for without pauses or suspends"},
		"redis/gc-pause --map x=params.ttl:1s..2s,y=faults.0.for:0..1s --over faults.0.for=0..2s":          {"--map: y: faults.0.for has a range by --over already"},
		"redis/gc-pause --map x=network.delay:1ms..2ms,y=faults.0.for:0..1s --over network.delay=2ms..3ms": {"--map: x: network.delay is 2ms at least, by --over"},
		"redis/gc-pause --map x=params.ttl:1s..2s,y=faults.0.for:0..1s --budget pauses=1,pause-for=1s":     {"--map: y: faults.0.for is not the one range of pauses there is"},
		"redis/gc-pause --points 3":                                                                        {"--points is for --law"},
		"redis/gc-pause --law --points -1":                                                                 {"--points: want 0 to 100000, got -1"},
		"redis/gc-pause --law --no-edge":                                                                   {"want --law or --no-edge, not both"},
		"redis/gc-pause --law --no-faults":                                                                 {"--law: it is of one range of pauses, and there are 0"},
		"redis/gc-pause --budget pauses=0":                                                                 {"the budget allows nothing: want one count above 0"},
		"redis/gc-pause --budget pauses=x":                                                                 {"--budget pauses=x"},
		"redis/gc-pause --budget suspends=1,lost=2":                                                        {"budget: suspends: not covered"},
		"redis/gc-pause --budget crashes=1":                                                                {"budget: nothing says how long a crash is: want down-for as well"},
		"redis/gc-pause --budget slews=1":                                                                  {"budget: slews: nothing says how fast or slow a clock may be"},
		"redis/gc-pause --budget duplicated=1,late-by={exp:~1s}":                                           {"budget: late-by: a copy of {exp: 1s} has no latest: want a range"},
		"redis/gc-pause --budget pauses=1,pause-for=1s --over budget.pause-for=0..1s":                      {"--over budget.pause-for: --budget has pause-for as well: want one of the two"},
		"redis/gc-pause --budget clock-steps=1 --over budget.step-by=0..1s":                                {"--over budget.step-by: want one of budget.pause-for, budget.down-for, budget.late-by"},
		"redis/gc-pause --budget pauses=1 --over budget.pause-fro=0..1s":                                   {"--over budget.pause-fro: want one of budget.pause-for, budget.down-for, budget.late-by"},
		"redis/gc-pause --no-faults --budget pauses=1":                                                     {"budget: nothing says how long a pause is: want pause-for as well"},
		"redis/gc-pause --no-faults --over faults.0.for=0..1s":                                             {"--over faults.0.for: --no-faults leaves it out"},
		"redis/gc-pause --property no-lost-updat":                                                          {`did you mean "no-lost-update"?`},
		"zookeeper/pause-certified --no-edge --budget crashes=1,down-for=1s,nodes=zookeeper":               {"zookeeper crashes, and a reading of its monotonic clock, which begins anew, is kept", "zookeeper/pause-certified cannot be certified"},
		"zookeeper/pause-certified --no-edge --no-faults --budget slews=1,slew-to=100ppm --set params.zookeeper.tick=10m --set params.ttl=30m": {"a step of zookeeper: the time between two readings and more than 9 hours besides"},
		"permits/barging": {"model permits is not covered as such here: client-1, as 5 other nodes: it does not say", "covered are the locks of service naive"},
		"redis/pause-certified --map x=network.delay:1ms..5ms/2,y=faults.0.for:0..1s":                                                       {"the file draws network.delay from 0s to 5ms, and x would be one value for all: want --over network.delay=0s..5ms as well"},
		"redis/pause-certified --budget suspend=1":                                                                                          {"want one of pauses, crashes, clock-steps, slews, lost, duplicated, pause-for, down-for, late-by, step-by, slew-to, nodes, none"},
		"store/central-atomic --set params.limiters=1 --set params.algorithm=anchored-window --set params.bound=20 --property window-limit": {"want a bound of at most 16, got 20"},
		"redis/gc-pause --property entitled-exclusion":                                                                                      {"--property: entitled-exclusion has no form", "want one of mutual-exclusion"},
		"redis/gc-pause --cap params.retry=5ms --cap network.delay=1ms":                                                                     {"--cap params.retry: want network.delay", "--cap network.delay: it is 5ms at least"},
		"redis/unawaited-write": {"network.delay: a delay of {exp: 5ms} has no longest: want a range", "--cap PATH=MOST"},
		"redis/gc-pause --set faults.0.for={csv:~../../../scenarios/redlock/gc/stops/cms-jdk8-solr.csv}": {"the stops of a log are some durations, and a proof is of a range: want "},
		"redis/gc-pause --set faults.0={suspend:~client-1,~at:~1s,~for:~1s}":                             {"faults.0: suspends are not covered, only pauses, crashes and steps of a clock are: want it left out", "--no-faults"},
		"redis/gc-pause --set network.loss=1%":                                                           {"messages that are lost are not covered"},
		"lock/compare":                                                                                   {"a pause that comes again and again is not covered: want a budget that says how often"},
		"redlock/figure-gc-logs":                                                                         {"the file has a grid of"},
		"nosuch":                                                                                         {"no scenario has this name"},
		"redis/figure-pause":                                                                             {"a grid of 21 points, and a proof is of one: pick it with --set 'protection=no check' --over faults.0.for=0s..10s --budget pauses=1\n"},
		"redis/figure-pause --over faults.0.for=0..1s":                                                   {"a grid of 3 points, and this is about one: pick it with --set 'protection=no check'\n"},
		"redis/figure-pause --no-faults":                                                                 {"a grid of 3 points, and this is about one: pick it with --set 'protection=no check'\n"},
		"redis/figure-pause --set protection=check --set faults.0.for={exp:~1s}":                         {"says how often\n  faults.0: a pause of {exp: 1s} has no longest: want a range\n  --over", "\n  --budget pauses=1"},
		"redis/figure-pause --set protection=check --set faults.0.for={exp:~1s} --over faults.0.for=0..1s": {"--over faults.0.for: --set gives it a value as well: leave that out"},
		"redis/gc-pause --over costs.client-1=0..2ms":                                                      {"--over costs.client-1: a step takes the same time in all of a proof: want --set costs.client-1=2ms"},
		"redis/gc-pause --set costs.client-1={uniform:~[1ms,~2ms]}":                                        {"it is drawn, which is not covered: want one duration, such as 1ms\n  --set costs.NODE=1ms gives a step one duration\n  --set changes"},
	} {
		words := strings.Fields(line)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "~", " ")
		}
		code, _, stderr := fed("", append([]string{"certify"}, words...)...)
		assert.Equal(t, cli.ExitUsage, code, line)
		for _, w := range want {
			assert.Contains(t, stderr, w, line)
		}
	}
}

// The law of a lease, in the words of the scenario. By hand, as above: a pause counts from when the key was set on, and so
// does the time for which a client keeps the lock after its write; attempt n of the other client, one every retry and two
// delays, is the first that comes when the key is gone. The law before these conditions was wrong where attempts are rare.
func TestCertifyLaw(t *testing.T) {
	d := certified(t, short+"--law --over network.delay=0..5ms --over faults.0.for=0..2s --set params.retry=100ms --points 10")
	require.NotNil(t, d.Law)
	require.Len(t, d.Law.Laws, 1)
	assert.Equal(t, "pause + work + hold + 3*delay.max > ttl + delay.min and pause + work + hold + 3*delay.max > n*retry + (2*n + 1)*delay.min"+
		" and n*retry + (2*n + 1)*delay.max > ttl + delay.min and n is a whole number from 7 to 14", d.Law.Laws[0].Text)
	assert.Empty(t, d.Law.Wrong)
	assert.Equal(t, 10, d.Law.Points)
	assert.Equal(t, 10, d.Law.Agreed)
	assert.Less(t, d.Law.Found, 10)
}

// Where there is no edge there is no law, and it says why. A file with one pause has an edge, which is looked for from no pause on.
func TestCertifyNoLaw(t *testing.T) {
	const one = "the file has one pause of 15s: --law takes pauses from 0s to that\n"
	for flags, want := range map[string]string{
		"--set params.ttl=1s":                                               "edge: faults.0.for: safe for every pause up to 900ms; a failing run exists at 900.000001ms\n  law: violated if pause + work + hold > 18*delay + 1s\n",
		"--set params.ttl=1s --over faults.0.for=10s..15s":                  "law: none: there is no edge to have a law: each pause of the range violates it; --over faults.0.for=0s..15s has shorter ones\n",
		"--set params.service=naive":                                        "law: none: there is no edge to have a law: no pause up to 1m0s violates it, the longest that was looked at\n    " + one,
		"--set params.ttl=1s --set params.work=2s --set params.check=false": "law: none: there is no edge to have a law: it is violated without any pause\n    " + one,
	} {
		_, stdout, stderr := fed("", strings.Fields("certify redis/gc-pause --set params.hold=0s --set params.start=0s --set params.work=190ms --law --points 0 --quiet "+flags)...)
		assert.Contains(t, stdout, want, stderr)
		assert.Equal(t, !strings.Contains(flags, "--over"), strings.Contains(stdout, one), stdout)
	}
}

// A lock that is held for no time after its write is given back in the step of its reply, and one that is held for any time in another,
// which takes time as well: the law is that of no time. By hand: client-1 sets its key after two steps, has it after another and the reply to its write
// after two more, 5 * 2 ms; attempt 16 of client-2 is the first when the key is gone.
func TestCertifyLawOfNoTimeWhereStepsTakeTime(t *testing.T) {
	d := certified(t, "certify redis/gc-pause --law --points 0 --set params.ttl=1s --set params.work=190ms --set params.hold=0s --set params.retry=50ms --set costs.client-1=2ms --over faults.0.for=0..2s")
	require.NotNil(t, d.Law)
	assert.Nil(t, d.Law.Own, "it is right at the scenario")
	assert.Contains(t, d.Law.Laws[0].Text, "pause + start.0 + work + 5*costs.client-1 > start.1 + 16*retry + 30*delay")
	assert.Contains(t, d.Law.Within, searches.Ranged{Path: "hold"})
}

// A range of pauses that begins above none has the edge of its scenario within it, and that of others may be below: a law is of pauses from none on.
func TestCertifyLawOfARangeAboveNone(t *testing.T) {
	d := certified(t, "certify redis/pause-certified --over faults.0.for=790ms..900ms --law --points 6")
	require.Len(t, d.Law.Laws, 1)
	assert.Equal(t, "pause + work + 15ms > ttl", d.Law.Laws[0].Text)
	assert.Empty(t, d.Law.Wrong)
}

// A TTL of etcd is in whole seconds, so that the law has it as a number; a scenario that is refused is no reason to lose the proof.
func TestCertifyLawOfWhatIsInWholeSeconds(t *testing.T) {
	const line = "certify etcd/pause-certified --set params.ttl=1s --set params.etcd.election-timeout=500ms --over faults.0.for=0..156666667ns --law "
	d := certified(t, line+"--points 0 --set params.start=[0s,1400ms] --set until=1600ms") // a start and an end near the edge have fewer states
	require.Len(t, d.Law.Laws, 1)
	assert.Equal(t, "pause >= 156.666667ms and 1.5s >= start.1", d.Law.Laws[0].Text)
	if whole.Tests() {
		d = certified(t, line+"--points 4")
		assert.Contains(t, d.Law.None, "none: a scenario with other durations is refused: --set params.etcd.election-timeout=")
		assert.Len(t, d.Edges, 1)
	}
}

// What comes too late to have an effect is late on the path to a violation as well: here the end of the wait for a reply. Without
// that the shortest run was one of 826 ms, and a path was taken for one with shorter pauses and replies after that wait.
func TestCertifyEdgeWithATimeout(t *testing.T) {
	d := certified(t, short+"--over network.delay=0..5ms --over faults.0.for=0..2s --set params.retry=20ms --set params.per-node-timeout=6ms")
	require.Len(t, d.Edges, 1)
	assert.Equal(t, []int64{795e6, 795e6 + 2}, []int64{d.Edges[0].HoldsNS, d.Edges[0].FromNS})
}

// The map of the gallery is drawn by its command: no run violates what is certified, and many do above.
func TestCertifyMap(t *testing.T) {
	gallery, err := os.ReadFile("../../../docs/gallery.md")
	require.NoError(t, err)
	commands, err := os.ReadFile("../../../docs/generate.go")
	require.NoError(t, err)
	_, line, found := strings.Cut(string(gallery), "    simctl certify ")
	require.True(t, found)
	line, _, _ = strings.Cut(line, " --figure certified-region.svg\n")
	require.Contains(t, string(commands), strings.Replace(line, " --over", " --quiet --over", 1)+" --force --figure figures/certified-region.svg\n")
	file := filepath.Join(t.TempDir(), "map.svg")
	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o644))
	code, _, stderr := fed("", append(strings.Fields("certify "+line+" --json --figure"), file)...)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "--figure: "+file+" is there already, and is not replaced without --force")
	code, stdout, stderr := fed("", append(strings.Fields("certify "+line+" --json --force --figure"), file)...)
	require.Equal(t, cli.ExitOK, code, stderr)
	var m searches.Map
	require.NoError(t, json.Unmarshal([]byte(stdout), &m))
	assert.True(t, m.OK && m.Complete)
	assert.Zero(t, m.Inside)
	assert.Greater(t, m.Violating, 100)
	require.Len(t, m.Columns, 12)
	for _, c := range m.Columns[:11] { // by hand, as above; with delays of up to 100 ms another schedule is sooner
		assert.Equal(t, int64(810e6)-3*c.XNS, c.HoldsNS, "%d", c.XNS)
	}
	fresh, err := os.ReadFile(file)
	require.NoError(t, err)
	kept, err := os.ReadFile("../../../docs/figures/certified-region.svg")
	require.NoError(t, err)
	assert.True(t, string(fresh) == strings.ReplaceAll(string(kept), "\r\n", "\n"), "docs/figures/certified-region.svg is stale: run go generate ./docs")
}

// y may be what the file varies itself: its runs have single pauses in place of those of the file.
func TestCertifyMapOfAnAxis(t *testing.T) {
	code, stdout, stderr := fed("", "certify", "redis/figure-pause", "--quiet", "--set", "protection=check", "--budget", "pauses=1", "--map", "x=params.work:500ms..1980ms/2,y=faults.0.for:0..15s")
	assert.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, stdout, "of 80 pauses, none of them where it is certified")
}

// A map that is broken off has the columns that are done, and one with a limit says where it is not known.
func TestCertifyMapEndsEarly(t *testing.T) {
	line := strings.Fields("certify redis/pause-certified --map x=params.ttl:500ms..1s/4,y=faults.0.for:0..1s") // 667ms, and no fraction of it
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errOut bytes.Buffer
	code := simctl(ctx, cli.CatalogOf(scenarios.Catalog(), strings.NewReader("")), line, &out, &errOut)
	assert.Equal(t, cli.ExitInterrupted, code, errOut.String())
	assert.Contains(t, out.String(), "INTERRUPTED: mutual-exclusion at 0 points of params.ttl")
	code, stdout, stderr := fed("", append(line, "--states", "1")...)
	assert.Equal(t, cli.ExitError, code, stderr)
	assert.Contains(t, stdout, "UNKNOWN: a limit was reached at 4 points: mutual-exclusion at 4 points of params.ttl")
}

// A scenario may expect a proof: run makes it, besides its runs. Each of the two can fail by itself.
func TestExpectCertified(t *testing.T) {
	for _, c := range []struct {
		flags, want string
		code        int
	}{
		{"", "mutual-exclusion  certified  certified", cli.ExitOK},
		{"--set faults.0.for={uniform:~[0s,~795000003ns]}", "not certified: a run violates it, which simctl certify shows", cli.ExitNotExpected},
		{"--set until=100ms", "not exercised", cli.ExitNotExpected}, // no run is long enough to show that it holds
		{"--control --set faults.0.for={uniform:~[0s,~795000003ns]}", "holds", cli.ExitOK},
	} {
		words := strings.Fields("run redis/pause-certified " + c.flags)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "~", " ")
		}
		code, stdout, stderr := fed("", words...)
		assert.Equal(t, c.code, code, "%s: %s%s", c.flags, stdout, stderr)
		assert.Contains(t, stdout, c.want, c.flags)
	}
	code, _, stderr := fed("", "run", "redis/pause-certified", "--set", "costs={client-1: {uniform: [1ms, 2ms]}}", "--set", "network.loss=1%")
	assert.Equal(t, cli.ExitUsage, code)
	assert.Contains(t, stderr, "mutual-exclusion cannot be certified: cost of a step of client-1: it is drawn, which is not covered: want one duration, such as 1ms")
	assert.Contains(t, stderr, "mutual-exclusion cannot be certified: network: messages that are lost are not covered")
	code, _, stderr = fed("", "validate", "../../../scenarios/redis/pause-certified.yaml")
	assert.Equal(t, cli.ExitOK, code, stderr)
	_, stdout, _ := fed("", "show", "redis/pause-certified")
	assert.Contains(t, stdout, "certified: no run violates it, whatever is drawn")
}

// The verdicts, edges and states of the page are those of its commands, of one in four; CI has all.
func TestCertifyPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/certify.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `([a-z0-9-]+/[^`]*)` \\| (\\w+) \\| ([^| ]*) ?\\| ([^| ]*) ?\\| ([0-9,]+) \\|").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(rows), 30)
	for i, row := range rows {
		if !whole.Takes(i, 8) {
			continue
		}
		d := certified(t, "certify "+row[1])
		assert.Equal(t, row[2], strings.ToLower(string(d.Word)), row[1])
		assert.Equal(t, strings.ReplaceAll(row[5], ",", ""), strconv.Itoa(d.Explored.States), row[1])
		if row[3] == "" {
			assert.Empty(t, d.Edges, row[1])
			continue
		}
		require.Len(t, d.Edges, 1, row[1])
		assert.Equal(t, row[3], time.Duration(d.Edges[0].HoldsNS).String(), row[1])
		assert.Equal(t, row[4], time.Duration(d.Edges[0].FromNS).String(), row[1])
	}
}
