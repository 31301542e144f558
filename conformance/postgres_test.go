package conformance

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// deadlockTimeout is that of the server. PostgreSQL looks for a deadlock this long after
// a session begins to wait, and then never again in that wait.
const deadlockTimeout = 200 * time.Millisecond

// postgresProcess is the one server of a run, started when the first test asks for it.
var postgresProcess *process

func postgresServer(t testing.TB) *process {
	t.Helper()
	if postgresProcess == nil {
		postgresProcess = startPostgres(t)
	}
	return postgresProcess
}

func startPostgres(t testing.TB) *process {
	initdb, postgres := postgresPrograms(t)
	return start(t, "postgres", func(dir, port string) *exec.Cmd {
		as := unprivileged(t, dir)
		data := dir + "/data"
		out, err := as(exec.Command(initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")).CombinedOutput()
		if err != nil && !strings.Contains(string(out), "exists but is not empty") { // by an attempt on another port
			t.Fatalf("initdb: %v\n%s", err, out)
		}
		settings := []string{"fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "jit=off", "max_connections=60",
			"shared_buffers=16MB", "deadlock_timeout=" + deadlockTimeout.String(), "listen_addresses=127.0.0.1", "unix_socket_directories=", "port=" + port}
		args := []string{"-D", data}
		for _, s := range settings {
			args = append(args, "-c", s)
		}
		return as(exec.Command(postgres, args...))
	}, func(port string) error {
		c, err := connect(port, "postgres")
		if err == nil {
			c.Close(context.Background())
		}
		return err
	})
}

func connect(port, database string) (*pgconn.PgConn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return pgconn.Connect(ctx, fmt.Sprintf("host=127.0.0.1 port=%s user=postgres dbname=%s sslmode=disable client_encoding=UTF8", port, database))
}

// database is a database of its own on the server, with a session for each letter, and one
// that watches them.
type database struct {
	t        testing.TB
	port     string
	name     string
	watcher  *pgconn.PgConn
	sessions map[byte]*session
}

// session is one connection. Its statement runs until its outcome has arrived.
type session struct {
	conn    *pgconn.PgConn
	outcome chan string // of the statement that runs
	running bool
	since   time.Time // when the statement was sent
}

func newDatabase(t testing.TB, name string) *database {
	t.Helper()
	port := postgresServer(t).port
	admin, err := connect(port, "postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.Background())
	d := &database{t: t, port: port, name: name, sessions: map[byte]*session{}}
	execute(t, admin, "create database "+name)
	if d.watcher, err = connect(port, name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, s := range d.sessions {
			s.conn.Conn().Close()
		}
		d.watcher.Conn().Close()
	})
	return d
}

// execute runs statements that must succeed.
func execute(t testing.TB, c *pgconn.PgConn, sql string) {
	t.Helper()
	if _, err := c.Exec(context.Background(), sql).ReadAll(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// begin makes the database empty, whatever its sessions are in the midst of, and runs the
// statements that set it up.
func (d *database) begin(setup string) {
	d.t.Helper()
	for letter, s := range d.sessions {
		if s.running {
			d.disconnect(letter)
			continue
		}
		s.exec("rollback")
		<-s.outcome
		s.exec("discard all")
		<-s.outcome
	}
	execute(d.t, d.watcher, "set client_min_messages = warning; drop schema public cascade; create schema public;"+setup)
}

// session is the one with a letter.
func (d *database) session(letter byte) *session {
	s := d.sessions[letter]
	if s == nil {
		c, err := connect(d.port, d.name)
		if err != nil {
			d.t.Fatal(err)
		}
		s = &session{conn: c, outcome: make(chan string, 1)}
		d.sessions[letter] = s
	}
	return s
}

// exec sends a statement.
func (s *session) exec(sql string) {
	s.since = time.Now()
	go func() {
		results, err := s.conn.Exec(context.Background(), sql).ReadAll()
		s.outcome <- outcome(results, err)
	}()
}

// ofFunction is the name of a column that is an outcome as it stands.
const ofFunction = "fencepost_outcome"

// outcome is the tag and the rows, or the error.
func outcome(results []*pgconn.Result, err error) string {
	var failed *pgconn.PgError
	switch {
	case errors.As(err, &failed):
		return "ERROR " + failed.Code
	case err != nil:
		return err.Error()
	}
	r := results[len(results)-1]
	if len(r.FieldDescriptions) == 1 && r.FieldDescriptions[0].Name == ofFunction {
		return string(r.Rows[0][0])
	}
	var b strings.Builder
	b.WriteString(r.CommandTag.String())
	for _, row := range r.Rows {
		values := make([]string, len(row))
		for i, v := range row {
			if values[i] = string(v); v == nil {
				values[i] = "NULL"
			}
		}
		fmt.Fprintf(&b, " (%s)", strings.Join(values, ", "))
	}
	return b.String()
}

// disconnect kills the connection of a session, and returns when the server has rolled it
// back.
func (d *database) disconnect(letter byte) {
	s := d.sessions[letter]
	if s == nil {
		return
	}
	delete(d.sessions, letter)
	execute(d.t, d.watcher, fmt.Sprintf("select pg_terminate_backend(%d)", s.conn.PID()))
	for d.ask(fmt.Sprintf("select 1 from pg_stat_activity where pid = %d", s.conn.PID())) != nil {
		time.Sleep(200 * time.Microsecond)
	}
	s.conn.Conn().Close()
	if s.running {
		<-s.outcome
	}
}

// ask is the first column of the answer to a question.
func (d *database) ask(sql string) []string {
	results, err := d.watcher.Exec(context.Background(), sql).ReadAll()
	if err != nil {
		d.t.Fatalf("%s: %v", sql, err)
	}
	var list []string
	for _, row := range results[0].Rows {
		list = append(list, string(row[0]))
	}
	return list
}

// result is how a statement of a session has ended.
type result struct {
	session byte
	outcome string
}

// settle returns when nothing can happen any more until a timeout or the next statement:
// each statement has ended or waits for a lock. It returns those that have ended, in the
// order of the letters: which of several that go on at once is first is up to chance.
//
// What waits is asked of pg_locks, which is exact: a lock is granted there in the instant
// in which it is released, while pg_stat_activity says that a session waits until it has
// run. One look at it is consistent, and if all that have not answered before it wait in
// it, none of them runs.
func (d *database) settle() (ended []result) {
	for {
		running := 0
		for letter, s := range d.sessions {
			if !s.running {
				continue
			}
			select {
			case o := <-s.outcome:
				s.running = false
				ended = append(ended, result{letter, o})
			default:
				running++
			}
		}
		if running == 0 || len(d.waiting()) == running {
			break
		}
		time.Sleep(50 * time.Microsecond)
	}
	slices.SortFunc(ended, func(a, b result) int { return int(a.session) - int(b.session) })
	return ended
}

// waiting are the sessions that wait for a lock.
func (d *database) waiting() (letters []byte) {
	pids := d.ask("select pid from pg_locks where not granted")
	for letter, s := range d.sessions {
		if s.running && slices.Contains(pids, fmt.Sprint(s.conn.PID())) {
			letters = append(letters, letter)
		}
	}
	return letters
}

// run runs a statement of a session and returns what has ended then, the statement itself
// too if it has.
func (d *database) run(letter byte, sql string) []result {
	s := d.session(letter)
	s.running = true
	s.exec(sql)
	select { // most statements answer at once: no need to look at locks for that
	case o := <-s.outcome:
		s.running = false
		return append([]result{{letter, o}}, d.settle()...)
	case <-time.After(2 * time.Millisecond):
		return d.settle()
	}
}

// patience is how long after a timeout has elapsed its outcome must be there.
const patience = 2 * time.Second

// expire waits until a timeout ends what waits, and returns all that has ended then.
func (d *database) expire() (ended []result) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && len(ended) == 0; {
		time.Sleep(time.Millisecond)
		ended = d.settle()
	}
	return ended
}

// deadlocked reports whether there are sessions that wait for one another in a circle.
func (d *database) deadlocked() bool {
	waits := map[string][]string{}
	pids := d.ask("select pid || ' ' || array_to_string(pg_blocking_pids(pid), ' ') from pg_locks where not granted")
	for _, p := range pids {
		f := strings.Fields(p)
		waits[f[0]] = f[1:]
	}
	reach := func(from string) bool {
		seen, next := map[string]bool{}, slices.Clone(waits[from])
		for len(next) > 0 {
			p := next[0]
			next = next[1:]
			if p == from {
				return true
			}
			if !seen[p] {
				seen[p] = true
				next = append(next, waits[p]...)
			}
		}
		return false
	}
	for p := range waits {
		if reach(p) {
			return true
		}
	}
	return false
}
