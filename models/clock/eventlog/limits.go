package eventlog

// Limits of a log.
const (
	MaxEvents = 1 << 23
	MaxHosts  = 1 << 16
	MaxBytes  = 1 << 30
	MaxLine   = 1 << 20 // bytes
	MaxName   = 256     // bytes, of a host

	// MaxCounters is how many counters all clocks have together: 8 bytes each.
	MaxCounters = 1 << 27

	maxCount      = 1<<48 - 1 // of a counter
	maxMistakes   = 20        // that are reported
	maxExecutions = 1 << 12
)
