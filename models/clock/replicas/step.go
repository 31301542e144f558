package replicas

import (
	"fmt"
	"strings"
	"time"

	"fencepost/sim/model/values"
)

// Verb is what a client does in a step.
type Verb uint8

// The verbs, with what follows each in a script.
const (
	ReadKey    Verb = iota // read REPLICA
	WriteKey               // write REPLICA [VALUE]: with what has been read
	BlindWrite             // blind-write REPLICA [VALUE]: as one who has read nothing
	AddItems               // add REPLICA ITEM...: the cart that has been read, and these
	RemoveItem             // remove REPLICA ITEM...: the cart that has been read, without these
	SyncKey                // sync REPLICA REPLICA: the first hands on what it keeps to the second
	WaitFor                // wait LENGTH
	WaitUntil              // at LENGTH: until this long after the client's start
)

var verbNames = [...]string{"read", "write", "blind-write", "add", "remove", "sync", "wait", "at"}

var verbForms = [...]string{"read REPLICA", "write REPLICA [VALUE]", "blind-write REPLICA [VALUE]", "add REPLICA ITEM...",
	"remove REPLICA ITEM...", "sync REPLICA REPLICA", "wait LENGTH", "at LENGTH"}

// maxWord bounds a name in a script.
const maxWord = 32

// Step is one line of a client's script, as "read a" or "write a x".
type Step struct {
	Verb    Verb
	Replica string
	Words   []string      // the value, the items, or the other replica
	Length  time.Duration // of a wait
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Step) UnmarshalText(b []byte) error {
	verb, words, err := values.Step(string(b), verbNames[:], verbForms[ReadKey], maxWord)
	if err != nil {
		return err
	}
	*s = Step{Verb: Verb(verb)}
	bad := fmt.Errorf("want %s", verbForms[verb])
	switch n := len(words); s.Verb {
	case WaitFor, WaitUntil:
		if n != 1 {
			return bad
		}
		length, err := time.ParseDuration(words[0])
		if err != nil || length < 0 {
			return fmt.Errorf("%w, a length such as 10ms", bad)
		}
		s.Length = length
		return nil
	case ReadKey:
		if n != 1 {
			return bad
		}
	case SyncKey:
		if n != 2 {
			return bad
		}
	case WriteKey, BlindWrite:
		if n < 1 || n > 2 {
			return bad
		}
	default:
		if n < 2 {
			return bad
		}
	}
	s.Replica, s.Words = words[0], words[1:]
	return nil
}

// String is the step as a script has it.
func (s Step) String() string {
	switch s.Verb {
	case WaitFor, WaitUntil:
		return verbNames[s.Verb] + " " + values.Length(s.Length)
	}
	return strings.Join(append([]string{verbNames[s.Verb], s.Replica}, s.Words...), " ")
}

// writes reports whether the step makes a write.
func (s *Step) writes() bool { return s.Verb >= WriteKey && s.Verb <= RemoveItem }
