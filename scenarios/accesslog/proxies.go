package accesslog

import "bytes"

// envoy parses the format that Envoy writes by default, and that of Istio. The client is
// the first of X-Forwarded-For: the address of the connection is not in the line.
//
// Source: Envoy, "Access logging", Default Format String; Istio, "Envoy Access Logs".
type envoy struct {
	key   string
	clock clock
}

// parse implements parser.
func (e *envoy) parse(line []byte) (at int64, key []byte, reason string) {
	end := bytes.IndexByte(line, ']')
	if end < 0 || line[0] != '[' {
		return 0, nil, "no time such as [2026-03-01T07:00:01.250Z]"
	}
	if at, reason = e.clock.rfc3339(line[1:end]); reason != "" {
		return 0, nil, reason
	}
	f := fields{}
	if len(line) < end+4 || line[end+1] != ' ' || line[end+2] != '"' {
		return 0, nil, "no request in quotes"
	}
	rest := line[end+3:]
	if bytes.Contains(rest, []byte(`Z] "`)) {
		return 0, nil, twoOnALine
	}
	if end = bytes.Index(rest, []byte(`" `)); end < 0 {
		return 0, nil, "no status after the request"
	}
	f.request = rest[:end]
	numbers, quoted, ok := bytes.Cut(rest[end+2:], []byte(` "`))
	words := bytes.Count(numbers, []byte(" ")) + 1
	if ok && words == 4 { // of Istio: a reason in quotes, and then the numbers
		if i := bytes.IndexByte(quoted, '"'); i >= 0 {
			numbers, quoted, ok = bytes.Cut(bytes.TrimPrefix(quoted[i+1:], []byte(" ")), []byte(` "`))
			words = bytes.Count(numbers, []byte(" ")) + 3
		}
	}
	if !ok || words != 6 && words != 7 {
		return 0, nil, "no X-Forwarded-For after status, flags, bytes and times"
	}
	forwarded, rest, ok := bytes.Cut(quoted, []byte(`"`))
	agent, _, ok2 := inQuotes(rest)
	if !ok || !ok2 {
		return 0, nil, "no user agent in quotes"
	}
	switch e.key {
	case Client:
		forwarded, _, _ = bytes.Cut(forwarded, []byte(","))
		if key = withoutPort(bytes.TrimSpace(forwarded)); !isHost(key) || string(key) == "-" {
			return 0, nil, "its X-Forwarded-For is no address"
		}
	case Method:
		key, _, _ = bytes.Cut(f.request, []byte(" "))
	case Path:
		key = f.path()
	case Agent:
		key = agent
	}
	return at, key, ""
}

var envoyKeys = []string{Client, Method, Path, Agent}

// balancer parses the log of an Application Load Balancer.
//
// Source: AWS, "Access logs for your Application Load Balancer", section Access log entries.
type balancer struct {
	key   string
	clock clock
}

// parse implements parser.
func (l *balancer) parse(line []byte) (at int64, key []byte, reason string) {
	kind, rest, ok := word(line)
	if !ok {
		return 0, nil, "no type of request"
	}
	switch string(kind) {
	case "http", "https", "h2", "grpcs", "ws", "wss":
	default:
		return 0, nil, "no type of request such as https"
	}
	stamp, rest, ok := word(rest)
	if !ok {
		return 0, nil, noTime
	}
	if at, reason = l.clock.rfc3339(stamp); reason != "" {
		return 0, nil, reason
	}
	_, rest, ok = word(rest)
	client, rest, ok2 := word(rest)
	if !ok || !ok2 || !isHost(client) {
		return 0, nil, noClient
	}
	_, quoted, ok := bytes.Cut(rest, []byte(` "`))
	request, rest, ok2 := bytes.Cut(quoted, []byte(`"`))
	agent, _, ok3 := inQuotes(rest)
	if !ok || !ok2 || !ok3 {
		return 0, nil, "no request and user agent in quotes"
	}
	switch f := (fields{request: request}); l.key {
	case Client:
		key = withoutPort(client)
	case Method:
		key, _, _ = bytes.Cut(request, []byte(" "))
	case Path:
		key = f.path() // with the host
	case Agent:
		key = agent
	}
	return at, key, ""
}
