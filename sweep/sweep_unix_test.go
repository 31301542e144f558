//go:build unix

package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// serverOf is the URL of a server in the process of the test.
func serverOf(t *testing.T, change func(*server.Options)) (url string) {
	url, _ = startServer(t, change)
	return url
}

func startServer(t *testing.T, change func(*server.Options)) (url string, stop func()) {
	o := &server.Options{Host: "127.0.0.1", Port: freePort(t), JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	change(o)
	s, err := server.NewServer(o)
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(20*time.Second))
	stop = func() { s.Shutdown(); s.WaitForShutdown() }
	t.Cleanup(stop)
	return fmt.Sprintf("nats://127.0.0.1:%d", o.Port), stop
}

func serveArgs(t *testing.T, command string, more ...string) []string {
	args := append([]string{"serve", "--dir", filepath.Join(t.TempDir(), "d")}, more...)
	return append(args, strings.Fields(command)...)
}

// TestSearchEndsWithTheFirstFind: what it finds, shrunk, is that of one machine, and the
// batches after it are not needed.
func TestSearchEndsWithTheFirstFind(t *testing.T) {
	const command = "explore redlock/gc-pause --no-faults --budget pauses=1 --runs 100000 --shrink-for 1m"
	url := serverOf(t, func(*server.Options) {})
	args := serveArgs(t, command, "--nats", url, "--batches", "2000")
	serve := sweep(t, args...)
	work := sweep(t, "work", "--nats", url, "--jobs", "1")
	serve.ends(t, found)
	work.ends(t, 0)
	require.Equal(t, oneMachine(t, strings.Fields(command)), serve.stdout.String())
	require.Less(t, doneIn(args[2]), 2000)
	require.Contains(t, work.stderr.String(), "the sweep is over")
}

// TestWorkerOfAnotherBuildIsRefused, and one that has another file under the same name.
func TestWorkerOfAnotherBuildIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.yaml")
	text, err := exec.Command(os.Getenv("SIMCTL"), "show", "redlock/gc-pause", "--file").Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o644))
	url := serverOf(t, func(*server.Options) {})
	sweep(t, serveArgs(t, "run "+file+" --runs 1000", "--nats", url, "--batches", "10")...)

	other := filepath.Join(t.TempDir(), "simctl")
	build := exec.Command("go", "build", "-ldflags", "-X main.unused=1 -buildid=other", "-o", other, "./cmd/simctl")
	build.Dir = ".."
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	work := &process{Cmd: exec.Command(os.Args[0], "work", "--nats", url)}
	work.Env = append(os.Environ(), asSweep+"=1", "SIMCTL="+other)
	work.Stderr = &work.stderr
	require.NoError(t, work.Start())
	work.ends(t, 1)
	require.Contains(t, work.stderr.String(), "this worker is refused: it has another build of simctl: ")

	require.NoError(t, os.WriteFile(file, append(text, "# changed\n"...), 0o644))
	work = sweep(t, "work", "--nats", url)
	work.ends(t, 1)
	require.Contains(t, work.stderr.String(), "this worker is refused: it has another scenario, by the checksum of all that it reads")
}

// TestBatchThatCannotBeDoneIsReported: there is no hole, and no report.
func TestBatchThatCannotBeDoneIsReported(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	args := serveArgs(t, "run redlock/gc-pause --runs 100", "--nats", url, "--batches", "10")
	serve := sweep(t, args...)
	broken := filepath.Join(t.TempDir(), "simctl")
	script := "#!/bin/sh\nwhile read -r n; do [ $n != 7 ] || { echo 'simctl: shard 7 has no luck' >&2; exit 1; }; echo $n; done | " + os.Getenv("SIMCTL") + ` "$@"` + "\n"
	require.NoError(t, os.WriteFile(broken, []byte(script), 0o755))
	work := &process{Cmd: exec.Command(os.Args[0], "work", "--nats", url, "--jobs", "1")}
	work.Env = append(os.Environ(), asSweep+"=1", "SIMCTL="+broken)
	work.Stderr = &work.stderr
	require.NoError(t, work.Start())
	t.Cleanup(func() { work.kill() })
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "1 of 10 batches cannot be done; all others are kept, and the same command with --resume tries them again\nbatch 7: shard 7 has no luck")
	require.Empty(t, serve.stdout.String())
	require.Equal(t, 9, doneIn(args[2]))

	work.kill()
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	sweep(t, "work", "--nats", url, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, strings.Fields("run redlock/gc-pause --runs 100")), serve.stdout.String())
}

