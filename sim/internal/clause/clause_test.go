package clause

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each action that scenarios know has a clause and a plural of its own words.
func TestEachActionHasWords(t *testing.T) {
	for action, want := range map[string]string{
		"pause": "is paused for 1s", "suspend": "has its host suspended for 1s", "crash": "crashes", "step-clock": "has its wall clock stepped by -3s",
		"set-rate": "has its clocks run at -3s for 1s", "follow-log": "has its clocks follow a log for 1s", "cut": "is cut for 1s: a | b", "hold": "buffers for 1s: a | b",
		"lose": "is lost", "delay": "takes for 1s", "duplicate": "arrives a second time for 1s",
	} {
		assert.Equal(t, want, Fault{Action: action, Change: "-3s", Between: "a | b", Length: " for 1s"}.String())
		assert.NotEmpty(t, Several(action), action)
	}
}

func TestBetween(t *testing.T) {
	names := []string{"a", "b", "c"}
	assert.Equal(t, "a, b | c", Between([][]int{{1, 2}, {3}}, false, names))
	assert.Equal(t, "a to b, c", Between([][]int{{1}, {2, 3}}, true, names))
}
