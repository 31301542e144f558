package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"fencepost/internal/logtext"
	"fencepost/internal/text"
)

// Summary is a log in figures. Used + Late + Malformed + Blank is Lines, less one for
// the header of a table.
type Summary struct {
	Format      string
	Fields      string   // of an object or a table: the time and the key
	Within      []string // what was before each line and taken off, the outermost first
	Gzip        bool
	Lines       int64
	Used        int64
	Malformed   int64
	Blank       int64
	Problems    []Problem // the first three malformed lines
	OutOfOrder  int64     // lines that are before the line that precedes them
	Late        int64     // lines that were left out, since they are before the horizon
	Latest      time.Duration
	Horizon     time.Duration
	Held        int    // lines that are held to be sorted, whatever the horizon
	Crowded     int64  // times that lines were given out before the horizon, since too many were held
	Cut         string // why it ends too early, if it does
	First, Last int64  // times used, in ns since 1970

	header  int64 // number of the line that heads a table
	minutes bool  // every time used is a whole minute
	grain   int64 // the largest of 1s, 100ms, 10ms and so on of which all times used are multiples
}

// Grain is the step in which the times of the log are: a request came up to a step later
// than its time says, or earlier where a server rounds up.
func (s *Summary) Grain() time.Duration {
	const enough = 20 // requests that are hardly all on a whole minute by chance
	if s.minutes && s.Used >= enough {
		return time.Minute
	}
	return time.Duration(s.grain)
}

// LeftOut is how many lines are not in the requests, of how many that should be.
func (s *Summary) LeftOut() (n, of int64) {
	n = s.Late + s.Malformed
	return n, n + s.Used
}

// share is a part in percent, with one decimal.
func share(n, of int64) string {
	tenths := (1000*n + of/2) / of
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}

// refused is the error for a log of which too much is left out, and says what helps.
func (s *Summary) refused() error {
	n, of := s.LeftOut()
	if !logtext.TooMany(n, of) {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d lines (%s) were left out: want at most a tenth", n, of, share(n, of))
	if s.Late > 0 {
		fmt.Fprintf(&b, "\n%d come up to %v after newer lines, which are more than %d lines before them: ", s.Late, s.Latest.Round(time.Second), s.Held)
		if need := s.Latest.Truncate(time.Minute) + time.Minute; need <= MaxHorizon && s.Crowded == 0 {
			fmt.Fprintf(&b, "set the horizon to %v, or sort the log by its times", need)
		} else {
			b.WriteString("raise --memory, or sort the log by its times")
		}
	}
	if s.Malformed > 0 {
		fmt.Fprintf(&b, "\n%d cannot be read as %s", s.Malformed, s.format())
		for _, p := range s.Problems {
			b.WriteString("\n" + p.String())
		}
	}
	return errors.New(b.String())
}

// format is the format with what is around it.
func (s *Summary) format() string {
	format := s.Format
	if s.Fields != "" {
		format += " (" + s.Fields + ")"
	}
	if len(s.Within) > 0 {
		format += " within " + strings.Join(s.Within, " and ")
	}
	return format
}

// Text is the log on one line, and a line for each of the problems.
func (s *Summary) Text(file string) []string {
	format := s.format()
	if s.Gzip {
		format += ", gzip"
	}
	span := time.Duration(s.Last - s.First)
	t := fmt.Sprintf("%s: %s, %s, %s in %v from %s, %d out of order", printable(path.Base(file)), format,
		text.Count(s.Lines, "line"), text.Count(s.Used, "request"), span.Round(time.Second), time.Unix(0, s.First).UTC().Format(time.RFC3339), s.OutOfOrder)
	if s.Crowded > 0 {
		t += fmt.Sprintf(", more than %d within the horizon", s.Held)
	}
	if n, of := s.LeftOut(); n > 0 {
		t += fmt.Sprintf("; %d left out (%s):", n, share(n, of))
		if s.Malformed > 0 {
			t += fmt.Sprintf(" %d malformed", s.Malformed)
		}
		if s.Late > 0 {
			t += fmt.Sprintf(" %d too late (horizon %v)", s.Late, s.Horizon)
		}
	}
	if s.Cut != "" {
		t += "; " + s.Cut
	}
	list := []string{t}
	for _, p := range s.Problems {
		list = append(list, p.String())
	}
	return list
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// excerpt returns the start of a line, fit to be printed.
func excerpt(line []byte) string {
	const most = 80
	end := ""
	if len(line) > most {
		line, end = line[:most], "..."
	}
	return printable(string(line)) + end
}

// printable is a text with a question mark for what a terminal may obey, or is no text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, s)
}
