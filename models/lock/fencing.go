package lock

// Policy is how a resource treats the tokens of the operations that reach it.
type Policy uint8

// The policies. Lex compares (token, number of the request) as a pair.
const (
	NoFencing          Policy = iota
	RejectOlder               // reject iff token < last: lets one holder write more than once
	RejectOlderOrEqual        // reject iff token <= last: one operation per token
	RejectLex                 // reject iff (token, seq) <= (last token, last seq): neither reordering nor duplicates pass
)

// Fence is the last token that a resource has seen. It must be durable, and change
// atomically with what it protects.
//
// Source: Kleppmann, "How to do distributed locking", 2016, "Making the lock safe
// with fencing"; spec, locks, clocks and the key-value store, section 5.1.
type Fence struct {
	Policy Policy

	token, seq uint64
}

// Admit decides an operation and, if it is applied, remembers its token.
func (f *Fence) Admit(token, seq uint64) bool {
	switch f.Policy {
	case RejectOlder:
		if token < f.token {
			return false
		}
	case RejectOlderOrEqual:
		if token <= f.token {
			return false
		}
	case RejectLex:
		if token < f.token || token == f.token && seq <= f.seq {
			return false
		}
	}
	f.token, f.seq = token, seq
	return true
}

// Last is the last token that was admitted.
func (f *Fence) Last() uint64 { return f.token }
