package vet

import (
	"go/types"
	"strings"
)

// A denial is what is wrong with a name of the standard library.
type denial struct {
	pkgs, names         string // separated by spaces; * is every name, -Name but that one; pkg/... with all below
	rule, what, instead string
}

func (d *denial) text(obj types.Object) string {
	name := obj.Name()
	if f, ok := obj.(*types.Func); ok {
		name = methodName(f)
	}
	if obj.Pkg() != nil {
		name = obj.Pkg().Name() + "." + name
	}
	return name + " " + d.what + "; " + d.instead
}

// exact are the functions of math whose result is the same everywhere: they calculate
// exactly, or round once.
const exact = "* -Abs -Ceil -Copysign -Dim -Float32bits -Float32frombits -Float64bits -Float64frombits -Floor -FMA -Frexp " +
	"-Inf -IsInf -IsNaN -Ldexp -Logb -Ilogb -Max -Min -Mod -Modf -NaN -Nextafter -Nextafter32 -Remainder -Round -RoundToEven " +
	"-Signbit -Sqrt -Trunc"

// denials are the names of the standard library that a step must not use. Bodies of
// the standard library are not looked into.
var denials = []denial{
	{"time", "Now Since Until", "clock", "is the wall clock of the machine, which no seed repeats", "use in.Mono or in.Wall"},
	{"time", "Sleep After AfterFunc Tick NewTimer NewTicker Timer.Reset Timer.Stop Ticker.Reset Ticker.Stop", "clock",
		"runs on real time, of which a step takes none", "arm a timer with out.After"},
	{"time", "Local LoadLocation Time.Local", "clock", "depends on the machine's time zone", "use time.UTC"},
	{"context", "*", "concurrency", "ends when real time or another goroutine says so", "arm a timer with out.After"},
	{"math/rand math/rand/v2 crypto/rand hash/maphash", "*", "random", "draws outside the streams of the run's seed", "use out.AfterDraw, or a counter in the node"},
	{"crypto/dsa crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/rsa", "*", "random", "draws keys and signatures outside the streams of the run's seed", "use numbers in the node"},
	{"sync sync/atomic", "*", "concurrency", "is of use among goroutines only, and a step is one thread's", "keep plain fields in the node"},
	{"reflect", "ChanOf MakeChan Select Value.Close Value.Recv Value.Send Value.TryRecv Value.TrySend", "concurrency",
		"is a channel, whose order is the scheduler's", "send a message with out.Send"},
	{"reflect", "Value.Pointer Value.UnsafeAddr Value.UnsafePointer", "pointer", "is an address, another one in every run", "use a number of your own"},
	{"reflect", "Value.MapKeys Value.MapRange MapIter.Next", "map", "goes through a map in another order every time", "sort the keys first"},
	{"encoding/gob", "Encoder.Encode Encoder.EncodeValue", "map", "writes maps in another order every time", "use encoding/json, or sort first"},
	{"unsafe", "*", "pointer", "lays open addresses and sizes, which differ from run to run or machine to machine", "use plain values"},
	{"weak", "*", "pointer", "depends on when the garbage collector runs", "keep plain fields in the node"},
	{"runtime", "GOOS GOARCH Compiler Version", "machine", "differs from machine to machine", "make it a parameter of the node"},
	{"runtime", "* -KeepAlive -Error.RuntimeError", "machine", "asks the machine or the runtime, which answer differently in every run", "make it a parameter of the node"},
	{"runtime/debug runtime/metrics runtime/pprof runtime/trace", "*", "machine", "asks the machine or the runtime, which answer differently in every run", "make it a parameter of the node"},
	{"os/... syscall/... io/ioutil plugin", "*", "io", "reaches the machine, which no seed repeats", "make it a parameter of the node, or a message"},
	{"net net/http/... net/rpc/... net/smtp", "*", "io", "is a real network, which no seed repeats", "send a message with out.Send"},
	{"path/filepath", "Abs EvalSymlinks Glob Walk WalkDir", "io", "reaches the machine, which no seed repeats", "make it a parameter of the node"},
	{"fmt", "Print Printf Println Scan Scanf Scanln", "io", "is input or output, which is done again whenever the step is", "tell it with out.Note"},
	{"log/...", "*", "io", "is output with the wall clock in it, and done again whenever the step is", "tell it with out.Note"},
	{"flag expvar", "*", "io", "belongs to the process, not to the node", "make it a parameter of the node"},
	{"math", exact, "float", "has another result on another processor", "calculate with integers or a table"},
	{"math/cmplx", "* -Conj -Inf -IsInf -IsNaN -NaN", "float", "has another result on another processor", "calculate with integers or a table"},
}

// printDenial is of the builtins print and println.
var printDenial = &denial{"", "", "io", "is output, which is done again whenever the step is", "tell it with out.Note"}

// denied is what is wrong with an object, nil if nothing is.
func denied(obj types.Object) *denial {
	if b, ok := obj.(*types.Builtin); ok && (b.Name() == "print" || b.Name() == "println") {
		return printDenial
	}
	if obj.Pkg() == nil {
		return nil
	}
	if _, ok := obj.(*types.TypeName); ok && obj.Pkg().Path() != "unsafe" {
		return nil
	}
	name := obj.Name()
	switch o := obj.(type) {
	case *types.Func:
		name = methodName(o)
	case *types.Var:
		if !global(o) {
			return nil
		}
	case *types.Const:
		if p := obj.Pkg().Path(); p != "os" && p != "runtime" && p != "unsafe" {
			return nil // the same everywhere
		}
	case *types.PkgName:
		return nil
	}
	for i := range denials {
		if d := &denials[i]; listed(d.pkgs, obj.Pkg().Path(), false) && listed(d.names, name, true) {
			return d
		}
	}
	return nil
}

// listed reports whether a list has a name.
func listed(list, name string, all bool) bool {
	has := false
	for entry := range strings.FieldsSeq(list) {
		below, tree := strings.CutSuffix(entry, "/...")
		switch {
		case all && entry == "-"+name:
			return false
		case entry == name, all && entry == "*", tree && (name == below || strings.HasPrefix(name, below+"/")):
			has = true
		}
	}
	return has
}
