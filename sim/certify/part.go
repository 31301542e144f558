package certify

import (
	"reflect"
	"unsafe"

	"fencepost/sim"
	"fencepost/sim/certify/internal/codec"
	"fencepost/sim/certify/internal/serial"
)

// A part is what one node remembers, or a property, or what a message says: the number of its bytes
// among all that were ever seen, and which variable each of its symbols is.
type part struct {
	id      uint32
	symbols []variable
}

// variable is a variable of a zone, and the clock whose reading it is.
type variable uint32

// clock is a clock that need not read true time: that of a node which may be stepped, or start anew. All others are 0.
type clock uint8

const clockShift = 24

func (v variable) index() int   { return int(v & (1<<clockShift - 1)) }
func (v variable) clock() clock { return clock(v >> clockShift) }

// of is a reading of a clock, at a variable.
func (c clock) of(index int) variable { return variable(c)<<clockShift | variable(index) }

// parts numbers bytes.
type parts struct {
	node    sim.NodeID // one of those of which they are, of a node
	renames bool       // they may have numbers of nodes in them, see [sim.Renamer]
	ids     map[string]uint32
	bytes   []string
	size    int64      // about what they take, in bytes
	views   [][]uint32 // by node and number: how they see it, 0: that is not known

	numbered bool              // they may have serial numbers in them
	serials  [][]serial.Number // those that do
}

// newParts are those of what a pointer refers to.
func (t *theatre) newParts(p any) *parts {
	_, renames := p.(sim.Renamer)
	return &parts{renames: renames, numbered: renames && len(t.numbers) > 0, ids: map[string]uint32{}}
}

func (p *parts) id(b []byte) uint32 {
	if id, ok := p.ids[string(b)]; ok {
		return id
	}
	id := uint32(len(p.bytes))
	s := string(b)
	p.ids[s], p.bytes, p.size = id, append(p.bytes, s), p.size+int64(len(b))+80
	return id
}

// view is how a part sees a node, 0 if that is not known.
func (p *parts) view(id uint32, node sim.NodeID) uint32 {
	if int(node) < len(p.views) && int(id) < len(p.views[node]) {
		return p.views[node][id]
	}
	return 0
}

// seen is how a part sees a node.
func (p *parts) seen(id uint32, node sim.NodeID, view uint32) {
	for int(node) >= len(p.views) {
		p.views = append(p.views, nil)
	}
	list := &p.views[node]
	for int(id) >= len(*list) {
		*list = append(*list, 0)
	}
	(*list)[id] = view
}

// theatre is the stage with what it takes to put states on it and to take them off.
type theatre struct {
	sim.Stage
	search     int
	bias       *codec.Biases
	names      []string // of the nodes
	nodes      int
	property   int
	numbers    []bool // by node: it has serial numbers; none: no node has
	codecs     codec.Codecs
	node       []*parts // by node
	properties *parts
	messages   *parts
	start      uint32 // the message that starts a node
	scratch    codec.Writer
}

func newTheatre(s sim.Stage, search int, names []string, property int) (*theatre, error) {
	nodes := len(names)
	t := &theatre{Stage: s, search: search, bias: new(codec.Biases), names: names, nodes: nodes, property: property, codecs: codec.Codecs{}, node: make([]*parts, nodes+1)}
	if list := s.Serials(); len(list) > 0 {
		t.numbers = make([]bool, nodes+1)
		for _, id := range list {
			t.numbers[id] = true
		}
	}
	t.properties, t.messages = t.newParts(s.Property(property)), t.newParts(s.Message())
	for id := 1; id <= nodes; id++ {
		t.node[id] = t.newParts(s.Node(sim.NodeID(id)))
		t.node[id].node = sim.NodeID(id)
		if _, err := t.codec(s.Node(sim.NodeID(id))); err != nil {
			return nil, err
		}
	}
	for _, group := range s.Alike() {
		for _, id := range group {
			if one := group[0]; reflect.TypeOf(s.Node(id)) == reflect.TypeOf(s.Node(one)) {
				t.node[id] = t.node[one]
			}
		}
	}
	if _, err := t.codec(s.Property(property)); err != nil {
		return nil, err
	}
	_, err := t.codec(s.Message())
	return t, err
}

func (t *theatre) codec(p any) (*codec.Codec, error) { return t.codecs.Of(reflect.TypeOf(p).Elem()) }

// save writes what a pointer refers to, and returns its number. The symbols are what its symbols
// are, in the order in which they appear, good until the next call.
func (t *theatre) save(in *parts, p any) (id uint32, symbols []int, err error) {
	k, _ := t.codec(p)
	w := &t.scratch
	w.Search, w.Bias, w.B, w.Symbols, w.Err = t.search, t.bias, w.B[:0], w.Symbols[:0], nil
	k.Write(w, pointerOf(p))
	id, symbols, err = in.id(w.B), w.Symbols, w.Err
	if in.numbered && int(id) == len(in.serials) {
		in.serials = append(in.serials, t.serialsIn(p.(sim.Renamer)))
	}
	return id, symbols, err
}

// put puts what is kept where a pointer refers to; symbols are what its symbols are to be.
func (t *theatre) put(in *parts, id uint32, symbols []int, p any) {
	k, _ := t.codec(p)
	r := codec.Reader{Search: t.search, Bias: t.bias, B: unsafeBytes(in.bytes[id]), Symbols: symbols}
	k.Read(&r, pointerOf(p))
}

// pointerOf is the address in an interface that holds a pointer.
func pointerOf(p any) unsafe.Pointer { return reflect.ValueOf(p).UnsafePointer() }

// unsafeBytes are the bytes of a string, that are read only.
func unsafeBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
