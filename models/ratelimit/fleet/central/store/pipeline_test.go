package store

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// arrived are commands, each given by its sender and the instant of its arrival.
func arrived(pairs ...int64) (list []command) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, command{from: sim.NodeID(pairs[i]), at: sim.Mono(pairs[i+1])})
	}
	return list
}

func TestOneReadTakesWhatOneLimiterSentAtOneInstant(t *testing.T) {
	for _, c := range []struct {
		name   string
		most   int
		head   int
		socket []command
		want   int
	}{
		{"nothing has arrived", 4, 0, nil, 0},
		{"one flush", 4, 0, arrived(1, 7, 1, 7, 1, 7), 3},
		{"another limiter's flush at the same instant", 4, 0, arrived(1, 7, 1, 7, 2, 7), 2},
		{"the same limiter's next flush", 4, 0, arrived(1, 7, 1, 8, 1, 8), 1},
		{"one flush and the next at the same instant", 2, 0, arrived(1, 7, 1, 7, 1, 7, 1, 7), 2},
		{"what is answered does not count", 4, 2, arrived(1, 7, 1, 7, 2, 7, 2, 7, 2, 7), 3},
		{"there is no pipeline", 0, 0, arrived(1, 7, 1, 7), 0},
	} {
		p := Pipeline{Most: c.most, socket: c.socket, head: c.head}
		assert.Equal(t, c.want, p.flushed(), c.name)
	}
}

func TestAPipelineThatIsResetSharesNothing(t *testing.T) {
	initial := Pipeline{Most: 3, socket: arrived(1, 1)}
	p := Pipeline{Most: 3, socket: arrived(2, 2, 2, 3), head: 1, reading: 1, working: true}
	p.reset(&initial)
	assert.Equal(t, initial, p)
	p.socket[0].msg = message.Msg{Kind: message.Get}
	p.socket = append(p.socket, command{})
	assert.Equal(t, arrived(1, 1), initial.socket)
}
