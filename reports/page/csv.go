package page

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

var csvColumns = []string{"event", "at_ns", "node", "what", "from", "to", "kind", "sent_ns", "cause", "mono_ns", "wall_ns", "text", "told", "violates", "name"}

// WriteCSV writes a row for each event of the run, below a row of names. Instants are in nanoseconds of true
// time, and those of clocks of what they read; cause is the number of the event that sent or armed what is handled;
// name is that of an event of the model's own, of which a step may have several.
func WriteCSV(out io.Writer, r *Run) error {
	w := csv.NewWriter(out)
	if err := w.Write(csvColumns); err != nil {
		return err
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	for e := range r.All() {
		row := []string{number(int64(e.Number)), number(e.AtNS), r.Name(e.Node), e.What(), "", "", e.Kind, "", "", "", "",
			e.Text(), strings.Join(e.Told, "; "), strings.Join(e.Violations, "; "), e.Name}
		if e.From > 0 {
			row[4], row[5] = r.Name(e.From), r.Name(e.Node)
		}
		if e.To > 0 {
			row[4], row[5] = r.Name(e.Node), r.Name(e.To)
		}
		if e.Is(IsStep) {
			row[7] = number(e.SentNS)
		}
		if e.Cause >= 0 {
			row[8] = number(int64(e.Cause))
		}
		if e.Node > 0 {
			row[9], row[10] = number(e.MonoNS), number(e.WallNS)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
