package flow

import "fmt"

// Symbolic says why a handler cannot be run with time as a symbol, "" if it can.
func (p *Program) Symbolic() string {
	for i := range p.Statements {
		s := &p.Statements[i]
		if s.SQL == nil {
			continue
		}
		if what := s.SQL.Readings(); what != "" {
			return fmt.Sprintf("line %d, column %d of the flow %s", s.Line, s.Column, what)
		}
	}
	return ""
}
