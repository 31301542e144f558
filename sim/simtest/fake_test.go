package simtest_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fake is a test that does nothing but take down what it is told.
type fake struct {
	testing.TB
	name     string
	log      strings.Builder
	failed   bool
	cleanups []func()
}

// try runs f as a test of the given name in an empty folder.
func try(t *testing.T, name string, f func(testing.TB)) *fake {
	t.Helper()
	t.Chdir(t.TempDir())
	return again(name, f)
}

// again runs f as a test in the present folder.
func again(name string, f func(testing.TB)) *fake {
	k := &fake{name: name}
	over := make(chan any)
	go func() {
		defer func() { over <- recover() }()
		f(k)
	}()
	if p := <-over; p != nil {
		panic(p)
	}
	for _, c := range slices.Backward(k.cleanups) {
		c()
	}
	return k
}

func (k *fake) Helper()                        {}
func (k *fake) Name() string                   { return k.name }
func (k *fake) Failed() bool                   { return k.failed }
func (k *fake) Cleanup(f func())               { k.cleanups = append(k.cleanups, f) }
func (k *fake) Logf(format string, a ...any)   { fmt.Fprintf(&k.log, format+"\n", a...) }
func (k *fake) Errorf(format string, a ...any) { k.failed = true; k.Logf(format, a...) }
func (k *fake) Fatalf(format string, a ...any) { k.Errorf(format, a...); k.FailNow() }
func (k *fake) FailNow()                       { k.failed = true; runtime.Goexit() }
