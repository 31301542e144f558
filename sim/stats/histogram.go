package stats

import "math/bits"

const (
	subBits = 7 // 128 buckets to an octave
	subs    = 1 << subBits
	octaves = 64 - subBits // for every int64 from 0 up
)

// histogram keeps how values are distributed: in each octave 128 buckets, and of
// each bucket the count and the largest value that was really seen. So a quantile
// that it gives is a value that occurred, less than 1/128 above the exact one, and
// is exact below 256 and wherever a bucket has held one value only. It allocates
// an octave when it is first needed.
type histogram struct {
	count    uint64
	sum      int128
	min, max int64
	up, down side // the values from 0 up, and those below
}

// side is one half of the numbers, by magnitude.
type side [octaves]*octave

type octave struct {
	count [subs]uint64
	most  [subs]int64
}

// place is the octave and the bucket of a magnitude. Magnitudes below 128 are
// octave 0.
func place(v uint64) (oct, sub int) {
	if v < subs {
		return 0, int(v)
	}
	shift := bits.Len64(v) - subBits - 1
	return shift + 1, int(v>>shift) - subs
}

// tally counts a value without keeping it: there will be no quantiles.
func (h *histogram) tally(v int64) {
	if h.count == 0 || v < h.min {
		h.min = v
	}
	if h.count == 0 || v > h.max {
		h.max = v
	}
	h.count++
	h.sum.add(v)
}

// add counts a value.
func (h *histogram) add(v int64) {
	h.tally(v)
	half, magnitude := &h.up, uint64(v)
	if v < 0 {
		half, magnitude = &h.down, ^uint64(v) // -1 is 0, so that the least int64 fits
	}
	oct, sub := place(magnitude)
	if half[oct] == nil {
		half[oct] = new(octave)
	}
	half[oct].add(sub, 1, v)
}

func (o *octave) add(sub int, n uint64, v int64) {
	if o.count[sub] == 0 || v > o.most[sub] {
		o.most[sub] = v
	}
	o.count[sub] += n
}

// merge counts what another histogram has counted.
func (h *histogram) merge(other *histogram) {
	if other.count == 0 {
		return
	}
	if h.count == 0 || other.min < h.min {
		h.min = other.min
	}
	if h.count == 0 || other.max > h.max {
		h.max = other.max
	}
	h.count += other.count
	h.sum.merge(other.sum)
	h.up.merge(&other.up)
	h.down.merge(&other.down)
}

func (s *side) merge(other *side) {
	for oct, from := range other {
		if from == nil {
			continue
		}
		if s[oct] == nil {
			s[oct] = new(octave)
		}
		for sub, n := range from.count {
			if n > 0 {
				s[oct].add(sub, n, from.most[sub])
			}
		}
	}
}

// clear forgets the values and keeps the memory.
func (h *histogram) clear() {
	if h.count == 0 {
		return
	}
	for _, half := range []*side{&h.up, &h.down} {
		for _, o := range half {
			if o != nil {
				*o = octave{}
			}
		}
	}
	h.count, h.sum, h.min, h.max = 0, int128{}, 0, 0
}

// rank is the value of the given rank, 1 to count, from the least up.
func (h *histogram) rank(r uint64) int64 {
	if r <= 1 {
		return h.min
	}
	var seen uint64
	for oct := octaves - 1; oct >= 0; oct-- {
		if o := h.down[oct]; o != nil {
			for sub := subs - 1; sub >= 0; sub-- {
				if seen += o.count[sub]; seen >= r {
					return o.most[sub]
				}
			}
		}
	}
	for _, o := range &h.up {
		if o == nil {
			continue
		}
		for sub, n := range &o.count {
			if seen += n; seen >= r {
				return o.most[sub]
			}
		}
	}
	return h.max
}
