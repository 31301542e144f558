package text

import "strings"

// Nearest returns the word of valid that word was most likely meant to be: the
// one at the smallest edit distance, the first of several, and "" where none is
// near. Letter case and _ for - cost nothing; of the rest about a third of the
// letters may be wrong.
func Nearest(word string, valid []string) string {
	nearest, smallest := "", -1
	a := fold(word)
	for _, candidate := range valid {
		b := fold(candidate)
		limit := max(1, max(len(a), len(b))/3)
		if max(len(a), len(b))-min(len(a), len(b)) > limit {
			continue // also keeps a long text from being compared at all
		}
		d := distance(a, b)
		if d > limit || d >= min(len(a), len(b)) && d > 0 {
			continue
		}
		if smallest < 0 || d < smallest {
			nearest, smallest = candidate, d
		}
	}
	return nearest
}

func fold(word string) []rune {
	return []rune(strings.ReplaceAll(strings.ToLower(word), "_", "-"))
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to make b of a.
//
// Source: Damerau, "A technique for computer detection and correction of
// spelling errors", CACM 1964; the form called optimal string alignment, which
// edits no letter twice.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
