package fleet

import (
	"testing"
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/wish"
)

// Whose requests count together: two clients of one key are two users, unless one names the other.
func TestWhoseWish(t *testing.T) {
	twice := func(of string, user *int) *played {
		p := DefaultParams()
		p.Wish = core.Wish{Wish: wish.Wish{Limit: 1, Window: time.Minute}, Of: of}
		p.Clients = []core.ClientParams{{}, {User: user}}
		return play(t, p)
	}
	twice("", nil).Holds("admitted-over-rule")
	twice("user", ptr(1)).Violated("admitted-over-rule", 0)
	twice("key", nil).Violated("admitted-over-rule", 0)
	twice("all", nil).Violated("admitted-over-rule", 0)
}
