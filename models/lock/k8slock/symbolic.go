package k8slock

import (
	"fencepost/models/internal/kubernetes"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (k *Member) Unsupported() string { return "" }

// Forget implements [core.Symbolic].
func (k *Member) Forget() {
	k.nth = 0
	if k.phase != leading {
		k.until = 0
	}
	if k.phase != leading || !k.polling {
		k.next = 0
	}
	if k.phase == stopped || k.phase == inStopHook {
		k.elector = kubernetes.Elector{}
	}
	k.elector.Forget()
}

// Ignores implements [core.Symbolic]. The numbers of requests and waits never come again.
func (k *Member) Ignores(e *sim.Arrival[core.Msg]) bool {
	switch e.Msg.Kind {
	case core.ObjectReply, core.RequestTimeout:
		return e.Msg.Try != k.call
	case core.ElectionWait, core.RenewDeadline:
		return e.Msg.Try != k.turn
	}
	return false
}

// Symbolic implements [sim.Symbolic].
func (s *APIServer) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (s *APIServer) Forget() {}

// Ignores implements [sim.Symbolic].
func (s *APIServer) Ignores(*sim.Arrival[core.Msg]) bool { return false }
