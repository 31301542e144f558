package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/parts"
)

// unknowable are the fields of a part that may have another value within what all other fields leave open: to know
// better the runs have to be done again.
var unknowable = []struct{ field, why string }{
	{`panics`, "a run that holds nothing may have ended in a panic"},
	{`steps`, "the steps of a run are counted only there"},
	{`digest`, "it is the sum of the digests of all runs"},
	{`faults\[\d+\]\.(Runs|Total|First)`, "in how many runs a fault was injected, how often, and when first"},
	{`Violations`, "a run may have any number of violations"},
	{`sum|sum_high|squares\[\d\]|across\[\d\]`, "values between the known ones"},
	{`(up|down)\[\d+\]\.(at|most)`, "a value may be any of its bucket"},
	{`min`, "the least value may be any of its bucket, if that has others"},
	{`differ`, "between no pair and all pairs that can differ"},
	{`pairs\[\d+\]\.properties\[\d+\]\..*`, "which pairs were violated in both runs"},
	{`pairs\[\d+\]\.measures\[\d+\]\.products\[\d+\]\[\d\]`, "products of values within their variances"},
	{`unsafe\[\d+\]`, "in how many runs several properties are violated"},
	{`checked\[\d+\]|faulty`, "in how many runs of a search"},
	{`results\.runs`, "which run of a search was the first to find something, if that run finds something"},
}

// TestEveryEditOfAPartIsNoticed changes each value of the parts of a command, seals them again, and merges them. What is
// not refused gives the same report, or is of a field that cannot be known.
func TestEveryEditOfAPartIsNoticed(t *testing.T) {
	var list []string
	for _, one := range unknowable {
		list = append(list, `(^|\.)(`+one.field+`)$`)
	}
	open := regexp.MustCompile(strings.Join(list, "|"))
	for _, line := range []string{
		"run fake/drawn --runs 12", "run fake/grid", "run fake/panic --runs 4", "compare fake/calm fake/pause --runs 6",
		"explore fake/calm --budget pauses=1 --runs 60 --no-shrink", "explore fake/drawn --budget pauses=1 --runs 12",
	} {
		t.Run(line, func(t *testing.T) {
			folder := shards(t, call, split("%s", line), 2)
			_, want, _ := call(t, "merge", folder, "--json")
			edited, accepted := 0, 0
			for number := 1; number <= 2; number++ {
				file := filepath.Join(folder, parts.Shard{Number: number, Of: 2}.File())
				whole, err := os.ReadFile(file)
				require.NoError(t, err)
				part := resultsOf(t, whole)
				for _, e := range edits(part) {
					edited++
					require.NoError(t, os.WriteFile(file, sealed(t, whole, e.text), 0o644))
					_, got, stderr := call(t, "merge", folder, "--json")
					require.NotContains(t, stderr, "goroutine")
					if stderr == "" && got != want {
						accepted++
						require.Regexp(t, open, e.path, "%s: %s", e.path, e.what)
					}
				}
				require.NoError(t, os.WriteFile(file, whole, 0o644))
			}
			t.Logf("%d edits, %d of them accepted with another report", edited, accepted)
			require.Greater(t, edited, 100)
		})
	}
}

// resultsOf is the text of a part that its checksum is of.
func resultsOf(t *testing.T, line []byte) []byte {
	var l struct {
		Part json.RawMessage `json:"part"`
	}
	require.NoError(t, json.Unmarshal(line, &l))
	return l.Part
}

// sealed is the line of a part with another text, whose checksum is right.
func sealed(t *testing.T, line, part []byte) []byte {
	text := bytes.Replace(line, resultsOf(t, line), part, 1)
	return append(fmt.Appendf(nil, `{"crc32":"%s","part":`, parts.Sum(part)), text[bytes.Index(text, []byte(`"part":`))+len(`"part":`):]...)
}

// edit is a text of which one value is another.
type edit struct {
	path, what string
	text       []byte
}

// edits are all of a text: each number a little more and less, and far more, each value null and missing.
func edits(text []byte) (list []edit) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	at := func() int { return int(d.InputOffset()) }
	var value func(path string, from int)
	value = func(path string, from int) {
		start := at() + len(text[at():]) - len(bytes.TrimLeft(text[at():], ":,"))
		v, _ := d.Token()
		switch v {
		case json.Delim('['):
			for i := 0; d.More(); i++ {
				value(fmt.Sprintf("%s[%d]", path, i), at())
			}
			_, _ = d.Token()
		case json.Delim('{'):
			for d.More() {
				before := at()
				key, _ := d.Token()
				value(strings.TrimPrefix(fmt.Sprintf("%s.%s", path, key), "."), before)
			}
			_, _ = d.Token()
		}
		for what, other := range changes(v) {
			list = append(list, edit{path, what, slices.Concat(text[:start], []byte(other), text[at():])})
		}
		if path != "" {
			rest := text[at():]
			if text[from] != ',' { // the first one: the comma behind it goes
				rest = bytes.TrimPrefix(rest, []byte(","))
			}
			list = append(list, edit{path, "missing", slices.Concat(text[:from], rest)})
		}
	}
	value("", 0)
	return list
}

// changes are other values than one, by what they are.
func changes(v json.Token) map[string]string {
	m := map[string]string{"null": "null"}
	switch v := v.(type) {
	case json.Number:
		m["large"] = fmt.Sprint(int64(1) << 62)
		if n, err := v.Int64(); err == nil {
			m["one more"], m["one less"] = fmt.Sprint(n+1), fmt.Sprint(n-1)
		}
	case bool:
		m["not"] = fmt.Sprint(!v)
	case string:
		m["another"] = fmt.Sprintf("%q", v+"x")
	}
	return m
}
