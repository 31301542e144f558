package linear

import (
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
	MaxOps  = 1_000_000 // operations in a history
)

// The formats. In the first two an event is a call or a return, and instants are the
// numbers of lines, or of events where a line has several; a client calls its next
// operation when it knows the outcome of the last one, or that it will never know.
const (
	// Jepsen is the text log of Jepsen, with or without its logger; lines of other
	// loggers are left out.
	//
	//	INFO  jepsen.util - 3	:invoke	:cas	[1 2]
	//	INFO  jepsen.util - 3	:fail	:cas	[1 2]
	Jepsen = "jepsen"
	// EDN is a map for each event, which may have other keys as well. The maps stand
	// one after the other, or in one vector or list, and may have the tag of a record.
	//
	//	{:process 3, :type :invoke, :f :append, :key "x", :value "a"}
	//	[#jepsen.history.Op{:process 3, :type :invoke, :f :read, :value [7 nil]} ...]
	EDN = "edn"
	// JSON is an object for each operation, with its two instants, one after the other
	// or in one array; [WriteJSON] writes it.
	//
	//	{"client":3,"op":"write","value":"7","call":10,"return":20}
	JSON = "json"
)

// Formats lists them.
func Formats() []string { return []string{Jepsen, EDN, JSON} }

// Options say what a file is, if that is not to be found out.
type Options struct {
	Format string // one of [Formats]; "" is as the first event looks
	Model  Model  // 0 is the one that has the first operation: read is of a register, get of a store

	// Mismatch says of the producer of the file that its :fail of a cas, with the two
	// values and no reason, says that the cas found another value. Without it :fail
	// says what it says in Jepsen: that the operation did not happen, and no more.
	Mismatch bool
	// Independent says that each value is a pair of a key and a value, as of
	// jepsen.independent. Without it that is found out where a read or a cas shows it.
	Independent bool
}

// File is what [Load] finds. Of Events and of lines each is an event of an operation, or
// Ignored, or Unread, or blank, or a comment.
type File struct {
	History
	Format  string // one of [Formats]
	Events  int    // calls and returns; in [JSON] operations
	Ignored int    // lines of other loggers, and events of the nemesis
	Unread  int    // lines of a log that are neither; at most a tenth
	Note    string // what looks wrong and is not refused, "" if nothing does
}

// Error is what is wrong in a file.
type Error struct {
	File         string
	Line, Column int // from 1; a column counts bytes
	Message      string
}

// Error returns "file:line:column: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// A misfit is an [Error] before its place is known as line and column.
type misfit struct {
	offset  int // in the text
	message string
}

// Error returns the message.
func (m *misfit) Error() string { return m.message }

// at is an error about what stands at an offset of the text.
func at(offset int, format string, args ...any) error {
	return &misfit{offset, fmt.Sprintf(format, args...)}
}

