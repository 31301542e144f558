package accesslog

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/realdata"
)

// The logs of other people's servers are in shared/data/access beside the repository. A
// clone without them has the test of this file with no rows. The figures are those of
// shared/data/SOURCES.md.
var published = []struct {
	file                             string
	requests, outOfOrder             int64
	clients, over30, over60, busiest int // clients with so many a calendar minute; most of any
	first, last, id                  string
}{
	{"elastic_apache_logs_2015.log", 10000, 4915, 1753, 31, 2, 108, "2015-05-17T10:05:00Z", "2015-05-20T21:05:59Z", "75.97.9.59"},
	{"logisland_access_2013w45.log", 13960, 79, 801, 68, 11, 211, "2013-11-03T05:25:02Z", "2013-11-10T05:25:01Z", "194.199.16.116"},
	{"twiki_2004.log", 1406, 0, 169, 0, 0, 22, "2004-03-08T00:05:49Z", "2004-03-12T21:25:45Z", "10.0.0.153"},
}

func TestPublishedFigures(t *testing.T) {
	for _, v := range published {
		path := realdata.Path("access", v.file)
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		list, s, _ := readAll(t, string(text), Options{Horizon: DefaultHorizon})
		assert.Equal(t, v.requests, s.Used, v.file)
		assert.Equal(t, v.outOfOrder, s.OutOfOrder, v.file)
		assert.Zero(t, s.Malformed+s.Late, v.file)
		assert.Equal(t, v.first, time.Unix(0, s.First).UTC().Format(time.RFC3339))
		assert.Equal(t, v.last, time.Unix(0, s.Last).UTC().Format(time.RFC3339))

		perMinute := map[uint64]map[int64]int{}
		most := map[uint64]int{}
		for i, q := range list {
			require.False(t, i > 0 && q.at < list[i-1].at, "out of order")
			if perMinute[q.key] == nil {
				perMinute[q.key] = map[int64]int{}
			}
			perMinute[q.key][q.at/int64(time.Minute)]++
			most[q.key] = max(most[q.key], perMinute[q.key][q.at/int64(time.Minute)])
		}
		assert.Len(t, perMinute, v.clients, v.file)
		over30, over60 := 0, 0
		for _, n := range most {
			if n >= 30 {
				over30++
			}
			if n >= 60 {
				over60++
			}
		}
		assert.Equal(t, []int{v.over30, v.over60}, []int{over30, over60}, v.file)
		assert.Equal(t, v.busiest, most[Hash([]byte(v.id))], v.file)

		// The other keys of the same log.
		assert.Equal(t, strings.Contains(string(text[:1000]), "Mozilla"), s.Format == Combined, v.file)
		paths, _, _ := readAll(t, string(text), Options{Key: Path, Horizon: DefaultHorizon})
		assert.Len(t, paths, len(list))
	}
}
