package plot

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/result"
	"fencepost/sim/formula"
)

// estimate is a value with its interval.
type estimate struct {
	value, low, high float64
	interval         bool // there is one
	unit             figure.Unit
	none             bool // there is no value: nothing was checked or recorded
}

// property is the name in P(name).
func property(y string) (string, bool) {
	name, ok := strings.CutPrefix(y, "P(")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, ")")
}

// estimateOf is what an outcome says of a measure, or of a property.
func estimateOf(o *reports.Outcome, y string) (estimate, error) {
	if name, ok := property(y); ok {
		return shareOf(o, name)
	}
	statistic, name, ok := strings.Cut(y, " of ")
	if !ok {
		statistic, name = "", y
	}
	i := slices.IndexFunc(o.Metrics, func(m reports.Metric) bool { return m.Name == name })
	if i < 0 {
		e := &UnknownError{Noun: "measure", Word: name}
		for _, m := range o.Metrics {
			e.Valid = append(e.Valid, m.Name)
		}
		for _, p := range o.Properties {
			e.Valid = append(e.Valid, "P("+p.Name+")")
		}
		return estimate{}, e
	}
	return metricOf(&o.Metrics[i], statistic)
}

func shareOf(o *reports.Outcome, name string) (estimate, error) {
	for _, p := range o.Properties {
		switch {
		case p.Name != name:
		case p.Share != nil:
			return estimate{p.Share.Value, p.Share.Low, p.Share.High, true, figure.Share, false}, nil
		case p.Runs == 0:
			return estimate{unit: figure.Share, none: true}, nil
		default:
			return estimate{value: float64(p.Violated) / float64(p.Runs), unit: figure.Share}, nil
		}
	}
	e := &UnknownError{Noun: "property", Word: name}
	for _, p := range o.Properties {
		e.Valid = append(e.Valid, p.Name)
	}
	return estimate{}, e
}

// metricOf is a statistic of a metric: its only value, the median of several, or what is
// asked for.
func metricOf(m *reports.Metric, statistic string) (estimate, error) {
	e := estimate{unit: figure.Ratio}
	if m.Unit == reports.Nanoseconds {
		e.unit = figure.Nanoseconds
	}
	if !m.Value.Known() && m.Count == 0 {
		e.none = true
		return e, nil
	}
	if !m.Value.Known() && statistic == "" {
		if statistic = "p50"; m.Count == 1 {
			statistic = "max"
		}
	}
	value, low, high := m.Value, m.Low, m.High
	switch {
	case m.Value.Known() && statistic != "":
		return e, &UnknownError{"statistic of " + m.Name, statistic, nil}
	case statistic == "p50":
		value, low, high = m.P50, m.P50Low, m.P50High
	case statistic == "p99":
		value, low, high = m.P99, m.P99Low, m.P99High
	case statistic == "p99.9" && !m.P999.Known(): // of too few values
		e.none = true
		return e, nil
	case statistic == "p99.9":
		value, low, high = m.P999, m.P999Low, m.P999High
	case statistic == "mean":
		value, low, high = m.Mean, result.Number{}, result.Number{}
	case statistic == "max":
		value, low, high = m.Max, result.Number{}, result.Number{}
	case statistic != "":
		return e, &UnknownError{"statistic", statistic, []string{"mean", "p50", "p99", "p99.9", "max"}}
	}
	if !value.Known() {
		return e, fmt.Errorf("%s: the document has no %s of it", m.Name, statistic)
	}
	e.value = value.Float64()
	if e.interval = low.Known() && high.Known(); e.interval {
		e.low, e.high = low.Float64(), high.Float64()
	}
	return e, nil
}

// number reads a value of an axis: "14ms", "4", "200ppm", "10%", "100/s", or the mean of
// "{exp: 5s}".
func number(text string) (v float64, u figure.Unit, ok bool) {
	v, unit, ok := formula.Value(text)
	return v, figure.Unit(unit), ok
}
