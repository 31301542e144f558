package layout

// Style says how text is dressed up. The zero Style is plain.
type Style struct {
	Color bool // verdict words in colour; they say the same without
	Width int  // of the terminal, in characters, to which tables and texts are fitted; 0: there is none
}

// The colours, as ANSI escape sequences number them.
const (
	Red    = "31"
	Green  = "32"
	Yellow = "33"
)

// Widest is how wide lines may be that are at most this wide.
func (s Style) Widest(most int) int {
	if s.Width > 0 {
		most = min(most, max(s.Width, narrowest))
	}
	return most
}

// narrowest is the width below which nothing is fitted any more.
const narrowest = 40

// Paint is a word in a colour, or as it is if the style has none.
func (s Style) Paint(color, word string) string {
	if !s.Color || word == "" {
		return word
	}
	return "\x1b[1;" + color + "m" + word + "\x1b[0m"
}
