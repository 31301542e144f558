// Package pages finds the transcripts of simctl in the pages of the repository, for the tests that hold them
// against what simctl prints.
package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fencepost/scenarios"
)

// least is how many transcripts a page has at least.
var least = map[string]int{"README.md": 2, "docs/command-line.md": 1, "docs/ratelimit.md": 4, "docs/clocks.md": 17, "docs/compare.md": 3, "docs/advise.md": 5, "docs/certify.md": 4, "docs/flows.md": 5, "docs/idempotency.md": 6, "docs/search.md": 8, "docs/locks.md": 2, "docs/kv.md": 3}

// Transcript is a command of a page and the output that follows it.
type Transcript struct {
	Args []string
	Code int      // as go run says: "exit status 3"
	want []string // lines
}

func (v *Transcript) String() string { return strings.Join(v.Args, " ") }

// Shipped is the scenario that the command runs as it ships, and nothing else; "" if it does something else.
func (v *Transcript) Shipped() string {
	if len(v.Args) == 2 && v.Args[0] == "run" && slices.Contains(scenarios.Names(), v.Args[1]) {
		return v.Args[1]
	}
	return ""
}

// Family is the family that the command compares as it ships, and nothing else; "" if it does something else.
func (v *Transcript) Family() string {
	if len(v.Args) == 2 && v.Args[0] == "compare" && !slices.Contains(scenarios.Names(), v.Args[1]) && !strings.ContainsAny(v.Args[1], "/.") {
		return v.Args[1]
	}
	return ""
}

// All lists the transcripts of all pages of the repository that root is the folder of.
func All(root string) (list []Transcript, err error) {
	for page, n := range least {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			return nil, err
		}
		found, err := transcripts(string(text))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", page, err)
		case len(found) < n:
			return nil, fmt.Errorf("%s has %d transcripts of simctl: want at least %d", page, len(found), n)
		}
		list = append(list, found...)
	}
	return list, nil
}

// transcripts are the indented blocks of a page that begin with a call of simctl.
func transcripts(page string) (list []Transcript, err error) {
	const call = "    $ go run ./cmd/simctl "
	var now *Transcript
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, call):
			list = append(list, Transcript{Args: words(line[len(call):])})
			now = &list[len(list)-1]
		case now != nil && strings.HasPrefix(line, "    exit status "):
			if now.Code, err = strconv.Atoi(strings.TrimPrefix(line, "    exit status ")); err != nil {
				return nil, err
			}
		case now != nil && strings.HasPrefix(line, "    "):
			now.want = append(now.want, strings.TrimPrefix(line, "    "))
		case line != "":
			now = nil
		}
	}
	return list, nil
}

// Check looks for the transcript in the output of its command, line by line; [...] stands for lines that are
// left out, or for what is left out of a line.
func (v *Transcript) Check(stdout string) error {
	rest := strings.Split(stdout, "\n")
	skip := false
	for _, want := range v.want {
		if want == "[...]" {
			skip = true
			continue
		}
		for skip && len(rest) > 0 && !isLine(rest[0], want) {
			rest = rest[1:]
		}
		for len(rest) > 0 && rest[0] == "" && want != "" { // empty lines end no block
			rest = rest[1:]
		}
		switch {
		case len(rest) == 0:
			return fmt.Errorf("the output has no line %q", want)
		case !isLine(rest[0], want):
			return fmt.Errorf("the page has\n%s\nand the output\n%s", want, rest[0])
		}
		rest, skip = rest[1:], false
	}
	return nil
}

// isLine reports whether a line of an output is that of a page.
func isLine(line, want string) bool {
	line = strings.TrimRight(line, " ")
	parts := strings.Split(want, "[...]")
	if len(parts) == 1 {
		return line == want
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(line, first) {
		return false
	}
	line = line[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(line, part)
		if line = after; !found {
			return false
		}
	}
	return strings.HasSuffix(line, last)
}

// words are those of a command line: what stands between two single quotes is a part of one.
func words(line string) (list []string) {
	word, quoted, any := "", false, false
	for _, c := range line + " " {
		switch {
		case c == '\'':
			quoted, any = !quoted, true
		case c != ' ' || quoted:
			word, any = word+string(c), true
		case any:
			list, word, any = append(list, word), "", false
		}
	}
	return list
}
