package reports

import (
	"fmt"
	"strings"
	"testing"

	"fencepost/sim"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writtenLog is a log as it is written.
func writtenLog(t *testing.T, s *Log) string {
	t.Helper()
	b := &strings.Builder{}
	require.NoError(t, WriteLog(b, s))
	return b.String()
}

// pauses are n pauses of a node of 0.1 s, one each second from the first second on.
func pauses(node string, n int) (list []sim.Moment) {
	for i := range sim.Time(n) {
		of := "pauses of " + node
		list = append(list, sim.Moment{At: (i + 1) * second, Text: fmt.Sprintf("%s is paused for %dms", node, 100+i), Fault: of, Until: (i+1)*second + second/10},
			sim.Moment{At: (i+1)*second + second/10, Text: node + " resumes", Fault: of, Ends: true})
	}
	return list
}

// TestLogCountsPauses: T8, a log was mostly of pauses after the last release.
func TestLogCountsPauses(t *testing.T) {
	s := &Log{Moments: append([]sim.Moment{{Text: "client-1 acquired the lock"}}, pauses("client-1", 40)...)}
	assert.Equal(t, `      0.000s  client-1 acquired the lock
      1.000s  client-1 is paused for 100ms
      1.100s  client-1 resumes
      2.000s  client-1 is paused for 101ms
      2.100s  client-1 resumes
      3.000s  client-1 is paused for 102ms
      3.100s  client-1 resumes
      4.000s  and 37 more pauses of client-1 until 40.000s
`, writtenLog(t, s))

	// what is about the first violation of a property stays, with the end of what had begun
	s.Decisive = []sim.Time{20*second + second/20}
	assert.Equal(t, `      4.000s  and 34 more pauses of client-1 until 40.000s
     18.000s  client-1 is paused for 117ms
     18.100s  client-1 resumes
     19.000s  client-1 is paused for 118ms
     19.100s  client-1 resumes
     20.000s  client-1 is paused for 119ms
     20.100s  client-1 resumes
`, strings.SplitAfterN(writtenLog(t, s), "\n", 8)[7])
}

// TestLogCountsByNode: a few pauses of each node are told, and what the model says is
// never counted.
func TestLogCountsByNode(t *testing.T) {
	s := &Log{Moments: append(pauses("a", 7), pauses("b", 7)...)}
	for range 20 {
		s.Moments = append(s.Moments, sim.Moment{At: 9 * second, Text: "a is refused"})
	}
	text := writtenLog(t, s)
	assert.Equal(t, 14, strings.Count(text, "is paused for"))
	assert.Equal(t, 20, strings.Count(text, "a is refused"))
	assert.NotContains(t, text, "more")
}

// TestLogMergedPauses: a pause within one that is shown does not hide its end.
func TestLogMergedPauses(t *testing.T) {
	s := &Log{Moments: pauses("a", 10), Decisive: []sim.Time{10 * second}}
	end := s.Moments[19]
	s.Moments[19] = sim.Moment{At: end.At - 2, Text: "a is paused for 1ms", Fault: end.Fault, Until: end.At - 1}
	s.Moments = append(s.Moments, s.Moments[19], end)
	text := writtenLog(t, s)
	assert.Contains(t, text, "and 6 more pauses of a until 10.099999998s")
	assert.True(t, strings.HasSuffix(text, "10.100s  a resumes\n"), text)
}

// TestLogShowsDecisive: in the middle of a long log the violation is shown, and what
// is just before and after it.
func TestLogShowsDecisive(t *testing.T) {
	s := &Log{Decisive: []sim.Time{60 * second}}
	for i := range sim.Time(100) {
		s.Moments = append(s.Moments, sim.Moment{At: i * second, Text: fmt.Sprintf("moment %d", i)})
	}
	lines := strings.Split(strings.TrimSpace(writtenLog(t, s)), "\n")
	require.Len(t, lines, 40+1+11+1+10)
	assert.Equal(t, "         ...  15 more, --trace shows all", lines[40])
	assert.Equal(t, "     55.000s  moment 55", lines[41])
	assert.Equal(t, "     65.000s  moment 65", lines[51])
	assert.Equal(t, "         ...  24 more, --trace shows all", lines[52])
}
