package permits

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// describer says in words what happens to permits, for one run.
type describer struct {
	layout Layout
	ledger ledger
	many   bool // some client has sent a second request
}

func newDescriber(l Layout) *describer {
	return &describer{layout: l, ledger: newLedger(l)}
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	r, known := t.ledger.observe(v, o)
	if o.Event != sim.Noted {
		return ""
	}
	m, name := &o.Msg, v.Name(o.Node)
	t.many = t.many || m.Rid != 0 && nth(m.Rid) > 1
	who := t.request(v, m.Rid)
	switch m.Kind {
	case Gone:
		return name + " gives up and closes the connection"
	case Queued:
		return fmt.Sprintf("%s lets %s wait: %d of %d places are taken", name, who, t.ledger.waiting(), t.layout.Queue)
	case Granted:
		if !known {
			return fmt.Sprintf("%s hands a permit to %s, which has given up: it is never returned", name, who)
		}
	case Started:
		return t.started(v, name, who, &r)
	case Done:
		return fmt.Sprintf("%s has done %s", name, who)
	case Answered:
		return t.answered(v, name, who, m, &r)
	case Draining:
		return name + " is shut down"
	case Drained:
		return name + " has no request left"
	case Stopped:
		return "the dispatcher of " + name + " returns"
	case Panicked:
		if m.Rid == 0 {
			return fmt.Sprintf("%s panics: %s: the process is gone", name, m.panicText())
		}
		return fmt.Sprintf("the handler of %s panics: %s: %s never has an answer", who, m.panicText(), v.Name(client(m.Rid)))
	case Purged:
		if known && r.running {
			return fmt.Sprintf("the permit of %s expires, while its handler runs", who)
		}
		return fmt.Sprintf("the permit of %s expires: %d in use", who, m.InUse)
	case Overridden:
		return fmt.Sprintf("%s cuts off %s: the time for draining is over", name, who)
	}
	return ""
}

// request names a request: by its number too, once some client has sent two.
func (t *describer) request(v *sim.View[Msg], rid uint32) string {
	switch {
	case rid == 0:
		return ""
	case t.many:
		return fmt.Sprintf("request %d of %s", nth(rid), v.Name(client(rid)))
	}
	return "the request of " + v.Name(client(rid))
}

func (t *describer) started(v *sim.View[Msg], name, who string, r *request) string {
	text := fmt.Sprintf("%s starts %s", name, who)
	switch n := t.ledger.running; {
	case r.cancelled || r.gone:
		text += ", whose client has gone"
	case n > t.layout.Permits:
		text += fmt.Sprintf(": %d run, and %d may", n, t.layout.Permits)
	case v.Now() > r.at:
		text += fmt.Sprintf(", which has waited for %v", v.Now().Sub(r.at))
	}
	return text
}

func (t *describer) answered(v *sim.View[Msg], name, who string, m *Msg, r *request) string {
	text := fmt.Sprintf("%s answers %s %d", name, who, m.status())
	switch m.status() {
	case OK, ClientClosed:
		return ""
	case TooManyRequests:
		if t.layout.Leased {
			return text + ": all permits are in use"
		}
		return text + ": the queue is full"
	case Unavailable, GatewayTimeout:
		if r.permit && !r.started {
			return text + ", though it has a permit: it is never returned"
		}
		if waited := v.Now().Sub(r.at); waited > 0 {
			text += fmt.Sprintf(": it has waited for %v", time.Duration(waited))
		}
	}
	return text
}
