package floats

import (
	"math"

	"example/msg"
)

type Node struct {
	x, y, z float64
	c       complex128
	n       int
}

type number interface{ ~int | ~float64 }

func (n *Node) Step(in msg.In, out *msg.Out) {
	n.z = math.Exp(n.x)     // want `math.Exp has another result on another processor; calculate with integers or a table`
	n.z = math.Log(n.x)     // want `math.Log has another result`
	n.z = math.Pow(n.x, 2)  // want `math.Pow has another result`
	n.z = n.x*n.y + n.z     // want `a floating point product is added to, which some processors round once and others twice; write float64`
	n.z = n.z - (n.x * n.y) // want `a floating point product is added to`
	n.z += n.x * n.y        // want `a floating point product is added to`
	n.c = n.c * n.c         // want `a complex product`
	n.z = sum(n.x, n.y)

	n.z = math.Sqrt(n.x) + math.Floor(n.y) + math.Inf(1)
	n.z = float64(n.x*n.y) + n.z
	product := n.x * n.y
	n.z = n.z + product
	n.n = n.n*n.n + 3
	n.z = 0.5*3*math.Pi + n.z
}

func sum[T number](x, y T) T {
	return x*x + y // want `a floating point product is added to`
}
