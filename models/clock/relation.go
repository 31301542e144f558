package clock

// Relation is how two clocks stand to each other. Bit 0 says that the second knows of
// something that the first does not, bit 1 the reverse.
//
// Source: Fidge 1988 and Mattern 1989.
type Relation uint8

// The four relations. That two clocks are equal is not that they are concurrent: equal
// is one event, or one version.
const (
	Equal      Relation = 0
	Before     Relation = 1
	After      Relation = 2
	Concurrent Relation = Before | After
)

// Reverse is the relation of the second to the first.
func (r Relation) Reverse() Relation { return r>>1&1 | r&1<<1 }

// String is =, <, > or ||.
func (r Relation) String() string { return [...]string{"=", "<", ">", "||"}[r&3] }

// ID names a process, a replica or a client: a string or a whole number. IDs are
// unique and totally ordered.
type ID interface {
	~string | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// MaxCount is the largest counter that is taken from elsewhere, out of a text or a
// message. A counter is 64 bits wide and only ever counted up by one, so behind this
// border it cannot overflow: that would take 2^63 events more.
const MaxCount uint64 = 1 << 62

// Limits of what a text can make large.
const (
	MaxEntries  = 1 << 16 // counters in one clock, values in one set
	MaxIDLength = 256     // bytes
)

// varint is how many bytes a number takes in base 128.
func varint(n uint64) int {
	size := 1
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}
