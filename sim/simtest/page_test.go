package simtest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// page is the page that TestThePageIsReal holds to this package.
const page = "../../docs/your-own-model.md"

// region is the part of a file between the marks of a name.
func region(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, after, ok := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "// begin "+name+"\n")
	require.True(t, ok, name)
	before, _, ok := strings.Cut(after, "// end "+name+"\n")
	require.True(t, ok, name)
	return strings.Trim(allowed.ReplaceAllString(before, ""), "\n") + "\n"
}

// allowed is what the page leaves out: what simctl vet need not complain about here.
var allowed = regexp.MustCompile(`(?m)^\s*//fencepost:allow.*\n`)

// begin impure

// handedOver remembers what happened.
var handedOver bool

// Forgetful is a Primary that keeps what it should remember in the wrong place.
type Forgetful struct{ Primary }

func (p *Forgetful) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == retire && handedOver {
		return
	}
	//fencepost:allow the impurity is planted
	handedOver = handedOver || in.Msg.Kind == retire
	p.Primary.Step(in, out)
}

// end impure

// TestThePageIsReal: the page's code is that of this package, and what it says that
// the tests print is what they print.
func TestThePageIsReal(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var want []string
	code := func(file, name string) { want = append(want, region(t, file, name)) }
	output := func(k *fake) { want = append(want, k.log.String()) }

	code("handover_test.go", "model")
	code("handover_test.go", "test")
	code("broken_test.go", "broken")
	code("handover_test.go", "proof")
	code("handover_test.go", "fuzz")
	code("driver_test.go", "rapid")
	code("play_test.go", "schedule")
	code("play_test.go", "forgets")
	code("page_test.go", "impure")
	got := blocks(string(text), "go")
	require.Equal(t, len(want), len(got))
	for i := range want {
		require.Equal(t, want[i], got[i])
	}

	want = nil
	full := func(c simtest.Case[Msg], runs int) simtest.Case[Msg] { // also with -short
		c.Runs = runs
		return c
	}
	holds := try(t, "TestHandOver", func(t testing.TB) { simtest.Explore(t, full(patient(), 2000)) }) // before the failure is kept
	output(try(t, "TestHandOver", func(t testing.TB) { simtest.Explore(t, full(impatient(), 2000)) }))
	output(holds)
	output(again("TestHandOver", func(t testing.TB) { simtest.Explore(t, full(patient(), 2000)) }))
	output(again("TestHandOverIsSafe", func(t testing.TB) { simtest.Explore(t, full(proof(), 100_000)) }))
	output(again("TestTheAnswerIsLost", func(t testing.TB) { theAnswerIsLost(t, impatient().System).Holds("one-in-charge") }))
	unsafe := patient()
	unsafe.System = func() sim.System[Msg] {
		s := handOver()
		sim.Put(&s, 1, Forgetful{Primary{Standby: 2}})
		return s
	}
	handedOver = false
	output(again("TestForgetful", func(t testing.TB) { simtest.Explore(t, unsafe) }))
	got = blocks(string(text), "text")
	require.Equal(t, len(want), len(got))
	for i := range want {
		require.Equal(t, want[i], got[i])
	}
}

// blocks are the blocks of a language.
func blocks(page, language string) (list []string) {
	for _, b := range regexp.MustCompile("(?s)\n```"+language+"\n(.*?)```\n").FindAllStringSubmatch(strings.ReplaceAll(page, "\r\n", "\n"), -1) {
		list = append(list, b[1])
	}
	return
}
