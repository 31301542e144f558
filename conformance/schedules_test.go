package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// schedule is a file of testdata/schedules: what sets the tables up, and then statements
// of several sessions one after the other, each with what is expected of it.
type schedule struct {
	setup []string
	steps []step
}

// step is one line of a schedule. Without a session it is time that passes.
type step struct {
	session    byte
	text       string // the statement, "disconnect", or "after deadlock_timeout"
	want, saw  []string
	wantsLines bool
}

// parse reads a schedule.
func parse(text string) (*schedule, error) {
	s := &schedule{}
	setup, script, ok := strings.Cut(text, "\n---\n")
	if !ok {
		return nil, fmt.Errorf("no line ---")
	}
	var lines []string
	for line := range strings.Lines(setup) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	for _, sql := range strings.SplitAfter(strings.Join(lines, ""), ";\n") {
		if strings.TrimSpace(sql) != "" {
			s.setup = append(s.setup, sql)
		}
	}
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, " \n")
		switch trimmed := strings.TrimLeft(line, " \t"); {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case trimmed != line:
			last := &s.steps[len(s.steps)-1]
			last.want = append(last.want, trimmed)
		case strings.HasPrefix(line, "after "):
			s.steps = append(s.steps, step{text: line})
		case len(line) > 2 && line[1] == ':':
			s.steps = append(s.steps, step{session: line[0], text: strings.TrimSpace(line[2:])})
		default:
			return nil, fmt.Errorf("%q is no step", line)
		}
	}
	return s, nil
}

// play runs a schedule on the server and notes what each step has led to.
func (s *schedule) play(d *database) {
	d.begin(s.setup)
	for i := range s.steps {
		st := &s.steps[i]
		var ended []result
		switch {
		case st.session == 0:
			ended = d.expire()
		case st.text == "disconnect":
			d.disconnect(st.session)
			ended = d.settle()
		default:
			ended = d.run(st.session, st.text)
		}
		st.saw = lines(st.session, ended, d)
	}
}

// lines are what is written below a step.
func lines(session byte, ended []result, d *database) (list []string) {
	if s := d.sessions[session]; s != nil && s.running {
		list = append(list, "waits")
	}
	for _, r := range ended {
		if r.session == session {
			list = append(list, r.outcome)
		} else {
			list = append(list, fmt.Sprintf("%c: %s", r.session, r.outcome))
		}
	}
	return list
}

// agrees reports whether each step that says what it leads to has led to it.
func (s *schedule) agrees() bool {
	for _, st := range s.steps {
		if len(st.want) > 0 && strings.Join(st.want, "\n") != strings.Join(st.saw, "\n") {
			return false
		}
	}
	return true
}

// String is the schedule with what was seen, and what was expected in its place.
func (s *schedule) String() string {
	var b strings.Builder
	for _, st := range s.steps {
		if st.session != 0 {
			fmt.Fprintf(&b, "%c: ", st.session)
		}
		fmt.Fprintln(&b, st.text)
		for _, line := range st.saw {
			fmt.Fprintln(&b, "  ", line)
		}
		if len(st.want) > 0 && strings.Join(st.want, "\n") != strings.Join(st.saw, "\n") {
			fmt.Fprintf(&b, "   ### expected: %s\n", strings.Join(st.want, " | "))
		}
	}
	return b.String()
}

// Each schedule leads to what its file says, on the server.
func TestSchedules(t *testing.T) {
	var files []string
	for _, dir := range []string{"testdata/schedules", "../models/internal/postgres/testdata/schedules"} {
		list, _ := filepath.Glob(dir + "/*.txt")
		files = append(files, list...)
	}
	if len(files) < 3 {
		t.Fatalf("found only the schedules %v", files)
	}
	d := newDatabase(t, "schedules")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			d.t = t
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 { // a machine that was busy for longer than a timeout shows another schedule
				s, err := parse(string(text))
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				s.play(d)
				if s.agrees() {
					return
				}
				if time.Since(begin) < deadlockTimeout/2 {
					t.Fatalf("%s on PostgreSQL:\n%s", file, s)
				}
				t.Logf("%s took %v:\n%s", file, time.Since(begin), s)
			}
			t.Fail()
		})
	}
}
