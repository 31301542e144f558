package eventlog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// execution is one of several runs in one log.
type execution struct {
	name     string
	from, to int // offsets in the text
}

// executions parts the text, from an offset on, at the delimiters. What is before the
// first one is an execution if it is not blank.
func (r *reader) executions(begin int) []execution {
	list := []execution{{"", begin, len(r.text)}}
	trace := r.delimiter.re.SubexpIndex("trace")
	for at := begin; len(list) <= maxExecutions+1; {
		m := r.delimiter.next(r.text, at)
		if m == nil || m[0] == m[1] {
			break
		}
		list[len(list)-1].to = m[0]
		name := ""
		if trace >= 0 && m[2*trace] >= 0 {
			name = strings.TrimSpace(r.text[m[2*trace]:m[2*trace+1]])
		}
		list = append(list, execution{name, m[1], len(r.text)})
		at = m[1]
	}
	list = slices.DeleteFunc(list, func(e execution) bool { return strings.TrimSpace(r.text[e.from:e.to]) == "" })
	taken := map[string]bool{}
	for i := range list {
		e := &list[i]
		if e.name == "" || taken[e.name] {
			e.name = strings.TrimSpace(e.name + " #" + strconv.Itoa(i+1))
		}
		taken[e.name] = true
	}
	return list
}

// pick cuts the text behind the execution to read, and goes to its beginning.
func (r *reader) pick(begin int) error {
	wanted := r.options.Execution
	if r.delimiter == nil {
		r.lineOf(begin)
		return nil
	}
	list := r.executions(begin)
	r.parted = len(list) > 1
	if len(list) > maxExecutions {
		return fmt.Errorf("more than %d executions", maxExecutions)
	}
	at := slices.IndexFunc(list, func(e execution) bool { return e.name == wanted })
	if n, err := strconv.Atoi(wanted); at < 0 && err == nil && n >= 1 && n <= len(list) {
		at = n - 1
	}
	if wanted == "" && len(list) == 1 {
		at = 0
	}
	if at < 0 {
		e := &ExecutionsError{Picked: wanted}
		for _, x := range list {
			e.Names = append(e.Names, x.name)
		}
		if len(list) > 0 {
			return e
		}
		list, at = []execution{{"", begin, len(r.text)}}, 0
	}
	r.text = r.text[:list[at].to]
	r.lineOf(list[at].from)
	r.log.Execution = list[at].name
	return nil
}
