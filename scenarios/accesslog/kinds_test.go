package accesslog

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request without a status was made: it counts, and so does what follows its status.
func TestAborted(t *testing.T) {
	for line, agent := range map[string]string{
		`192.0.2.1 - - [28/Sep/2022:13:38:05 +0000] "GET /b HTTP/1.1" - - "-" "curl/8"`:       "curl/8",
		`192.0.2.1 - - [28/Sep/2022:13:38:05 +0000] "GET /b HTTP/1.1" - 17 "-" "curl/8"`:      "curl/8",
		`192.0.2.1 - - [28/Sep/2022:13:38:05 +0000] "GET /" - b HTTP/1.1" 200 17 "-" "agent"`: "agent",
		`192.0.2.1 - - [28/Sep/2022:13:38:05 +0000] "GET /b HTTP/1.1" 499 0 "-" "agent"`:      "agent",
	} {
		list, _, r := readAll(t, line+"\n", Options{Key: Agent})
		require.Len(t, list, 1, line)
		name, _ := r.Name(list[0].key)
		assert.Equal(t, agent, name, line)
	}
	list, s, _ := readAll(t, `192.0.2.1 - - [28/Sep/2022:13:38:05 +0000] "GET /b HTTP/1.1" - -`, Options{})
	assert.Len(t, list, 1)
	assert.Equal(t, Common, s.Format)
}

// A strange line or two do not speak against a short log, and are told.
func TestShortLogs(t *testing.T) {
	const good = combinedLine + "\n"
	for _, c := range []struct {
		lines, strange int
		refused        bool
	}{{7, 1, false}, {7, 2, false}, {3, 1, false}, {2, 1, true}, {5, 2, true}, {12, 3, true}, {30, 3, false}} {
		_, s, r := readSome(t, strings.Repeat(good, c.lines-c.strange)+strings.Repeat("strange\n", c.strange), Options{})
		if assert.EqualValues(t, c.strange, s.Malformed); c.refused {
			assert.ErrorContains(t, r.Err(), "want at most a tenth", "%+v", c)
		} else {
			assert.NoError(t, r.Err(), "%+v", c)
			assert.Contains(t, s.Text("x")[0], "malformed")
		}
	}
}

// TestGrain: the step of the times is told by their digits.
func TestGrain(t *testing.T) {
	csv := func(times ...string) string { return "time,client\n" + strings.Join(times, ",a\n") + ",a\n" }
	minutes := strings.Split(strings.Repeat("2026-03-01T07:00:00Z ", 20), " ")[:20]
	for want, text := range map[time.Duration]string{
		time.Second:            csv("2026-03-01T07:00:01Z", "2026-03-01T07:00:02Z"),
		100 * time.Millisecond: csv("2026-03-01T07:00:01Z", "2026-03-01T07:00:02.3Z"),
		time.Microsecond:       csv("2026-03-01T07:00:01.25Z", "2026-03-01T07:00:02.000001Z"),
		time.Nanosecond:        csv("2026-03-01T07:00:01.250000001Z"),
		time.Minute:            csv(minutes...),
	} {
		_, s, _ := readAll(t, text, Options{})
		assert.Equal(t, want, s.Grain())
	}
}

// Formats that are not read are refused with the place and the remedy.
func TestRefusedFormats(t *testing.T) {
	for file, line := range map[string]string{"f2-cloudfront.log": "line 2: ", "f3-iis.log": "line 4: "} {
		text, err := os.ReadFile("testdata/refused/" + file)
		require.NoError(t, err)
		_, err = NewReader(strings.NewReader(string(text)), Options{})
		assert.EqualError(t, err, line+"a W3C extended log, as of IIS and CloudFront, is not read: write its time and client as a CSV whose header is time,client, with times such as 2015-05-17T10:05:03Z")
	}
	// Two formats in one log: the lines of the smaller part are shown.
	_, _, r := readSome(t, strings.Repeat(combinedLine+"\n", 20)+strings.Repeat("2026-03-01T07:00:01Z,192.0.2.1\n", 5), Options{})
	assert.ErrorContains(t, r.Err(), "5 of 25 lines (20.0%) were left out: want at most a tenth\n5 cannot be read as combined\nline 21: no time such as")
}
