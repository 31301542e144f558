package core

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/wish"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Wish is what the owner of a fleet wants of it, and who is a user.
type Wish struct {
	wish.Wish
	Of string `yaml:"of,oneof=user|key|all"` // what counts together: user, which is the client or the one that its user names
}

// Problems adds what is wrong with the wish and with the users of the clients.
func (w *Wish) Problems(clients []ClientParams, found *model.Errors) {
	w.Wish.Problems(found)
	found.If(!w.Given() && w.Of != "", "wish.limit", "want how many requests are allowed, and in which window, as in limit: 60, window: 1m")
	for i, c := range clients {
		if c.User == nil {
			continue
		}
		path := fmt.Sprintf("clients.%d.user", i)
		Between(found, path, int64(*c.User), 1, int64(len(clients)))
		found.If(!w.Given() || w.Of != "" && w.Of != "user", path, "only a wish of users asks who a client is: want wish with of: user")
	}
}

// Users are the users of the clients by client, from 0.
func Users(clients []ClientParams) []int {
	list := make([]int, len(clients))
	for i, c := range clients {
		list[i] = values.Or(c.User, i+1) - 1
	}
	return list
}

// Wisher is whose requests a request counts with in the wish, from 0.
func (l *Layout) Wisher(m *message.Msg) int {
	switch l.Wish.Of {
	case "key":
		return int(m.Key) - 1
	case "all":
		return 0
	}
	return l.Users[message.ClientOf(m.ID)-1]
}
