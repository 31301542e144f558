package rules

// Set is the version of the rules that is in force. Load, validate, swap: a version is
// there as a whole or not at all, and a caller that has asked for the current one keeps it for
// the request under way.
//
// It is not safe for concurrent use. The zero Set has version 0 and no rules.
type Set struct {
	version uint64
	current *Rules
}

// Load makes the files the next version. Files with a mistake leave the last good
// version in force, and use up no number.
func (s *Set) Load(files []File, merge bool) (version uint64, err error) {
	r, err := Load(files, merge)
	if err != nil {
		return s.version, err
	}
	s.current = r
	s.version++
	return s.version, nil
}

// Current is the version in force and its number, which every decision names. The rules
// are nil before the first version: there is no limit then.
func (s *Set) Current() (version uint64, r *Rules) { return s.version, s.current }

// Lookup is [Rules.Lookup] in the version in force.
func (s *Set) Lookup(domain string, entries []Entry) (m Match, version uint64, ok bool) {
	if s.current != nil {
		m, ok = s.current.Lookup(domain, entries)
	}
	return m, s.version, ok
}
