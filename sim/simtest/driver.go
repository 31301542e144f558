package simtest

import (
	"flag"
	"testing"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// T is what a [Driver] needs of a test of another library: what *testing.T and, say,
// *rapid.T have.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Driver plays runs of which the caller makes every choice: what goes wrong, and
// what each draw gives. It is not safe for concurrent use.
type Driver struct {
	tester *tester
	decode *explore.Decoder
	last   *explore.Failure
}

// NewDriver makes a driver for a test. First it plays what the test has found before.
// When the test is over, and has failed, the log tells the explanation of the last run of the
// driver that failed.
func NewDriver[M sim.Message](t testing.TB, c Case[M]) *Driver {
	t.Helper()
	d := newDriver(t, &c)
	if !d.tester.replays() || !d.tester.pure() {
		t.FailNow()
	}
	t.Cleanup(func() {
		if d.last != nil && t.Failed() {
			d.tester.found(d.last)
		}
	})
	return d
}

func newDriver[M sim.Message](t testing.TB, c *Case[M]) *Driver {
	t.Helper()
	x := newTester(t, c, pureSeeds)
	decode, err := explore.NewDecoder(&x.search)
	if err != nil {
		t.Fatalf("simtest: %v", err)
	}
	return &Driver{tester: x, decode: decode}
}

// Run plays one run. Whenever there is a choice it asks choose, which returns a number
// below n; 0 is the minimal choice, and a smaller number is a simpler, earlier or shorter
// one. If the run fails, so does t, with the name of what is violated and no more, so
// that a library that makes the failure small can see that it is the same.
//
//	driver := simtest.NewDriver(t, c)
//	rapid.Check(t, func(rt *rapid.T) {
//		driver.Run(rt, func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(rt, "choice") })
//	})
func (d *Driver) Run(t T, choose func(n uint64) uint64) {
	t.Helper()
	f, err := d.play(explore.ChooserFunc(choose))
	if err != nil {
		t.Fatalf("simtest: %v", err)
	}
	if f != nil {
		d.last = f
		t.Fatalf("%s", d.tester.short(f))
	}
}

// play plays one run, and returns how it fails, if it does.
func (d *Driver) play(c explore.Chooser) (*explore.Failure, error) {
	_, s, err := d.decode.Run(c)
	if err != nil {
		return nil, err
	}
	f, err := d.decode.Failure(s)
	if f != nil {
		f.Run = 0 // the caller, which chooses, knows which run it was
	}
	return f, err
}

// Fuzz lets go test -fuzz search for a run that fails. A string of bytes decides what
// goes wrong, and then what each draw gives, a byte for each; the empty one is the run
// in which all draws are minimal. Without -fuzz it plays the strings that were found before, as
// go test does, and some more.
func Fuzz[M sim.Message](f *testing.F, c Case[M]) {
	f.Helper()
	d := newDriver(f, &c)
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	if !fuzzing && (!d.tester.replays() || !d.tester.pure()) {
		f.FailNow()
	}
	for n := range byte(8) {
		f.Add(example(n))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d.tester.t = t
		d.fuzz(data, fuzzing)
	})
}

// fuzz plays a string of bytes. While a fuzzer makes a failure small, it is told in a
// few words; the whole explanation comes when go test plays what the fuzzer found.
func (d *Driver) fuzz(data []byte, fuzzing bool) {
	t := d.tester.t
	t.Helper()
	f, err := d.play(&explore.Bytes{Data: data})
	switch {
	case err != nil:
		t.Fatalf("simtest: %v", err)
	case f == nil:
	case fuzzing:
		t.Errorf("%s", d.tester.short(f))
	default:
		d.tester.found(f)
	}
}

// example is a string of bytes for a fuzzer to begin with: the first is empty, the
// others are longer and wilder, but without chance.
func example(n byte) []byte {
	data := make([]byte, 16*int(n))
	state := uint64(n)
	for i := range data {
		state = sim.Hash(string(data[:i])) ^ state
		data[i] = byte(state>>32) & (1<<n - 1)
	}
	return data
}
