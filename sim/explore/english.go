package explore

import "strings"

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
	return list(nodes) + " " + plural(verb) + strings.TrimSuffix(rest, " ")
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

// list is names as "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
