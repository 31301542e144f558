package execute

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/cmd/simctl/internal/conditions"
	"fencepost/internal/splitmix"
	"fencepost/reports/searches"
)

// Random scenarios are within the box, and no range of them is upside down.
func TestDraw(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "delay.min", Above: 1}, {Name: "delay.max", Is: 5 * time.Millisecond, Above: -1}, {Name: "ttl", Is: 10 * time.Second, Above: -1}, {Name: "start", Above: -1}}}
	random := splitmix.Stream(1)
	different := map[time.Duration]bool{}
	for range 200 {
		values := l.draw(&random)
		assert.LessOrEqual(t, values[0], values[1])
		for i := range values {
			least, most := l.box(i)
			assert.GreaterOrEqual(t, values[i], least)
			assert.LessOrEqual(t, values[i], most)
		}
		assert.Zero(t, values[2]%time.Millisecond)
		different[values[2]] = true
	}
	assert.Greater(t, len(different), 150)
}

// A document has the numbers of a law, and those that grow with n.
func TestLawOfDocument(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "ttl"}, {Name: "retry"}}}
	law := l.law(&conditions.Law{At: conditions.Forms{{Of: []int64{-1, 2}, Pause: 1, At: 5}}, Step: conditions.Forms{{Of: []int64{0, 1}, At: 3}}, Least: 2, Most: 9})
	assert.Equal(t, []searches.Condition{{Text: "pause + (n + 2)*retry + 5ns + n*3ns >= ttl", Pauses: searches.Coefficient{Name: "pause", Is: 1}, OrEqual: true,
		Terms: []searches.Coefficient{{Name: "ttl", Is: -1}, {Name: "retry", Is: 2, PerN: 1}}, ConstantNS: searches.Coefficient{Is: 5, PerN: 3}}}, law.Conditions)
	assert.Equal(t, []int64{2, 9}, []int64{law.Least, law.Most})
	law = l.law(&conditions.Law{At: conditions.Forms{{Of: []int64{-1, 0}, Pause: 1, Strict: true}}})
	assert.Equal(t, "pause > ttl", law.Text)
}
