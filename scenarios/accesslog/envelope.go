package accesslog

import "bytes"

// An envelope is what a logger or a container puts before or around each line of a log.
type envelope struct {
	name  string
	strip func(e *envelope, line []byte) (rest []byte, ok bool)

	scan scanner // of docker json-file
}

// envelopes are tried in this order where a line is of no format as it is.
//
// Source: RFC 3164, sections 4.1.1 to 4.1.3; RFC 5424, section 6; journalctl(1), output
// modes short and short-iso; Kubernetes, "Logging Architecture", and CRI, "container log
// format"; Docker, json-file logging driver, and docker logs --timestamps; Apache HTTP
// Server 2.4, mod_log_config, vhost_combined as in Debian's apache2.conf.
var envelopes = []envelope{
	{name: "docker json-file", strip: (*envelope).dockerJSON},
	{name: "syslog", strip: func(_ *envelope, b []byte) ([]byte, bool) { return syslog(b) }},
	{name: "CRI", strip: func(_ *envelope, b []byte) ([]byte, bool) { return cri(b) }},
	{name: "timestamps", strip: func(_ *envelope, b []byte) ([]byte, bool) { return timestamps(b) }},
	{name: "docker compose", strip: func(_ *envelope, b []byte) ([]byte, bool) { return compose(b) }},
	{name: "kubectl --prefix", strip: func(_ *envelope, b []byte) ([]byte, bool) { return pod(b) }},
	{name: "virtual host", strip: func(_ *envelope, b []byte) ([]byte, bool) { return virtualHost(b) }},
}

// maxEnvelopes is how many there may be around each other.
const maxEnvelopes = 3

// word cuts the first word off.
func word(b []byte) (first, rest []byte, ok bool) {
	i := bytes.IndexByte(b, ' ')
	if i <= 0 {
		return nil, nil, false
	}
	return b[:i], b[i+1:], true
}

// isStamp reports whether a word is a time such as 2026-03-01T07:00:01.123456789Z.
func isStamp(b []byte) bool {
	return len(b) >= 20 && len(b) <= 35 && b[4] == '-' && b[7] == '-' && b[10] == 'T' && b[13] == ':' && b[16] == ':' && digit(b[0]) && digit(b[18])
}

func timestamps(line []byte) ([]byte, bool) {
	stamp, rest, ok := word(line)
	return rest, ok && isStamp(stamp)
}

// cri is a time, the stream and F for a full line; a part of a line is none.
func cri(line []byte) ([]byte, bool) {
	rest, ok := timestamps(line)
	if !ok || !bytes.HasPrefix(rest, []byte("stdout F ")) && !bytes.HasPrefix(rest, []byte("stderr F ")) {
		return nil, false
	}
	return rest[len("stdout F "):], true
}

// syslog is "<PRI>", which a file does not have, a time as in 3164 or 3339, perhaps a host,
// and a tag with a colon; or all that 5424 wants.
func syslog(line []byte) ([]byte, bool) {
	if len(line) > 5 && line[0] == '<' {
		i := bytes.IndexByte(line[:5], '>')
		if i < 2 || !digit(line[1]) {
			return nil, false
		}
		if line = line[i+1:]; bytes.HasPrefix(line, []byte("1 ")) {
			return syslog5424(line[2:])
		}
	}
	rest, ok := timestamps(line)
	if !ok {
		if len(line) < 17 || month(line[:3]) == 0 || line[3] != ' ' || line[6] != ' ' || line[9] != ':' || line[12] != ':' {
			return nil, false
		}
		if _, rest, ok = word(line[13:]); !ok { // seconds, perhaps with decimals
			return nil, false
		}
	}
	for range 2 {
		var w []byte
		if w, rest, ok = word(rest); !ok {
			return nil, false
		}
		if w[len(w)-1] == ':' {
			return rest, true
		}
	}
	return nil, false
}

// syslog5424 is what follows the version: time, host, app, process, message id, data.
func syslog5424(b []byte) ([]byte, bool) {
	for range 5 {
		var ok bool
		if _, b, ok = word(b); !ok {
			return nil, false
		}
	}
	if bytes.HasPrefix(b, []byte("- ")) {
		return bytes.TrimPrefix(b[2:], []byte("\ufeff")), true
	}
	for len(b) > 0 && b[0] == '[' {
		quoted, i := false, 1
		for ; i < len(b) && (quoted || b[i] != ']'); i++ {
			switch b[i] {
			case '\\':
				i++
			case '"':
				quoted = !quoted
			}
		}
		if i >= len(b) {
			return nil, false
		}
		if b = b[i+1:]; len(b) > 0 && b[0] == ' ' {
			return bytes.TrimPrefix(b[1:], []byte("\ufeff")), true
		}
	}
	return nil, false
}

// compose is the name of a service, blanks, and a bar.
func compose(line []byte) ([]byte, bool) {
	name, rest, ok := word(line)
	if !ok || len(name) > 100 || !isName(name) {
		return nil, false
	}
	return bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte("| "))
}

func pod(line []byte) ([]byte, bool) {
	if !bytes.HasPrefix(line, []byte("[pod/")) {
		return nil, false
	}
	_, rest, ok := bytes.Cut(line, []byte("] "))
	return rest, ok
}

// virtualHost is the name of a host, or anything with a port, before the client. An
// address alone is none, and what two dashes follow: it may as well be the client.
func virtualHost(line []byte) ([]byte, bool) {
	host, rest, ok := word(line)
	if !ok || !isHost(host) || isAddress(host) || host[0] == '-' {
		return nil, false
	}
	client, after, ok := word(rest)
	return rest, ok && isHost(client) && bytes.HasPrefix(after, []byte("- ")) && !bytes.HasPrefix(after, []byte("- ["))
}

// dockerJSON is an object whose log is the line.
func (e *envelope) dockerJSON(line []byte) ([]byte, bool) {
	if len(line) < 2 || line[0] != '{' {
		return nil, false
	}
	if e.scan.want[0] == nil {
		e.scan.want = [2][]string{{"log"}, {"stream"}}
	}
	if !e.scan.line(line) || !e.scan.text(0) || !e.scan.text(1) {
		return nil, false
	}
	return bytes.TrimRight(e.scan.got[0], "\r\n"), true
}

// unquoted is a line without the quotes around the whole of it, with two quotes within
// made one where all come in twos.
func unquoted(line []byte) []byte {
	if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' {
		return line
	}
	line = line[1 : len(line)-1]
	if n := bytes.Count(line, []byte(`"`)); n > 0 && 2*bytes.Count(line, []byte(`""`)) == n {
		return bytes.ReplaceAll(line, []byte(`""`), []byte(`"`))
	}
	return line
}
