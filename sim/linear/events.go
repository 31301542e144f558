package linear

import "strings"

// An event is a call or a return. The forms know where they stand.
type event struct {
	offset                       int
	process, phase, f            form
	key, value, cause, rank, due form // :key, :value, :error, :index and :time
}

// readEDN reads a file of maps, for which see [EDN].
func (r *reader) readEDN() error {
	s := &scanner{text: r.text, end: "file"}
	if err := s.skip(0); err != nil {
		return err
	}
	closing := byte(0)
	switch {
	case strings.HasPrefix(s.text[s.pos:], "["):
		closing = ']'
	case strings.HasPrefix(s.text[s.pos:], "("):
		closing = ')'
	}
	opened := s.pos
	if closing != 0 {
		s.pos++
	}
	for {
		if err := s.skip(0); err != nil {
			return err
		}
		switch {
		case s.pos == len(s.text) && closing != 0:
			return s.unclosed(opened, string(closing))
		case s.pos == len(s.text):
			return nil
		case closing != 0 && s.text[s.pos] == closing:
			s.pos++
			return r.endOfFile(s)
		}
		m, err := s.next(1)
		if err == nil {
			err = r.mapped(m)
		}
		if err != nil {
			return err
		}
	}
}

func (r *reader) endOfFile(s *scanner) error {
	if err := s.skip(0); err != nil {
		return err
	}
	if s.pos < len(s.text) {
		return at(s.pos, "want the end of the file after its list of events, got more")
	}
	return nil
}

// mapped makes an event of a map.
func (r *reader) mapped(m form) error {
	if m.kind == tagged && (m.text == "jepsen.history.Op" || m.text == "knossos.op.Op") {
		m = m.items[0]
	}
	if m.kind != table {
		return at(m.offset, "want a map, as in {:process 3, ...}, got %v", m)
	}
	none := form{offset: m.offset}
	e := &event{m.offset, none, none, none, none, none, none, none, none}
	parts := map[string]*form{":process": &e.process, ":type": &e.phase, ":f": &e.f, ":key": &e.key,
		":value": &e.value, ":error": &e.cause, ":index": &e.rank, ":time": &e.due}
	for i := 0; i < len(m.items); i += 2 {
		part := parts[m.items[i].String()]
		switch {
		case part == nil:
		case part.kind != missing:
			return at(m.items[i].offset, "want each key once, got %v again", m.items[i])
		default:
			*part = m.items[i+1]
		}
	}
	if err := r.inOrder(e, "events in the order of :time"); err != nil {
		return err
	}
	if e.process.is(":nemesis") {
		r.ignored++
		return nil
	}
	return r.event(e)
}