// Load reads a history. An operation that has no return when the history ends is open.
//
// What is wrong is an [Error] that says what was wanted instead, with the name as that of
// the file. It is an error too if there is no operation, or more than the limits.
func Load(src io.Reader, name string, o Options) (*File, error) {
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, fmt.Errorf("format: want %s, got %q", strings.Join(Formats(), ", "), o.Format)
	}
	text, err := readText(src, MaxSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r := newReader(text, o)
	if err := r.readAll(); err != nil {
		if m := (*misfit)(nil); errors.As(err, &m) {
			line, column := position(r.text, m.offset)
			return nil, &Error{name, line, column, m.message}
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{History: History{Model: r.model, Ops: r.ops}, Format: r.format, Events: r.events, Ignored: r.ignored, Unread: r.unread}
	f.Note = farAway(f.Ops)
	return f, nil
}

func readText(src io.Reader, most int64) (string, error) {
	var text strings.Builder
	switch n, err := io.Copy(&text, io.LimitReader(src, most+1)); {
	case err != nil:
		return "", err
	case n > most:
		return "", fmt.Errorf("want at most %d bytes, got more", most)
	}
	return text.String(), nil
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

// A reader makes operations of the text of a file.
type reader struct {
	pairing
	format  string
	ignored int
	unread  int
	loose   bool // the last event ends with a value whose end only the end of the line shows
}

func newReader(text string, o Options) *reader {
	r := &reader{format: o.Format, pairing: pairing{
		text: strings.TrimPrefix(text, "\ufeff"), model: o.Model, mismatch: o.Mismatch, open: map[int]int{}, line: 1,
	}}
	if o.Independent {
		r.values.keying = pairs
	}
	return r
}

var errNoOperation = errors.New(`want a history, got no operation. Lines of one look like
  INFO  jepsen.util - 3 :invoke :write 7
  {:process 3, :type :invoke, :f :append, :key "x", :value "a"}
  {"client":3,"op":"write","value":"7","call":10,"return":20}`)

func (r *reader) readAll() error {
	if i := strings.IndexByte(r.text, 0); i >= 0 {
		return at(i, "want text, got a zero byte")
	}
	if r.format == "" {
		r.format = formatOf(r.text)
	}
	var err error
	switch r.format {
	case JSON:
		err = r.readJSON()
	case EDN:
		err = r.readEDN()
	default:
		err = r.readLog()
	}
	switch {
	case err != nil:
		return err
	case r.model == Lease && r.format != JSON:
		return errors.New("want json of a lease: the instants of other formats are numbers of lines")
	case len(r.ops) == 0:
		return errNoOperation
	case r.format == JSON:
		return nil
	}
	r.numberByLine()
	return r.values.settled()
}

// formatOf returns the format of a text. A log starts with anything but a bracket and a
// comment; that the rest is of the same format is for the reader of the format to see.
func formatOf(text string) string {
	s := &scanner{text: text, end: "file"}
	for s.space(); s.pos < len(text) && (text[s.pos] == '[' || text[s.pos] == '('); s.space() {
		s.pos++
	}
	switch {
	case s.pos == len(text) || text[s.pos] != '{':
	case strings.HasPrefix(strings.TrimLeft(text[s.pos+1:], " \t\r\n"), `"`):
		return JSON
	default:
		return EDN
	}
	if s.pos < len(text) && text[s.pos] == '#' {
		return EDN
	}
	return Jepsen
}

// position returns the line and the column of an offset, both from 1. Lines end with CR,
// LF or both.
func position(text string, offset int) (line, column int) {
	line, start := 1, 0
	for {
		next := lineEnd(text, start)
		if next > offset || next == len(text) {
			return line, offset - start + 1
		}
		line, start = line+1, next
	}
}

// lineEnd returns where the line that starts at an offset ends, behind its CR, LF or both.
func lineEnd(text string, from int) int {
	i := strings.IndexAny(text[from:], "\r\n")
	switch {
	case i < 0:
		return len(text)
	case strings.HasPrefix(text[from+i:], "\r\n"):
		return from + i + 2
	}
	return from + i + 1
}

// farAway says which operation lies so far from all others that its instants are hardly
// of the same clock: a thousand times as far as those lie apart.
func farAway(ops []Op) string {
	if len(ops) < 3 {
		return ""
	}
	calls := make([]int64, len(ops))
	for i := range ops {
		calls[i] = ops[i].Call
	}
	slices.Sort(calls)
	last := len(calls) - 1
	far := func(gap, rest uint64) bool { return rest > 0 && gap/1000 > rest }
	between := func(i, j int) uint64 { return uint64(calls[j]) - uint64(calls[i]) }
	odd := calls[last]
	switch {
	case far(between(last-1, last), between(0, last-1)):
	case far(between(0, 1), between(1, last)):
		odd = calls[0]
	default:
		return ""
	}
	i := slices.IndexFunc(ops, func(o Op) bool { return o.Call == odd })
	return fmt.Sprintf("the %v lies more than a thousand times as far from the others as those lie apart", &ops[i])
}
