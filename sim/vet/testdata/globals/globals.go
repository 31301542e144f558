package globals

import (
	"bytes"
	"slices"
	"strings"

	"example/msg"
)

var (
	count    int
	table    = map[int]int{}
	list     []int
	state    struct{ n [3]int }
	setting  = 3
	constant = [3]int{1, 2, 3}
	names    = map[int]string{1: "one"}
	buffer   bytes.Buffer
	replacer = strings.NewReplacer("a", "b")
	counters counter
	fixed    int
	byTest   int
)

func init() { fixed = 3 }

// Set is called from outside.
func Set(s int) { setting = s }

type counter struct{ n int }

func (c *counter) inc()     { c.n++ }
func (c *counter) get() int { return c.n }

type Node struct{ own []int }

func (n *Node) Step(in msg.In, out *msg.Out) {
	count++               // want `^the variable count is written, which all nodes and runs share; keep it in the node$`
	table[1] = 2          // want `the variable table is written`
	delete(table, 1)      // want `the variable table is written`
	n.own = append(list)  // want `the variable list is written`
	state.n[1] += 2       // want `the variable state is written`
	p := &state           // want `the address of the variable state is taken`
	p.n[0] = 3            // want `p refers to a variable of the package and is written`
	for count = range 3 { // want `the variable count is written`
	}
	t := table
	t[1] = 1               // want `t refers to a variable of the package and is written`
	slices.Sort(list)      // want `the variable list is written`
	fill(list)             // want `the variable list is written`
	counters.inc()         // want `the variable counters is written`
	buffer.WriteString("") // want `the variable buffer is handed to Buffer.WriteString`
	_ = setting            // want `the variable setting is read, which Set writes and all nodes and runs share`
	n.harmless()
}

func fill(l []int) { refill(l) }

func refill(l []int) { l[0] = 1 }

func (n *Node) harmless() {
	_ = constant[1] + fixed + byTest
	_ = names[1]
	_ = replacer.Replace("a")
	t := constant
	t[1] = 2
	n.own[0] = 3
	fill(n.own)
	count := 1
	count++
}
