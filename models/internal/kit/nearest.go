package kit

import "strings"

// Nearest is the word that somebody meant: the one in a list with the fewest letters added,
// removed or changed, the first of several; "" if that is more than a third of the letters.
// Letter case, and _ for -, cost nothing.
func Nearest(word string, words []string) string {
	best, least := "", 0
	fold := func(s string) []rune { return []rune(strings.ReplaceAll(strings.ToLower(s), "_", "-")) }
	a := fold(word)
	for _, w := range words {
		b := fold(w)
		shorter, longer := min(len(a), len(b)), max(len(a), len(b))
		limit := max(1, longer/3)
		if longer-shorter > limit {
			continue // also keeps a long text from being compared at all
		}
		if d := distance(a, b); d <= limit && (d == 0 || d < shorter) && (best == "" || d < least) {
			best, least = w, d
		}
	}
	return best
}

// distance is Levenshtein's, with one row of his matrix.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		corner := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := corner
			if x != y {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
