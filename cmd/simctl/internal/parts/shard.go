// Package parts keeps the parts of a run that several machines do, each in a file, and
// proves that together they are all of it.
package parts

import (
	"fmt"
	"strconv"

	"fencepost/internal/lazyregexp"
)

// MaxShards is how many parts there may be: each is a file.
const MaxShards = 100_000

// Shard is one of several equal parts of the runs. Of 0 is no shard.
type Shard struct {
	Number int // from 1; 0 is those that are asked for one after another
	Of     int
}

var shardPattern = lazyregexp.New(`^([0-9]{1,9}|-)/([0-9]{1,9})$`)

// ParseShard reads "2/3", or "-/3" for a worker that is asked for one after another.
func ParseShard(text string) (Shard, error) {
	m := shardPattern().FindStringSubmatch(text)
	if m == nil {
		return Shard{}, fmt.Errorf("want the number of the shard and how many there are, as in 1/3, got %q", text)
	}
	of, _ := strconv.Atoi(m[2]) // at most nine digits
	number := 0
	if m[1] != "-" {
		number, _ = strconv.Atoi(m[1])
	}
	switch {
	case of < 1 || of > MaxShards:
		return Shard{}, fmt.Errorf("want 1 to %d shards, got %q", MaxShards, text)
	case m[1] != "-" && (number < 1 || number > of):
		return Shard{}, fmt.Errorf("want shard 1 to %d of %d, got %q", of, of, text)
	}
	return Shard{number, of}, nil
}

// String is the text of [ParseShard].
func (s Shard) String() string {
	if s.Number == 0 {
		return fmt.Sprintf("-/%d", s.Of)
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// Runs are those of the shard: from the index first to before end. Sizes differ by one at
// most.
func (s Shard) Runs(total int) (first, end int) {
	return cut(total, s.Number-1, s.Of), cut(total, s.Number, s.Of)
}

// cut is total * n / of, without overflow.
func cut(total, n, of int) int { return total/of*n + total%of*n/of }

// File is the name of the file of the shard.
func (s Shard) File() string {
	digits := len(strconv.Itoa(s.Of))
	return fmt.Sprintf("part-%0*d-of-%d.json", digits, s.Number, s.Of)
}

var filePattern = lazyregexp.New(`^part-[0-9]+-of-[0-9]+\.json$`)
