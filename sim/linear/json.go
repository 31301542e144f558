package linear

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonOp is an operation as a line of [JSON]. A value that is absent is the one that a
// key holds at first; a return that is absent makes the operation open.
type jsonOp struct {
	Client  int       `json:"client"`
	Op      string    `json:"op"`
	Outcome string    `json:"outcome,omitempty"` // "" is ok, or open without a return
	Key     string    `json:"key,omitempty"`
	Old     *string   `json:"old,omitempty"`
	Value   *string   `json:"value,omitempty"`
	Set     *[]string `json:"elements,omitempty"` // what a read of a set returned
	Call    *int64    `json:"call"`
	Return  *int64    `json:"return,omitempty"`
}

// jsonKeys are the keys of an operation.
var jsonKeys = []string{"client", "op", "outcome", "key", "old", "value", "elements", "call", "return"}

// readJSON reads a file of operations, for which see [JSON].
func (r *reader) readJSON() error {
	if !utf8.ValidString(r.text) {
		return at(strings.IndexRune(strings.ToValidUTF8(r.text, "\ufffd"), '\ufffd'), "want UTF-8")
	}
	s := &scanner{text: r.text, end: "file"}
	s.blank()
	opened, listed := s.pos, strings.HasPrefix(s.text[s.pos:], "[")
	if listed {
		s.pos++
	}
	for n := 0; ; n++ {
		s.blank()
		switch rest := s.text[s.pos:]; {
		case rest == "" && listed:
			return s.unclosed(opened, "]")
		case rest == "":
			return nil
		case listed && rest[0] == ']':
			s.pos++
			return r.endOfFile(s)
		case listed && n > 0 && rest[0] != ',':
			return at(s.pos, "want a comma or the end of the list that opens before")
		case listed && n > 0:
			s.pos++
			s.blank()
		}
		object, err := s.object()
		if err == nil {
			err = r.addJSON(object, s.pos-len(object))
		}
		if err != nil {
			return err
		}
	}
}

// blank passes over the space of JSON.
func (s *scanner) blank() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// object returns the text of an object of JSON, up to the bracket that closes it.
func (s *scanner) object() (string, error) {
	from, depth, inside := s.pos, 0, false
	if !strings.HasPrefix(s.text[from:], "{") {
		return "", at(from, `want an object, as in {"client":3,...}, got %s`, show(s.text[from:min(from+10, len(s.text))]))
	}
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case inside && c == '\\':
			s.pos++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				s.pos++
				return s.text[from:s.pos], nil
			}
		}
	}
	s.pos = len(s.text)
	return s.text[from:], nil // what is wrong with it says the decoder
}

// addJSON adds the operation of an object at an offset.
func (r *reader) addJSON(object string, offset int) error {
	if len(r.ops) == MaxOps {
		return at(offset, "want at most %d operations, got more", MaxOps)
	}
	var j jsonOp
	if err := json.Unmarshal([]byte(object), &j); err != nil {
		return jsonError(err, offset)
	}
	if err := onlyKeys(object, offset); err != nil {
		return err
	}
	op, err := r.jsonOp(&j)
	if err == nil {
		err = op.validate(r.model, r.model.kinds())
	}
	if err != nil {
		return at(offset, "%v", err)
	}
	r.events++
	r.ops = append(r.ops, op)
	return nil
}

// onlyKeys refuses keys of a valid object that are not an operation's, or there twice.
func onlyKeys(object string, offset int) error {
	d := json.NewDecoder(strings.NewReader(object))
	seen := map[string]bool{}
	_, _ = d.Token() // the brace
	for {
		token, err := d.Token()
		if err != nil || token == json.Delim('}') {
			return nil
		}
		key, _ := token.(string)
		switch here := offset + int(d.InputOffset()) - len(key) - len(`""`); {
		case !slices.Contains(jsonKeys, key):
			return at(max(here, offset), "want client, op, outcome, key, old, value, elements, call and return: unknown field %q", key)
		case seen[key]:
			return at(max(here, offset), "want each key once, got %q again", key)
		}
		seen[key] = true
		token, err = d.Token()
		for nested := token == json.Delim('['); nested && err == nil && token != json.Delim(']'); {
			token, err = d.Token()
		}
		if err != nil {
			return nil
		}
	}
}

