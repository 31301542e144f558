package accesslog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// object parses a log of JSON objects, one a line. Which fields are the time and the key
// is found from their names, those of nginx as people set them, Caddy, Traefik, Envoy;
// they may be in an object within the object. The key may be any other field by its name,
// with dots between the names of objects.
//
// Source: nginx, ngx_http_log_module, escape=json; Caddy, "log" directive, and its
// modules http.log.access; Traefik, "Access logs", available fields; Envoy, "Access
// logging", format dictionaries.
type object struct {
	scan   scanner // want[0] is the time, want[1] the key
	client bool    // the key is a client
	path   bool    // the key is a target with a query
	clock  clock
}

// Names of fields, the best first.
var (
	objectTimes = []string{"StartUTC", "StartLocal", "start_time", "time_iso8601", "@timestamp", "timestamp", "msec", "ts", "time_local",
		"time", "datetime", "event_datetime", "timestamp_iso8601", "requestTime", "date", "epoch", "when_iso"}
	objectKeys = map[string][]string{
		Client: {"client_ip", "clientip", "ClientHost", "client", "remote_addr", "remote_ip", "remoteIp", "downstream_remote_address", "ClientAddr",
			"client_addr", "client_address", "remote_host", "remote_address", "remote", "ip", "source_ip", "src_ip"},
		User:    {"remote_user", "user_id", "ClientUsername", "user"},
		Method:  {"request_method", "RequestMethod", "method", "verb"},
		Path:    {"request_uri", "RequestPath", "uri", "path", "request_path", "url"},
		Referer: {"http_referer", "http_referrer", "referer", "referrer", "request_Referer", "Referer"},
		Agent:   {"http_user_agent", "user_agent", "request_User-Agent", "agent", "User-Agent"},
	}
)

// others are objects whose addresses are not the client's.
var others = []string{"agent", "backend", "dest", "destination", "dst", "host", "local", "observer", "server", "upstream"}

// newObject returns what parses lines like this one, nil if it is no object with a time
// and, for the client, an address. It is an error if it has no such key.
func newObject(line []byte, key string) (*object, error) {
	var fields map[string]any
	if json.Unmarshal(line, &fields) != nil {
		return nil, nil
	}
	var names []string
	list(fields, "", 3, &names)
	slices.Sort(names)
	at := named(names, objectTimes)
	if at == "" || key == Client && named(names, objectKeys[key]) == "" {
		return nil, nil
	}
	o := &object{client: key == Client, path: key == Path}
	field := named(names, objectKeys[key])
	if field == "" && slices.Contains(names, key) {
		field = key
	}
	if field == "" {
		return nil, fmt.Errorf("key %q: the lines have no such field: want one of %s", key, listed(names))
	}
	o.scan.want = [2][]string{strings.Split(at, "."), strings.Split(field, ".")}
	if _, _, reason := o.parse(line); reason != "" && o.client {
		return nil, nil
	}
	return o, nil
}

// list collects the names of the fields that are texts, numbers, or lists.
func list(fields map[string]any, within string, depth int, into *[]string) {
	for name, v := range fields {
		if strings.Contains(name, ".") {
			continue
		}
		switch v := v.(type) {
		case map[string]any:
			if depth > 1 {
				list(v, within+name+".", depth-1, into)
			}
		case string, float64, []any:
			*into = append(*into, within+name)
		}
	}
}

// named is the first of the wanted names that is there, at the top rather than within.
func named(names, wanted []string) string {
	for _, w := range wanted {
		if slices.Contains(names, w) {
			return w
		}
	}
	for _, w := range wanted {
		for _, name := range names {
			within, ok := strings.CutSuffix(name, "."+w)
			if ok && !slices.Contains(others, within[strings.LastIndexByte(within, '.')+1:]) {
				return name
			}
		}
	}
	return ""
}

// parse implements parser.
func (o *object) parse(line []byte) (at int64, key []byte, reason string) {
	if !o.scan.line(line) {
		return 0, nil, "not an object in JSON"
	}
	if !o.scan.text(0) {
		return 0, nil, "it has no " + strings.Join(o.scan.want[0], ".")
	}
	if !o.scan.text(1) {
		return 0, nil, "it has no " + strings.Join(o.scan.want[1], ".")
	}
	if at, reason = o.clock.any(o.scan.got[0], 0); reason != "" {
		return 0, nil, reason
	}
	key = o.scan.got[1]
	switch {
	case o.client:
		first, _, _ := bytes.Cut(key, []byte(",")) // of X-Forwarded-For
		if key = withoutPort(bytes.TrimSpace(first)); !isHost(key) {
			return 0, nil, "its " + strings.Join(o.scan.want[1], ".") + " is no address"
		}
	case o.path:
		key, _, _ = bytes.Cut(key, []byte("?"))
	}
	return at, key, ""
}

