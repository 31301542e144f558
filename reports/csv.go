package reports

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"fencepost/result"
)

// WriteCSV writes a row for each run or point of a grid, as RFC 4180 has it but for the
// line ends, which are a single newline. What only some of them have is empty in the
// others: a setting, and of each property and metric the values of its document, as
// mutual-exclusion.share and wait.p99_ns. Numbers have all their digits. A text that a
// spreadsheet would take for a formula has a ' before it.
func WriteCSV(out io.Writer, list []*Run) error {
	t := &csvTable{index: map[string]int{}, groups: map[string]int{}}
	for _, r := range list {
		for _, p := range r.points() {
			t.add(r, &p)
		}
	}
	w := csv.NewWriter(out)
	order := t.order()
	for _, row := range append([][]string{t.columns}, t.rows...) {
		cells := make([]string, len(order))
		for i, at := range order {
			if at < len(row) {
				cells[i] = inert(row[at])
			}
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// inert is a cell that no spreadsheet evaluates: what begins as a formula does and is no
// number, with or without a unit, gets a ' in front.
func inert(cell string) string {
	const others = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ.%/"
	switch {
	case cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])):
		return cell
	case (cell[0] == '-' || cell[0] == '+') && len(cell) > 1 && strings.ContainsRune(".0123456789", rune(cell[1])) && strings.Trim(cell[1:], others) == "":
		return cell
	}
	return "'" + cell
}

// points are those of the grid, or the run itself as the only one. The settings of the
// run are those of each point, unless it has its own.
func (r *Run) points() []Variant {
	if len(r.Variants) == 0 {
		return []Variant{{Settings: r.Settings, Seed: r.Seed, Runs: r.Runs, Outcome: r.Outcome}}
	}
	list := slices.Clone(r.Variants)
	for i := range list {
		all := slices.Clone(r.Settings)
		for _, s := range list[i].Settings {
			all = slices.DeleteFunc(all, func(o result.Setting) bool { return o.Path == s.Path })
			all = append(all, s)
		}
		list[i].Settings = all
	}
	return list
}

// csvTable is rows whose columns come up as they are needed.
type csvTable struct {
	columns []string
	of      []int // by column, its group: those of a property or metric stand together
	index   map[string]int
	groups  map[string]int
	group   int // that columns are added to
	rows    [][]string
}

// begin begins or continues a group of columns.
func (t *csvTable) begin(group string) {
	i, ok := t.groups[group]
	if !ok {
		i = len(t.groups)
		t.groups[group] = i
	}
	t.group = i
}

// order is the columns as they are written.
func (t *csvTable) order() []int {
	order := make([]int, len(t.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.of[a] - t.of[b] })
	return order
}

// set sets a cell of the last row.
func (t *csvTable) set(column, value string) {
	i, ok := t.index[column]
	if !ok {
		i = len(t.columns)
		t.index[column] = i
		t.columns, t.of = append(t.columns, column), append(t.of, t.group)
	}
	row := &t.rows[len(t.rows)-1]
	for len(*row) <= i {
		*row = append(*row, "")
	}
	(*row)[i] = value
}

func (t *csvTable) add(r *Run, p *Variant) {
	t.rows = append(t.rows, nil)
	t.begin("")
	t.set("scenario", r.Scenario)
	t.set("mode", r.Mode)
	for _, s := range p.Settings {
		t.set(s.Path, s.Value)
	}
	t.begin("runs")
	t.set("seed", strconv.FormatUint(p.Seed, 10))
	t.set("runs", strconv.Itoa(p.Runs))
	t.set("as_expected", strconv.FormatBool(p.OK))
	t.set("verdict", p.word())
	t.set("exit", strconv.Itoa(p.Exit))
	for i := range p.Properties {
		t.begin("property " + p.Properties[i].Name)
		t.property(&p.Properties[i])
	}
	for i := range p.Metrics {
		t.begin("metric " + p.Metrics[i].Name)
		t.metric(&p.Metrics[i])
	}
	t.begin("end")
	t.set("panics", "0")
	if p.Panic != nil {
		t.set("panics", strconv.Itoa(p.Panic.Runs))
	}
	t.set("events", strconv.FormatUint(p.Events, 10))
	t.set("digest", p.Digest)
	t.set("reproduce", p.Reproduce)
}

// word is the verdict as documents write it.
func (o *Outcome) word() string {
	text, _ := o.Word.MarshalText() // which never fails
	return string(text)
}

func (t *csvTable) property(p *Property) {
	t.set(p.Name, p.Verdict)
	t.set(p.Name+".runs", strconv.Itoa(p.Runs))
	t.set(p.Name+".violated", strconv.Itoa(p.Violated))
	share, low, high, seed, at := "", "", "", "", ""
	if p.Share != nil {
		share, low, high = exactly(p.Share.Value), exactly(p.Share.Low), exactly(p.Share.High)
	}
	if p.First != nil {
		seed, at = strconv.FormatUint(p.First.Seed, 10), strconv.FormatInt(p.First.AtNS, 10)
	}
	t.set(p.Name+".share", share)
	t.set(p.Name+".low", low)
	t.set(p.Name+".high", high)
	if p.Bound != "" {
		t.set(p.Name+".bound", p.Bound)
	}
	t.set(p.Name+".first_seed", seed)
	t.set(p.Name+".first_at_ns", at)
}

func (t *csvTable) metric(m *Metric) {
	unit := ""
	if m.Unit == Nanoseconds {
		unit = "_ns"
	}
	if m.Count > 0 {
		t.set(m.Name+".count", strconv.FormatUint(m.Count, 10))
	}
	if len(m.Codes) > 0 {
		t.set(m.Name+".codes", m.cell(0))
	}
	for _, c := range []struct {
		name  string
		value string
	}{
		{"value", m.Value.String()}, {"low", m.Low.String()}, {"high", m.High.String()}, {"mean", m.Mean.String()},
		{"p50", m.P50.String()}, {"p50_low", m.P50Low.String()}, {"p50_high", m.P50High.String()},
		{"p99", m.P99.String()}, {"p99_low", m.P99Low.String()}, {"p99_high", m.P99High.String()},
		{"p99_9", m.P999.String()}, {"p99_9_low", m.P999Low.String()}, {"p99_9_high", m.P999High.String()}, {"max", m.Max.String()},
	} {
		if c.value != "" {
			t.set(m.Name+"."+c.name+unit, c.value)
		}
	}
}

func exactly(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
