package lock

import (
	"fencepost/models/fact"
	"fencepost/models/lock/core"
)

// holder is the client and the attempt that a grant names.
func holder(grant uint64) fact.Holder {
	return fact.Holder{Node: core.Client(grant), Task: uint32(grant)}
}

// facts says which note is which fact.
var facts = fact.Map(
	fact.Row[Msg]{Note: core.Trying, Fact: fact.Attempt, Fill: granted},
	fact.Row[Msg]{Note: core.Failed, Fact: fact.GaveUp},
	fact.Row[Msg]{Note: core.Refused, Fact: fact.Refused},
	fact.Row[Msg]{Note: core.Acquired, Fact: fact.Acquired, Fill: func(m *Msg, f *fact.Fact) {
		f.By, f.ID, f.Until, f.Ends = holder(m.Grant()), uint64(m.Try), m.Until(), m.Ends()
	}},
	fact.Row[Msg]{Note: core.Extended, Fact: fact.Extended, Fill: func(m *Msg, f *fact.Fact) { f.Until = m.Until() }},
	fact.Row[Msg]{Note: core.Released, Fact: fact.Left},
	fact.Row[Msg]{Note: core.Expired, Fact: fact.Left},
	fact.Row[Msg]{Note: core.Stale, Fact: fact.Left},
	fact.Row[Msg]{Note: core.LockLost, Fact: fact.Left},
	fact.Row[Msg]{Note: core.Owned, Fact: fact.Owned, Fill: func(m *Msg, f *fact.Fact) {
		f.By, f.ID, f.Until, f.Ends = holder(m.Grant()), m.Revision(), m.Until(), m.Ends()
	}},
	fact.Row[Msg]{Note: core.Freed, Fact: fact.Freed, Fill: func(m *Msg, f *fact.Fact) {
		deleter, _ := m.Deleted()
		f.By, f.ID = holder(deleter), m.Revision()
	}},
	fact.Row[Msg]{Note: core.Issued, Fact: fact.Issued, Fill: tokened},
	fact.Row[Msg]{Note: core.Fenced, Fact: fact.Shown, Fill: tokened},
	fact.Row[Msg]{Note: core.Applied, Fact: fact.Written, Fill: func(m *Msg, f *fact.Fact) {
		tokened(m, f)
		f.N, f.Value = m.Before(), m.Counter()
	}},
)

func granted(m *Msg, f *fact.Fact) { f.By = holder(m.Grant()) }

func tokened(m *Msg, f *fact.Fact) { f.By, f.Token = holder(m.Grant()), m.FencingToken() }
