package linear

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Limits of [Load].
const (
	MaxSize = 256 << 20 // bytes in a file
	MaxLine = 1 << 20   // bytes in a line
	MaxOps  = 1_000_000 // operations in a history
)

// The formats. In the first two a line is a call or a return, and instants are the
// numbers of lines; a client calls its next operation when it knows the outcome of the
// last one, or that it will never know.
const (
	// Jepsen is the text log of Jepsen; lines of other loggers are left out.
	//
	//	INFO  jepsen.util - 3	:invoke	:cas	[1 2]
	//	INFO  jepsen.util - 3	:fail	:cas	[1 2]
	//
	// A cas that fails with its two values found another one. Whatever fails with
	// anything else failed for some other reason and took no effect.
	Jepsen = "jepsen"
	// EDN is a map on each line, which may have other keys as well; a line that starts
	// with a semicolon is a comment.
	//
	//	{:process 3, :type :invoke, :f :append, :key "x", :value "a"}
	EDN = "edn"
	// JSON is an operation on each line, with its two instants; [WriteJSON] writes it.
	//
	//	{"client":3,"op":"write","value":"7","call":10,"return":20}
	JSON = "json"
)

// Formats lists them.
func Formats() []string { return []string{Jepsen, EDN, JSON} }

// Options say what a file is, if that is not to be found out.
type Options struct {
	Format string // one of [Formats]; "" is as the first line with an operation looks
	Model  Model  // 0 is the one that has the first operation: read is of a register, get of a store
}

// File is what [Load] finds.
type File struct {
	History
	Format  string // one of [Formats]
	Ignored int    // lines of a log that are not about operations, blank ones aside
}

// Error is a mistake in a file.
type Error struct {
	File         string
	Line, Column int // from 1; a column counts bytes
	Message      string
}

// Error returns "file:line:column: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// at is an error whose file and line are added later.
func at(column int, format string, args ...any) error {
	return &Error{Column: column, Message: fmt.Sprintf(format, args...)}
}

// Load reads a history. An operation that has no return when the history ends is open.
//
// Mistakes are an [Error] that says what was wanted instead, with the name as that of
// the file. It is an error too if there is no operation, or more than the limits.
func Load(src io.Reader, name string, o Options) (*File, error) {
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, fmt.Errorf("format: want %s, got %q", strings.Join(Formats(), ", "), o.Format)
	}
	r := &reader{pairing: pairing{model: o.Model, open: map[int]int{}}, format: o.Format}
	if err := r.readAll(src); err != nil {
		if e := (*Error)(nil); errors.As(err, &e) {
			e.File, e.Line = name, r.line
			return nil, e
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{History: History{Model: r.model, Ops: r.ops}, Format: r.format, Ignored: r.ignored}
	return f, nil
}

// LoadFile is [Load] on the file of a path.
func LoadFile(path string, o Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Load(f, path, o)
}

// A reader takes a file line by line.
type reader struct {
	pairing
	line    int
	format  string
	ignored int
	size    int
}

func (r *reader) readAll(src io.Reader) error {
	sc := bufio.NewScanner(src)
	sc.Buffer(nil, MaxLine)
	for sc.Scan() {
		r.line++
		r.size += len(sc.Bytes()) + 1
		if err := r.take(sc.Bytes()); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(sc.Err(), bufio.ErrTooLong):
		r.line++
		return at(1, "want a line of at most %d bytes, got a longer one", MaxLine)
	case sc.Err() != nil:
		return sc.Err()
	case len(r.ops) == 0:
		return errNoOperation
	}
	return nil
}

var errNoOperation = errors.New(`want a history, got no operation. Lines of one look like
  INFO  jepsen.util - 3 :invoke :write 7
  {:process 3, :type :invoke, :f :append, :key "x", :value "a"}
  {"client":3,"op":"write","value":"7","call":10,"return":20}`)

// take reads one line.
func (r *reader) take(line []byte) error {
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return at(i+1, "want text, got a zero byte")
	}
	if r.size > MaxSize {
		return at(1, "want at most %d bytes, got more", MaxSize)
	}
	text := string(line)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if r.format == "" {
		r.format = formatOf(text)
	}
	var err error
	switch r.format {
	case JSON:
		err = r.jsonLine(text)
	case EDN:
		err = r.ednLine(text)
	case Jepsen:
		err = r.jepsenLine(text)
	default:
		if text[0] != ';' { // a comment before the first map of EDN
			r.ignored++
		}
	}
	if err == nil && len(r.ops) > MaxOps {
		err = at(1, "want at most %d operations, got more", MaxOps)
	}
	return err
}

// formatOf returns the format that a line is of, "" if it may be any.
func formatOf(text string) string {
	switch inner, braced := strings.CutPrefix(strings.TrimSpace(text), "{"); {
	case braced && strings.HasPrefix(strings.TrimSpace(inner), ":"):
		return EDN
	case braced:
		return JSON
	case strings.Contains(text, jepsenLogger):
		return Jepsen
	}
	return ""
}
