package values

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOr(t *testing.T) {
	assert.Equal(t, 3, Or(nil, 3))
	assert.Equal(t, 0, Or(new(int), 3))
}

func TestAt(t *testing.T) {
	assert.Equal(t, 9, At(nil, 2, 9))
	assert.Equal(t, 1, At([]int{1, 2}, 0, 9))
	assert.Equal(t, 2, At([]int{1, 2}, 5, 9), "the last for the rest")
}

func TestLength(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", time.Minute: "1m", time.Hour: "1h", 90 * time.Minute: "1h30m", 10 * time.Second: "10s", time.Hour + time.Second: "1h0m1s"} {
		assert.Equal(t, want, Length(d))
	}
}
