package core

import (
	"fmt"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/response"
	"fencepost/sim"
)

// Show says what a client is sent with a decision: what is left, and when there is more.
func Show(out *sim.Out[message.Msg], m message.Msg, d ratelimit.Decision) {
	wait := d.ResetAfter
	if !d.Allowed {
		wait = d.Wait
	}
	out.Show(message.ClientOf(m.ID), message.NewHeaders(m, d.Allowed, wait, d.Remaining))
}

// Headers are the status and the fields of an answer, in both forms: those of the IETF
// draft with Retry-After, and the three that were in use before. A limiter that asks a
// store does not know when an admitted request is forgotten: then no field says so.
//
// Source: draft-ietf-httpapi-ratelimit-headers; RFC 9110, section 10.2.3.
func (l Layout) Headers(m *message.Msg) []string {
	d := ratelimit.Decision{Allowed: m.OK, Remaining: m.Remaining()}
	if m.OK {
		d.ResetAfter = m.Wait()
	} else {
		d.Wait = m.Wait()
	}
	r := response.Of(response.Answer{Policy: response.Policy{Name: "default", Quota: l.Limit, Window: l.Window}, Decision: d})
	r.NoReset = m.Wait() <= 0
	lines := []string{fmt.Sprint(r.Status)}
	for _, h := range append(r.Headers(), r.LegacyHeaders()...) {
		lines = append(lines, h.Name+": "+h.Value)
	}
	return lines
}
