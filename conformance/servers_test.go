package conformance

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

var (
	postgresDir = flag.String("postgres", "", "folder with initdb and postgres (default: the newest of /usr/lib/postgresql, else of PATH)")
	redisFile   = flag.String("redis", "", "redis-server (default: of PATH)")
)

// folder is what all servers of this process keep their data in.
var folder string

// janitor outlives the tests however they end. It waits until its standard input is
// closed, which a process that is killed or panics does too, stops the servers whose
// process ids it finds, and removes the folder.
const janitor = `trap "" INT TERM HUP QUIT
echo ready
cat >/dev/null
for f in "$0"/*.pid; do [ -f "$f" ] && kill -INT "$(cat "$f")" 2>/dev/null; done
for f in "$0"/*.pid; do
	n=0
	while [ -f "$f" ] && kill -0 "$(cat "$f")" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.05; n=$((n+1)); done
	[ -f "$f" ] && kill -KILL "$(cat "$f")" 2>/dev/null # it ignores INT: some shells start jobs so
done
rm -rf "$0"`

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

// run is TestMain with its deferred calls.
func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "fencepost-conformance-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	clean, err := cleaner(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer clean()
	return m.Run()
}

// cleaner starts the janitor of a folder, and returns what makes it do its work.
func cleaner(dir string) (clean func() error, err error) {
	sh := exec.Command("sh", "-c", janitor, dir)
	sh.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the tests, not for it
	in, err := sh.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := sh.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Chmod(dir, 0o711), sh.Start()); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready\n"))); err != nil {
		return nil, err
	}
	return func() error { return errors.Join(in.Close(), sh.Wait()) }, nil
}

// process is a server that runs.
type process struct {
	name, port string
	cmd        *exec.Cmd
	ended      chan struct{} // closed when it has
	log        string        // the file that it writes its log to
}

// start starts a server in a folder of its own on a free port of the loopback, and
// returns when it answers. Another process may take the port between the choice and its
// use: then another is tried.
func start(t testing.TB, name string, command func(dir, port string) *exec.Cmd, answers func(port string) error) *process {
	t.Helper()
	dir := filepath.Join(folder, name)
	var err error
	for range 3 {
		p := &process{name: name, port: freePort(t), ended: make(chan struct{}), log: dir + ".log"}
		p.cmd = command(dir, p.port)
		if err = p.start(answers); err == nil {
			return p
		}
	}
	t.Fatalf("%s does not start: %v", name, err)
	return nil
}

func (p *process) start(answers func(port string) error) error {
	log, err := os.Create(p.log)
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, p.name+".pid"), []byte(strconv.Itoa(p.cmd.Process.Pid)), 0o600); err != nil {
		return err
	}
	go func() { p.cmd.Wait(); close(p.ended) }()
	deadline := time.Now().Add(30 * time.Second)
	for {
		if err = answers(p.port); err == nil {
			return nil
		}
		select {
		case <-p.ended:
			text, _ := os.ReadFile(p.log)
			return fmt.Errorf("%s ended: %s", p.cmd.Path, text)
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not answer within 30s: %w", p.cmd.Path, err)
		}
	}
}

// kill ends a server as the loss of its power does.
func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.ended
}

func freePort(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// unprivileged makes a command run as another user, and gives it the folder, if the
// tests run as root: PostgreSQL refuses to be started by root.
func unprivileged(t testing.TB, dir string) func(*exec.Cmd) *exec.Cmd {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		u, err := user.Lookup("nobody")
		if err != nil {
			t.Fatalf("PostgreSQL refuses to run as root, and there is no user nobody to run it: %v", err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: true}
	}
	return func(c *exec.Cmd) *exec.Cmd {
		c.SysProcAttr, c.Dir, c.Env = attr, dir, append(os.Environ(), "LC_ALL=C", "TZ=UTC")
		return c
	}
}

// postgresPrograms are initdb and postgres.
func postgresPrograms(t testing.TB) (initdb, postgres string) {
	t.Helper()
	dirs := []string{*postgresDir}
	if *postgresDir == "" {
		dirs, _ = filepath.Glob("/usr/lib/postgresql/*/bin")
		slices.SortFunc(dirs, func(a, b string) int { return version(b) - version(a) })
		if path, err := exec.LookPath("initdb"); err == nil {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	for _, dir := range dirs {
		initdb, postgres = filepath.Join(dir, "initdb"), filepath.Join(dir, "postgres")
		if executable(initdb) && executable(postgres) {
			return initdb, postgres
		}
	}
	t.Fatalf("no PostgreSQL server in %q: install it (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql), or name the folder of initdb and postgres with -postgres", dirs)
	return "", ""
}

// version is the number in /usr/lib/postgresql/15/bin.
func version(dir string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	return n
}

func executable(file string) bool {
	_, err := exec.LookPath(file)
	return err == nil
}

func redisProgram(t testing.TB) string {
	t.Helper()
	name := *redisFile
	if name == "" {
		name = "redis-server"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("no Redis server %q: install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or name it with -redis", name)
	}
	return path
}

// When the pipe to the janitor is closed, as it is when the tests are killed, the server
// is ended and its folder removed.
func TestNothingIsLeftBehind(t *testing.T) {
	dir := filepath.Join(folder, "left")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	server := exec.Command("sleep", "1000")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "server.pid"), []byte(strconv.Itoa(server.Process.Pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	clean, err := cleaner(dir)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	if err := clean(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the server is still running")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Fatalf("%s is still there", dir)
	}
}
