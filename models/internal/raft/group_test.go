package raft

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3/raftpb"
	"pgregory.net/rapid"

	"fencepost/sim"
)

// group is a few servers and a network in which everything goes wrong, one step at a time. It
// checks what the thesis promises in figure 3.2.
type group struct {
	servers []Server
	recover func(s, before *Server)
	flying  []*Packet
	applied []uint64 // by server: index of the last command that came out since its start
	reads   map[uint64]uint64
	asked   uint64

	leaders   map[uint64]uint64 // by term
	committed map[uint64]string // by index
	digest    sim.Digest
	broken    string // the first promise that was broken
}

func newGroup(n int) *group {
	g := &group{leaders: map[uint64]uint64{}, committed: map[uint64]string{}, reads: map[uint64]uint64{},
		servers: make([]Server, n), applied: make([]uint64, n), recover: (*Server).Recover}
	for i := range g.servers {
		g.servers[i] = Server{ID: uint64(i + 1), Servers: n, ElectionTicks: 10}
		g.took(i, g.servers[i].Start())
	}
	return g
}

func (g *group) breaks(format string, args ...any) {
	if g.broken == "" {
		g.broken = fmt.Sprintf(format, args...)
	}
}

// took checks what an input led to, and sends the packets.
func (g *group) took(i int, out *Output) {
	s := &g.servers[i]
	g.flying = append(g.flying, out.Packets...)
	for _, p := range out.Packets {
		g.digest = p.Fold(g.digest)
	}
	if st := out.Status; st.Role == Leader {
		if l, ok := g.leaders[st.Term]; ok && l != s.ID {
			g.breaks("election safety: %d and %d lead term %d", l, s.ID, st.Term)
		}
		g.leaders[st.Term] = s.ID
		g.complete(s)
	}
	for _, e := range out.Committed {
		if e.Index <= g.applied[i] {
			g.breaks("server %d gets command %d after %d", s.ID, e.Index, g.applied[i])
		}
		g.applied[i] = e.Index
		text := fmt.Sprintf("%s of term %d", e.Data, e.Term)
		if was, ok := g.committed[e.Index]; ok && was != text {
			g.breaks("state machine safety: %q and %q at %d", was, text, e.Index)
		}
		g.committed[e.Index] = text
	}
	for _, r := range out.Reads {
		if r.Index < g.reads[r.ID] {
			g.breaks("a read is linearizable at %d, and %d was committed when it was asked for", r.Index, g.reads[r.ID])
		}
	}
	g.matching(s)
}

// complete is leader completeness: what is committed is in the log of the leader.
func (g *group) complete(s *Server) {
	for at, text := range g.committed {
		if at > uint64(len(s.core.disk.log)) {
			g.breaks("leader completeness: %q is committed, and not in the log of %d", text, s.ID)
			return
		}
	}
}

// matching is log matching: if two logs have an entry of the same index and term, they are the
// same up to there.
func (g *group) matching(s *Server) {
	log := s.core.disk.log
	for i := range g.servers {
		if g.servers[i].core == nil {
			continue
		}
		other, match := g.servers[i].core.disk.log, false
		for at := min(len(log), len(other)) - 1; at >= 0; at-- {
			a, b := log[at], other[at]
			match = match || a.GetTerm() == b.GetTerm()
			if match && (a.GetTerm() != b.GetTerm() || string(a.GetData()) != string(b.GetData())) {
				g.breaks("log matching: %d and %d differ at %d", s.ID, g.servers[i].ID, at+1)
			}
		}
	}
}

