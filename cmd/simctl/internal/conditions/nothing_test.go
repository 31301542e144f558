package conditions

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A law that is one of a term of 0 alone says so: 0 >= start. One that bounds it by another term, or by a duration, does not.
func TestNothing(t *testing.T) {
	pause := Form{Of: []int64{0, 1}, Pause: 1, At: -9}
	for _, c := range []struct {
		form Form
		want bool
	}{
		{Form{Of: []int64{-1, 0}}, true},
		{Form{Of: []int64{-1, 1}}, false},
		{Form{Of: []int64{-1, 0}, At: 5}, false},
		{Form{Of: []int64{-1, 0}, Pause: 1}, false},
		{Form{Of: []int64{1, 0}}, false},
	} {
		l := &Laws{List: []Law{{At: Forms{pause, c.form}}}}
		assert.Equal(t, c.want, l.Nothing(0), "%v", c.form)
		assert.False(t, l.Nothing(1), "%v", c.form)
	}
}