// TestBatchThatKillsItsWorkersIsReported: it is handed out ten times, and no more.
func TestBatchThatKillsItsWorkersIsReported(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	serve := sweep(t, serveArgs(t, "run redlock/gc-pause --runs 100", "--nats", url, "--batches", "1")...)
	js := connected(t, url)
	require.Eventually(t, func() bool { // a worker that dies each time
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		c, err := js.Consumer(ctx, "sweep-work", consumer)
		if err != nil {
			return false
		}
		list, err := c.Fetch(1, jetstream.FetchMaxWait(time.Second))
		require.NoError(t, err)
		for m := range list.Messages() {
			require.NoError(t, m.Nak())
			info, err := m.Metadata()
			require.NoError(t, err)
			return info.NumDelivered == maxDeliveries
		}
		return false
	}, time.Minute, time.Millisecond)
	sweep(t, "work", "--nats", url)
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "batch 1: it was handed out 10 times, and no worker lived to finish it")
}

// TestRefusals is what is said of bad input.
func TestRefusals(t *testing.T) {
	plain := serverOf(t, func(o *server.Options) { o.JetStream = false })
	secret := serverOf(t, func(o *server.Options) { o.Authorization = "secret" })
	full := serverOf(t, func(o *server.Options) { o.JetStreamMaxStore = 1 })
	const run = "redlock/gc-pause --runs 10"
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"work", "--nats", fmt.Sprintf("nats://127.0.0.1:%d", freePort(t)), "--wait", "300ms"}, 1, "cannot reach nats://127.0.0.1:"},
		{[]string{"work", "--nats", plain, "--wait", "300ms"}, 1, "has no JetStream that answers: start it with -js"},
		{serveArgs(t, run, "--nats", plain, "--wait", "300ms"), 1, "has no JetStream that answers: start it with -js"},
		{[]string{"work", "--nats", secret}, 1, "wants to know who asks: want a --token"},
		{[]string{"work", "--nats", secret, "--token", "wrong"}, 1, "refuses the token: want the one that it was started with"},
		{[]string{"work", "--nats", secret, "--token", "secret", "--wait", "300ms"}, 0, `has no sweep named "sweep": it is over, or was not started within 300ms; 0 batches were done here`},
		{serveArgs(t, run, "--nats", full, "--wait", "300ms"), 1, "is full: "},
		{serveArgs(t, run, "--listen", "0.0.0.0:4222"), 2, "other machines reach this address: want a --token"},
		{serveArgs(t, run, "--listen", "4222"), 2, "--listen: want an address and a port"},
		{serveArgs(t, run, "--batches", "11"), 1, "there are 10 runs: want at most as many batches"},
		{serveArgs(t, run, "--ack-wait", "1s"), 2, "--ack-wait: want 2s or more"},
		{serveArgs(t, run, "--replicas", "3"), 2, "more than 1 only with --nats"},
		{serveArgs(t, run, "--resume"), 1, "want the folder of a sweep that was interrupted"},
		{serveArgs(t, run, "--check", "1"), 2, `--check: want a share of the batches, 0% to 100%, got "1"`},
		{serveArgs(t, run, "--name", "a.b"), 2, "--name: want letters"},
		{serveArgs(t, run, "--listen", strings.TrimPrefix(plain, "nats://")), 1, "--listen: listen tcp 127.0.0.1:"},
		{serveArgs(t, "nothing/there"), 1, "nothing/there"},
		{serveArgs(t, "explore redlock/gc-pause --mode exhaustive --budget pauses=1"), 1, "an exhaustive search cannot be divided"},
		{[]string{"serve", "--dir", t.TempDir()}, 2, "want a scenario, or a command"},
		{[]string{"serve", "redlock/gc-pause"}, 2, "--dir: want the folder"},
		{[]string{"serve", "redlock/gc-pause", "--dir", t.TempDir()}, 2, "--dir is for serve: want it before the command, as simctl sweep serve --dir night run redlock/gc-pause"},
		{serveArgs(t, "compare lock --json"), 2, "--json is for serve: want it before the command"},
		{serveArgs(t, "certify redlock/gc-pause"), 2, "want a scenario, or run, compare or explore and what they take, got certify redlock/gc-pause"},
		{[]string{"work", "--jobs", "-1"}, 2, "--jobs: want 0 or more, got -1"},
		{[]string{"wrok"}, 2, "Did you mean this?\n\twork"},
		{[]string{"work", "more"}, 2, "unknown command"},
	} {
		refuses(t, c.args, c.code, c.want)
	}
}

