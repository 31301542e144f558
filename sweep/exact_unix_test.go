//go:build unix

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// instants is how often each test of exactness kills something.
var instants = flag.Int("instants", 2, "how often something is killed, at random instants, in each test of exactness")

const (
	asSweep  = "FENCEPOST_TEST_AS_SWEEP"
	asServer = "FENCEPOST_TEST_AS_SERVER"
)

// TestMain is also simctl-sweep, or a NATS server, where a test needs a process of its own
// to kill.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asSweep) != "":
		os.Exit(run(os.Args[1:]))
	case os.Getenv(asServer) != "":
		serverProcess(os.Getenv(asServer))
		return
	}
	flag.Parse()
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		panic(err)
	}
	simctl := filepath.Join(dir, "simctl")
	build := exec.Command("go", "build", "-o", simctl, "./cmd/simctl")
	build.Dir = ".."
	if text, err := build.CombinedOutput(); err != nil {
		panic(string(text))
	}
	if err := os.Setenv("SIMCTL", simctl); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// swept is the command that the tests sweep, in 40 batches.
var swept = strings.Fields("run redlock/gc-pause --runs 16000")

const batches = "40"

// found is how it ends: --runs changes the scenario, and its violation is still there.
const found = 3

// oneMachine is what it prints on one machine.
func oneMachine(t *testing.T, command []string) string {
	t.Helper()
	text, err := exec.Command(os.Getenv("SIMCTL"), command...).Output()
	if e := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &e)
		require.Equal(t, found, e.ExitCode(), string(e.Stderr))
	}
	return string(text)
}

// process is one that a test may kill.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

func startProcess(t *testing.T, env string, args ...string) *process {
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), env, "GOMAXPROCS=1")
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	require.NoError(t, p.Start())
	t.Cleanup(func() { p.kill() })
	return p
}

func sweep(t *testing.T, args ...string) *process { return startProcess(t, asSweep+"=1", args...) }

func (p *process) kill() {
	if p.ProcessState == nil {
		_ = p.Process.Kill()
		_ = p.Wait()
	}
}

// ends waits for the process, at most two minutes.
func (p *process) ends(t *testing.T, code int) {
	t.Helper()
	late := time.AfterFunc(2*time.Minute, func() { _ = p.Process.Signal(syscall.SIGQUIT) })
	_ = p.Wait()
	late.Stop()
	require.Equal(t, code, p.ProcessState.ExitCode(), "%s", p.stderr.String())
}

// freePort is a port of loopback on which nothing listens.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// moment is a random instant of a sweep: some time after so many batches are done.
type moment struct {
	batches int
	after   time.Duration
}

// await waits for the moment of a sweep, at most a minute.
func (m moment) await(t *testing.T, dir string, serve *process) {
	for late := time.Now().Add(time.Minute); doneIn(dir) < m.batches; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			_ = serve.Process.Signal(syscall.SIGQUIT)
			_ = serve.Wait()
			require.FailNow(t, "the sweep does not come so far", "%d of %d batches\n%s", doneIn(dir), m.batches, serve.stderr.String())
		}
	}
	time.Sleep(m.after) // the instant is what is tested, and nothing waits for it
}

// atInstants runs a test at random instants, and reports how many of them were before all
// batches were there.
func atInstants(t *testing.T, at func(t *testing.T, m moment, r *rand.Rand) (done int)) {
	seed, underWay := uint64(time.Now().UnixNano()), 0
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range *instants {
		m := moment{r.IntN(40), time.Duration(r.Int64N(int64(30 * time.Millisecond)))}
		t.Run(fmt.Sprintf("%d after %d batches and %v", i, m.batches, m.after.Round(time.Millisecond)), func(t *testing.T) {
			if done := at(t, m, r); strconv.Itoa(done) != batches {
				underWay++
			}
		})
	}
	t.Logf("%d of %d instants were within the sweep", underWay, *instants)
}

// doneIn is how many batches are done in the folder of a sweep.
func doneIn(dir string) int {
	list, _ := filepath.Glob(filepath.Join(dir, "parts", "part-*.json"))
	return len(list)
}

// TestKilledWorker: one of two workers is killed, and a third one started.
func TestKilledWorker(t *testing.T) {
	t.Parallel()
	want := oneMachine(t, swept)
	atInstants(t, func(t *testing.T, m moment, _ *rand.Rand) int {
		listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
		dir := filepath.Join(t.TempDir(), "d")
		serve := sweep(t, append([]string{"serve", "--dir", dir, "--listen", listen, "--batches", batches, "--ack-wait", "2s"}, swept...)...)
		victim := sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1")
		sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1")
		m.await(t, dir, serve)
		victim.kill()
		done := doneIn(dir)
		sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1", "--wait", "2s")
		serve.ends(t, found)
		require.Equal(t, want, serve.stdout.String())
		return done
	})
}

