package etcd

import (
	"cmp"
	"math"
	"slices"
	"time"

	"fencepost/sim"
)

// Promote makes the lessor the primary. Every lease gets what is left of it, the whole TTL
// unless there is a checkpoint, and extend besides, since no lease was renewed without a
// leader. Leases that would expire together are then spread out.
func (l *Lessor) Promote(now sim.Mono, extend time.Duration) {
	l.primary = true
	for i := range l.leases {
		le := &l.leases[i]
		le.refresh(now, extend)
		l.schedule(now, le)
	}
	if len(l.leases) > 0 && len(l.leases) >= l.revokeRate() {
		l.spread(now, extend)
	}
}

// Demote makes the lessor no longer the primary: its leases do not expire.
func (l *Lessor) Demote() {
	l.primary = false
	for i := range l.leases {
		le := &l.leases[i]
		le.expires, le.expiry, le.due = false, 0, 0
		le.checkpoints, le.checkpointAt = false, 0
	}
}

// spread delays leases so that no more than three quarters of the revoke rate expire in any
// second: what piled up must not take the whole rate.
func (l *Lessor) spread(now sim.Mono, extend time.Duration) {
	for i := range l.leases {
		l.order = append(l.order, pending{i, extend + l.leases[i].left()})
	}
	slices.SortStableFunc(l.order, func(a, b pending) int { return cmp.Compare(a.left, b.left) })
	perSecond := max(3*l.revokeRate()/4, 1)
	base := l.order[0].left
	next, expires := base+time.Second, 0
	for _, p := range l.order {
		if p.left > next {
			base, next, expires = p.left, p.left+time.Second, 1
			continue
		}
		if expires++; expires <= perSecond {
			continue
		}
		// A lease that is n seconds later than the window needs n seconds less of delay.
		delay := time.Duration(expires)*time.Second/time.Duration(perSecond) - (p.left - base)
		next = base + delay
		le := &l.leases[p.lease]
		le.refresh(now, delay+extend)
		l.schedule(now, le)
	}
	l.order = l.order[:0]
}

// left is what a new primary gives a lease, besides the extension.
func (le *Lease) left() time.Duration {
	if le.Remaining > 0 {
		return time.Duration(le.Remaining) * time.Second
	}
	return time.Duration(le.TTL) * time.Second
}

func (le *Lease) refresh(now sim.Mono, extend time.Duration) {
	le.expires, le.expiry = true, now.Add(le.left()).Add(extend)
	le.due = le.expiry
}

// Checkpoint notes how many seconds are left of a lease, so that a new primary gives it no
// more; 0 forgets that.
func (l *Lessor) Checkpoint(now sim.Mono, id LeaseID, remaining int64) {
	le := l.find(id)
	if le == nil {
		return
	}
	le.Remaining = remaining
	if l.primary {
		l.schedule(now, le)
	}
}

// schedule plans the next checkpoint of a lease that lasts for longer than the interval.
func (l *Lessor) schedule(now sim.Mono, le *Lease) {
	if l.CheckpointInterval == 0 || le.left() <= l.CheckpointInterval {
		return
	}
	if at := now.Add(l.CheckpointInterval); !le.checkpoints || at.Before(le.checkpointAt) {
		le.checkpoints, le.checkpointAt = true, at
	}
}

// Checkpoints appends the checkpoints that are due, as commands. A lease that was renewed
// within the last second needs none.
func (l *Lessor) Checkpoints(now sim.Mono, due []Command) []Command {
	for i := range l.leases {
		le := &l.leases[i]
		if !le.checkpoints || now.Before(le.checkpointAt) {
			continue
		}
		le.checkpoints = false
		if left := le.secondsLeft(now); now.Before(le.expiry) && left < le.TTL {
			due = append(due, Command{Kind: LeaseCheckpoint, Lease: le.ID, TTL: left})
		}
	}
	return due
}

// secondsLeft is what a checkpoint notes: here, and here alone, a difference of two readings
// is divided, as the format of a checkpoint asks for.
func (le *Lease) secondsLeft(now sim.Mono) int64 {
	left := le.Left(now)
	if left <= 0 || left > math.MaxInt64-time.Second {
		return le.TTL
	}
	return int64((left + time.Second - 1) / time.Second)
}
