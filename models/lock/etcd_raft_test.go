package lock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	stdsync "sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/internal/raft"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// etcdOnRaft is a lock in etcd on three servers, and clients that start from 1 s on, 50 ms
// apart.
func etcdOnRaft(clients int, set func(*Params)) Params {
	p := Params{Service: "etcd", Etcd: &EtcdParams{Raft: true}, Clients: clients, TTL: ptr(10 * time.Second)}
	for i := range clients {
		p.Start = append(p.Start, time.Second+time.Duration(i)*50*ms)
	}
	if set != nil {
		set(&p)
	}
	return p
}

// notes writes down notes of some kinds. What the servers of a cluster say of a revision counts
// once.
type notes struct {
	kinds    []sim.Kind
	lines    []string
	revision uint64
}

func (n *notes) Reset(*sim.View[core.Msg]) { n.lines, n.revision = nil, 0 }
func (n *notes) End(*sim.View[core.Msg])   {}

func (n *notes) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted || !slices.Contains(n.kinds, o.Msg.Kind) {
		return
	}
	m, who := o.Msg, v.Name(o.Node)
	if m.Kind == core.Owned || m.Kind == core.Freed {
		if who = "etcd"; m.Revision() <= n.revision {
			return
		}
		n.revision = m.Revision()
	}
	n.lines = append(n.lines, fmt.Sprintf("%v %s %v", v.Now(), who, m))
}

// noted is a run with its notes.
func noted(t *testing.T, p *Params, c sim.Config, seed uint64, kinds ...sim.Kind) ([]string, *sim.Result) {
	t.Helper()
	n := &notes{kinds: kinds}
	s := p.System()
	require.NoError(t, s.Err)
	s.Meters = append(s.Meters, n)
	w, err := sim.NewWorld(s, c)
	require.NoError(t, err)
	r := w.Run(seed)
	require.Nil(t, r.Panic)
	return n.lines, r
}

// On random schedules of acquisitions, releases, crashes of clients and lost messages of
// theirs the cluster does what the one machine does: the same grants with the same revisions
// in the same order, and, where messages between servers take no time, at the same instants.
func TestRaftGrantsWhatTheOneMachineGrants(t *testing.T) {
	grants := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 15))
		clients := 2 + r.IntN(5)
		p := Params{Service: "etcd", Etcd: &EtcdParams{}, Clients: clients, Rounds: []int{0}}
		p.Etcd.Recipe = []string{"mutex", "mutex", "election", "txn"}[r.IntN(4)]
		p.Etcd.Session = []string{"kept", "fresh"}[r.IntN(2)]
		for range clients {
			p.Start = append(p.Start, time.Second+time.Duration(r.IntN(3000))*ms)
			p.Work = append(p.Work, time.Duration(1+r.IntN(4000))*ms)
			p.Think = append(p.Think, time.Duration(1+r.IntN(3000))*ms)
			p.Etcd.TTL = append(p.Etcd.TTL, time.Duration(2+r.IntN(8))*time.Second)
		}
		c := sim.Config{Until: at(60_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}}
		for i := range r.IntN(4) {
			c.Faults = append(c.Faults, sim.Fault{Name: fmt.Sprint("crash", i), Do: sim.Crash, Node: sim.NodeID(1 + r.IntN(clients)),
				When: sim.When{At: at(int64(2000 + r.IntN(40_000)))}, For: sim.Constant(time.Duration(1+r.IntN(20)) * time.Second)})
		}
		kinds := []sim.Kind{core.Acquired, core.Released, core.LockLost, core.Expired, core.Refused, core.Issued, core.Owned, core.Freed, core.Applied}
		p.Tokens, p.Etcd.Timeout = "own", ptr(time.Duration(0)) // clients stay with one server
		one, _ := noted(t, &p, c, seed, kinds...)

		first := p.firstServer()
		servers := []sim.NodeID{first, first + 1, first + 2}
		c.Network.Rules = []sim.LinkRule{{From: servers, To: servers}}
		p.Etcd.Raft = true
		three, result := noted(t, &p, c, seed, kinds...)
		for i, line := range one {
			require.Equal(t, line, append(three, make([]string, len(one))...)[i], "seed %d, line %d", seed, i)
		}
		require.Len(t, three, len(one))
		for _, f := range result.Properties[:3] {
			require.NotEqual(t, sim.Violated, f.Verdict)
		}
		for _, l := range one {
			if strings.Contains(l, "acquired") {
				grants++
			}
		}
	}
	require.Greater(t, grants, 200)
}