// TestKilledCoordinator: the coordinator is killed, with its server, and started again.
func TestKilledCoordinator(t *testing.T) {
	t.Parallel()
	want := oneMachine(t, swept)
	atInstants(t, func(t *testing.T, m moment, _ *rand.Rand) int {
		listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
		dir := filepath.Join(t.TempDir(), "d")
		args := append([]string{"serve", "--dir", dir, "--listen", listen, "--batches", batches, "--ack-wait", "2s"}, swept...)
		serve := sweep(t, args...)
		for range 2 {
			sweep(t, "work", "--nats", "nats://"+listen, "--jobs", "1")
		}
		m.await(t, dir, serve)
		serve.kill()
		done := doneIn(dir)
		if _, err := os.Stat(filepath.Join(dir, sweepFile)); err == nil {
			args = append([]string{"serve", "--resume"}, args[1:]...)
		} else { // it was killed before it began
			require.NoError(t, os.RemoveAll(dir))
		}
		if serve.ProcessState.ExitCode() != found {
			serve = sweep(t, args...)
			serve.ends(t, found)
		}
		require.Equal(t, want, serve.stdout.String())
		return done
	})
}

// cluster is three servers that keep everything three times.
type cluster struct {
	t       *testing.T
	dir     string
	ports   [3]int
	routes  [3]int
	servers [3]*process
}

func newCluster(t *testing.T) *cluster {
	c := &cluster{t: t, dir: t.TempDir()}
	for i := range c.servers {
		c.ports[i], c.routes[i] = freePort(t), freePort(t)
	}
	for i := range c.servers {
		c.start(i)
	}
	c.settle()
	return c
}

func (c *cluster) start(i int) {
	var routes []string
	for _, r := range c.routes {
		routes = append(routes, strconv.Itoa(r))
	}
	c.servers[i] = startProcess(c.t, fmt.Sprintf("%s=%d %d %d %s %s", asServer, i, c.ports[i], c.routes[i], c.dir, strings.Join(routes, ",")))
}

// serverProcess is a server of a cluster, until it is killed.
func serverProcess(text string) {
	var i, port, route int
	var dir, routes string
	if _, err := fmt.Sscan(text, &i, &port, &route, &dir, &routes); err != nil {
		panic(err)
	}
	var list []string
	for _, r := range strings.Split(routes, ",") {
		list = append(list, "nats://127.0.0.1:"+r)
	}
	o := &server.Options{ServerName: fmt.Sprintf("s%d", i), Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: filepath.Join(dir, strconv.Itoa(i)),
		NoSigs: true, NoLog: true, Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: route}, Routes: server.RoutesFromStr(strings.Join(list, ","))}
	s, err := server.NewServer(o)
	if err != nil {
		panic(err)
	}
	go s.Start()
	time.Sleep(40 * time.Minute) // bounded, if its test is killed
}

func (c *cluster) url() string {
	return fmt.Sprintf("nats://127.0.0.1:%d,nats://127.0.0.1:%d,nats://127.0.0.1:%d", c.ports[0], c.ports[1], c.ports[2])
}

// settle waits until a stream can be made three times.
func (c *cluster) settle() {
	conn, err := nats.Connect(c.url(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	require.NoError(c.t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(c.t, err)
	require.Eventually(c.t, func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "probe", Subjects: []string{"probe"}, Replicas: 3})
		if err == nil {
			err = js.DeleteStream(ctx, "probe")
		}
		return err == nil
	}, time.Minute, 200*time.Millisecond)
}

// TestKilledServer: one of the three servers of a cluster is killed, and started again
// when the sweep is over.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	want := oneMachine(t, swept)
	c := newCluster(t)
	number := 0
	atInstants(t, func(t *testing.T, m moment, r *rand.Rand) int {
		number++
		name, victim := fmt.Sprintf("n%d", number), r.IntN(3)
		dir := filepath.Join(t.TempDir(), "d")
		serve := sweep(t, append([]string{"serve", "--dir", dir, "--nats", c.url(), "--name", name, "--replicas", "3", "--batches", batches, "--ack-wait", "2s"}, swept...)...)
		for range 2 {
			sweep(t, "work", "--nats", c.url(), "--name", name, "--jobs", "1")
		}
		m.await(t, dir, serve)
		c.servers[victim].kill()
		done := doneIn(dir)
		serve.ends(t, found)
		require.Equal(t, want, serve.stdout.String())
		c.start(victim)
		c.settle()
		return done
	})
}

// TestDoubleAndLateResults: a worker sends each result twice, and another sleeps over the
// time in which it has to report, so that its batches are done by others too. The first of them
// is late in the sweep, of which the last batch takes longer.
func TestDoubleAndLateResults(t *testing.T) {
	t.Parallel()
	listen := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	serve := sweep(t, append([]string{"serve", "--dir", filepath.Join(t.TempDir(), "d"), "--listen", listen, "--batches", batches, "--ack-wait", "2s"}, swept...)...)
	at := access{URL: "nats://" + listen, Name: "sweep", Wait: 20 * time.Second}
	holds, first := make(chan struct{}), sync.Once{}
	late := &working{access: at, Jobs: 1, held: func(batch int) (long time.Duration) {
		if batch%5 == 0 {
			long = 2500 * time.Millisecond
		}
		first.Do(func() { long = 2500 * time.Millisecond; close(holds) })
		return long
	}}
	twice := &working{access: at, Jobs: 1, twice: true, held: func(batch int) time.Duration {
		if strconv.Itoa(batch) == batches {
			return 3 * time.Second
		}
		return 0
	}}
	ended := make(chan error, 2)
	go func() { ended <- late.run(context.Background()) }()
	<-holds
	go func() { ended <- twice.run(context.Background()) }()
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
	require.NoError(t, <-ended)
	require.NoError(t, <-ended)
	require.Positive(t, late.done)
	require.Positive(t, twice.done)
	require.Greater(t, twice.done+late.done, 39)
}
