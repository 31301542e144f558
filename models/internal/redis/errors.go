package redis

// Error is what the server answers in place of a value.
type Error uint8

// The errors that a rate limiter meets.
const (
	OOM           Error = iota + 1 // a write while the memory is full, with noeviction
	NotInteger                     // INCR of a text, EXPIRE by a fraction
	Overflow                       // INCR of 2^63-1
	WrongType                      // a command for another type of key
	InvalidExpire                  // SET with an expiry of 0 or less
	NoScript                       // EVALSHA of a script that the server does not have
	CrossSlot                      // keys of one command that lie in several slots
	ScriptError                    // Lua: a nil where a number or a string is wanted
)

var errorTexts = [...]string{
	OOM:           "OOM command not allowed when used memory > 'maxmemory'.",
	NotInteger:    "ERR value is not an integer or out of range",
	Overflow:      "ERR increment or decrement would overflow",
	WrongType:     "WRONGTYPE Operation against a key holding the wrong kind of value",
	InvalidExpire: "ERR invalid expire time",
	NoScript:      "NOSCRIPT No matching script. Please use EVAL.",
	CrossSlot:     "CROSSSLOT Keys in request don't hash to the same slot",
	ScriptError:   "ERR user_script: a number is wanted and nil was given",
}

// Error implements error: the words of the server, or close to them.
func (e Error) Error() string { return errorTexts[e] }
