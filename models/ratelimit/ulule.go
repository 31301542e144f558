package ratelimit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Ulule is the anchored [FixedWindow] of ulule/limiter: refused requests are counted,
// and Reached says that the counter is over the limit, not that it has reached it.
//
// Source: ulule/limiter @ f0ada6c, drivers/store/common/context.go.
type Ulule struct{ window *FixedWindow }

// UluleContext is what a client is told.
type UluleContext struct {
	Limit, Remaining int64
	Reset            time.Duration // until the window ends
	Reached          bool
}

// ParseUluleRate reads "10-S": a number per second, minute, hour or day.
func ParseUluleRate(s string) (Rate, error) {
	count, unit, ok := strings.Cut(s, "-")
	limit, err := strconv.ParseInt(count, 10, 64)
	per := map[string]time.Duration{"S": time.Second, "M": time.Minute, "H": time.Hour, "D": 24 * time.Hour}[strings.ToUpper(unit)]
	if !ok || err != nil || per == 0 {
		return Rate{}, fmt.Errorf("rate: want <limit>-<S|M|H|D>, got %q", s)
	}
	return Rate{limit, per}, nil
}

// NewUlule admits the rate's tokens in each window of its length.
func NewUlule(r Rate) (*Ulule, error) {
	w, err := NewFixedWindow(FixedWindowParams{Limit: r.Tokens, Window: r.Per, Anchored: true, ChargesRejected: true})
	return &Ulule{w}, err
}

// Get counts a request.
func (u *Ulule) Get(k *FixedWindowState, now Reading) UluleContext {
	u.window.Take(k, now, 1)
	return u.Peek(k, now)
}

// Peek counts nothing.
func (u *Ulule) Peek(k *FixedWindowState, now Reading) UluleContext {
	d := u.window.Take(k, now, 0)
	return UluleContext{u.window.limit, d.Remaining, d.ResetAfter, k.count > u.window.limit}
}

// Reset forgets the key.
func (u *Ulule) Reset(k *FixedWindowState, now Reading) UluleContext {
	*k = u.window.Start(now)
	return u.Peek(k, now)
}
