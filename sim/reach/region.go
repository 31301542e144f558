package reach

// region is the part of a table that holds the keys whose hashes have the same first
// bits. It is made of pages, small tables of their own that are split when they are full
// (extendible hashing, with a step of growth in between), so that growth moves a few
// kilobytes at a time, all of them in the cache, and leaves no garbage. A page is 4/9 to
// 2/3 full once it has two pieces.
//
// Source: Fagin, Nievergelt, Pippenger and Strong, "Extendible hashing", 1979;
// Larson, "Linear hashing with partial expansions", 1980.
type region struct {
	words uint64  // of a key
	bits  uint8   // of a hash that say which page, after those of the region
	pages []*page // by these bits
	free  []*piece
	bytes int64
	_     [64]byte // regions are written by different processors
}

// page is a hash table of lines. A key is in the line of its hash or, if that was full
// when it came, in the next that was not. Lines are filled from their start.
type page struct {
	pieces [maxPieces]*piece
	lines  uint32
	most   uint32 // keys, until it grows
	n      uint32
	bits   uint8 // of a hash that its keys have in common
}

// line is a line of the cache: words of keys, 0 where there is none.
type line [8]uint64

// piece is a piece of a page.
type piece [pieceLines]line

const (
	pieceBits  = 11
	pieceLines = 1 << pieceBits
	pieceBytes = 64 * pieceLines
	maxPieces  = 3
	pageBytes  = 64 // of a page and of its place in the region, beside its pieces
)

// reset makes the region empty, for keys of the given number of words.
func (r *region) reset(words uint64) {
	var last *page
	for _, p := range r.pages {
		if p == last {
			continue // it has several places, side by side
		}
		for _, c := range p.pieces {
			if c != nil {
				clear(c[:])
				r.free = append(r.free, c)
			}
		}
		last = p
	}
	r.words, r.bits, r.bytes = words, 0, 0
	r.pages = []*page{r.page(1, 0)}
}

// page makes a page.
func (r *region) page(pieces int, bits uint8) *page {
	p := &page{bits: bits}
	r.bytes += pageBytes
	for i := range pieces {
		p.pieces[i] = r.piece()
	}
	p.resize(pieces, r.words)
	return p
}

// piece is an empty piece.
func (r *region) piece() *piece {
	r.bytes += pieceBytes
	if last := len(r.free) - 1; last >= 0 {
		c := r.free[last]
		r.free = r.free[:last]
		return c
	}
	return new(piece)
}

func (p *page) resize(pieces int, words uint64) {
	p.lines = uint32(pieces) << pieceBits
	p.most = p.lines * uint32(uint64(len(line{}))/words) / 3 * 2
}

// at is the page for a hash.
func (r *region) at(hash uint64) *page {
	return r.pages[hash<<regionBits>>1>>(63-r.bits)]
}

// place is the line at which the search for a hash begins.
func (p *page) place(hash uint64) uint64 { return uint64(uint32(hash)) * uint64(p.lines) >> 32 }

func (p *page) line(i uint64) *line { return &p.pieces[i>>pieceBits][i&(pieceLines-1)] }

// look says whether a key of one word is in the line, and how many words are used. Where a
// key is cannot be predicted, so no branch depends on it: every key has its lowest bit set.
func (l *line) look(k uint64) (there bool, used uint64) {
	l0, l1, l2, l3, l4, l5, l6, l7 := l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]
	least := min(l0^k, l1^k, l2^k, l3^k, l4^k, l5^k, l6^k, l7^k)
	return least == 0, l0&1 + l1&1 + l2&1 + l3&1 + l4&1 + l5&1 + l6&1 + l7&1
}

