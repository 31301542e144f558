package random

import (
	crypto "crypto/rand"
	"hash/fnv"
	"hash/maphash"
	old "math/rand"
	"math/rand/v2"

	"example/msg"
)

type Node struct {
	source *old.Rand
	state  uint64
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	_ = rand.IntN(3)                        // want `rand.IntN draws outside the streams`
	_ = old.Intn(3)                         // want `rand.Intn draws outside the streams`
	_ = n.source.Int63()                    // want `rand.Rand.Int63 draws outside the streams`
	_, _ = crypto.Read(nil)                 // want `rand.Read draws outside the streams`
	_ = maphash.String(maphash.Seed{}, "x") // want `maphash.String draws outside`

	n.state = n.state*6364136223846793005 + 1
	_ = fnv.New64a()
}
