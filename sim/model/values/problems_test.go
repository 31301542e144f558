package values

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestProblems(t *testing.T) {
	type problem struct{ Path, Message string }
	var found Problems[problem]
	for n := range 5 {
		found.Count("count", n, 1, 3, "servers")
		found.Length("length", time.Duration(n), 1, 3)
		found.Each("list", n, 3, "clients")
	}
	found.Each("none", 1, 0, "clients") // what is wrong is that there are no clients
	found.Bad("path", "got %q", "x")
	assert.Equal(t, Problems[problem]{{"count", "want 1 to 3 servers, got 0"}, {"length", "want 1ns to 3ns, got 0s"},
		{"count", "want 1 to 3 servers, got 4"}, {"length", "want 1ns to 3ns, got 4ns"}, {"list", "4 values for 3 clients"}, {"path", `got "x"`}}, found)
}

func TestBrief(t *testing.T) {
	late, err := sim.LogNormal(time.Microsecond, time.Millisecond)
	require.NoError(t, err)
	assert.True(t, Brief(sim.Dist{}))
	assert.True(t, Brief(sim.Constant(time.Microsecond-1)))
	assert.False(t, Brief(sim.Constant(time.Microsecond)))
	assert.True(t, Brief(sim.Exponential(time.Microsecond)), "half of it is shorter than 0.7 us")
	assert.False(t, Brief(sim.Exponential(time.Millisecond)))
	assert.False(t, Brief(late))
	assert.False(t, Brief(sim.Uniform(time.Microsecond, 2*time.Microsecond)))
}