// step does one thing that can happen, of those that a number stands for.
func (g *group) step(choose func(n int) int) {
	i := choose(len(g.servers))
	s := &g.servers[i]
	switch what := choose(20); {
	case what < 12 && len(g.flying) > 0:
		k := choose(len(g.flying))
		p := g.flying[k]
		if what < 11 { // or it stays, to come again
			g.flying = slices.Delete(g.flying, k, k+1)
		}
		if what < 10 || what == 11 { // or it is lost
			to := int(p.To()) - 1
			g.took(to, g.servers[to].Receive(p))
		}
	case what < 15:
		g.took(i, s.Tick())
	case what < 16:
		g.took(i, s.Campaign())
	case what < 17:
		g.asked++
		g.took(i, s.Propose(fmt.Appendf(nil, "command-%d", g.asked)))
	case what < 18:
		g.asked++
		g.reads[g.asked] = 0
		for at := range g.committed {
			g.reads[g.asked] = max(g.reads[g.asked], at)
		}
		g.took(i, s.ReadIndex(g.asked))
	case what < 19:
		g.took(i, s.Transfer(uint64(choose(len(g.servers))+1)))
	default:
		g.crash(i)
	}
}

func (g *group) crash(i int) {
	before := g.servers[i]
	g.servers[i] = Server{ID: before.ID, Servers: before.Servers, ElectionTicks: before.ElectionTicks}
	g.recover(&g.servers[i], &before)
	g.applied[i] = 0
	g.took(i, g.servers[i].Start())
}

// play does some steps of a schedule that a number stands for.
func (g *group) play(seed uint64, steps int) {
	x := seed
	for range steps {
		g.step(func(n int) int {
			x += 0x9E3779B97F4A7C15
			return int(uint64(sim.Digest(0).Fold(x, seed).Sum()>>11) % uint64(n))
		})
	}
}

// The promises of the thesis hold whatever messages are lost, late or twice, and whichever server crashes.
func TestGroupKeepsThePromisesOfRaft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGroup(rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "servers"))
		number := rapid.Uint16()
		t.Repeat(map[string]func(*rapid.T){
			"step": func(t *rapid.T) { g.step(func(n int) int { return int(number.Draw(t, "choice")) % n }) },
			"":     func(t *rapid.T) { require.Empty(t, g.broken) },
		})
	})
	elected, commands := 0, 0
	for seed := range uint64(60) {
		g := newGroup(3)
		g.play(seed, 1500)
		require.Empty(t, g.broken, "seed %d", seed)
		elected, commands = elected+len(g.leaders), commands+len(g.committed)
	}
	require.Greater(t, elected, 100)
	require.Greater(t, commands, 100)
}

// A server that forgets its vote, its log, or how much of it is committed is found out.
func TestGroupSeesAServerThatForgets(t *testing.T) {
	for _, c := range []struct {
		name   string
		forget func(d *disk)
		want   string
	}{
		{"vote", func(d *disk) { d.hard = nil }, "election safety"},
		{"log", func(d *disk) { d.log, d.hard.Commit = d.log[:0:0], new(uint64) }, "leader completeness"},
	} {
		broken := []string{}
		for seed := uint64(0); seed < 400 && len(broken) == 0; seed++ {
			g := newGroup(3)
			g.recover = func(s, before *Server) {
				s.Recover(before)
				if s.disk.hard != nil {
					d := *s.disk
					s.disk = &d
					c.forget(s.disk)
				}
			}
			func() {
				defer func() {
					if r := recover(); r != nil { // the library notices some of it itself
						g.breaks("%v", r)
					}
				}()
				g.play(seed, 1500)
			}()
			if len(g.broken) >= len(c.want) && g.broken[:len(c.want)] == c.want {
				broken = append(broken, g.broken)
			}
		}
		require.NotEmpty(t, broken, c.name)
	}
}

// The same inputs give the same packets: twice in one process, beside other runs, in every
// process, and on every processor.
func TestGroupIsDeterministic(t *testing.T) {
	for seed, want := range []uint64{0xb18c3855c596a1d5, 0x117769fefa9b0d0a, 0xe83ea6b568edac33} {
		got := make([]uint64, 4)
		var all sync.WaitGroup
		for i := range got {
			all.Go(func() {
				g := newGroup(5)
				g.play(uint64(seed), 3000)
				got[i] = g.digest.Sum()
			})
		}
		all.Wait()
		require.Equal(t, []uint64{want, want, want, want}, got, "seed %d", seed)
	}
}

