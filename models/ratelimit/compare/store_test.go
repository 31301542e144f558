package compare

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// Fields of a record do not overlap, nor do records, of which each begins with a line of the cache.
func TestRecordsDoNotOverlap(t *testing.T) {
	type odd struct {
		list []int64
		bit  bool
	}
	s := &store{}
	bits, odds, numbers := addField[bool](s), addField[odd](s), addField[[9]int64](s)
	const n = 2*pageSize + 1
	for i := range n {
		assert.Equal(t, i, s.grow())
		*bits.at(i), *odds.at(i), *numbers.at(i) = i%2 == 0, odd{[]int64{int64(i)}, true}, [9]int64{int64(i), 8: -int64(i)}
	}
	for i := range n {
		assert.Zero(t, uintptr(unsafe.Pointer(s.at(i)))%lineBytes, i)
		assert.Equal(t, i%2 == 0, *bits.at(i))
		assert.Equal(t, odd{[]int64{int64(i)}, true}, *odds.at(i))
		assert.Equal(t, [9]int64{int64(i), 8: -int64(i)}, *numbers.at(i))
	}
}
