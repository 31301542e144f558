package dbm

// Packed is the zone of a state that is kept. Each bound is its number in a [Dictionary], since there are
// few different ones, and rows and columns in which nothing is bounded are left out: those of what
// happened last to nodes, for the most part.
type Packed struct {
	n          int
	rows, cols []uint8 // that are there
	d          []uint32
}

// Len is how many variables the zone has.
func (p *Packed) Len() int { return p.n }

// Size is about how many bytes it takes.
func (p *Packed) Size() int64 { return int64(4*len(p.d) + 2*p.n) }

// Dictionary numbers bounds.
type Dictionary struct {
	ids    map[Bound]uint32
	values []Bound
	recent [1024]struct { // the number of a bound that was looked up before, plus 1
		b  Bound
		id uint32
	}
}

// NewDictionary is one without any.
func NewDictionary() *Dictionary { return &Dictionary{ids: map[Bound]uint32{}} }

func (d *Dictionary) id(b Bound) uint32 {
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

// Pack is a zone without room for more variables, of which there are fewer than 256.
func (d *Dictionary) Pack(z *Zone) Packed {
	var rows, cols [256]bool
	n := 0
	for i := range z.n {
		for j, b := range z.row(i) {
			if i != j && b != Unbounded {
				rows[i], cols[j] = true, true
			}
		}
	}
	list := make([]uint8, 0, 2*z.n)
	for i := range z.n {
		if rows[i] {
			list = append(list, uint8(i))
			n++
		}
	}
	for j := range z.n {
		if cols[j] {
			list = append(list, uint8(j))
		}
	}
	p := Packed{n: z.n, rows: list[:n:n], cols: list[n:]}
	p.d = make([]uint32, 0, len(p.rows)*len(p.cols))
	for _, i := range p.rows {
		row := z.row(int(i))
		for _, j := range p.cols {
			p.d = append(p.d, d.id(row[j]))
		}
	}
	return p
}

// Unpack is the zone again.
func (d *Dictionary) Unpack(m *Memory, p *Packed) Zone {
	z := Zone{p.n, p.n, m.Take(p.n*p.n, 0)}
	for i := range z.d {
		z.d[i] = Unbounded
	}
	for i := range p.n {
		z.d[i*p.n+i] = Zero
	}
	k := 0
	for _, i := range p.rows {
		row := z.row(int(i))
		for _, j := range p.cols {
			row[j] = d.values[p.d[k]]
			k++
		}
	}
	return z
}

// Has reports whether each instant of z is one of p.
func (d *Dictionary) Has(p *Packed, z *Zone) bool {
	k := 0
	for _, i := range p.rows {
		row := z.row(int(i))
		for _, j := range p.cols {
			if row[j] > d.values[p.d[k]] {
				return false
			}
			k++
		}
	}
	return true
}

// Lies reports whether each instant of p is one of z. What p bounds is looked at first: most zones that differ do so there.
func (d *Dictionary) Lies(m *Memory, p *Packed, z *Zone) bool {
	k := 0
	for _, i := range p.rows {
		row := z.row(int(i))
		for _, j := range p.cols {
			if row[j] < d.values[p.d[k]] {
				return false
			}
			k++
		}
	}
	all := d.Unpack(m, p)
	for i, b := range z.d {
		if b < all.d[i] {
			return false
		}
	}
	return true
}

// Widen adds the instants of a zone, and what lies between the two: the least zone that has them all.
func (d *Dictionary) Widen(p *Packed, z *Zone) {
	k := 0
	for _, i := range p.rows {
		row := z.row(int(i))
		for _, j := range p.cols {
			if b := row[j]; b > d.values[p.d[k]] {
				p.d[k] = d.id(b)
			}
			k++
		}
	}
}
