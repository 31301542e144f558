package postgres

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fencepost/models/internal/postgres/sql"
)

// Any text is refused in words or runs; the database stays sound.
func FuzzStatements(f *testing.F) {
	files, _ := filepath.Glob("testdata/schedules/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if script, err := ParseScript(string(text)); err == nil {
			for _, s := range script.Steps {
				f.Add(s.Text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := sql.NewSchema()
		if err := Create(s, "create table t (k int primary key, v int default 1, s text unique, at timestamptz); insert into t values (1, 1, 'a'), (2, null, null)"); err != nil {
			t.Fatal(err)
		}
		var list []*sql.Statement
		for _, part := range strings.Split(text, ";") {
			st, err := s.Prepare(part)
			var e *sql.Error
			if err != nil && (!errors.As(err, &e) || e.Code == sql.OK || e.Offset > len(part)) {
				t.Fatalf("%q: %v", part, err)
			}
			if err == nil {
				list = append(list, st)
			}
		}
		db := NewDB(s, Options{Sessions: 2})
		var r Result
		for i, st := range list {
			if session := i % 2; !db.sessions[session].waits() {
				db.Exec(1, session, st, make([]sql.Value, len(st.Arguments)), &r)
			}
			for _, ok := db.Next(&r); ok; _, ok = db.Next(&r) {
			}
		}
		db.Disconnect(2, 0)
		db.Disconnect(2, 1)
		db.requireSound(t)
	})
}
