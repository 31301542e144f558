package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Load reads the scenario that a record holds, with its settings, seed and draws. It
// runs once, and what it expects is the violation of the record. An error is an
// [*Invalid]: of a model, a node or a property that this fencepost does not have, and of
// whatever else is wrong.
func (r *Record) Load(models []format.Model) (*format.Scenario, error) {
	doc, err := strict.Parse(r.title(), []byte(r.Source))
	if err != nil {
		return nil, format.InvalidOf(err)
	}
	if model := doc.Text("model"); !slices.ContainsFunc(models, func(m format.Model) bool { return m.Name == model }) {
		return nil, r.invalid("unknown model: the record is of %q, and this fencepost knows %s", model, modelNames(models))
	}
	kept := format.Copy{Name: r.Scenario, File: r.title(), Text: r.Source, Sets: r.Settings, Open: r.open}
	again, err := kept.Load(models)
	if err != nil {
		return nil, err
	}
	if r.Goal != "" {
		if again, err = again.Reaching(r.Goal); err != nil {
			return nil, r.invalid("goal: %v", err)
		}
	}
	again.Seed, again.Runs, again.Config.Minimal = r.Seed, 1, r.Minimal
	v := violation{record: r, program: &again.Program, found: &format.Invalid{}}
	again.Config.Overrides = v.overrides()
	again.Expect = v.expect(again.Config.Until)
	if len(v.found.Problems) > 0 {
		return nil, v.found
	}
	return again, nil
}

// title is what stands for the scenario of a record in messages.
func (r *Record) title() string {
	if strings.HasSuffix(r.Scenario, format.Suffix) || strings.HasSuffix(r.Scenario, ".yml") {
		return r.Scenario
	}
	return r.Scenario + format.Suffix
}

// invalid is one mistake in a record as a whole.
func (r *Record) invalid(message string, args ...any) *format.Invalid {
	return &format.Invalid{Problems: []format.Problem{{File: r.file(), Message: fmt.Sprintf(message, args...)}}}
}

// file is what stands for the record in messages.
func (r *Record) file() string {
	if r.name == "" {
		return "record"
	}
	return r.name
}

func modelNames(models []format.Model) string {
	names := make([]string, len(models))
	for i := range models {
		names[i] = models[i].Name
	}
	return strings.Join(names, ", ")
}

// violation looks up the words of a record in a program.
type violation struct {
	record  *Record
	program *sim.Program
	found   *format.Invalid
}

// bad reports a word that the program does not have.
func (v *violation) bad(path, word, message string, valid []string) {
	p := format.Problem{File: v.record.file(), Path: path, Text: strict.Excerpt(word), Message: message}
	if p.Nearest = text.Nearest(word, valid); p.Nearest != "" {
		p.Message += fmt.Sprintf("; did you mean %q?", p.Nearest)
	} else if len(valid) > 0 && len(valid) <= 30 {
		p.Message += "; want one of " + strings.Join(valid, ", ")
	}
	if len(v.found.Problems) == format.MaxProblems {
		v.found.More++
		return
	}
	v.found.Problems = append(v.found.Problems, p)
}

// node is the node of a name, None if there is no name.
func (v *violation) node(path, name string) sim.NodeID {
	if name == "" {
		return sim.None
	}
	id := v.program.Node(name)
	if id == sim.None {
		v.bad(path, name, fmt.Sprintf("there is no node %q", strict.Excerpt(name)), v.program.Nodes)
	}
	return id
}

// overrides are the draws of the record.
func (v *violation) overrides() []sim.Override {
	var list []sim.Override
	for i := range v.record.Draws {
		d := &v.record.Draws[i]
		path := fmt.Sprint("draws.", i)
		value, _ := hexadecimal(d.Value)
		o := sim.Override{Value: value, Draw: sim.Draw{Purpose: sim.Purpose(max(slices.Index(purposes[:], d.Purpose), 0)), Index: d.Index,
			From: v.node(path+".from", d.From), To: v.node(path+".to", d.To)}}
		if o.Draw.Purpose == sim.Faults {
			o.Draw.Name = sim.Hash(d.Fault)
		}
		list = append(list, o)
	}
	return list
}

// expect is the violation of the record; of a panic, which is no property's, nothing.
func (v *violation) expect(until sim.Time) []format.Expectation {
	b := &v.record.Verdict
	for i, name := range b.Nodes {
		v.node(fmt.Sprint("verdict.nodes.", i), name)
	}
	if b.At() < 0 || b.At() > until { // a property may come to its verdict at the end
		v.bad("verdict.at_ns", strconv.FormatInt(b.AtNS, 10), fmt.Sprintf("the violation, at %v, is not in the run, which ends at %v", b.At(), until), nil)
	}
	if b.Panic {
		return nil
	}
	if !slices.Contains(v.program.Properties, b.Property) {
		v.bad("verdict.property", b.Property, fmt.Sprintf("there is no property %q", strict.Excerpt(b.Property)), v.program.Properties)
	}
	at := b.At()
	return []format.Expectation{{Property: b.Property, Verdict: sim.Violated, At: &at, Nodes: slices.Clone(b.Nodes)}}
}

// open returns a file that the scenario of a record names, and where it was.
func (r *Record) open(name string) (io.ReadCloser, string, error) {
	i := slices.IndexFunc(r.Files, func(k Kept) bool { return k.Name == name })
	if i < 0 {
		return nil, name, fmt.Errorf("the record does not hold the file %s", name)
	}
	k := &r.Files[i]
	data, err := base64.StdEncoding.DecodeString(k.Base64)
	switch {
	case err != nil:
		return nil, name, fmt.Errorf("%s in the record: %w", name, err)
	case k.Text != "":
		data = []byte(k.Text)
	case len(data) == 0:
		if data, err = readKept(k); err != nil {
			return nil, name, err
		}
	}
	if sum := sha256.Sum256(data); "sha256:"+hex.EncodeToString(sum[:]) != k.SHA256 {
		return nil, name, fmt.Errorf("%s is not the file that the record was made with: checksum mismatch", k.Path)
	}
	return io.NopCloser(bytes.NewReader(data)), k.Path, nil
}

// maxOutside is the size up to which a file is read that a record only names.
const maxOutside = 64 << 20

// readKept reads a file that was too large for the record.
func readKept(k *Kept) ([]byte, error) {
	info, err := os.Stat(k.Path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the record needs the file %s, which was too large to be put into it: there is no such file here", k.Path)
	}
	if info.Size() > maxOutside {
		return nil, fmt.Errorf("%s is too large: want at most %d MiB", k.Path, maxOutside>>20)
	}
	return os.ReadFile(k.Path)
}
