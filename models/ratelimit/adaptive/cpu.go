package adaptive

// CPU keeps the load of a machine between two marks: above the higher one it cuts the
// limit, below the lower one, if the limit is in use, it adds a step, and in between it
// does nothing. A limit that is not adjusted does not keep a load: it is a number of jobs,
// whatever each costs.
//
// What it does shows only in the next measurement. If measurements are late by some samples,
// it continues to cut for as many more.
//
// Source: S2 14, adaptive, and S3 case, of docs/sources.md.
type CPU struct {
	Bounds
	High, Low int64 // percent, 0 <= Low <= High <= 100
	Step      int64 // 1 and up
	Backoff   int64 // what is left after a cut, per mille: 1 to 999

	limit int64
}

// DefaultCPU has the usual marks.
func DefaultCPU() CPU {
	return CPU{Bounds: Bounds{Min: 20, Max: 200}, High: 80, Low: 60, Step: 1, Backoff: 900}
}

// Start sets the limit.
func (c *CPU) Start(limit int64) { c.limit = c.clamp(limit) }

// Limit is the limit in force.
func (c *CPU) Limit() int64 { return c.limit }

// Update takes in a sample.
func (c *CPU) Update(s Sample) {
	switch {
	case s.CPU > c.High:
		c.limit = c.clamp(c.limit * c.Backoff / 1000)
	case s.CPU < c.Low && c.used(s, c.limit):
		c.limit = c.clamp(c.limit + c.Step)
	}
}
