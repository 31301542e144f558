// Package msg is the message of the test packages.
package msg

import "example/fencepost/sim"

type Msg struct {
	Kind sim.Kind
	N    int64
	Data []byte
	Ptr  *int
	Text string
}

func (m Msg) Label() sim.Kind              { return m.Kind }
func (m Msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), uint64(m.N)) }
func (m Msg) String() string               { return m.Text }

type In = sim.In[Msg]

type Out = sim.Out[Msg]
