package machine

import (
	"runtime"
	_ "unsafe"

	"example/msg"
)

type Node struct{ err runtime.Error }

func (n *Node) Step(in msg.In, out *msg.Out) {
	_ = runtime.NumGoroutine()   // want `runtime.NumGoroutine asks the machine or the runtime`
	_ = runtime.GOMAXPROCS(0)    // want `runtime.GOMAXPROCS asks`
	if runtime.GOOS == "linux" { // want `runtime.GOOS differs from machine to machine`
		nanotime()
	}
	runtime.KeepAlive(n)
}

//go:linkname nanotime runtime.nanotime
func nanotime() int64 // want `^Node.Step calls nanotime: nanotime has no body in Go`
