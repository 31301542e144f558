package reports

// Style says how text is dressed up. The zero Style is plain.
type Style struct {
	Color bool // verdict words in colour; they say the same without
	Width int  // of the terminal, in characters, to which tables and texts are fitted; 0: there is none
}

const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

// widest is how wide lines may be that are at most so wide.
func (s Style) widest(most int) int {
	if s.Width > 0 {
		most = min(most, max(s.Width, narrowest))
	}
	return most
}

// narrowest is the width below which nothing is fitted any more.
const narrowest = 40

func (s Style) paint(color, word string) string {
	if !s.Color || word == "" {
		return word
	}
	return "\x1b[1;" + color + "m" + word + "\x1b[0m"
}

// verdict is the word for the verdict of a property.
func (s Style) verdict(v string) string {
	switch v {
	case violated:
		return s.paint(red, "VIOLATED")
	case holds:
		return s.paint(green, v)
	case notExercised:
		return s.paint(yellow, "not exercised")
	}
	return s.paint(yellow, v)
}

// met is the word for an expectation.
func (s Style) met(e *Expectation) string {
	switch {
	case e.Met:
		return s.paint(green, "met")
	case e.NotExercised:
		return s.paint(yellow, "neither")
	}
	return s.paint(red, "NOT MET")
}
