//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// serverOf is a server in the process of the test.
func serverOf(t *testing.T, change func(*server.Options)) (url string) {
	o := &server.Options{Host: "127.0.0.1", Port: freePort(t), JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	change(o)
	s, err := server.NewServer(o)
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(20*time.Second))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return fmt.Sprintf("nats://127.0.0.1:%d", o.Port)
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
	serve.ends(t, 3)
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
	serve.ends(t, 0)
	require.Equal(t, oneMachine(t, strings.Fields("run redlock/gc-pause --runs 100")), serve.stdout.String())
}

// TestBatchThatKillsItsWorkersIsReported: it is handed out ten times, and no more.
func TestBatchThatKillsItsWorkersIsReported(t *testing.T) {
	url := serverOf(t, func(*server.Options) {})
	serve := sweep(t, serveArgs(t, "run redlock/gc-pause --runs 100", "--nats", url, "--batches", "1")...)
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
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
		{[]string{"work", "--nats", secret}, 1, "Authorization Violation"},
		{[]string{"work", "--nats", secret, "--token", "secret", "--wait", "300ms"}, 1, `has no sweep named "sweep"`},
		{serveArgs(t, run, "--nats", full, "--wait", "300ms"), 1, "is full: "},
		{serveArgs(t, run, "--listen", "0.0.0.0:4222"), 2, "other machines reach this address: want a --token"},
		{serveArgs(t, run, "--listen", "4222"), 2, "--listen: want an address and a port"},
		{serveArgs(t, run, "--batches", "11"), 1, "there are 10 runs: want at most as many batches"},
		{serveArgs(t, run, "--ack-wait", "1s"), 2, "--ack-wait: want 2s or more"},
		{serveArgs(t, run, "--replicas", "3"), 2, "more than 1 only with --nats"},
		{serveArgs(t, run, "--resume"), 1, "want the folder of a sweep that was interrupted"},
		{serveArgs(t, run, "--name", "a.b"), 2, "--name: want letters"},
		{serveArgs(t, "nothing/there"), 1, "nothing/there"},
		{serveArgs(t, "explore redlock/gc-pause --mode exhaustive --budget pauses=1"), 1, "an exhaustive search cannot be divided"},
		{[]string{"serve", "--dir", t.TempDir()}, 2, "want a scenario, or a command"},
		{[]string{"serve", "redlock/gc-pause"}, 2, "--dir: want the folder"},
		{[]string{"work", "more"}, 2, "unknown command"},
	} {
		t.Run(c.want, func(t *testing.T) {
			p := sweep(t, c.args...)
			p.ends(t, c.code)
			require.Contains(t, p.stderr.String(), c.want)
			require.NotContains(t, p.stderr.String(), "goroutine")
			require.Empty(t, p.stdout.String())
		})
	}
}

// TestInterruptKeepsTheParts: Ctrl-C ends a sweep with 130, and --resume continues it.
func TestInterruptKeepsTheParts(t *testing.T) {
	listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	args := append([]string{"serve", "--dir", filepath.Join(t.TempDir(), "d"), "--listen", listen, "--batches", batches}, swept...)
	serve := sweep(t, args...)
	sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1")
	moment{batches: 5}.await(t, args[2])
	require.NoError(t, serve.Process.Signal(os.Interrupt))
	serve.ends(t, 130)
	require.Contains(t, serve.stderr.String(), "interrupted; the parts are kept, and the same command with --resume continues")
	serve = sweep(t, args...)
	serve.ends(t, 1)
	require.Contains(t, serve.stderr.String(), "has a sweep: --resume continues it")
	serve = sweep(t, append([]string{"serve", "--resume"}, args[1:]...)...)
	serve.ends(t, 0)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}
