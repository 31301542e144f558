// Package terminal is what a command line needs to know of the terminal: colour,
// progress, quoting, and what a misspelt word was meant to be.
package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Color decides whether verdict words are coloured. The first that is given
// decides: the flag (always or never), NO_COLOR, CLICOLOR_FORCE, and last whether
// out is a terminal that can.
func Color(flag string, out io.Writer, getenv func(string) string) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, fmt.Errorf("--color: want auto, always or never, got %q", flag)
	}
	if getenv("NO_COLOR") != "" {
		return false, nil
	}
	if force := getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true, nil
	}
	_, is := Is(out)
	return is && getenv("TERM") != "dumb", nil
}

// Is reports whether a writer is a terminal, and its file.
func Is(out io.Writer) (*os.File, bool) {
	f, ok := out.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Width is how many characters fit on a line of a terminal, 0 if out is none.
func Width(out io.Writer) int {
	f, is := Is(out)
	if !is {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w <= 0 {
		return 80 // a terminal that does not know its size
	}
	return w
}
