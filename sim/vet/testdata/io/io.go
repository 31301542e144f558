package io

import (
	"fmt"
	"log"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"example/msg"
)

type Node struct{ text string }

func (n *Node) Step(in msg.In, out *msg.Out) {
	fmt.Println("x")           // want `fmt.Println is input or output, which is done again whenever the step is; tell it with out.Note`
	fmt.Fprintln(os.Stderr)    // want `os.Stderr reaches the machine` `os.File.Write reaches the machine`
	log.Printf("x")            // want `log.Printf is output with the wall clock in it`
	_ = os.Getenv("HOME")      // want `os.Getenv reaches the machine`
	_, _ = net.Dial("tcp", "") // want `net.Dial is a real network`
	_ = syscall.Getpid()       // want `syscall.Getpid reaches the machine`
	_, _ = filepath.Glob("*")  // want `filepath.Glob reaches the machine`
	println("x")               // want `println is output`

	n.text = fmt.Sprintf("%d", 3)
	_, _ = url.Parse("x")
	_ = netip.Addr{}
	_ = filepath.Base("x")
	var b strings.Builder
	fmt.Fprintf(&b, "%d", 3)
}