// scanner takes two fields out of an object without reading it into memory.
type scanner struct {
	want [2][]string // the names of objects, and of the field in the last
	got  [2][]byte   // as they are in the line, then without quotes and escapes
	has  [2]bool
	room [2][]byte
}

const maxDepth = 32

// line reports whether a line is one object.
func (s *scanner) line(b []byte) bool {
	s.has = [2]bool{}
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	i, ok := s.object(b, 0, 0, 3)
	return ok && space(b, i) == len(b)
}

// space is where the next byte is that is no space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// object goes over the object at i, whose fields may be those of live, and returns where it
// ends.
func (s *scanner) object(b []byte, i, depth int, live uint8) (int, bool) {
	if i = space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1, true
	}
	for {
		end, ok := quoted(b, i)
		if !ok {
			return 0, false
		}
		name := b[i+1 : end-1]
		if i = space(b, end); i >= len(b) || b[i] != ':' {
			return 0, false
		}
		match := uint8(0)
		for k := range s.want {
			if live>>k&1 != 0 && depth < len(s.want[k]) && string(name) == s.want[k][depth] {
				match |= 1 << k
			}
		}
		i = space(b, i+1)
		if end, ok = s.value(b, i, depth, match); !ok {
			return 0, false
		}
		for k := range s.want {
			if match>>k&1 != 0 && depth == len(s.want[k])-1 {
				s.got[k], s.has[k] = b[i:end], true
			}
		}
		if i = space(b, end); i >= len(b) {
			return 0, false
		}
		if b[i] == '}' {
			return i + 1, true
		}
		if b[i] != ',' {
			return 0, false
		}
		i = space(b, i+1)
	}
}

// value goes over the value at i.
func (s *scanner) value(b []byte, i, depth int, match uint8) (int, bool) {
	if i >= len(b) || depth > maxDepth {
		return 0, false
	}
	switch b[i] {
	case '"':
		return quoted(b, i)
	case '{':
		return s.object(b, i, depth+1, match)
	case '[':
		return s.array(b, i, depth)
	}
	start := i
	for i < len(b) && (digit(b[i]) || b[i] >= 'a' && b[i] <= 'z' || b[i] == '-' || b[i] == '+' || b[i] == '.' || b[i] == 'E') {
		i++
	}
	return i, i > start
}

func (s *scanner) array(b []byte, i, depth int) (int, bool) {
	if i = space(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1, true
	}
	for {
		end, ok := s.value(b, i, depth+1, 0)
		if !ok {
			return 0, false
		}
		if i = space(b, end); i >= len(b) {
			return 0, false
		}
		if b[i] == ']' {
			return i + 1, true
		}
		if b[i] != ',' {
			return 0, false
		}
		i = space(b, i+1)
	}
}

// quoted is where the text in quotes at i ends.
func quoted(b []byte, i int) (int, bool) {
	if i >= len(b) || b[i] != '"' {
		return 0, false
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1, true
		case '\\':
			i++
		}
	}
	return 0, false
}

// text makes a field the text that it stands for, and reports whether it is a text or a
// number; of a list it is the first.
func (s *scanner) text(k int) bool {
	if !s.has[k] {
		return false
	}
	b := s.got[k]
	if b[0] == '[' {
		i := space(b, 1)
		end, ok := s.value(b, i, maxDepth, 0)
		if !ok {
			return false
		}
		b = b[i:end]
	}
	switch {
	case digit(b[0]) || b[0] == '-':
		s.got[k] = b
	case b[0] != '"':
		return false
	case bytes.IndexByte(b, '\\') < 0:
		s.got[k] = b[1 : len(b)-1]
	default:
		s.room[k] = unescape(s.room[k][:0], b[1:len(b)-1])
		s.got[k] = s.room[k]
	}
	return true
}

// unescape appends a text without its escapes.
func unescape(to, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			to = append(to, b[i])
			continue
		}
		i++
		if at := strings.IndexByte("bfnrt", b[i]); at >= 0 {
			to = append(to, "\b\f\n\r\t"[at])
			continue
		}
		r, ok := hex4(b[i:])
		if !ok {
			to = append(to, b[i]) // itself: a quote, a backslash, a slash
			continue
		}
		if i += 4; utf16.IsSurrogate(r) && i+2 < len(b) && b[i+1] == '\\' {
			if low, ok := hex4(b[i+2:]); ok {
				r = utf16.DecodeRune(r, low)
				i += 6
			}
		}
		to = utf8.AppendRune(to, r)
	}
	return to
}

// hex4 reads u and four digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 5 || b[0] != 'u' {
		return 0, false
	}
	for _, c := range b[1:5] {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if d < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}
