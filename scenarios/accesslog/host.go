package accesslog

import "bytes"

// isName reports whether a word has only what names of hosts, and IPv4 addresses, have.
func isName(b []byte) bool {
	for _, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c >= 'A' && c <= 'Z' || c == '_') {
			return false
		}
	}
	return len(b) > 0
}

// isHost reports whether a word can be a client: an address or a name of a host, perhaps
// with a port, or what nginx writes of a Unix socket. A number with a colon before an
// address, as grep -n puts it there, or the name of a file is none.
func isHost(b []byte) bool {
	return isName(b) || isName(withoutPort(b)) || isIPv6(withoutPort(b)) || string(b) == "unix:"
}

// isAddress reports whether a word is an IP address.
func isAddress(b []byte) bool {
	if isIPv6(b) {
		return true
	}
	dots := 0
	for _, c := range b {
		switch {
		case c == '.':
			dots++
		case !digit(c):
			return false
		}
	}
	return dots == 3
}

// isIPv6 reports whether a word can be an IPv6 address, perhaps with a zone or in brackets.
func isIPv6(b []byte) bool {
	if len(b) > 2 && b[0] == '[' && b[len(b)-1] == ']' {
		b = b[1 : len(b)-1]
	}
	if i := bytes.IndexByte(b, '%'); i > 0 {
		b = b[:i]
	}
	colons, group := 0, 0
	for _, c := range b {
		switch {
		case c == ':':
			colons++
			group = 0
		case c == '.' && colons >= 2 || digit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
			if group++; group > 4 && bytes.IndexByte(b, '.') < 0 {
				return false
			}
		default:
			return false
		}
	}
	return colons >= 2 && colons <= 8
}

// withoutPort is a client without the port of its connection: it is one client however
// often it connects.
func withoutPort(b []byte) []byte {
	i := bytes.LastIndexByte(b, ':')
	if i <= 0 || i == len(b)-1 || b[i-1] != ']' && bytes.IndexByte(b[:i], ':') >= 0 {
		return b
	}
	for _, c := range b[i+1:] {
		if !digit(c) {
			return b
		}
	}
	if b[0] == '[' && b[i-1] == ']' {
		return b[1 : i-1]
	}
	return b[:i]
}
