package certify

// packed is the zone of a state that is kept: each bound is its number in a [dictionary], since there are few
// different ones.
type packed struct {
	n int
	d []uint32
}

// dictionary numbers bounds.
type dictionary struct {
	ids    map[bound]uint32
	values []bound
	recent [1024]struct { // the number of a bound that was looked up before, plus 1
		b  bound
		id uint32
	}
}

func newDictionary() *dictionary { return &dictionary{ids: map[bound]uint32{}} }

func (d *dictionary) id(b bound) uint32 {
	r := &d.recent[uint64(b)*0x9E3779B97F4A7C15>>54]
	if r.b == b && r.id > 0 {
		return r.id - 1
	}
	id, ok := d.ids[b]
	if !ok {
		id = uint32(len(d.values))
		d.ids[b], d.values = id, append(d.values, b)
	}
	r.b, r.id = b, id+1
	return id
}

// pack is a zone without room for more variables.
func (d *dictionary) pack(z *zone) packed {
	p := packed{z.n, make([]uint32, len(z.d))}
	for i, b := range z.d {
		p.d[i] = d.id(b)
	}
	return p
}

func (d *dictionary) unpack(m *memory, p *packed) zone {
	z := zone{p.n, p.n, m.bounds.take(len(p.d), 0)}
	for i, id := range p.d {
		z.d[i] = d.values[id]
	}
	return z
}

// has reports whether each instant of z is one of p, and lies whether each of p is one of z.
func (d *dictionary) has(p *packed, z *zone) bool {
	for i, b := range z.d {
		if b > d.values[p.d[i]] {
			return false
		}
	}
	return true
}

func (d *dictionary) lies(p *packed, z *zone) bool {
	for i, b := range z.d {
		if b < d.values[p.d[i]] {
			return false
		}
	}
	return true
}

// widen adds the instants of a zone, and what lies between the two: the least zone that has them all.
func (d *dictionary) widen(p *packed, z *zone) {
	for i, b := range z.d {
		if b > d.values[p.d[i]] {
			p.d[i] = d.id(b)
		}
	}
}
