package searches

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConditionText(t *testing.T) {
	terms := []Coefficient{{Name: "work", Is: 1}, {Name: "delay.min", Is: -1}, {Name: "delay.max", Is: 3}, {Name: "ttl", Is: -2}, {Name: "retry"}}
	c := Condition{Pauses: Coefficient{Is: 1}, Terms: terms}
	assert.Equal(t, "pause + work + 3*delay.max > delay.min + 2*ttl", c.write(0))
	c.Pauses.Is, c.ConstantNS.Is = 2, -10e9
	assert.Equal(t, "2*pause + work + 3*delay.max > delay.min + 2*ttl + 10s", c.write(0))
	c.ConstantNS.Is, c.OrEqual = 5e6, true
	assert.Equal(t, "2*pause + work + 3*delay.max + 5ms >= delay.min + 2*ttl", c.write(0))
	c = Condition{Pauses: Coefficient{Is: 1}}
	assert.Equal(t, "pause > 0s", c.write(0))
	c = Condition{Pauses: Coefficient{Is: 3}, Parts: 6, ConstantNS: Coefficient{Is: 6e6, PerN: -12e6},
		Terms: []Coefficient{{Name: "ttl", Is: -4}, {Name: "work", Is: 6}, {Name: "late", Is: 2}, {Name: "retry", Is: 3, PerN: 1}, {Name: "hold", Is: -4, PerN: -6}}}
	assert.Equal(t, "pause/2 + work + late/3 + (n + 3)*retry/6 + 1ms > 2*ttl/3 + (3*n + 2)*hold/3 + n*2ms", c.write(1))
}

// A coefficient that grows with n stands on the side on which it is for the least n.
func TestConditionOfN(t *testing.T) {
	c := Condition{Pauses: Coefficient{Is: 1}, ConstantNS: Coefficient{PerN: -1e6}, Terms: []Coefficient{{Name: "a", PerN: -1}, {Name: "b", Is: -2, PerN: -2}, {Name: "c", Is: -1, PerN: 3}, {Name: "d", Is: 9, PerN: -1}}}
	assert.Equal(t, "pause + (3*n - 1)*c + (9 - n)*d > n*a + (2*n + 2)*b + n*1ms", c.write(4))
	l := Law{Conditions: []Condition{c}, Least: 4, Most: 7}
	l.Write()
	assert.Equal(t, c.write(4)+" and n is a whole number from 4 to 7", l.Text)
	l.Conditions = []Condition{{Pauses: Coefficient{Is: 1}}}
	l.Write()
	assert.Equal(t, "pause > 0s", l.Text, "n is nowhere")
}

func TestLawsText(t *testing.T) {
	l := Laws{Laws: []Law{{Conditions: []Condition{{Text: "pause > a"}, {Text: "b > n*c", Terms: []Coefficient{{Name: "c", PerN: -1}}}}, Least: 1, Most: 9}, {Conditions: []Condition{{Text: "pause > b"}}}}, Points: 3, Within: []Ranged{{"a", 0, 1e9}}}
	assert.Equal(t, []string{"law: violated if pause > a", "     and b > n*c", "     where n is a whole number from 1 to 9", "  or if pause > b",
		"  right at 3 random points with a 0s to 1s: certified at the edge it gives, violated 2ns above"}, l.text())
	l.Within = append(l.Within, Ranged{Path: "hold"})
	assert.Equal(t, "  it is the law where hold is 0s: where that is more, it is another one", l.text()[4])
	l.Within, l.Found = l.Within[:1], 2
	assert.Contains(t, l.text()[4], "violated 2ns above; a part of it was found at 2 of them")
	l.Wrong = []WrongLaw{{"a=1ms", 5, 7}}
	assert.Equal(t, []string{"  WRONG at 1 of 3 random points, at each of which longer pauses hold than it says with a 0s to 1s:", "    a=1ms: it is to hold up to 5ns, and does hold up to 7ns"}, l.text()[4:])
	l.Wrong = append(l.Wrong, WrongLaw{"a=2ms", 5, -1})
	assert.Equal(t, []string{"  WRONG at 2 of 3 random points with a 0s to 1s:", "    a=1ms: it is to hold up to 5ns, and does hold up to 7ns", "    a=2ms: it is to hold up to 5ns, and does not hold without any"}, l.text()[4:])
	l.Stopped = "100 states"
	assert.Equal(t, "  not checked at more: 100 states", l.text()[7])
	l.Own = &WrongLaw{"a=3ms", NoEdge, 7}
	assert.Equal(t, "  WRONG at the scenario as it is: a=3ms: it is to hold for every pause, and does hold up to 7ns", l.text()[8])
	l.Wrong = []WrongLaw{{"a=4ms", NoEdge, 7}}
	assert.NotContains(t, l.text()[4], "longer pauses hold", "no pause is to violate it, and one does")
	l.Wrong = []WrongLaw{{"a=4ms", 7, NoEdge}}
	assert.Contains(t, l.text()[4], "longer pauses hold")
	assert.Equal(t, []string{"law: none: x"}, (&Laws{None: "none: x"}).text())
	assert.Equal(t, []string{"law: none was found: the search ended before"}, (&Laws{}).text())
	assert.Equal(t, []string{"law: none was found: x"}, (&Laws{Stopped: "x"}).text())
}
