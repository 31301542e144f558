package adaptive

// Algorithm is which controller it is.
type Algorithm uint8

// The algorithms. Static never moves.
const (
	Static Algorithm = iota
	ByAIMD
	ByVegas
	ByGradient2
	ByCPU
)

var algorithmNames = [...]string{"static", "aimd", "vegas", "gradient2", "cpu"}

// Controller is any of the algorithms, as a value that can be copied.
type Controller struct {
	Algorithm Algorithm
	AIMD      AIMD
	Vegas     Vegas
	Gradient2 Gradient2
	CPU       CPU

	static int64
}

// NewController has the defaults of its algorithm.
func NewController(a Algorithm) Controller {
	return Controller{Algorithm: a, AIMD: DefaultAIMD(), Vegas: DefaultVegas(), Gradient2: DefaultGradient2(), CPU: DefaultCPU()}
}

// Bounds are between which limits it moves.
func (c *Controller) Bounds() *Bounds {
	switch c.Algorithm {
	case ByAIMD:
		return &c.AIMD.Bounds
	case ByVegas:
		return &c.Vegas.Bounds
	case ByGradient2:
		return &c.Gradient2.Bounds
	}
	return &c.CPU.Bounds
}

// SetBounds replaces the bounds.
func (c *Controller) SetBounds(b Bounds) { *c.Bounds() = b }

// Start sets the limit.
func (c *Controller) Start(limit int64) {
	switch c.Algorithm {
	case Static:
		c.static = limit
	case ByAIMD:
		c.AIMD.Start(limit)
	case ByVegas:
		c.Vegas.Start(limit)
	case ByGradient2:
		c.Gradient2.Start(limit)
	case ByCPU:
		c.CPU.Start(limit)
	}
}

// Limit is the limit in force.
func (c *Controller) Limit() int64 {
	switch c.Algorithm {
	case ByAIMD:
		return c.AIMD.Limit()
	case ByVegas:
		return c.Vegas.Limit()
	case ByGradient2:
		return c.Gradient2.Limit()
	case ByCPU:
		return c.CPU.Limit()
	}
	return c.static
}

// Update takes in a sample.
func (c *Controller) Update(s Sample) {
	switch c.Algorithm {
	case ByAIMD:
		c.AIMD.Update(s)
	case ByVegas:
		c.Vegas.Update(s)
	case ByGradient2:
		c.Gradient2.Update(s)
	case ByCPU:
		c.CPU.Update(s)
	}
}
