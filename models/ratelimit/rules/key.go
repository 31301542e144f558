package rules

import (
	"strconv"
	"time"
)

// AppendKey appends the name of the counter at a time: the domain, the entries and the
// begin of the window, joined by underscores. It is not injective: ("a", "1_b_2") and
// ("a", "1")("b", "2") count together.
//
// The time is what the limiter's own clock says, in whole seconds since 1970: limiters
// whose clocks differ use different counters around a boundary. What the entries are
// called is part of the name: a key that is renamed begins with a fresh quota.
func (m *Match) AppendKey(dst []byte, unix int64) []byte {
	dst = append(append(dst, m.Domain...), '_')
	for _, e := range m.Entries {
		dst = append(append(dst, e.Key...), '_')
		dst = append(append(dst, e.Value...), '_')
	}
	return strconv.AppendInt(dst, m.WindowStart(unix), 10)
}

// WindowStart is the start of the window of the limit that a time falls into, in seconds
// since 1970; 0 of a limit that is unlimited.
func (m *Match) WindowStart(unix int64) int64 {
	length := int64(m.Limit.Unit.Length() / time.Second)
	if length == 0 {
		return 0
	}
	rest := unix % length
	if rest < 0 {
		rest += length
	}
	return unix - rest
}