// TestARefusalLeavesNothing: the same command with what was wanted needs no --resume.
func TestARefusalLeavesNothing(t *testing.T) {
	listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	taken, err := net.Listen("tcp", listen)
	require.NoError(t, err)
	args := append(serveArgs(t, "", "--listen", listen, "--batches", "4"), swept...)
	refuses(t, args, 1, "--listen: listen tcp "+listen)
	require.NoError(t, taken.Close())
	serve := sweep(t, args...)
	sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// connected is a client of a server.
func connected(t *testing.T, url string) jetstream.JetStream {
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	return js
}

// put stores a message in the results of a sweep as soon as there is one; without an id it is of that sweep.
func put(t *testing.T, js jetstream.JetStream, subject, id, text string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.Eventually(t, func() bool {
		m, err := stored(ctx, js, "sweep")
		if err != nil {
			return false
		}
		if id == "" {
			id = m.id()
		}
		_, err = js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: []byte(text), Header: nats.Header{idHeader: {id}}})
		require.NoError(t, err)
		return true
	}, time.Minute, 10*time.Millisecond)
}

// TestResultOfAnotherSweepDoesNotTakeThePlaceOfAPart: a worker of a sweep of the same name that is over may be late.
func TestResultOfAnotherSweepDoesNotTakeThePlaceOfAPart(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	serve := sweep(t, append(serveArgs(t, "", "--nats", url, "--batches", "4"), swept...)...)
	js := connected(t, url)
	put(t, js, "sweep.result.2", "another", "late")
	put(t, js, "sweep.failed.3", "another", "late")
	put(t, js, "sweep.result.5", "another", "none")
	sweep(t, "work", "--nats", url, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// TestResultThatIsNoPartIsReported, with nothing in it that moves a terminal, and --resume does the batch again.
func TestResultThatIsNoPartIsReported(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	args := append(serveArgs(t, "", "--nats", url, "--batches", "4"), swept...)
	serve := sweep(t, args...)
	js := connected(t, url)
	for _, i := range []int{1, 2, 4} {
		put(t, js, names("sweep").result(i), "", "not a part")
	}
	put(t, js, names("sweep").failure(3), "", "no \x1b[2Jluck")
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "4 of 4 batches cannot be done")
	require.Contains(t, serve.stderr.String(), "batch 2: the result of worker without a name is refused: gzip: invalid header")
	require.Contains(t, serve.stderr.String(), "batch 3: no \uFFFD[2Jluck")
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	sweep(t, "work", "--nats", url, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// TestFullStore: a worker says so when results have no room, nothing is lost, and with room the sweep is continued.
func TestFullStore(t *testing.T) {
	store := t.TempDir()
	full := func(most int64) func(*server.Options) {
		return func(o *server.Options) { o.StoreDir, o.JetStreamMaxStore = store, most }
	}
	small, stop := startServer(t, full(24_000))
	args := append(serveArgs(t, "", "--nats", small, "--batches", batches), swept...)
	serve := sweep(t, args...)
	refuses(t, []string{"work", "--nats", small, "--jobs", "1", "--wait", "1s"}, 1, "is full: ")
	require.NoError(t, serve.Process.Signal(os.Interrupt))
	serve.ends(t, 130)
	kept := doneIn(args[2])
	require.Positive(t, kept)
	require.Less(t, kept, 40)
	stop()

	roomy := serverOf(t, full(1<<30))
	for i := range args {
		args[i] = strings.Replace(args[i], small, roomy, 1)
	}
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	sweep(t, "work", "--nats", roomy, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// TestEstimateIsThatOfOneMachine: the repetitions of run --rare are the batches.
func TestEstimateIsThatOfOneMachine(t *testing.T) {
	command := append(strings.Fields("run redis/figure-pause --set params.ttl=20s --set until=40s --rare --property no-lost-update --repeat 5 --population 10"),
		"--set", "protection=no check", "--set", "faults.0.for={exp: 1s}")
	url := serverOf(t, func(*server.Options) {})
	serve := sweep(t, append(serveArgs(t, "", "--nats", url, "--batches", "4"), command...)...)
	for range 2 {
		sweep(t, "work", "--nats", url, "--jobs", "1")
	}
	serve.ends(t, 0)
	require.Equal(t, oneMachine(t, command), serve.stdout.String())
	require.Contains(t, serve.stdout.String(), "ESTIMATED")
}

// TestInterruptKeepsTheParts: Ctrl-C ends a sweep with 130, and --resume continues it.
func TestInterruptKeepsTheParts(t *testing.T) {
	listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	args := append([]string{"serve", "--dir", filepath.Join(t.TempDir(), "d"), "--listen", listen, "--batches", batches}, swept...)
	serve := sweep(t, args...)
	sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1")
	moment{batches: 5}.await(t, args[2], serve)
	require.NoError(t, serve.Process.Signal(os.Interrupt))
	serve.ends(t, 130)
	require.Contains(t, serve.stderr.String(), "interrupted; the parts are kept, and the same command with --resume continues")
	serve = sweep(t, args...)
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "has a sweep: --resume continues it")
	other := append([]string{"serve", "--resume"}, args[1:]...)
	other[len(other)-1] = "16001"
	refuses(t, other, 1, `this is not the command of the sweep in `+args[2]+`: it has another command: "run redlock/gc-pause --runs=16001"`)
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// partOf is the line of a part of the swept command, with a change, and its checksum made right.
func partOf(t *testing.T, batches, number int, old, new string) []byte {
	simctl := exec.Command(os.Getenv("SIMCTL"), append(slices.Clone(swept), "--shard", fmt.Sprintf("-/%d", batches))...)
	simctl.Stdin = strings.NewReader(fmt.Sprintln(number))
	text, err := simctl.Output()
	require.NoError(t, err)
	_, line, _ := strings.Cut(string(text), "\n")
	line = strings.TrimSuffix(line[strings.Index(line, `"part":`)+len(`"part":`):], "}\n")
	require.Contains(t, line, old)
	line = strings.Replace(line, old, new, 1)
	return fmt.Appendf(nil, `{"crc32":"%08x","part":%s}`+"\n", crc32.ChecksumIEEE([]byte(line)), line)
}

// TestBadPartIsMovedAside, when it is taken and when it is found, and its batch is done again.
func TestBadPartIsMovedAside(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	args := append(serveArgs(t, "", "--nats", url, "--batches", "2"), swept...)
	serve := sweep(t, args...)
	js := connected(t, url)
	bad := partOf(t, 2, 2, `"runs":8000`, `"runs":8001`)
	put(t, js, names("sweep").result(1), "", string(pack(partOf(t, 2, 1, "", ""))))
	put(t, js, names("sweep").result(2), "", string(pack(bad)))
	serve.ends(t, 1)
	aside := filepath.Join(args[2], "parts", "part-2-of-2.json.bad")
	require.Contains(t, serve.stderr.String(), "1 of 2 batches cannot be done")
	require.Contains(t, serve.stderr.String(), "batch 2: the result of worker without a name is refused: results[0]: ")
	require.Contains(t, serve.stderr.String(), "; it is in "+aside)
	kept, err := os.ReadFile(aside)
	require.NoError(t, err)
	require.Equal(t, string(bad), string(kept))

	folder := filepath.Join(args[2], "parts", "part-1-of-2.json")
	require.NoError(t, os.WriteFile(folder, partOf(t, 2, 1, `"runs":8000`, `"runs":7999`), 0o644))
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	sweep(t, "work", "--nats", url, "--jobs", "1")
	serve.ends(t, found)
	require.Contains(t, serve.stderr.String(), "moved to "+folder+".bad; the batch is done again")
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// TestPartThatUnpacksToMuchIsRefused, and takes no memory: a result of 300 kB that says nothing 300 million times.
func TestPartThatUnpacksToMuchIsRefused(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	serve := sweep(t, append(serveArgs(t, "", "--nats", url, "--batches", "1"), swept...)...)
	put(t, connected(t, url), names("sweep").result(1), "", string(pack(make([]byte, 300<<20))))
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "batch 1: the result of worker without a name is refused: a part has more than 16 MiB: want more --batches")
	most := serve.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "linux" { // elsewhere it is counted in bytes
		require.Less(t, most, int64(150<<10), "kB")
	}
}

// TestBatchesDoneTwice have equal results, of two workers.
func TestBatchesDoneTwice(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	serve := sweep(t, append(serveArgs(t, "", "--nats", url, "--batches", batches, "--check", "20%"), swept...)...)
	one := sweep(t, "work", "--nats", url, "--jobs", "1")
	other := sweep(t, "work", "--nats", url, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
	done := 0
	for _, work := range []*process{one, other} {
		work.ends(t, 0)
		var n int
		_, err := fmt.Sscanf(work.stderr.String()[strings.Index(work.stderr.String(), "is over; "):], "is over; %d batches", &n)
		require.NoError(t, err)
		done += n
	}
	require.Equal(t, 48, done, "40 batches, 8 of them twice")
}

// TestWorkersThatDisagreeAreNamed: numbers that fit each other are wrong all the same, and neither result is taken.
func TestWorkersThatDisagreeAreNamed(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	args := append(serveArgs(t, "", "--nats", url, "--batches", "4", "--check", "100%"), swept...)
	serve := sweep(t, args...)
	js := connected(t, url)
	put(t, js, names("sweep").result(2), "", string(pack(partOf(t, 4, 2, `"steps":`, `"steps":1`))))
	workers := []*process{sweep(t, "work", "--nats", url, "--jobs", "1"), sweep(t, "work", "--nats", url, "--jobs", "1")}
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "1 of 4 batches cannot be done")
	require.Regexp(t, `batch 2: workers without a name and .*:\d+ give different results, and neither is taken: they are in .*part-2-of-4.json.once and .*part-2-of-4.json.bad`, serve.stderr.String())
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
	for _, work := range workers {
		work.ends(t, 0)
	}
}

// TestWorkerThatLosesItsServerEndsWell: the sweep may be over, or interrupted; there is no more to do here.
func TestWorkerThatLosesItsServerEndsWell(t *testing.T) {
	url, stop := startServer(t, func(*server.Options) {})
	sweep(t, append(serveArgs(t, "", "--nats", url, "--batches", batches), swept...)...)
	work := sweep(t, "work", "--nats", url, "--jobs", "1", "--wait", "1s")
	js := connected(t, url)
	require.Eventually(t, func() bool { // it has begun
		c, err := js.Consumer(context.Background(), "sweep-work", consumer)
		return err == nil && c.CachedInfo().NumAckPending > 0
	}, time.Minute, 10*time.Millisecond)
	stop()
	work.ends(t, 0)
	require.Contains(t, work.stderr.String(), "has not been reached for 1s: the sweep is over, or interrupted")
}
