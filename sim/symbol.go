package sim

import "time"

// A search may drive steps with time as a symbol: a reading is then a symbol, such as "when this
// step happens", and an offset in nanoseconds. Both lie in the same int64 as a plain reading, so
// that a step stores it and adds durations to it as ever:
//
//	bit  62      1: no plain reading of a run, which would be in its 146th year
//	bits 58..61  the search whose symbol it is
//	bits 52..57  the symbol, numbered by the search
//	bits  0..51  the offset, plus 2^51
//
// What a step asks of readings, whether one is before another, the start of a unit of time and the
// length between two, is answered by the [Oracle] of the search. No run of a [World] has a symbol in it.
//
// A length between two symbols is a number of its own, of the search that is none:
//
//	bits 58..62  all 1
//	bits 52..57  the symbol of the later reading
//	bits 46..51  and of the earlier one, another
//	bits  0..45  the offset, plus 2^45
//
// or all bits the other way round. It may be kept whole, and a timer be as long.

// The bounds of symbols.
const (
	MaxOracles = 15               // searches at the same time: the 16th number is of [Never] and what is near it
	MaxSymbols = 64               // of one step
	MaxOffset  = int64(1) << 50   // either way, 13 days: a sum of two stays within its bits
	symbolic   = uint64(1)        // bits 62 and 63
	offsetBits = 52               // of a reading
	offsetZero = int64(1) << 51   // what stands for offset 0
	offsetMask = int64(1)<<52 - 1 // its bits

	MaxDifference = int64(1)<<45 - 1  // of a length between two symbols: the offset either way, 9 hours
	differSearch  = int64(0x1f) << 58 // the bits that such a length has
	differBits    = 46                // of its offset
)

// An Oracle answers for the readings of one search.
type Oracle interface {
	// Before reports whether one reading is earlier than another. One of them may be plain.
	Before(a, b int64) bool
	// Truncate is the last multiple of the unit that is not later than the reading.
	Truncate(a int64, unit time.Duration) int64
	// Sub is the length from b to a.
	Sub(a, b int64) int64
}

// oracles are those that answer, by number. Each search writes its own entry before its first
// step, and no other reads it.
type oracles [MaxOracles + 1]Oracle

func (o *oracles) set(i int, by Oracle) { o[i] = by }

var answering = new(oracles)

// SetOracle names the oracle that answers for the symbols of the numbered search; nil: none does.
// The caller sees to it that no step of that search is under way, and that no two have the number.
func SetOracle(search int, by Oracle) { answering.set(search, by) }

// Symbol is a symbol plus an offset, as an instant or a reading.
func Symbol(search, symbol int, offset int64) int64 {
	return 1<<62 | int64(search)<<58 | int64(symbol)<<offsetBits | (offset+offsetZero)&offsetMask
}

// AsSymbol takes a reading apart; ok is false for a plain one.
func AsSymbol(reading int64) (search, symbol int, offset int64, ok bool) {
	if !isSymbol(reading) {
		return 0, 0, 0, false
	}
	search = int(reading>>58) & MaxOracles
	return search, int(reading>>offsetBits) & (MaxSymbols - 1), reading&offsetMask - offsetZero, search < MaxOracles
}

func isSymbol(reading int64) bool { return uint64(reading)>>62 == symbolic }

// Difference is the length from one symbol to another, plus an offset. Reversed is the number of the same
// length with all bits the other way round: a step that looks at it, or adds to it, does another thing.
func Difference(from, to int, offset int64, reversed bool) int64 {
	v := differSearch | int64(to)<<offsetBits | int64(from)<<differBits | (offset+MaxDifference+1)&(2*MaxDifference+1)
	if reversed {
		return ^v
	}
	return v
}

// AsDifference takes a length between two symbols apart; ok is false for a plain one.
func AsDifference(length int64) (from, to int, offset int64, ok bool) {
	if length < 0 {
		length = ^length
	}
	from, to = int(length>>differBits)&(MaxSymbols-1), int(length>>offsetBits)&(MaxSymbols-1)
	return from, to, length&(2*MaxDifference+1) - MaxDifference - 1, length&differSearch == differSearch && from != to
}

// between is the length from one reading to another, of which one may be a symbol.
func between(a, b int64) time.Duration {
	if by := asks(a, b); by != nil {
		return time.Duration(by.Sub(a, b))
	}
	return time.Duration(a - b)
}

// before compares two readings of which one may be a symbol.
func before(a, b int64) bool {
	if by := asks(a, b); by != nil {
		return by.Before(a, b)
	}
	return a < b
}

// asks is the oracle that answers for two readings, nil for plain ones.
func asks(a, b int64) Oracle {
	if !isSymbol(a) {
		a = b
	}
	if search, _, _, ok := AsSymbol(a); ok {
		return answering[search]
	}
	return nil
}

// truncate rounds a reading down, before an epoch too.
func truncate(a int64, unit time.Duration) int64 {
	if by := asks(a, a); by != nil {
		return by.Truncate(a, unit)
	}
	u := int64(unit)
	return a - (a%u+u)%u
}
