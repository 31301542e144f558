package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fencepost/internal/program"
	"fmt"
	"io"
	"strings"
)

// MaxDocument is the largest document that is read, in bytes.
const MaxDocument = 256 << 20

// ReadRun reads a document that [WriteJSON] wrote of a [Run]. It refuses one that is cut
// off, of another version, or something else altogether.
func ReadRun(in io.Reader) (*Run, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxDocument+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > MaxDocument:
		return nil, fmt.Errorf("more than %d MiB: want a document of "+program.Name()+" run --json", MaxDocument>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors and shells write it
	var head struct {
		Schema string `json:"schema"`
	}
	if err := decode(data, &head); err != nil {
		return nil, err
	}
	if err := knownSchema(head.Schema); err != nil {
		return nil, err
	}
	r := &Run{}
	if err := decode(data, r); err != nil {
		return nil, err
	}
	return r, r.check()
}

// decode reads one JSON value and says in plain words where it ends too soon.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("the document is empty: want one of " + program.Name() + " run --json")
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(data)):
		return fmt.Errorf("the document is cut off at its end, byte %d", len(data))
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(data[:syntax.Offset], []byte("\n"))
		return fmt.Errorf("line %d is not JSON: %w: want a document of "+program.Name()+" run --json", line, syntax)
	case errors.As(err, &mistyped):
		return fmt.Errorf("%q is %s: want a document of "+program.Name()+" run --json", mistyped.Field, mistyped.Value)
	}
	return err
}

func knownSchema(schema string) error {
	family, _, _ := strings.Cut(RunSchema, "/v")
	switch version, ours := strings.CutPrefix(schema, family+"/v"); {
	case schema == RunSchema:
		return nil
	case ours:
		return fmt.Errorf("the document is of another version, %q: this "+program.Name()+" reads %q; run the scenario again", "v"+version, RunSchema)
	case schema == "":
		return fmt.Errorf("the document names no schema: want %q, as "+program.Name()+" run --json writes it", RunSchema)
	}
	return fmt.Errorf("the document is a %q: want %q, as "+program.Name()+" run --json writes it of one scenario", clipped(schema), RunSchema)
}

// clipped is the start of a text, for a message.
func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// UnmarshalJSON implements [json.Unmarshaler]: metrics keep their order.
func (m *Metrics) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("metrics are no object"), err)
	}
	*m = Metrics{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		one := Metric{}
		if err := d.Decode(&one); err != nil {
			return fmt.Errorf("measure %q: %w", fmt.Sprint(name), err)
		}
		one.Name, _ = name.(string)
		*m = append(*m, one)
	}
	_, err := d.Token()
	return err
}
