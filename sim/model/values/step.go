package values

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/text"
)

// Step parts a step of a script: the index of its verb, which is the first word, and the words behind it, of at most so
// many bytes each. The example is of a step, for one that is empty.
func Step(step string, verbs []string, example string, most int) (verb int, words []string, err error) {
	words = strings.Fields(step)
	if len(words) == 0 {
		return 0, nil, fmt.Errorf("an empty step: want one such as %q", example)
	}
	if verb = slices.Index(verbs, words[0]); verb < 0 {
		return 0, nil, fmt.Errorf("no step begins with %q: want one of %s", text.Excerpt(words[0], most), strings.Join(verbs, ", "))
	}
	for _, w := range words {
		if len(w) > most {
			return 0, nil, fmt.Errorf("%q is longer than %d bytes", text.Excerpt(w, most), most)
		}
	}
	return verb, words[1:], nil
}
