package lock

// Policy is how a resource treats the tokens of the operations that reach it.
type Policy uint8

// The policies. Lex compares (token, number of the request) as a pair.
const (
	NoFencing          Policy = iota
	RejectOlder               // reject iff token < last: lets one holder write more than once
	RejectOlderOrEqual        // reject iff token <= last: one operation per token
	RejectLex                 // reject iff (token, seq) <= (last token, last seq): neither reordering nor duplicates pass
	CompareValue              // reject iff the lock's random value is not the one that was registered last: no tokens, and no order
)

// Fence is the last token that a resource has seen. It must be durable, and change
// atomically with what it protects.
//
// Source: Kleppmann, "How to do distributed locking", 2016, "Making the lock safe with
// fencing".
type Fence struct {
	Policy Policy

	token, seq uint64
	value      uint64 // registered last, with CompareValue
}

// Register is the first operation of a holder: it tells the resource its token, or its
// random value. A value has no order: the client that registers last is right.
//
// Source: Sanfilippo, "Is Redlock safe?", 2016, of the random token: set the state of the
// resource to it first, and write only if it is still the same.
func (f *Fence) Register(token, value uint64) bool {
	if f.Policy != CompareValue {
		return f.Admit(token, 0)
	}
	f.value, f.token = value, token
	return true
}

// Write decides a write of the holder that has this token, or this value.
func (f *Fence) Write(token, seq, value uint64) bool {
	if f.Policy != CompareValue {
		return f.Admit(token, seq)
	}
	return value == f.value
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
