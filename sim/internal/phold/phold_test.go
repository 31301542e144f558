package phold_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/internal/phold"
)

// inlined are the functions of a step that have to be inlined where a model makes its world: a call takes longer than
// what they do.
var inlined = []string{
	"dist.Draws", "dist.Fixed", "dist.IsExponential",
	"fingerprint.(*Print).Fold", "fingerprint.folded",
	"queue.(*Queue).Few", "queue.(*Queue).Free", "queue.(*Queue).keyOf", "queue.(*calendar).bucket",
	"queue.(*tournament).drop", "queue.(*tournament).least", "queue.Key.Slot",
	"sim.Digest.Fold", "splitmix.Mix",
}

var typeArguments = regexp.MustCompile(`\[go\.shape.*\]`)

// TestTheStepIsInlinedInModels asks the compiler what it inlines in the world of this package.
func TestTheStepIsInlinedInModels(t *testing.T) {
	text, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	require.NoError(t, err, "%s", text)
	calls := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m): inlining call to (.*)$`).FindAllStringSubmatch(string(text), -1) {
		calls[typeArguments.ReplaceAllString(m[1], "")] = true
	}
	require.NotEmpty(t, calls, "go build -gcflags=-m no longer says 'inlining call to': read what it says now, and mend this test")
	for _, f := range inlined {
		require.True(t, calls[f], `%s is a call in every program whose world is made outside of package sim, and was not.
If it has grown, go build -gcflags=-m=2 says beside it what it costs and what it may. If not, it is no longer used by what
sim/inline.go makes the compiler hand on. If a new release of Go decides so: compare BenchmarkPHOLD of this package with both
releases, and if it is not slower take the function off the list.`, f)
	}
}

// BenchmarkPHOLD is runs of a million steps by pending events.
func BenchmarkPHOLD(b *testing.B) {
	const steps = 1_000_000
	for _, n := range []int{10, 1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, err := phold.NewWorld(n, sim.Time(steps/n)*1e6)
			require.NoError(b, err)
			taken := w.Run(0).Steps
			b.ReportAllocs()
			for b.Loop() {
				taken = w.Run(0).Steps
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(taken), "ns/step")
		})
	}
}
