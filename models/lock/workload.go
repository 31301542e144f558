package lock

import (
	"time"

	"fencepost/models/check"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// workload is what clients want the lock for.
type workload uint8

// The workloads: the job of [Critical] once for each acquisition, over and over by a leader
// (election.go), or once in each period (cron.go).
const (
	increment workload = iota
	leader
	cron
)

var workloads = map[string]workload{"leader": leader, "cron": cron}

// What a params block leaves out.
const (
	usualBeat   = time.Second
	usualPeriod = 24 * time.Hour
)

func (p *Params) workload() workload { return workloads[p.WorkAs] }

func (p *Params) period() time.Duration { return values.Or(p.Period, usualPeriod) }

// rounds is how often a client acquires the lock: a leader and a job without end, unless
// the parameters say so.
func (p *Params) rounds(client int) int {
	usual := 1
	if p.workload() != increment {
		usual = 0
	}
	return values.At(p.Rounds, client, usual)
}

// workloadProblems refuses what a workload does not have.
func (p *Params) workloadProblems(found *model.Errors) {
	is := p.workload()
	for _, k := range []struct {
		key   string
		given bool
		of    workload
		words string
	}{
		{"beat", p.Beat != nil, leader, "work-as: leader"},
		{"failover-bound", p.FailoverBound != nil, leader, "work-as: leader"},
		{"period", p.Period != nil, cron, "work-as: cron"},
		{"cron-mark", p.CronMark != "", cron, "work-as: cron"},
	} {
		found.If(k.given && is != k.of, k.key, "only %s has one", k.words)
	}
	found.If(is == cron && p.Start != nil, "start", "a job starts in each period: want none")
	found.If(is == cron && p.Think != nil, "think", "a job starts in each period: want none")
	found.If(is == leader && p.Fencing == "gt", "fencing", "gt admits one operation per token, and a leader writes more than once: want ge or lex")
}

// addWorkloadMeter adds the measures of the workload.
func (p *Params) addWorkloadMeter(s *sim.System[core.Msg], l *check.LockLedger) {
	switch p.workload() {
	case leader:
		model.AddMeter(s, &electionMeter{Ledger: l})
	case cron:
		model.AddMeter(s, &cronMeter{Period: p.period()})
	}
}
