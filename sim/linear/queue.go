package linear

import (
	"strconv"
	"strings"
)

// stepQueue is what a queue does: values leave it in the order in which they came. A dequeue
// is refused if it found the queue empty. The state is the items, the oldest first.
func stepQueue(items string, o *Op) (bool, any) {
	switch {
	case o.Kind == Enqueue:
		return true, items + item(o.Value)
	case o.Outcome == Refused:
		return items == "", items
	case o.Outcome == Open:
		return true, items[firstItem(items):]
	}
	rest, found := strings.CutPrefix(items, item(o.Value))
	return found, rest
}

// item is a value with its length before it, so that none is the start of another.
func item(value string) string { return strconv.Itoa(len(value)) + ":" + value }

// firstItem is the length of the first item, 0 if there is none.
func firstItem(items string) int {
	length, _, found := strings.Cut(items, ":")
	if !found {
		return 0
	}
	n, _ := strconv.Atoi(length)
	return len(length) + len(":") + n
}
