package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// rename lets the help of a program and its commands call it by its own name, and leaves out the examples with scenarios that it does
// not have.
func rename(cmd *cobra.Command, name string, scenarios []string) {
	own := func(s string) string { return strings.ReplaceAll(s, "simctl", name) }
	cmd.Use, cmd.Short, cmd.Long = own(cmd.Use), own(cmd.Short), own(cmd.Long)
	var kept []string
	for _, line := range strings.Split(strings.ReplaceAll(cmd.Example, "\\\n", "\\\v"), "\n") { // a long example is one
		if fits(line, scenarios) {
			kept = append(kept, strings.ReplaceAll(own(line), "\v", "\n"))
		}
	}
	cmd.Example = strings.Join(kept, "\n")
	for _, c := range cmd.Commands() {
		rename(c, name, scenarios)
	}
}

// fits reports whether an example names no scenario but those of the program.
func fits(example string, scenarios []string) bool {
	for _, word := range strings.Fields(example) {
		name := strings.Trim(word, `"'`)
		if strings.Count(name, "/") == 1 && !strings.ContainsAny(name, ".=*$") && !slices.Contains(scenarios, name) {
			return false
		}
	}
	return true
}
