package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports"
)

// question is "Lease 15/10/2, API server down up to 20 s, nodes paused up to 12 s: can two leaders act?"
var question = []string{"advise", "k8s-lease", "--lease", "15s", "--renew", "10s", "--retry", "2s", "--pause", "12s", "--outage", "20s", "--delay", "50ms"}

// Each alone does no harm; both do.
func TestAdviceCountsFaultsTogether(t *testing.T) {
	code, text, stderr := runLine(append(question, "--runs", "0")...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	for _, want := range []string{
		"pause 12s                     SAFE     safe if the pause is below 12.9s\n",
		"outage 20s                    SAFE     safe at any length, but the holder may lose the lock\n",
		"pause 12s and outage cut:20s  UNSAFE   two lead at once; safe if the pause is below 2.95s\n",
		"how: The leader is paused just before a renewal, and gets no answer when it resumes",
		"set: --lease 25s   then all of it is safe; a takeover after a crash takes at most 34.3s; 0.5 requests/s of the leader, 0.313 requests/s of each candidate\n",
		"watch: alert when the last renewTime of the Lease is more than 12s ago:",
	} {
		assert.Contains(t, text, want)
	}
	assert.Regexp(t, "\nUNSAFE: pause 12s and outage cut:20s: two lead at once; safe if the pause is below 2.95s\n$", text)

	code, text, _ = runLine(append(question, "--runs", "0", "--json")...)
	require.Equal(t, cli.ExitNotExpected, code)
	var doc reports.Advice
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	require.Len(t, doc.Wishes, 3)
	assert.Equal(t, reports.AdviceUnsafe, doc.Verdict)
	assert.EqualValues(t, -9_050_000_000, *doc.Wishes[2].MarginNS)
	assert.Equal(t, reports.WishLimit{Of: "pause", Relation: "<", Value: "2.95s", Number: 2.95e9, Unit: "ns"}, doc.Wishes[2].Limits[0])
}

// The schedule that breaks the settings is written as a scenario, and run says of it that two lead.
func TestTheScheduleThatBreaksTheSettingsRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	code, text, stderr := runLine(append(question, "--runs", "200", "--out", dir)...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	assert.Regexp(t, `two lead at once; safe if the pause is below 2.95s +[1-9][0-9]* of 200, [1-9][0-9]* at 12.75s\n`, text)
	var out, errs bytes.Buffer
	require.Equal(t, cli.ExitNotExpected, run([]string{"run", filepath.Join(dir, "unsafe-pause-outage.yaml")}, &out, &errs), errs.String())
	assert.Contains(t, out.String(), "VIOLATED: mutual-exclusion at ")
}

// What is recommended is safe, and a grain less is not.
func TestTheLeaseThatAdviceSetsIsTheShortest(t *testing.T) {
	for lease, code := range map[string]int{"25s": cli.ExitOK, "24s": cli.ExitNotExpected} {
		got, text, stderr := runLine(append(question, "--lease", lease, "--runs", "50")...)
		require.Equal(t, code, got, stderr)
		if code == cli.ExitOK {
			assert.Regexp(t, "\nSAFE: pause 12s; outage 20s; pause 12s and outage 20s\n$", text)
			assert.NotContains(t, text, "set:")
		}
	}
}

// Words of one line, with its exit code and its last line.
func TestAdviceOfWhatMayHappen(t *testing.T) {
	for line, want := range map[string]struct {
		code int
		last string
	}{
		"redis --ttl 10s --work 2s --pause 7s":                                         {cli.ExitOK, "SAFE: pause 7s"},
		"redis --ttl 10s --work 2s --pause 8s":                                         {cli.ExitNotExpected, "UNSAFE: pause 8s: an update is lost, unless it is fenced; safe if the pause is below 7.99s"},
		"redis --outage 20s":                                                           {cli.ExitNotExpected, "UNSAFE: outage crash:20s: an update is lost, unless it is fenced; safe if the outage is cut or refused"},
		"redis --outage cut:20s":                                                       {cli.ExitOK, "SAFE: outage cut:20s"},
		"redis --crash server:20s":                                                     {cli.ExitNotExpected, "UNSAFE: crash server:20s: an update is lost, unless it is fenced; safe if the server stays down for more than 2.01s"},
		"redis --crash server:1s":                                                      {cli.ExitNotExpected, "UNSAFE: crash server:1s: an update is lost, unless it is fenced; safe if the server stays down for more than 2.01s"},
		"etcd --ttl 60s --outage cut:20s":                                              {cli.ExitNotExpected, "UNSAFE: outage cut:20s: two hold the lock at once; safe if the outage is below 4.49s"},
		"etcd --pause 38s --outage crash:3s":                                           {cli.ExitNotExpected, "UNSAFE: pause 38s and outage crash:3s: two hold the lock at once; safe if the pause is below 1.49s"},
		"etcd --outage cut:4s":                                                         {cli.ExitOK, "SAFE: outage cut:4s"},
		"consul --pause 30s --outage crash:1s":                                         {cli.ExitNotExpected, "UNSAFE: pause 30s and outage crash:1s: two hold the lock at once; safe if the pause is below 7.49s"},
		"consul --ttl 30s --lockdelay 5s --pause 6s --outage cut:200ms":                {cli.ExitNotExpected, "UNSAFE: pause 6s and outage cut:200ms: two hold the lock at once; safe if the pause is below 4.99s"},
		"k8s-lease --pause 10s --step 4s":                                              {cli.ExitNotExpected, "UNSAFE: pause 10s and step 4s: two lead at once; safe if the pause is below 8.6s, or the step is below 2s"},
		"k8s-lease --retry 300ms --step 900ms --pause 13.2s":                           {cli.ExitNotExpected, "UNSAFE: pause 13.2s and step 900ms: two lead at once; safe if the pause is below 13.04s, or the step is below 500ns"},
		"k8s-lease --retry 300ms --outage cut:30s --skew 15.1%":                        {cli.ExitNotExpected, "UNSAFE: outage cut:30s and skew 15.1%: two lead at once; safe if the outage is below 5.6116s, or the skew is below 14.068%"},
		"redis --outage hanging:9s":                                                    {cli.ExitNotExpected, "UNSAFE: outage hanging:9s: an update is lost, unless it is fenced; safe if the outage is below 7.99s"},
		"redis --ttl 5s --work 6s --crash holder":                                      {cli.ExitNotExpected, "UNSAFE: even if nothing happens: an update is lost, unless it is fenced"},
		"sentinel --ttl 60s --downafter 5s --work 2s --pause 30s --outage hanging:20s": {cli.ExitNotExpected, "UNSAFE: pause 30s and outage hanging:20s: an update is lost, unless it is fenced; safe if the pause is below 1.99s, or the outage is below 4s"},
		"redlock --crash server:1s":                                                    {cli.ExitNotExpected, "UNSAFE: crash server:1s: an update is lost, unless it is fenced; safe if the server stays down for more than 2.015s"},
		"redlock --crash server:1s --outage cut:1s":                                    {cli.ExitNotExpected, "UNSAFE: outage cut:1s and crash server:1s: an update is lost, unless it is fenced; safe if the server stays down for more than 2.015s"},
		"naive --crash holder":                                                         {cli.ExitNotExpected, "UNSAFE: crash holder: no client ever has the lock again"},
		"etcd --crash holder":                                                          {cli.ExitOK, "SAFE: crash holder"},
		"k8s-lease --outage 20s":                                                       {cli.ExitOK, "SAFE: outage 20s"},
		"k8s-lease --outage 20s --keep-leader":                                         {cli.ExitNotExpected, "UNSAFE: keep-leader: outage cut:20s: the holder may lose the lock; safe if the outage is below 5s"},
		"k8s-lease --outage refused:6s --keep-leader":                                  {cli.ExitOK, "SAFE: outage refused:6s; keep-leader: outage refused:6s"},
		"k8s-lease --outage 20s --lease 11s":                                           {cli.ExitNotExpected, "UNSAFE: outage cut:20s: two lead at once; safe if the outage is below 4s"},
		"k8s-lease --skew 10%":                                                         {cli.ExitOK, "SAFE: skew 10%"},
		"k8s-lease --skew 12% --outage 20s":                                            {cli.ExitNotExpected, "UNSAFE: outage cut:20s and skew 12%: two lead at once; safe if the outage is below 5.4383s, or the skew is below 11.111%"},
		"k8s-lease --pause 12s --step 2s":                                              {cli.ExitNotExpected, "UNSAFE: pause 12s and step 2s: two lead at once; safe if the pause is below 10s, or the step is below 1s"},
		"k8s-lease --pause 12s --outage 0s":                                            {cli.ExitOK, "SAFE: pause 12s"},
		"k8s-lease":                                                                    {cli.ExitOK, "formulas only: nothing was simulated; each limit in the list above is for one fault alone"},
		"zookeeper --pause 15s":                                                        {cli.ExitOK, "SAFE: pause 15s"},
		"zookeeper --pause 15s --outage 20s":                                           {cli.ExitNotExpected, "UNSAFE: pause 15s and outage cut:20s: two hold the lock at once; safe if the pause is below 9.99s, or the outage is crash"},
		"sentinel --outage 40s":                                                        {cli.ExitNotExpected, "UNSAFE: outage cut:40s: an update is lost, unless it is fenced; safe if the outage is refused"},
		"consul --pause 12s --outage 20s":                                              {cli.ExitNotExpected, "UNSAFE: pause 12s and outage cut:20s: two hold the lock at once; safe if the pause is below 2.49s"},
		"watchdog --lease 30s --work 1m --pause 12s --outage hanging:2s":               {cli.ExitOK, "SAFE: pause 12s; outage hanging:2s; pause 12s and outage hanging:2s"},
	} {
		args := append([]string{"advise"}, split("%s", line)...)
		code, text, stderr := runLine(append(args, "--runs", "0")...)
		assert.Equal(t, want.code, code, "%s: %s", line, stderr)
		assert.Contains(t, text, "\n"+want.last+"\n", line)
	}
}

// A wish without a unit, of another kind, or that the lock cannot have is refused, all mistakes at once.
func TestAdviceRefusesWishes(t *testing.T) {
	for line, want := range map[string][]string{
		"redis --keep-leader --pause 1s":              {"--keep-leader: nothing renews a lock of redis, so that no holder keeps it; want one of watchdog, etcd, zookeeper, consul, k8s-lease"},
		"etcd --keep-leader":                          {"--keep-leader: what may happen? want --pause, --outage, --crash server, --skew or --step as well"},
		"k8s-lease --outage 20":                       {`--outage: want a duration such as 10s or 500ms, got "20"`},
		"k8s-lease --outage cutt:20s":                 {`--outage: want a duration, or one behind cut, hanging, refused or crash, as in cut:20s, got "cutt:20s"; did you mean cut?`},
		"k8s-lease --outage 30h --skew 500 --crash x": {"--outage: want at most 24h0m0s, got 30h0m0s", `--skew: want parts per million or percent, as in 500ppm or 0.1%, got "500"`, `--crash: want holder, server:20s, or both with a comma, got "x"`},
		"naive --runs 0 --gclog ../../../scenarios/redlock/gc/g1-small-heap.log": {"--gclog, --latency, --clocklog: a log is held against the length of a lease, and a lock of naive has none"},
		"redis --crash server:-5s":            {"--crash: want more than 0s, such as 1ms for a server that is back at once, got -5s"},
		"redis --crash server:0s":             {"--crash: want more than 0s, such as 1ms for a server that is back at once, got 0s"},
		"redis --outage crash:0s":             {"--outage: want more than 0s, such as 1ms for a server that is back at once, got 0s"},
		"k8s-lease --crash server":            {`--crash: how long is the server down? want server:20s, got "server"`},
		"k8s-lease --step -2s --skew 60%":     {"--step: must not be negative, got -2s", "--skew: want at most 49%, got 60%"},
		"etcd --outage 20s --crash server:1s": {"--crash server: the crash of the only server is an outage, as in --outage crash:20s: want one of the two"},
		"k8s-lease --vs leas=3s":              {`--vs: want settings of k8s-lease, as in "lease=15s", got "leas=3s"; did you mean lease?`},
		"k8s-lease --vs pause=3s":             {`--vs: what may happen is the same for both settings, got "pause=3s"`},
		"redlock --crash server:1s,server:2s": {`--crash: a server crashes once, got "server:1s,server:2s"`},
		"k8s-lease --vs lease=3s":             {"--vs: lease: leaseDuration must be greater than renewDeadline, got 3s"},
	} {
		code, text, stderr := runLine(append([]string{"advise"}, split("%s", line)...)...)
		assert.Equal(t, cli.ExitUsage, code, line)
		assert.Empty(t, text)
		for _, w := range want {
			assert.Contains(t, stderr, w+"\n", line)
		}
	}
}

// A day without an answer, with a renewal every millisecond, has its verdict by the rules, and is not run.
func TestAWishThatTakesTooLongIsNotRun(t *testing.T) {
	code, text, stderr := runLine(split("%s", "advise k8s-lease --lease 3s --renew 2500ms --retry 1ms --pause 10ms --outage 24h --runs 10")...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	assert.Regexp(t, `pause 10ms +SAFE +.* 0 of [0-9]+`, text)
	assert.Regexp(t, `outage cut:24h0m0s +UNSAFE +two lead at once; safe if the outage is below [0-9.]+m?s +not run: it would take too long`, text)
}

// Settings that are not safe even if nothing happens say so, and which would be.
func TestAdviceOfSettingsThatAreNeverSafe(t *testing.T) {
	code, text, stderr := runLine(split("%s", "advise redis --ttl 5s --work 6s --runs 100")...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	assert.Regexp(t, `even if nothing happens +UNSAFE +an update is lost, unless it is fenced +100 of 100\n set: --ttl 6.011s   then all of it is safe`, text)
}

// Two settings stand side by side: what differs, what each promises, and whether each is safe.
func TestAdviceComparesSettings(t *testing.T) {
	code, text, stderr := runLine(append(question, "--runs", "0", "--vs", "lease=25s,renew=15s")...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	assert.Regexp(t, `as given +with lease=25s,renew=15s,timeout=7.5s`, text)
	assert.Regexp(t, `takeover after a crash, at most +24.3s +34.3s`, text)
	assert.Regexp(t, `pause 12s and outage cut:20s +UNSAFE: pause < 2.95s +UNSAFE: pause < 7.95s`, text)
}

func TestAdviseSuggestsALock(t *testing.T) {
	for word, lock := range map[string]string{"k8s": "k8s-lease", "kubernetes": "k8s-lease", "Redisson": "watchdog", "curator": "zookeeper"} {
		code, _, stderr := runLine("advise", word)
		assert.Equal(t, cli.ExitUsage, code)
		assert.Contains(t, stderr, "did you mean "+lock+"?", word)
	}
}
