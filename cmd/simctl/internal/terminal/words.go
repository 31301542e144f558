package terminal

import "strings"

// Quote writes words so that a POSIX shell reads them as they are.
func Quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

func quote(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%"
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Nearest is the word that another was most likely meant to be, "" if none is near:
// about a third of the letters may be wrong.
func Nearest(word string, words []string) string {
	nearest, least := "", len(word)/3+2
	for _, w := range words {
		if d := distance(word, w); d < least && d < len(w) {
			nearest, least = w, d
		}
	}
	return nearest
}

// distance is how many letters must be inserted, deleted or replaced.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