// raftStorm crashes and isolates servers again and again, and loses messages between them.
func raftStorm(c *sim.Config, p *sim.Program) {
	delay, err := sim.LogNormal(2*ms, 50*ms)
	if err != nil {
		panic(err)
	}
	c.Until = at(60_000)
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: delay, Loss: 1e7, Duplicate: 1e7}}
	for i, who := range []string{"etcd-1", "etcd-2", "etcd-3"} {
		mean := time.Duration(12+5*i) * time.Second
		simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(mean)}, For: sim.Exponential(2 * time.Second)})(c, p)
	}
	simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{Every: sim.Exponential(10 * time.Second)}, For: sim.Exponential(3 * time.Second)},
		[]string{"etcd-1"}, []string{"etcd-2", "etcd-3"})(c, p)
}

// Whatever happens to the servers, revisions fence, releases are of one's own key, and a client
// that counts its TTL from when it sent a keep-alive is never entitled beside another. Its
// deletions are guarded: one that waits at a server for a leader, and is done after the client
// has asked another server and locked anew, deletes the new key, as in issue 22082.
func TestRaftIsSafeWhateverHappensToServers(t *testing.T) {
	for _, servers := range []int{3, 5} {
		p := etcdOnRaft(4, func(p *Params) {
			p.Etcd.Servers, p.Etcd.DeadlineFrom, p.Etcd.Timeout = &servers, "send", ptr(time.Second)
			p.Etcd.Unlock = "guarded"
			p.Fencing, p.Rounds, p.Work, p.Think = "lex", []int{0}, []time.Duration{300 * ms}, []time.Duration{100 * ms}
		})
		require.Empty(t, p.Problems())
		c := simtest.Count(t, p.System, sim.Config{}, whole.Of(32, 80), raftStorm)
		c.Holds("entitled-exclusion", "owner-release", "fenced-order", "increasing-tokens", "no-lost-update")
	}
}

// oneLeaderPerTerm counts the terms that had a leader, and finds one that had two.
type oneLeaderPerTerm struct {
	leaders map[uint64]sim.NodeID
	broken  string
}

func (l *oneLeaderPerTerm) Reset(*sim.View[core.Msg]) {
	l.leaders, l.broken = map[uint64]sim.NodeID{}, ""
}
func (l *oneLeaderPerTerm) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != core.Leads {
		return
	}
	if was, ok := l.leaders[o.Msg.Term()]; ok && was != o.Node {
		l.broken = fmt.Sprintf("%s and %s lead term %d", v.Name(was), v.Name(o.Node), o.Msg.Term())
	}
	l.leaders[o.Msg.Term()] = o.Node
}

// A run is the same whenever and wherever it is played: twice in one world, in worlds side by
// side, and on every processor. No term has two leaders.
func TestRaftRunsAreDeterministic(t *testing.T) {
	p := etcdOnRaft(4, func(p *Params) { p.Rounds, p.Work = []int{0}, []time.Duration{300 * ms} })
	want := []uint64{0x61d900abbcd84115, 0x6cb619c3c2f096af, 0x4df18ad668d85c8a, 0x36974775359fe1d}
	got := make([][]uint64, 3)
	terms := make([]int, len(got))
	var all stdsync.WaitGroup
	for i := range got {
		all.Go(func() {
			leaders := &oneLeaderPerTerm{}
			s := p.System()
			s.Meters = append(s.Meters, leaders)
			w, err := sim.NewWorld(s, stormy(&p))
			assert.NoError(t, err)
			for range 2 {
				got[i] = got[i][:0]
				for seed := range uint64(len(want)) {
					got[i] = append(got[i], w.Run(seed+1).Digest)
					assert.Empty(t, leaders.broken)
					terms[i] += len(leaders.leaders)
				}
			}
		})
	}
	all.Wait()
	for i := range got {
		require.Equal(t, want, got[i])
		require.Greater(t, terms[i], 20)
	}
}

