package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"fencepost/reports/units"
)

// What is written of the measures of single nodes: all, if there are no more than the
// first; else those of the first few nodes of a kind.
const (
	mostOfNodes = 100
	firstNodes  = 3
)

// ofNode is the number of the node that a measure is about: client-7-attempts is of the
// seventh client. A measure of no single node has 0.
func (m *Metric) ofNode() int {
	_, rest, _ := strings.Cut(m.Name, "-")
	number, _, found := strings.Cut(rest, "-")
	n, err := strconv.Atoi(number)
	if !found || err != nil {
		return 0
	}
	return n
}

// leftOut says which measures of single nodes the tables leave out, nil if they have all. What is
// expected is always written.
func (r *Run) leftOut() (out map[string]bool) {
	all := 0
	for i := range r.Metrics {
		if r.Metrics[i].ofNode() > 0 {
			all++
		}
	}
	if all <= mostOfNodes {
		return nil
	}
	out = map[string]bool{}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.ofNode() > firstNodes && !r.expects(m.Name) {
			out[m.Name] = true
		}
	}
	return out
}

// writeLeftOut writes how many measures are left out.
func writeLeftOut(out io.Writer, names map[string]bool) error {
	if len(names) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, " left out: %s of single nodes, --output json has them\n", units.Plural(len(names), "measure"))
	return err
}
