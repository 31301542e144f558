package linear

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonOp is an operation as a line of [JSON]. A value that is absent is the one that a
// key holds at first; a return that is absent makes the operation open.
type jsonOp struct {
	Client  int     `json:"client"`
	Op      string  `json:"op"`
	Outcome string  `json:"outcome,omitempty"` // "" is ok, or open without a return
	Key     string  `json:"key,omitempty"`
	Old     *string `json:"old,omitempty"`
	Value   *string `json:"value,omitempty"`
	Call    *int64  `json:"call"`
	Return  *int64  `json:"return,omitempty"`
}

// jsonLine reads an operation.
func (r *reader) jsonLine(line string) error {
	if !utf8.ValidString(line) {
		return at(1, "want UTF-8")
	}
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	var j jsonOp
	if err := d.Decode(&j); err != nil {
		return jsonError(err, line)
	}
	if rest := strings.TrimLeft(line[d.InputOffset():], " \t\r"); rest != "" {
		return at(len(line)-len(rest)+1, "want the end of the line, got more")
	}
	op, err := r.jsonOp(&j)
	if err == nil {
		err = op.validate(r.model, r.model.kinds())
	}
	if e := (*Error)(nil); err != nil && !errors.As(err, &e) {
		err = at(1, "%v", err)
	}
	r.ops = append(r.ops, op)
	return err
}

func (r *reader) jsonOp(j *jsonOp) (op Op, err error) {
	if op.Kind, err = r.verb(j.Op, 1); err != nil {
		return op, err
	}
	op.Client, op.Key = j.Client, j.Key
	n := slices.Index(outcomeNames, j.Outcome)
	switch {
	case j.Client < 0:
		return op, at(1, "want a client of 0 or more, got %d", j.Client)
	case j.Call == nil:
		return op, at(1, "want a call, got none")
	case j.Outcome == "" && j.Return == nil:
		n = int(Open)
	case j.Outcome == "":
		n = int(OK)
	case n < 0:
		return op, at(1, "want an outcome (%s), got %q", strings.Join(outcomeNames, ", "), j.Outcome)
	case j.Return == nil && n != int(Open):
		return op, at(1, "want a return of what is %s, got none", j.Outcome)
	}
	op.Outcome, op.Call = Outcome(n), *j.Call
	if j.Return != nil {
		op.Return = *j.Return
	}
	if r.model != Lock && !(op.Kind == Read && op.Outcome != OK) {
		op.Value = r.orInitial(j.Value)
	}
	if op.Kind == CAS {
		op.Old = r.orInitial(j.Old)
	}
	return op, nil
}

func (r *reader) orInitial(value *string) string {
	if value == nil {
		return r.model.initial()
	}
	return *value
}

// jsonError says where a line is no JSON, or not what was wanted.
func jsonError(err error, line string) error {
	syntax, kind := (*json.SyntaxError)(nil), (*json.UnmarshalTypeError)(nil)
	switch {
	case errors.As(err, &syntax):
		return at(max(1, int(syntax.Offset)), "want JSON: %v", err)
	case errors.As(err, &kind):
		return at(max(1, int(kind.Offset)), "%s: want a %v, got a %s", kind.Field, kind.Type, kind.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return at(len(line)+1, "want more JSON, got the end of the line")
	}
	return at(1, "want client, op, outcome, key, old, value, call and return: %v", strings.TrimPrefix(err.Error(), "json: "))
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
		if h.Model != Lock && !(o.Kind == Read && o.Outcome != OK) {
			j.Value = &o.Value
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
		if v.kind == k && v.model == m {
			return v.word
		}
	}
	panic("linear: " + notOf(k.String(), m).Error())
}
