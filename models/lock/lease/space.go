package lease

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/reach"
)

// The nodes of the space.
const (
	client1 sim.NodeID = iota + 1
	client2
	theServer
	theStore
)

// Models are the lock, with a fence and without.
func Models() []reach.Model {
	return []reach.Model{reach.NewModel(reach.Model{
		Name:   "lock/lease",
		About:  "a lock granted for a time, two clients that may be suspended, a store",
		Source: `Gray and Cheriton, "Leases", 1989; Kleppmann, "How to do distributed locking", 2016`,
		Params: []reach.Param{
			{Name: "ttl", About: "ticks for which the lock is granted", Value: 2, Least: 1, Most: 20},
			{Name: "pause", About: "ticks for which a client that holds it may be suspended; 0: never", Value: 3, Least: 0, Most: 20},
			{Name: "tokens", About: "times that it is granted in all", Value: 2, Least: 1, Most: 20},
			{Name: "fence", About: "1: the store rejects a token below the largest", Value: 0, Least: 0, Most: 1},
		},
	}, space)}
}

func space(v map[string]int) (reach.Space[msg], []reach.Property[msg]) {
	ttl := time.Duration(v["ttl"]) * time.Second
	c := client{Server: theServer, Store: theStore, TTL: ttl}
	s := reach.Space[msg]{
		Nodes: []reach.Spec[msg]{
			reach.Place[msg]("client-1", c),
			reach.Place[msg]("client-2", c),
			reach.Place[msg]("server", server{TTL: ttl, Tokens: uint8(v["tokens"])}),
			reach.Place[msg]("store", store{Fence: v["fence"] == 1}),
		},
		Tick: time.Second,
	}
	for _, c := range []sim.NodeID{client1, client2} {
		s.Links = append(s.Links,
			reach.Link{From: c, To: c, Capacity: 1},
			reach.Link{From: c, To: theServer, Capacity: 1, Kinds: []sim.Kind{request}},
			reach.Link{From: c, To: theServer, Capacity: 0, Kinds: []sim.Kind{release}},
			reach.Link{From: theServer, To: c, Capacity: 1},
			reach.Link{From: c, To: theStore, Capacity: 1},
		)
		if v["pause"] > 0 {
			s.Pauses = append(s.Pauses, reach.Pause[msg]{Node: c, Ticks: v["pause"],
				When: func(n sim.Node[msg]) bool { return n.(*client).holds }})
		}
	}
	return s, []reach.Property[msg]{
		{Claim: reach.Claim{Name: "no-stale-write", About: "the store applies no write after one with a larger token"}, Wrong: stale},
		{Claim: reach.Claim{Name: "mutual-exclusion", About: "no two clients believe at a time that they hold the lock"}, Wrong: both},
	}
}

func stale(v *reach.View[msg]) string {
	if v.Node(theStore).(*store).stale {
		return "the store applied an older write after a newer one"
	}
	return ""
}

func both(v *reach.View[msg]) string {
	believes := func(id sim.NodeID) bool {
		c := v.Node(id).(*client)
		return c.holds && c.expires > 0
	}
	if believes(client1) && believes(client2) {
		return "both clients believe that they hold the lock"
	}
	return ""
}
