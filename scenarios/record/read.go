package record

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

// Read reads a replay file. It refuses what is too large, is cut off, has keys
// or values that no record has, or is of a newer fencepost: that error is an [*Invalid]
// with every mistake, at its line and column. A record that was changed is
// returned together with an error that is [ErrEdited]: it can be replayed all the same.
func Read(r io.Reader) (*Record, error) {
	name := "replay file"
	if file, ok := r.(interface{ Name() string }); ok {
		name = file.Name()
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > MaxSize {
		return nil, &format.Invalid{Problems: []format.Problem{{File: name, Message: fmt.Sprintf("the file is too large: want at most %d MiB", MaxSize>>20)}}}
	}
	doc, err := strict.ParseJSON(name, data, maxValuesIn)
	if err != nil {
		return nil, format.InvalidOf(err)
	}
	rec := &Record{name: name}
	if knownFormat(doc) {
		doc.Decode(rec)
		rec.check(doc)
	}
	if err := format.InvalidOf(doc.Err()); err != nil {
		return nil, err
	}
	sum, err := rec.sum()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if rec.Checksum != sum {
		return rec, fmt.Errorf("%s: %w; --force replays it all the same", name, ErrEdited)
	}
	return rec, nil
}

// knownFormat reports whether the format is one that can be read. If it is not, that is
// all there is to say.
func knownFormat(doc *strict.Doc) bool {
	v := doc.Lookup("format")
	if v == nil || v.Kind() != strict.Scalar {
		if doc.Root().Kind() == strict.Mapping && v == nil {
			doc.Root().Errorf(`this is no replay file: want "format": %q`, Format)
			return false
		}
		return true // which is reported with the rest
	}
	number, ours := strings.CutPrefix(v.Scalar(), formats)
	n, err := strconv.Atoi(number)
	switch {
	case v.Scalar() == Format:
		return true
	case ours && err == nil && n > 1:
		v.Errorf("this file is of a newer fencepost, in format %d: this one reads format 1", n)
	default:
		v.Errorf("%q is not the format of a replay file: want %q", strict.Excerpt(v.Scalar()), Format)
	}
	return false
}

// check reports what no record says.
func (r *Record) check(doc *strict.Doc) {
	bad := func(path, format string, args ...any) {
		doc.Add(doc.At(path), doc.Text(path), fmt.Sprintf(format, args...))
	}
	if len(r.Source) > strict.MaxSize {
		bad("source", "the scenario is too large: want at most %d KiB", strict.MaxSize>>10)
	}
	if r.Digests < 1 {
		bad("digest_version", "want 1 or more, got %d", r.Digests)
	}
	if _, ok := hexadecimal(r.Digest); !ok || len(r.Digest) != 16 {
		bad("digest", "want 16 hexadecimal digits")
	}
	for _, l := range []struct {
		path      string
		got, most int
	}{
		{"settings", len(r.Settings), maxSettings}, {"files", len(r.Files), maxFiles}, {"draws", len(r.Draws), maxDraws},
		{"trail", len(r.Trail), maxTrail}, {"verdict.nodes", len(r.Verdict.Nodes), 2},
	} {
		if l.got > l.most {
			bad(l.path, "%d entries: want at most %d", l.got, l.most)
		}
	}
	for i, line := range r.Trail {
		if len(line) > maxLine || strings.Contains(line, "\n") {
			bad(fmt.Sprint("trail.", i), "want one line of at most %d KiB", maxLine>>10)
		}
	}
	if r.Omitted < 0 {
		bad("trail_truncated", "must not be negative, got %d", r.Omitted)
	}
	if r.Verdict.AtNS < 0 {
		bad("verdict.at_ns", "must not be negative, got %d", r.Verdict.AtNS)
	}
	if (r.Verdict.Property == "") != r.Verdict.Panic {
		bad("verdict", `want either "property" or "panic": true`)
	}
	for i := range r.Draws {
		r.Draws[i].check(fmt.Sprint("draws.", i), bad)
	}
	for i := range r.Files {
		r.Files[i].check(fmt.Sprint("files.", i), bad)
	}
}

func (d *Drawn) check(path string, bad func(path, format string, args ...any)) {
	if _, ok := hexadecimal(d.Value); !ok {
		bad(path+".value", `%q is not a draw: want 1 to 16 hexadecimal digits, as in "0x8000000000000000"`, strict.Excerpt(d.Value))
	}
	link := d.Purpose == "delay" || d.Purpose == "loss" || d.Purpose == "duplicate"
	for _, k := range []struct {
		key           string
		given, wanted bool
		may           bool
	}{
		{"from", d.From != "", d.Purpose != "fault", false},
		{"to", d.To != "", false, link},
		{"fault", d.Fault != "", d.Purpose == "fault", false},
	} {
		switch {
		case d.Purpose == "": // which is reported
		case k.wanted && !k.given:
			bad(path, "a draw of purpose %s needs %q", d.Purpose, k.key)
		case k.given && !k.wanted && !k.may:
			bad(path+"."+k.key, "a draw of purpose %s has no %q", d.Purpose, k.key)
		}
	}
}

func (k *Kept) check(path string, bad func(path, format string, args ...any)) {
	if k.Text != "" && k.Base64 != "" {
		bad(path, `want one of "text" and "base64"`)
	}
	if _, err := base64.StdEncoding.DecodeString(k.Base64); err != nil {
		bad(path+".base64", "not base64: %v", err)
	}
	digits, ok := strings.CutPrefix(k.SHA256, "sha256:")
	if sum, err := hex.DecodeString(digits); !ok || err != nil || len(sum) != 32 {
		bad(path+".sha256", "want sha256: and 64 hexadecimal digits")
	}
}

// hexadecimal reads 1 to 16 hexadecimal digits, with or without 0x before them.
func hexadecimal(text string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	return n, err == nil && len(text) <= 18 && !strings.ContainsAny(text, "_+-")
}
