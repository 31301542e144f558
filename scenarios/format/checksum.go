package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
)

// Checksum is the same for two scenarios only if all that their results depend on is:
// the text of the file, the values that were replaced, at each point of the grid its
// seed and number of runs, and the logs and tables that were read. Of an access log,
// which is read only while it is replayed, the size counts.
func (s *Scenario) Checksum() string {
	h := sha256.New()
	s.sum(h)
	for _, v := range s.Variants {
		v.Scenario.sum(h)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func (s *Scenario) sum(h hash.Hash) {
	all := []any{s.Text, s.Sets, s.Seed, s.Runs}
	if s.origin != nil {
		for _, in := range s.origin.inputs {
			all = append(all, in.Path, in.raw.sum())
		}
		all = append(all, s.origin.sizes, s.origin.options.NoFaults, s.origin.options.Control)
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // there is nothing in it that JSON does not have
	}
	h.Write(text)
}