func (r *reader) jsonOp(j *jsonOp) (op Op, err error) {
	if op.Kind, err = r.verb(j.Op, 0); err != nil {
		return op, err
	}
	op.Client, op.Key = j.Client, j.Key
	n := slices.Index(outcomeNames, j.Outcome)
	switch {
	case j.Client < 0:
		return op, fmt.Errorf("want a client of 0 or more, got %d", j.Client)
	case j.Call == nil:
		return op, fmt.Errorf("want a call, got none")
	case j.Outcome == "" && j.Return == nil:
		n = int(Open)
	case j.Outcome == "":
		n = int(OK)
	case n < 0:
		return op, fmt.Errorf("want an outcome (%s), got %q", strings.Join(outcomeNames, ", "), j.Outcome)
	case j.Return == nil && n != int(Open):
		return op, fmt.Errorf("want a return of what is %s, got none", j.Outcome)
	}
	op.Outcome, op.Call = Outcome(n), *j.Call
	if j.Return != nil {
		op.Return = *j.Return
	}
	if op.Kind == CAS {
		op.Old = r.orInitial(j.Old)
	}
	if r.model.elements(&op) {
		return op, j.elements(&op)
	}
	switch op.Kind {
	case Add, Remove, Enqueue, Dequeue:
		if r.model.valued(&op) && j.Value == nil {
			return op, fmt.Errorf("want the value of the %v, got none", op.Kind)
		}
	}
	if r.model.valued(&op) {
		op.Value = r.orInitial(j.Value)
	}
	return op, nil
}

// elements reports whether an operation has the elements of a set.
func (m Model) elements(o *Op) bool { return m == Set && o.Kind == Read && o.Outcome == OK }

// valued reports whether an operation has a value.
func (m Model) valued(o *Op) bool {
	switch o.Kind {
	case Read, Dequeue:
		return o.Outcome == OK && !m.elements(o)
	case Acquire, Renew:
		return m == Lease
	}
	return o.Kind != Release
}

func (j *jsonOp) elements(op *Op) error {
	if j.Set == nil {
		return fmt.Errorf("want the elements that the read returned, got none")
	}
	if twice := repeated(*j.Set); twice != "" {
		return fmt.Errorf("want %s", twice)
	}
	op.Value = Elements(*j.Set...)
	return nil
}

func (r *reader) orInitial(value *string) string {
	if value == nil {
		return r.model.initial()
	}
	return *value
}

// jsonError says where an object at an offset is no JSON, or not what was wanted.
func jsonError(err error, offset int) error {
	syntax, kind := (*json.SyntaxError)(nil), (*json.UnmarshalTypeError)(nil)
	switch {
	case errors.As(err, &syntax):
		return at(offset+max(0, int(syntax.Offset)-1), "want JSON: %v", err)
	case errors.As(err, &kind):
		return at(offset+max(0, int(kind.Offset)-1), "%s: want %s, got %s", cmp.Or(kind.Field, "operation"), kind.Type, kind.Value)
	}
	return at(offset, "want JSON: %v", err)
}

// WriteJSON writes a history in the format [JSON].
func WriteJSON(out io.Writer, h *History) error {
	if err := h.Validate(); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	for i := range h.Ops {
		o := &h.Ops[i]
		j := jsonOp{Client: o.Client, Op: h.Model.word(o.Kind), Key: o.Key, Call: &o.Call}
		if h.Model.valued(o) {
			j.Value = &o.Value
		}
		if h.Model.elements(o) {
			list := append([]string{}, elementsOf(o.Value)...)
			j.Set = &list
		}
		if o.Kind == CAS {
			j.Old = &o.Old
		}
		if o.Outcome != Open {
			j.Return = &o.Return
		}
		if o.Outcome == Failed || o.Outcome == Refused {
			j.Outcome = o.Outcome.String()
		}
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(j); err != nil {
			return err
		}
		if _, err := line.WriteTo(w); err != nil {
			return err
		}
	}
	return w.Flush()
}

// word returns the word for a kind that a model has as its own.
func (m Model) word(k Kind) string {
	for _, v := range verbs {
		if v.kind == k && slices.Contains(v.models, m) {
			return v.word
		}
	}
	panic("linear: " + notOf(k.String(), m).Error())
}
