package accesslog

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
)

// table parses CSV. Columns are separated by what separates those of the header:
// commas, semicolons or tabs. A cell in quotes does not go over the end of a line.
type table struct {
	separator byte
	columns   int
	at, key   int      // columns
	names     []string // of the two
	want      string   // the key that was asked for
	unit      int64    // of the time, 0 if each value shows it
	clock     clock
	cells     [2][]byte // room for the two that count, without their quotes
}

// Names of columns that are a time; those of keys stand for [Client].
var (
	timeNames   = []string{"time", "timestamp", "@timestamp", "ts", "t", "at", "date", "datetime", "epoch", "unix", "msec", "time_local", "time_iso8601"}
	clientNames = []string{"client", "client_ip", "clientip", "client_addr", "client_address", "ip", "remote_addr", "remote_address", "remote_ip", "remote_host", "remote",
		"addr", "address", "source_ip", "src_ip", "host", "key", "user"}
	timeUnits = []struct {
		suffix string
		unit   time.Duration
	}{{"_ns", 1}, {"_us", time.Microsecond}, {"_ms", time.Millisecond}, {"_s", time.Second}}
)

// newTable returns the table that a line heads, nil if it heads none. It is an error
// if the table has no such key.
func newTable(line []byte, key string) (*table, error) {
	t := &table{separator: ',', at: -1, key: -1, want: key}
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	for _, separator := range []byte("\t;") {
		if bytes.Count(line, []byte{separator}) > bytes.Count(line, []byte{t.separator}) {
			t.separator = separator
		}
	}
	var names []string
	for rest, more := line, true; more; {
		var cell []byte
		var ok bool
		if cell, rest, more, ok = t.cell(rest, nil); !ok || len(names) == MaxColumns {
			return nil, nil
		}
		names = append(names, strings.TrimSpace(string(cell)))
	}
	t.columns = len(names)
	for i, name := range names {
		if unit, ok := timeColumn(strings.ToLower(name)); ok && t.at < 0 && name != key {
			t.at, t.unit = i, unit
		}
	}
	if t.at < 0 || t.columns < 2 {
		return nil, nil
	}
	if t.key = slices.Index(names, key); t.key < 0 && key == Client {
		for _, name := range clientNames {
			if t.key = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) }); t.key >= 0 {
				break
			}
		}
	}
	if t.key < 0 {
		return nil, fmt.Errorf("key %q: the table has no such column: want one of %s", key, listed(names))
	}
	t.names = []string{names[t.at], names[t.key]}
	return t, nil
}

// timeColumn reports whether a column is a time, and the unit that its name gives.
func timeColumn(name string) (unit int64, ok bool) {
	if slices.Contains(timeNames, name) {
		return 0, true
	}
	for _, u := range timeUnits {
		if base, found := strings.CutSuffix(name, u.suffix); found && slices.Contains(timeNames, base) {
			return int64(u.unit), true
		}
	}
	return 0, false
}

// parse implements parser. Where tables have been joined, rows have the columns of the header
// before them; below one without the key no row is read.
func (t *table) parse(line []byte) (at int64, key []byte, reason string) {
	if at, key, reason = t.row(line); reason != "" {
		switch head, err := newTable(line, t.want); {
		case head != nil:
			t.separator, t.columns, t.at, t.key, t.unit = head.separator, head.columns, head.at, head.key, head.unit
			reason = "another header"
		case err != nil:
			t.columns = 0
		}
	}
	return at, key, reason
}

func (t *table) row(line []byte) (at int64, key []byte, reason string) {
	var stamp []byte
	n := 0
	for rest, more := line, true; more; n++ {
		var cell []byte
		var ok bool
		room := &t.cells[0]
		if n == t.key {
			room = &t.cells[1]
		}
		if cell, rest, more, ok = t.cell(rest, room); !ok {
			return 0, nil, "a quote has no end"
		}
		if n == t.at {
			stamp = bytes.TrimSpace(cell)
			if at, reason = t.clock.any(stamp, t.unit); reason != "" {
				return 0, nil, reason
			}
		}
		if n == t.key {
			key = bytes.TrimSpace(cell)
		}
	}
	if n != t.columns {
		return 0, nil, "the number of columns is not that of the header"
	}
	if t.want != Client {
		return at, key, ""
	}
	if len(key) == 0 || string(key) == "-" {
		return 0, nil, "it has no client"
	}
	if address := withoutPort(key); isAddress(address) {
		key = address
	}
	return at, key, ""
}

// cell returns the first cell of a row and what follows it. In quotes, two quotes are
// one, for which there must be room.
func (t *table) cell(b []byte, room *[]byte) (cell, rest []byte, more, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		cell, rest, more = b, nil, false
		if i := bytes.IndexByte(b, t.separator); i >= 0 {
			cell, rest, more = b[:i], b[i+1:], true
		}
		return cell, rest, more, true
	}
	if room == nil {
		room = new([]byte)
	}
	*room = (*room)[:0]
	for b = b[1:]; ; {
		i := bytes.IndexByte(b, '"')
		if i < 0 {
			return nil, nil, false, false
		}
		*room = append(*room, b[:i]...)
		b = b[i+1:]
		switch {
		case len(b) == 0:
			return *room, nil, false, true
		case b[0] == t.separator:
			return *room, b[1:], true, true
		case b[0] == '"':
			*room = append(*room, '"')
			b = b[1:]
		default:
			return nil, nil, false, false
		}
	}
}

// listed is names, which a log may have chosen, in a message.
func listed(names []string) string {
	const most = 20
	if len(names) > most {
		return printable(strings.Join(names[:most], ", ")) + " and others"
	}
	return printable(strings.Join(names, ", "))
}
