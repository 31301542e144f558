package fleet

import (
	"fmt"
)

// frontText is such a message in words, but for its kind.
func (m Msg) frontText() string {
	switch m.Kind {
	case Members, scale, announce:
		return fmt.Sprintf(" %d", m.N)
	case Charge, pick, forward, Dropped:
		return fmt.Sprintf(" %s key %d%s", requestName(m.ID), m.Key, costName(m.Cost))
	case Charged:
		return fmt.Sprintf(" %s key %d %s", requestName(m.ID), m.Key, verdict(m.OK))
	case Take, TakeAll, Refund, Confirm, Cancel, lapse:
		return fmt.Sprintf(" %s key %d%s dimension %d", requestName(m.ID), m.Key, costName(m.Cost), m.N+1)
	case Taken:
		return fmt.Sprintf(" %s dimension %d %s", requestName(m.ID), m.N+1, verdict(m.OK))
	case Peek, turn:
		return fmt.Sprintf(" key %d", m.Key)
	case Peeked, ShardOp, Grown:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	case Moved:
		return fmt.Sprintf(" %d of %d keys", m.X, m.Y)
	}
	return ""
}
