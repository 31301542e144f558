package rules

import "slices"

// Entry is one step of a request's descriptor, such as (remote_address, 10.0.0.1).
type Entry struct{ Key, Value string }

// Match is the rule that a descriptor counts against.
type Match struct {
	Limit   *Limit
	Domain  string
	Entries []Entry // the descriptor, with the pattern in place of the value where a share_threshold says so
}

// Lookup finds the rule of a descriptor: at each step the entry with its value, else the
// first wildcard of the file that it begins like, else the entry without a value. The
// rule must stand at the depth of the last entry; what is on the way to it does not
// count. Without a rule there is no limit.
func (r *Rules) Lookup(domain string, entries []Entry) (Match, bool) {
	at := r.domains[domain]
	if at == nil {
		return Match{}, false
	}
	m := Match{Domain: domain, Entries: entries}
	for i, e := range entries {
		d, wild := at.find(e)
		if d == nil {
			return Match{}, false
		}
		if wild && d.share != "" {
			m.share(entries, i, d.share)
		}
		if i == len(entries)-1 {
			m.Limit = d.limit
		}
		at = &d.level
	}
	return m, m.Limit != nil
}

// find is the descriptor of an entry, and whether a wildcard stands for its value.
func (l *level) find(e Entry) (d *descriptor, wild bool) {
	var room [128]byte // a key that fits into it needs no memory
	key := append(append(append(room[:0], e.Key...), '_'), e.Value...)
	if d := l.byKey[string(key)]; d != nil {
		return d, false
	}
	for _, w := range l.wildcards {
		if n := len(w) - 1; len(key) >= n && string(key[:n]) == w[:n] {
			return l.byKey[w], true
		}
	}
	return l.byKey[e.Key], false
}

// share puts a pattern in the place of a value; the entries of the request stay as they
// are.
func (m *Match) share(entries []Entry, i int, pattern string) {
	if &m.Entries[0] == &entries[0] {
		m.Entries = slices.Clone(entries)
	}
	m.Entries[i].Value = pattern
}

// Select leaves out the matches of one request that another of its matches replaces by
// name. Of what is left, all are charged, and any that is over its limit refuses the
// request. It reuses the slice.
func Select(matches []Match) []Match {
	replaced := func(m Match) bool {
		return m.Limit.Name != "" && slices.ContainsFunc(matches, func(by Match) bool {
			return slices.Contains(by.Limit.Replaces, m.Limit.Name)
		})
	}
	keep := make([]bool, len(matches))
	for i, m := range matches {
		keep[i] = !replaced(m)
	}
	n := 0
	for i, m := range matches {
		if keep[i] {
			matches[n] = m
			n++
		}
	}
	return matches[:n]
}
