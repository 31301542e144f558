package sim_test

import (
	"fmt"
	"os"
	"time"

	"fencepost/sim"
)

// Ball is the only message. The zero Ball starts a player.
type Ball struct {
	Kind sim.Kind
	Hits int // how often the ball has been hit
}

func (b Ball) Label() sim.Kind              { return b.Kind }
func (b Ball) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(b.Kind), uint64(b.Hits)) }
func (b Ball) String() string               { return fmt.Sprintf("ball %d", b.Hits) }

// Player returns every ball. The player with Serve set hits it first.
type Player struct {
	Peer  sim.NodeID
	Serve bool
}

// Step implements [sim.Node].
func (p *Player) Step(in sim.In[Ball], out *sim.Out[Ball]) {
	if in.Msg.Hits > 0 || p.Serve {
		hit := Ball{Kind: 1, Hits: in.Msg.Hits + 1}
		out.Note(hit)
		out.Send(p.Peer, hit)
	}
}

// Two players, a ball that takes 10 ms, and a player who is distracted for a second
// between hitting the ball and its leaving.
func Example() {
	system := sim.System[Ball]{Kinds: []string{"start", "ball"}, Notes: []sim.Kind{1}}
	ping, pong := system.Node("ping"), system.Node("pong")
	sim.Put(&system, ping, Player{Peer: pong, Serve: true})
	sim.Put(&system, pong, Player{Peer: ping})
	world, err := sim.NewWorld(system, sim.Config{
		Until:   sim.Time(1050 * time.Millisecond),
		Network: sim.Network{Default: sim.Link{Delay: sim.Constant(10 * time.Millisecond)}},
		Faults: []sim.Fault{{Name: "distraction", Do: sim.Pause, Node: pong, For: sim.Constant(time.Second),
			When: sim.When{Note: 1, Nth: 2}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	world.Watch(sim.Watch{Trace: os.Stdout})
	result := world.Run(1)
	fmt.Printf("%d steps, digest %#x\n", result.Steps, result.Digest)
	// Output:
	// true time    node     monotonic    wall
	// 0.000s       ping     0.000s       0.000s       starts; notes ball 1; sends pong: ball 1
	// 0.000s       pong     0.000s       0.000s       starts
	// 0.010s       pong     0.010s       0.010s       from ping: ball 1; notes ball 2; sends ping: ball 2
	// 0.020s       ping     0.020s       0.020s       from pong: ball 2; notes ball 3; sends pong: ball 3
	// 0.030s       pong     0.030s       0.030s       from ping: ball 3; notes ball 4; buffered: sends ping: ball 4
	// 0.030s       pong     -            -            is paused for 1s
	// 1.030s       pong     -            -            resumes
	// 1.030s       pong     -            -            emits what was buffered: sends ping: ball 4
	// 1.040s       ping     1.040s       1.040s       from pong: ball 4; notes ball 5; sends pong: ball 5
	// 6 steps, digest 0xa7c8d8d878353b1c
}
