// Package flows has the flows that are shipped: the sources as written, their repairs, and
// the incidents, each in the language of package flow.
package flows

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.flow
var files embed.FS

// Names are the names of the flows, in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("flows: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".flow"))
	}
	slices.Sort(names)
	return names
}

// Text is the text of a flow; false: there is none of that name.
func Text(name string) (string, bool) {
	b, err := files.ReadFile(name + ".flow")
	return string(b), err == nil
}
