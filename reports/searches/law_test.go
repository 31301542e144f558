package searches

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLawText(t *testing.T) {
	terms := []Valued{{"work", -1e0}, {"delay.min", 1}, {"delay.max", -3}, {"ttl", 2}, {"retry", 0}}
	l := Law{Pauses: 1, Terms: terms}
	assert.Equal(t, "pause + work + 3*delay.max > delay.min + 2*ttl", l.Write())
	l.ConstantNS, l.Pauses = 10e9, 2
	assert.Equal(t, "2*pause + work + 3*delay.max > delay.min + 2*ttl + 10s", l.Write())
	l.ConstantNS = -5e6
	assert.Equal(t, "2*pause + work + 3*delay.max + 5ms > delay.min + 2*ttl", l.Write())
	l = Law{Pauses: 1, ConstantNS: 0}
	assert.Equal(t, "pause > 0s", l.Write())
}

func TestLawsText(t *testing.T) {
	l := Laws{Laws: []Law{{Text: "pause > a"}, {Text: "pause > b"}}, Points: 3, Within: []Ranged{{"a", 0, 1e9}}}
	assert.Equal(t, []string{"law: violated if pause > a", "  or if pause > b", "  right at 3 random points with a 0s to 1s: certified at the edge it gives, violated 2ns above"}, l.text())
	l.Wrong = []WrongLaw{{"a=1ms", 5, 7}}
	assert.Equal(t, []string{"  WRONG at 1 of 3 random points, at each of which longer pauses hold than it says with a 0s to 1s:", "    a=1ms: the edge is to be 5ns, and it is 7ns"}, l.text()[2:])
	l.Side = "each has an a of at most 1ms"
	assert.Equal(t, "    each has an a of at most 1ms", l.text()[3])
	l.Side = ""
	l.Wrong = append(l.Wrong, WrongLaw{"a=2ms", 5, -1})
	assert.Equal(t, []string{"  WRONG at 2 of 3 random points with a 0s to 1s:", "    a=1ms: the edge is to be 5ns, and it is 7ns", "    a=2ms: the edge is to be 5ns, and it has none"}, l.text()[2:])
	l.Stopped = "100 states"
	assert.Equal(t, "  not checked at more: 100 states", l.text()[5])
	assert.Equal(t, []string{"law: none: x"}, (&Laws{None: "none: x"}).text())
}