func stormy(p *Params) sim.Config {
	var c sim.Config
	program := sim.NewProgram(p.System)
	raftStorm(&c, &program)
	return c
}

// A lease whose client is gone at 0 ends after its TTL, and again after a TTL and an election
// timeout for each leader that comes while it lasts: at 60, 111 and 211 s. // E-02
func TestEachNewLeaderGivesALeaseItsTTLAnew(t *testing.T) {
	for _, c := range []struct {
		changes []time.Duration
		want    string
		sim.Config
	}{
		{changes: nil, want: "60.510s"},
		{changes: []time.Duration{50 * time.Second}, want: "111.510s"},
		{changes: []time.Duration{50 * time.Second, 100 * time.Second, 150 * time.Second}, want: "211.510s"},
	} {
		c.Config = sim.Config{Until: at(250_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}}
		p := etcdOnRaft(1, func(p *Params) {
			p.TTL, p.Start, p.Etcd.Changes = ptr(60*time.Second), []time.Duration{100 * ms}, c.changes
		})
		c.Faults = []sim.Fault{{Do: sim.Crash, Node: 1, When: sim.When{At: at(200)}, Forever: true}}
		lines, _ := noted(t, &p, c.Config, 1, core.Freed)
		require.Len(t, lines, 1)
		assert.Contains(t, lines[0], c.want, "%v", c.changes)
	}
}

// Each mistake is refused in words.
func TestRaftParamsAreRefused(t *testing.T) {
	for _, c := range []modeltest.Case[Params]{
		{Path: "etcd.servers", Says: "add raft: true", Set: func(p *Params) { p.Service, p.Etcd = "etcd", &EtcdParams{Servers: ptr(3)} }},
		{Path: "etcd.confirm-leader", Says: "add raft: true", Set: func(p *Params) { p.Service, p.Etcd = "etcd", &EtcdParams{Confirm: "never"} }},
		{Path: "etcd.servers", Says: "want an odd number", Set: func(p *Params) { *p = etcdOnRaft(2, nil); p.Etcd.Servers = ptr(4) }},
		{Path: "etcd.first-leader", Says: "there are 3 servers", Set: func(p *Params) { *p = etcdOnRaft(2, nil); p.Etcd.Begins = ptr(4) }},
		{Path: "etcd.revoke-delay", Says: "as long as the servers need", Set: func(p *Params) { *p = etcdOnRaft(2, nil); p.Etcd.Revocation = ms }},
		{Path: "etcd.guarded-write", Says: "not with raft", Set: func(p *Params) { *p = etcdOnRaft(2, nil); p.Tokens, p.Etcd.GuardedWrite = "own", true }},
	} {
		modeltest.Refused(t, DefaultParams, (*Params).Problems, c)
	}
}

func TestARunBeginsWithNoPacketSent(t *testing.T) {
	var s sim.System[Msg]
	sent := new(raft.Sent)
	forgetSent(&s, sent)
	sent.Packets[1] = new(raft.Packet)
	s.Ledgers[0].Reset(nil)
	assert.Empty(t, sent.Packets)
}

// sender puts packets where the servers share them, of which it sends one.
type sender struct{ Sent *raft.Sent }

// Step implements [sim.Node].
func (n *sender) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != core.Start {
		return
	}
	for sum := range uint64(2000) {
		n.Sent.Packets[sum] = new(raft.Packet)
	}
	out.Send(in.Self, core.NewRaft(raft.Header{Sum: 5}))
	out.Note(core.NewLeads(1))
}

func TestPacketsThatNoMessageNamesAreDropped(t *testing.T) {
	s := sim.System[Msg]{Kinds: core.Kinds.Names(), Notes: core.Kinds.Notes()}
	sent := new(raft.Sent)
	s.Nodes = append(s.Nodes, sim.Place[Msg]("etcd-1", sender{sent}))
	forgetSent(&s, sent)
	w, err := sim.NewWorld(s, sim.Config{Until: at(100)})
	require.NoError(t, err)
	require.Nil(t, w.Run(1).Panic)
	assert.Len(t, sent.Packets, 1)
	assert.Contains(t, sent.Packets, uint64(5))
}