// insert puts a key into the region and reports whether it was not there.
func (r *region) insert(k key, hash uint64, sc *scratch) bool {
	p := r.at(hash)
	if r.words == 2 {
		return r.insertWide(p, k, hash, sc)
	}
	for i := p.place(hash); ; {
		l := p.line(i)
		for j := range l {
			if l[j] == k.lo {
				return false
			}
			if l[j] == 0 {
				if p.n >= p.most {
					r.grow(p, hash, sc)
					return r.insert(k, hash, sc)
				}
				l[j] = k.lo
				p.n++
				return true
			}
		}
		if i++; i == uint64(p.lines) {
			i = 0
		}
	}
}

func (r *region) insertWide(p *page, k key, hash uint64, sc *scratch) bool {
	for i := p.place(hash); ; {
		l := p.line(i)
		for j := 0; j < len(l); j += 2 {
			if l[j] == k.lo && l[j+1] == k.hi {
				return false
			}
			if l[j] == 0 {
				if p.n >= p.most {
					r.grow(p, hash, sc)
					return r.insert(k, hash, sc)
				}
				l[j], l[j+1] = k.lo, k.hi
				p.n++
				return true
			}
		}
		if i++; i == uint64(p.lines) {
			i = 0
		}
	}
}

// scratch is what a worker uses while a page grows.
type scratch struct {
	loaded uint64
	grown  bool // a page
	pieces [maxPieces]piece
	used   [2][maxPieces << pieceBits]uint8 // words of the lines of the page and of its new half
}

// grow gives a page, to which a hash belongs, another piece or splits it.
func (r *region) grow(p *page, hash uint64, sc *scratch) {
	sc.grown = true
	n := 0
	for ; n < maxPieces && p.pieces[n] != nil; n++ {
		sc.pieces[n] = *p.pieces[n]
		clear(p.pieces[n][:])
	}
	halves, split := [2]*page{p, p}, uint64(0)
	if n < maxPieces {
		p.pieces[n] = r.piece()
		p.resize(n+1, r.words)
	} else {
		halves[1], split = r.split(p, hash), 1
	}
	p.n = 0
	clear(sc.used[0][:])
	clear(sc.used[1][:])
	next := (64 - regionBits - p.bits) & 63 // bit of a hash, after those in common before
	for i := range sc.pieces[:n] {
		for j := range sc.pieces[i] {
			l := &sc.pieces[i][j]
			for w := uint64(0); w < uint64(len(l)) && l[w] != 0; w += r.words {
				k := key{lo: l[w]}
				if r.words == 2 {
					k.hi = l[w+1]
				}
				h := k.hash()
				to := h >> next & split
				halves[to].append(k, h, &sc.used[to], r.words)
			}
		}
	}
}

// append adds a key that is not in the page yet, with the given number of words used in its lines.
func (p *page) append(k key, hash uint64, used *[maxPieces << pieceBits]uint8, words uint64) {
	i := p.place(hash)
	for used[i] == uint8(len(line{})) {
		if i++; i == uint64(p.lines) {
			i = 0
		}
	}
	l, j := p.line(i), used[i]&7
	l[j] = k.lo
	if words == 2 {
		l[(j+1)&7] = k.hi
	}
	used[i] += uint8(words)
	p.n++
}

// split makes two pages of one that is empty by now and has the most pieces. It returns
// the new one, for the hashes whose next bit is 1.
func (r *region) split(p *page, hash uint64) *page {
	if p.bits == r.bits {
		pages := make([]*page, 2*len(r.pages))
		for i := range pages {
			pages[i] = r.pages[i/2]
		}
		r.pages, r.bits = pages, r.bits+1
	}
	first := hash << regionBits >> 1 >> (63 - p.bits) // of its bits
	p.bits++
	q := r.page(1, p.bits)
	const last = maxPieces - 1
	q.pieces[1], p.pieces[last] = p.pieces[last], nil
	p.resize(last, r.words)
	q.resize(2, r.words)
	each := uint64(1) << (r.bits - p.bits) // places of a page
	for i := range each {
		r.pages[(2*first+1)*each+i] = q
	}
	return q
}
