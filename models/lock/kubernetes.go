package lock

import (
	"cmp"
	"time"

	"fencepost/models/internal/kubernetes"
	"fencepost/models/lock/core"
	"fencepost/models/lock/k8slock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Kubernetes are the parameters of a leader election by a Lease object. Members may differ.
type Kubernetes struct {
	Client  string          `yaml:"client,oneof=client-go|fabric8|fabric8-own-duration|csharp-growing-delay"` // client-go
	Lease   []time.Duration `yaml:"lease,one-or-many" each:"clients" range:"0s..18h"`                         // LeaseDuration: 15s
	Renew   []time.Duration `yaml:"renew,one-or-many" each:"clients" range:"0s..18h"`                         // RenewDeadline: 10s
	Retry   []time.Duration `yaml:"retry,one-or-many" each:"clients" range:"0s..18h"`                         // RetryPeriod: 2s
	Timeout *time.Duration  `yaml:"request-timeout" range:"0s..18h"`                                          // of a request: half of renew, at least 1s; 0s waits until renew is over

	Release  bool            `yaml:"release-on-cancel"`                                    // a member that stops gives the lease up: false
	StopHook []time.Duration `yaml:"stop-hook,one-or-many" each:"clients" range:"0s..18h"` // from losing the lease to the end of the work: 0s
	Identity string          `yaml:"identity,oneof=fresh|same"`                            // of the next process of a member: fresh
	DeleteAt []time.Duration `yaml:"delete-at,one-or-many" range:"0s..1000h"`              // when an administrator deletes the object: never
}

// The durations that the components of Kubernetes have by default.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go, LeaderElectionConfig.
const (
	usualLease = 15 * time.Second
	usualRenew = 10 * time.Second
	usualRetry = 2 * time.Second
)

// durations are those of a member, from 0.
func (k *Kubernetes) durations(i int) (lease, renew, retry time.Duration) {
	return values.At(k.Lease, i, usualLease), values.At(k.Renew, i, usualRenew), values.At(k.Retry, i, usualRetry)
}

// member is the client of a member, from 0.
//
// Source: client-go v0.34.1, resourcelock.NewFromKubeconfig for the timeout; fabric8
// kubernetes-client, issue 7160; kubernetes-client/csharp, issue 842.
func (k *Kubernetes) member(i int, server sim.NodeID) k8slock.Member {
	m := k8slock.Member{Server: server, ReleaseOnCancel: k.Release, SameIdentity: k.Identity == "same", StopHook: values.At(k.StopHook, i, 0)}
	m.Lease, m.RenewDeadline, m.RetryPeriod = k.durations(i)
	m.Timeout = values.Or(k.Timeout, max(m.RenewDeadline/2, time.Second))
	switch k.Client {
	case "fabric8":
		m.Expiry = kubernetes.SinceRenewed
	case "fabric8-own-duration":
		m.Expiry, m.OwnLease = kubernetes.SinceRenewed, true
	case "csharp-growing-delay":
		m.GrowingDelay = true
	}
	return m
}

// planKubernetes is the plan of the election. A candidate may see the last renewal only
// after a wait, and take the lease only after another. A member that leaves gives nothing up by
// default, and its last renewal may arrive until its request times out.
func planKubernetes(p *Params, first sim.NodeID) plan {
	k := values.Or(p.Kubernetes, Kubernetes{})
	built := plan{quorum: 1, clock: sim.MonoClock, replicated: true,
		servers: []sim.Spec[core.Msg]{sim.Place[core.Msg]("api-server", k8slock.APIServer{DeleteAt: k.DeleteAt})}}
	for i := range p.Clients {
		lease, renew, retry := k.durations(i)
		built.ttl, built.poll = max(built.ttl, lease), max(built.poll, 2*(retry+k8slock.Jittered(retry)))
		built.late = max(built.late, cmp.Or(k.member(i, first).Timeout, renew))
	}
	next := 0
	built.worker = func(name string, c Critical) sim.Spec[core.Msg] {
		next++
		return worker(k.member(next-1, first))(name, c)
	}
	return built
}

// checkKubernetes refuses what client-go refuses, in its words and its order.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go, NewLeaderElector.
func checkKubernetes(p *Params, found *model.Errors) {
	k := values.Or(p.Kubernetes, Kubernetes{})
	for i := range max(len(k.Lease), len(k.Renew), len(k.Retry), 1) {
		switch lease, renew, retry := k.durations(i); {
		case lease <= renew:
			found.Add("kubernetes.lease", "leaseDuration must be greater than renewDeadline, got %v and %v", lease, renew)
		case renew <= k8slock.Jittered(retry):
			found.Add("kubernetes.renew", "renewDeadline must be greater than retryPeriod*JitterFactor, got %v and %v*1.2", renew, retry)
		case lease < 1:
			found.Add("kubernetes.lease", "leaseDuration must be greater than zero")
		case renew < 1:
			found.Add("kubernetes.renew", "renewDeadline must be greater than zero")
		case retry < 1:
			found.Add("kubernetes.retry", "retryPeriod must be greater than zero")
		case lease < time.Second: // the API server's validation of the object
			found.Add("kubernetes.lease", "leaseDurationSeconds must be greater than 0: %v is rounded down", lease)
		}
	}
}
