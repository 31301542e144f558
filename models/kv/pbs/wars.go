// Package pbs is how stale the reads of partial quorums are: the WARS model of message
// delays as trials, fits of production latencies, and the closed forms.
//
// Source: Bailis, Venkataraman, Franklin, Hellerstein, Stoica, "Probabilistically Bounded
// Staleness for Practical Partial Quorums", VLDB 2012.
//
//fencepost:readings
package pbs

import (
	"fmt"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// MaxReplicas is the largest N of a trial.
const MaxReplicas = 100

// Delays are how long the four messages of an operation at a replica travel, each drawn
// for itself, with the time that the replica takes.
type Delays struct {
	Write, Ack, Read, Answer sim.Dist // W, A, R and S of the paper
	// Remote is added to each message of a replica that is not beside the coordinator. If
	// it is above 0, one replica is beside the coordinator of the write, and one, drawn
	// for itself, beside that of the read.
	Remote time.Duration
}

// Quorums are N, R and W: the replicas of a key, the answers that a read waits for and
// the acknowledgements that a write waits for.
type Quorums struct{ N, R, W int }

// valid panics if there are no such quorums.
func (q Quorums) valid() {
	if q.N < 1 || q.N > MaxReplicas || q.R < 1 || q.R > q.N || q.W < 1 || q.W > q.N {
		panic(fmt.Sprintf("pbs: N=%d R=%d W=%d: want 1 to N of at most %d", q.N, q.R, q.W, MaxReplicas))
	}
}

// Outcome is one write and a read of the same key.
type Outcome struct {
	Write time.Duration // until the write has W acknowledgements
	Read  time.Duration // until the read has R answers
	// Visible is how long after its acknowledgement the write is visible: a read that is
	// sent this much later or more returns it, and one that is sent earlier does not. It
	// is 0 if any read does.
	Visible time.Duration
	// Met says that one of the first R answers is of one of the first W replicas whose
	// acknowledgements arrive; with R + W > N this is always so.
	Met bool
}

// Trials draws outcomes. It is not safe for concurrent use.
type Trials struct {
	delays  Delays
	quorums Quorums
	draws   uint64             // the words of each trial
	base    uint64             // of the seed
	acked   [MaxReplicas]ack   // the earliest first
	answer  [MaxReplicas]reply // the earliest first
}

// ack is the acknowledgement of a replica.
type ack struct {
	at      time.Duration // that it arrives
	replica int
}

// reply is the answer of a replica to a read.
type reply struct {
	at      time.Duration // that it arrives, after the read was sent
	lag     time.Duration // by how much the write is later at the replica than the read, if both were sent at once
	replica int
}

// NewTrials are those of a seed.
func NewTrials(d Delays, q Quorums, seed uint64) *Trials {
	q.valid()
	return &Trials{delays: d, quorums: q, draws: 4*uint64(q.N) + 2, base: splitmix.Mix(seed ^ sim.Hash("wars"))}
}

// Trial is the n-th outcome: a pure function of the delays, the quorums, the seed and n.
// The delays of a trial do not depend on R and W, so that quorums are compared on the same
// messages.
//
// The write is sent to all replicas at 0, and is done at the W-th acknowledgement. The read
// is sent to all replicas t after that, and is done at the R-th answer. It returns the write
// if one of the first R answers is of a replica at which the write arrived no later than
// the read.
//
// Source: section 4.1 and 5.1, with read repair off. Section 5.1 prints the comparison with
// the sign reversed; the text on WARS has it as here.
func (t *Trials) Trial(n uint64) Outcome {
	d, q := &t.delays, t.quorums
	words := draws{splitmix.Stream(t.base + n*t.draws*splitmix.Gamma)}
	writer, reader := words.replica(q.N), words.replica(q.N)
	for i := range q.N {
		write, ack := d.Write.Sample(words.Next()), d.Ack.Sample(words.Next())
		read, answer := d.Read.Sample(words.Next()), d.Answer.Sample(words.Next())
		if d.Remote > 0 && i != writer {
			write, ack = sum(write, d.Remote), sum(ack, d.Remote)
		}
		if d.Remote > 0 && i != reader {
			read, answer = sum(read, d.Remote), sum(answer, d.Remote)
		}
		t.insertAck(i, sum(write, ack))
		t.insertReply(i, reply{sum(read, answer), write - read, i})
	}
	return t.outcome()
}

// outcome is that of the acknowledgements and answers in order.
func (t *Trials) outcome() Outcome {
	q := t.quorums
	o := Outcome{Write: t.acked[q.W-1].at, Read: t.answer[q.R-1].at}
	var written replicas
	for _, a := range t.acked[:q.W] {
		written.add(a.replica)
	}
	lag := t.answer[0].lag
	for _, a := range t.answer[:q.R] {
		lag = min(lag, a.lag)
		o.Met = o.Met || written.has(a.replica)
	}
	o.Visible = max(lag-o.Write, 0)
	return o
}

// insertAck keeps the first i+1 acknowledgements in order.
func (t *Trials) insertAck(i int, at time.Duration) {
	a := ack{at, i}
	for ; i > 0 && t.acked[i-1].at > at; i-- {
		t.acked[i] = t.acked[i-1]
	}
	t.acked[i] = a
}

// insertReply keeps the first i+1 answers in order; of those at one instant the first
// replica is first, which is as good as any since all are drawn alike.
func (t *Trials) insertReply(i int, r reply) {
	for ; i > 0 && t.answer[i-1].at > r.at; i-- {
		t.answer[i] = t.answer[i-1]
	}
	t.answer[i] = r
}

// longest is where delays end, so that sums of four of them fit.
const longest = time.Duration(1) << 60

// sum adds two delays, each cut at 2^60 ns, 36 years.
func sum(a, b time.Duration) time.Duration { return min(a, longest) + min(b, longest) }

// draws is a sequence of words, each uniform over all 64-bit words.
type draws struct{ splitmix.Stream }

// replica is uniform over [0, n).
func (d *draws) replica(n int) int { return int(d.Below(uint64(n))) }