// elect makes a server the leader by delivering all packets at once, in order.
func elect(g *group, i int) {
	g.took(i, g.servers[i].Campaign())
	g.settle()
}

func (g *group) settle(cut ...uint64) {
	for len(g.flying) > 0 {
		p := g.flying[0]
		g.flying = g.flying[1:]
		if !slices.Contains(cut, p.To()) && !slices.Contains(cut, p.From()) {
			g.took(int(p.To())-1, g.servers[p.To()-1].Receive(p))
		}
	}
}

// A leader without a quorum steps down after one to two election timeouts, and a follower that
// has heard of a leader within one grants no vote. Thesis, sections 6.2 and 4.2.3.
func TestLeaderStepsDownWithoutAQuorum(t *testing.T) {
	g := newGroup(3)
	elect(g, 0)
	require.Equal(t, Status{Role: Leader, Leader: 1, Term: 1, Commit: 1}, g.servers[0].Status())
	require.Equal(t, Status{Role: Follower, Leader: 1, Term: 1, Commit: 1}, g.servers[1].Status())

	g.took(2, g.servers[2].Campaign())
	g.settle()
	require.Equal(t, Follower, g.servers[1].Status().Role)
	require.EqualValues(t, 1, g.servers[1].Status().Term, "a pre-candidate is ignored")
	require.Equal(t, PreCandidate, g.servers[2].Status().Role)

	ticks := 0
	for ; g.servers[0].Status().Role == Leader; ticks++ {
		g.took(0, g.servers[0].Tick())
		g.settle(1)
	}
	require.Equal(t, 20, ticks, "it heard of both in the first 10")
	for range 10 {
		g.took(1, g.servers[1].Tick())
	}
	g.took(2, g.servers[2].Campaign())
	g.settle(1)
	require.Equal(t, Leader, g.servers[2].Status().Role)
}

// A ticked follower never campaigns by itself, whatever timeout the library drew.
func TestOnlyTheCallerCampaigns(t *testing.T) {
	g := newGroup(3)
	for range 1000 {
		g.took(0, g.servers[0].Tick())
	}
	require.Equal(t, Follower, g.servers[0].Status().Role)
	require.Empty(t, g.flying)
}

// A proposal at a follower is handed on to the leader, and comes out everywhere.
func TestProposalsComeOutEverywhere(t *testing.T) {
	g := newGroup(3)
	require.True(t, g.servers[1].Propose([]byte("early")).Dropped, "no leader")
	elect(g, 0)
	require.False(t, g.servers[1].Propose([]byte("a"), []byte("b")).Dropped)
	g.took(1, &g.servers[1].core.at(g.servers[1].inputs).out)
	g.settle()
	require.Equal(t, map[uint64]string{2: "a of term 1", 3: "b of term 1"}, g.committed)
	require.Equal(t, []uint64{3, 3, 3}, g.applied)
	g.crash(2)
	require.Equal(t, uint64(3), g.applied[2], "commands come out again after a restart")
}

// A leader hands over at once, and the other leads without an election timeout.
func TestTransfer(t *testing.T) {
	g := newGroup(3)
	elect(g, 0)
	g.took(0, g.servers[0].Transfer(3))
	g.settle()
	require.Equal(t, Leader, g.servers[2].Status().Role)
	require.EqualValues(t, 2, g.servers[2].Status().Term)
}

