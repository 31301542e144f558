package explain

import (
	"strings"

	"fencepost/internal/text"
)

// sentence says what nodes do, in the third person; no nodes are the network.
func sentence(nodes []string, act string) string {
	switch len(nodes) {
	case 0:
		return "the network " + act
	case 1:
		return nodes[0] + " " + act
	}
	verb, rest, _ := strings.Cut(act, " ")
	rest = strings.ReplaceAll(" "+rest, " its ", " their ")
	rest = strings.ReplaceAll(rest, " and answers ", " and answer ")
	rest = strings.ReplaceAll(rest, " and sends ", " and send ")
	return text.List(nodes) + " " + plural(verb) + strings.TrimSuffix(rest, " ")
}

// plural is the verb of several, given that of one.
func plural(verb string) string {
	switch {
	case verb == "has":
		return "have"
	case verb == "is":
		return "are"
	case strings.HasSuffix(verb, "ies"):
		return strings.TrimSuffix(verb, "ies") + "y"
	case strings.HasSuffix(verb, "shes"):
		return strings.TrimSuffix(verb, "es")
	}
	return strings.TrimSuffix(verb, "s")
}
