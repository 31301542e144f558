package accesslog

import (
	"bytes"
	"fmt"
	"slices"
)

// common parses the common and the combined format.
//
// Source: Apache HTTP Server 2.4, "Log Files", section Access Log; nginx,
// ngx_http_log_module, log_format combined.
type common struct {
	key   string
	clock clock
}

func newCommon(key string) *common { return &common{key: key} }

// has is the error for a key that the format does not have.
func (c *common) has(format, key string) error {
	keys := []string{Client, User, Method, Path}
	if format == Combined {
		keys = append(keys, Referer, Agent)
	}
	if slices.Contains(keys, key) {
		return nil
	}
	return fmt.Errorf("key %q: a log in %s format has none: want one of %s", key, format, list(keys))
}

// format is that of a line, "" with a reason if it is none of them.
func (c *common) format(line []byte) (format, reason string) {
	f, reason := c.split(line)
	if reason != "" {
		return "", reason
	}
	if _, ok := header(f.headers, true); ok {
		return Combined, ""
	}
	return Common, ""
}

// fields are the parts of a line.
type fields struct {
	at      int64
	client  []byte
	names   []byte // ident and user
	request []byte // within its quotes
	headers []byte // what follows the number of bytes
}

// split takes a line apart.
func (c *common) split(line []byte) (f fields, reason string) {
	space := bytes.IndexByte(line, ' ')
	if space <= 0 {
		return f, "no client"
	}
	f.client = line[:space]
	rest := line[space:]
	f.names = rest
	for {
		i := bytes.IndexByte(rest, '[')
		if i < 0 || len(rest) < i+stampLength+2 {
			if reason == "" {
				reason = "no time such as [17/May/2015:10:05:03 +0000]"
			}
			return f, reason
		}
		rest = rest[i+1:]
		if rest[stampLength] == ']' {
			if f.at, reason = c.clock.common(rest[:stampLength]); reason == "" {
				break
			}
		} // else the name of a user has a bracket
	}
	f.names = f.names[:len(f.names)-len(rest)-1]
	rest = rest[stampLength+1:]
	if len(rest) < 3 || rest[0] != ' ' || rest[1] != '"' {
		return f, "no request in quotes"
	}
	return f, f.tail(rest[2:])
}

// tail takes apart what follows the first quote. Some servers leave quotes within the
// request as they are, so it ends where a quote is followed by a status.
func (f *fields) tail(rest []byte) (reason string) {
	for end := 0; ; end++ {
		i := bytes.IndexByte(rest[end:], '"')
		if i < 0 {
			return "no status after the request"
		}
		end += i
		if after := rest[end+1:]; isStatus(after) {
			f.request = rest[:end]
			f.headers = after[4:]
			if i := bytes.IndexByte(f.headers[1:], ' '); i >= 0 { // the number of bytes
				f.headers = f.headers[1+i:]
			} else {
				f.headers = nil
			}
			return ""
		}
	}
}

// isStatus reports whether a text begins with one of three digits between spaces.
func isStatus(b []byte) bool {
	return len(b) >= 6 && b[0] == ' ' && b[4] == ' ' && digit(b[1]) && digit(b[2]) && digit(b[3])
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// parse implements parser.
func (c *common) parse(line []byte) (at int64, key []byte, reason string) {
	f, reason := c.split(line)
	if reason != "" {
		return 0, nil, reason
	}
	ok := true
	switch c.key {
	case Client:
		key = f.client
	case User:
		key, ok = f.user()
	case Method:
		key, _, _ = bytes.Cut(f.request, []byte(" "))
	case Path:
		key = f.path()
	case Referer:
		key, ok = header(f.headers, false)
	case Agent:
		key, ok = header(f.headers, true)
	}
	if !ok {
		return 0, nil, "it has no " + c.key
	}
	return f.at, key, ""
}

// user is what follows the ident; a name may have spaces.
func (f *fields) user() ([]byte, bool) {
	_, user, ok := bytes.Cut(bytes.TrimSpace(f.names), []byte(" "))
	return user, ok
}

// path is the second word of the request without its query, or all of a request that
// is no HTTP, such as "-" or the begin of a TLS handshake.
func (f *fields) path() []byte {
	_, target, ok := bytes.Cut(f.request, []byte(" "))
	if !ok {
		return f.request
	}
	if i := bytes.LastIndexByte(target, ' '); i >= 0 {
		target = target[:i]
	}
	if i := bytes.IndexByte(target, '?'); i >= 0 {
		target = target[:i]
	}
	return target
}

// header is the first or second text in quotes; a quote within it has a backslash.
func header(b []byte, second bool) ([]byte, bool) {
	text, rest, ok := inQuotes(b)
	if ok && second {
		text, _, ok = inQuotes(rest)
	}
	return text, ok
}

func inQuotes(b []byte) (text, rest []byte, ok bool) {
	if len(b) < 3 || b[0] != ' ' || b[1] != '"' {
		return nil, nil, false
	}
	b = b[2:]
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return b[:i], b[i+1:], true
		}
	}
	return nil, nil, false
}
