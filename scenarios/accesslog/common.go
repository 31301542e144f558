package accesslog

import "bytes"

// common parses the common and the combined format.
//
// Source: Apache HTTP Server 2.4, "Log Files", section Access Log; nginx,
// ngx_http_log_module, log_format combined.
type common struct {
	key   string
	clock clock
}

// keys are the parts of a line that it can be keyed by, all of them or those without headers.
func commonKeys(headers bool) []string {
	if headers {
		return []string{Client, User, Method, Path, Referer, Agent}
	}
	return []string{Client, User, Method, Path}
}

// hasHeaders reports whether a line is of the combined format.
func (c *common) hasHeaders(line []byte) bool {
	f, reason := c.split(line)
	_, ok := header(f.headers, true)
	return reason == "" && ok
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
	rest := line
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
	if reason = f.head(line[:len(line)-len(rest)-1]); reason != "" {
		return f, reason
	}
	rest = rest[stampLength+1:]
	if len(rest) < 3 || rest[0] != ' ' || rest[1] != '"' {
		return f, "no request in quotes"
	}
	if joined(rest) {
		return f, twoOnALine
	}
	return f, f.tail(rest[2:])
}

const twoOnALine = "another request begins on the same line"

// joined reports whether a second time and quote follow: two writers shared a line. Within a
// header a quote has a backslash.
func joined(b []byte) bool {
	i := bytes.Index(b, []byte(`] "`))
	return i > stampLength && b[i-stampLength-1] == '[' && b[i-stampLength+2] == '/' && b[i-stampLength+6] == '/'
}

// The reasons why what stands before the time is not the client and its names.
const (
	noClient = "no client before the time"
	noHost   = "what stands first is no client: want an address or the name of a host"
	tooMuch  = "more stands before the time than client, ident and user"
)

// head takes apart what is before the time: client, ident, user, and nothing else. The
// client is not whatever stands first: a logger or a virtual host may. A user may have
// spaces, but none of its words is a dash or an address, which would be the client. Of
// several clients with commas between, as X-Forwarded-For has them, it is the first.
func (f *fields) head(b []byte) (reason string) {
	var ok bool
	if f.client, f.names, ok = word(b); !ok {
		return noClient
	}
	last := f.client
	for last[len(last)-1] == ',' {
		f.client = bytes.TrimSuffix(f.client, []byte(","))
		if last, f.names, ok = word(f.names); !ok || !isHost(bytes.TrimSuffix(last, []byte(","))) {
			return noHost
		}
	}
	if !isHost(f.client) {
		return noHost
	}
	if string(f.names) == "- - " {
		return ""
	}
	ident, user, ok := word(f.names)
	if !ok {
		if len(f.names) > 0 {
			return tooMuch
		}
		return "" // neither
	}
	if user = bytes.TrimRight(user, " "); isAddress(ident) || isAddress(user) {
		return tooMuch
	}
	if bytes.IndexByte(user, ' ') < 0 {
		return ""
	}
	if string(ident) != "-" {
		return tooMuch
	}
	for more := true; more; {
		var w []byte
		w, user, more = bytes.Cut(user, []byte(" "))
		if string(w) == "-" || isAddress(w) {
			return tooMuch
		}
	}
	return ""
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
		if after := rest[end+1:]; isStatus(after) || isAborted(after) {
			f.request = rest[:end]
			_, f.headers, _ = bytes.Cut(after[1:], []byte(" "))
			f.headers = after[len(after)-len(f.headers)-1:]
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

// isAborted reports whether a text begins with a dash for the status and a number of bytes
// or another dash: the request was made, and its connection ended before the answer.
func isAborted(b []byte) bool {
	return len(b) >= 4 && string(b[:3]) == " - " && (b[3] == '-' || digit(b[3]))
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
		key = withoutPort(f.client)
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
// is no HTTP, such as "-" or the start of a TLS handshake.
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