// The election timer starts anew when the leader is heard, a vote is granted, the server
// campaigns or its term changes, and at no other time.
func TestElectionTimer(t *testing.T) {
	g := newGroup(3)
	a, b := &g.servers[0], &g.servers[1]
	require.True(t, g.servers[2].core.recent[0].out.Fresh, "at the start")
	out := a.Campaign()
	require.True(t, out.Fresh)
	pre := slices.IndexFunc(out.Packets, func(p *Packet) bool { return p.To() == 2 })
	reply := b.Receive(out.Packets[pre])
	require.False(t, reply.Fresh, "a granted pre-vote is no vote")
	out = a.Receive(reply.Packets[0])
	require.True(t, out.Fresh, "its term has changed")
	reply = b.Receive(out.Packets[0])
	require.True(t, reply.Fresh, "a vote")
	out = a.Receive(reply.Packets[0])
	require.Equal(t, Leader, out.Status.Role)
	require.False(t, out.Fresh, "a leader has no election timer")
	reply = b.Receive(out.Packets[0])
	require.True(t, reply.Fresh, "the leader is heard")
	require.False(t, b.Tick().Fresh)
}

// A copy repeats what the server did, and may do nothing else.
func TestCopies(t *testing.T) {
	g := newGroup(3)
	elect(g, 0)
	s := &g.servers[0]
	twin := *s
	a := s.Propose([]byte("x"))
	b := twin.Propose([]byte("x"))
	require.Equal(t, a, b)
	require.Equal(t, *s, twin)
	require.NotEqual(t, g.servers[1], twin)
	twin = *s
	s.Tick()
	require.NotEqual(t, *s, twin)
	require.Panics(t, func() { twin.Propose([]byte("y")) })
	old := twin
	for range recorded {
		s.Tick()
	}
	require.Panics(t, func() { old.Tick() }, "too far behind")
	require.True(t, s.Started())
	require.False(t, (&Server{}).Started())
}

func TestPacketInWords(t *testing.T) {
	g := newGroup(3)
	elect(g, 0)
	out := g.servers[0].Propose([]byte("x"))
	require.Equal(t, "append term 1 after 1/1 commit 1 with 1 entries", out.Packets[0].String())
	require.Equal(t, 1, out.Packets[0].Entries())
	require.Equal(t, uint64(1), out.Packets[0].From())
	require.Equal(t, "heartbeat term 1 commit 1", g.servers[0].Tick().Packets[0].String())
	require.Equal(t, "leader", out.Status.Role.String())
}

func TestSentHasEachContentOnce(t *testing.T) {
	sent := Sent{Packets: map[uint64]*Packet{}}
	g := newGroup(3)
	elect(g, 0)
	out := g.servers[0].Propose([]byte("x"))
	first, other := out.Packets[0], out.Packets[1] // to the two others
	again := *first
	header := sent.Add(first)
	require.Equal(t, header, sent.Add(&again))
	require.Same(t, first, sent.Packet(header))
	require.Same(t, other, sent.Packet(sent.Add(other)))
	require.Len(t, sent.Packets, 2)
}

func TestSweepKeepsWhatIsNamedAndAFew(t *testing.T) {
	sent := Sent{Packets: map[uint64]*Packet{}}
	var all []Header
	for term := range uint64(few - 1) {
		all = append(all, sent.Add(newPacket(&raftpb.Message{Term: new(term)})))
	}
	last := func(keep func(Header)) { keep(all[few-2]) }
	sent.Sweep(last)
	require.Len(t, sent.Packets, few-1)
	sent.Add(newPacket(&raftpb.Message{Term: new(uint64(few))}))
	sent.Sweep(last)
	require.Len(t, sent.Packets, 1)
	require.Equal(t, uint64(few-2), sent.Packet(all[few-2]).Term())
}

func TestHeaderTakesTheLargestNumberThatItHasRoomFor(t *testing.T) {
	far := uint64(math.MaxUint32) + 2
	m := &raftpb.Message{Type: raftpb.MsgApp.Enum(), Term: new(far), Index: new(far), LogTerm: new(far), Commit: new(far)}
	require.Equal(t, "append term 4294967297 after 4294967295/4294967295 commit 4294967295", newPacket(m).String())
	m.Entries = make([]*raftpb.Entry, math.MaxUint16+2)
	require.EqualValues(t, math.MaxUint16, newPacket(m).Header().Entries)
}
