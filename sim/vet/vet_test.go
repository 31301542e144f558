package vet_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"fencepost/sim/vet"
)

// sparing is a test that does not ask for facts which no comment expects: nearly every
// function of the test data has one.
type sparing struct{ t *testing.T }

func (s sparing) Errorf(format string, args ...any) {
	s.t.Helper()
	if !strings.Contains(format, "unexpected %s") || args[len(args)-2] != "fact" {
		s.t.Errorf(format, args...)
	}
}

// Each package of the test data breaks one family of rules, and shows what is harmless.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(sparing{t}, analysistest.TestData(), vet.Analyzer, "./...")
}
