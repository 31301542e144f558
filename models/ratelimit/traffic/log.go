package traffic

import "time"

// Log is an access log. Models read no files: the decoder of the parameters says how
// it is opened.
type Log struct {
	Path string
	Open func(LogOptions) (Recorded, error)
}

// LogOptions say how a log is read; what is zero is left to the reader.
type LogOptions struct {
	Key     string
	Prefix6 int
	Horizon *time.Duration
	Memory  int64 // bytes that the run may keep, of which the reader takes its share
}

// Recorded is the requests of a log.
type Recorded interface {
	Stream
	// Err is why it could not be read to its end, nil if it could.
	Err() error
	Close() error
	// Read is how many bytes have been read, of how many.
	Read() (done, total int64)
	// Name is the text of a key, if it is known.
	Name(key uint64) (string, bool)
	// Text is what has been read, on lines.
	Text() []string
	// LeftOut is how many lines are not among the requests, of how many that should be.
	LeftOut() (n, of int64)
	// Grain is the step in which its times are, such as 1s.
	Grain() time.Duration
	// Cut is why it ends too early, "" if it does not.
	Cut() string
}
