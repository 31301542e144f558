// Package verdict decides the first word of an answer and the exit code of the command that gives it. Every command fills
// an [Evidence] and prints what [Decide] returns; none chooses a word, a colour or a code itself.
package verdict

import (
	"encoding"
	"fmt"
	"slices"
	"strings"
)

// Word is the first word of an answer. The zero Word is an answer that was not decided.
type Word string

// The words, from the best to the worst. A grid has the word of its worst point.
const (
	Held          Word = "HELD"           // no violation
	Exhausted     Word = "EXHAUSTED"      // no violation in any schedule of the budget
	Certified     Word = "CERTIFIED"      // no violation for any value in the ranges
	Reached       Word = "REACHED"        // a run reaches the goal of the search
	Reproduced    Word = "REPRODUCED"     // every violation is one that the scenario predicts
	Unknown       Word = "UNKNOWN"        // a limit was reached first
	Interrupted   Word = "INTERRUPTED"    // by Ctrl-C
	NotExercised  Word = "NOT EXERCISED"  // there was nothing to check
	NotReached    Word = "NOT REACHED"    // no run reaches the goal of the search
	NotReproduced Word = "NOT REPRODUCED" // a predicted violation or number did not come
	Violated      Word = "VIOLATED"       // and the scenario does not predict it
	Panicked      Word = "PANIC"          // a node or the engine panicked
	Refused       Word = "REFUSED"        // the question is not covered
)

var order = []Word{Held, Exhausted, Certified, Reached, Reproduced, Unknown, Interrupted, NotExercised, NotReached, NotReproduced, Violated, Panicked, Refused}

// exits are the exit codes; a word that is missing has 0.
var exits = map[Word]int{Unknown: 1, Refused: 2, NotExercised: 3, NotReached: 3, NotReproduced: 3, Violated: 3, Panicked: 3, Interrupted: 130}

// Exit is the exit code of a command whose answer begins with the word.
func (w Word) Exit() int { return exits[w] }

// Good reports whether the word is good news, and Bad whether a build must not pass.
func (w Word) Good() bool { return w != "" && exits[w] == 0 }

// Bad reports whether the word says that something is wrong: a violation, or nothing that was checked.
func (w Word) Bad() bool { return exits[w] == 3 }

// rank is the place of the word in the order from the best to the worst.
func (w Word) rank() int { return slices.Index(order, w) }

var (
	_ encoding.TextMarshaler   = Word("")
	_ encoding.TextUnmarshaler = (*Word)(nil)
)

// MarshalText is the word in documents: "not-exercised".
func (w Word) MarshalText() ([]byte, error) {
	return []byte(strings.ReplaceAll(strings.ToLower(string(w)), " ", "-")), nil
}

// UnmarshalText reads a word of a document.
func (w *Word) UnmarshalText(text []byte) error {
	is := Word(strings.ReplaceAll(strings.ToUpper(string(text)), "-", " "))
	if is != "" && is.rank() < 0 {
		return fmt.Errorf("there is no verdict %.40q", text)
	}
	*w = is
	return nil
}

// Verdict is the first word, the sentence after it, and the exit code.
type Verdict struct {
	Word     Word   `json:"verdict,omitempty"`
	Sentence string `json:"sentence,omitempty"`
	Exit     int    `json:"exit"`
}

// Of is a verdict whose word is known.
func Of(w Word, sentence string) Verdict { return Verdict{w, sentence, w.Exit()} }

// String is the verdict as one line.
func (v Verdict) String() string {
	if v.Sentence == "" {
		return string(v.Word)
	}
	return string(v.Word) + ": " + v.Sentence
}
