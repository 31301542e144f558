package ratelimit

import (
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RussellLuo/slidingwindow cuts the weighted count of the previous window to a whole
// number: Floor.
func runRussellLuo(t *testing.T, c object) {
	for _, id := range distributed {
		if c.text("id") == id {
			assert.Equal(t, "sliding_window_counter_shared", c.text("kind"))
			return
		}
	}
	s, err := NewSlidingCounter(SlidingCounterParams{Limit: c.at("config").num("limit"), Window: time.Duration(c.at("config").ms("size_ms")), Rounding: Floor})
	require.NoError(t, err)
	k := s.Start(0)
	for i, step := range c.steps() {
		require.Equal(t, "allow", step.text("op"))
		assert.Equal(t, step.at("expect").yes("ok"), s.Take(&k, Reading(step.ms("t")), step.num("n")).Allowed, "step %d", i)
	}
}

// xtimeRate reads a number of tokens per second, exactly as it is written.
func xtimeRate(t *testing.T, v any) XTimeRate {
	if v == "inf" {
		return XTimeRate{Inf: true}
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v.(float64), 'g', -1, 64))
	require.True(t, ok)
	r.Quo(r, big.NewRat(1e9, 1))
	switch {
	case r.Sign() == 0:
		return XTimeRate{}
	case !r.Denom().IsInt64() || r.Denom().Int64() > int64(MaxWindow):
		per := new(big.Rat).Inv(r) // ns per token
		whole := new(big.Int).Quo(per.Num(), per.Denom())
		if !whole.IsInt64() || whole.Int64() > int64(MaxWindow) {
			return XTimeRate{} // a token in more than 73 years is none
		}
		return XTimeRate{Rate: Rate{1, time.Duration(whole.Int64())}}
	case r.Num().Int64() > MaxLimit:
		return XTimeRate{Rate: Rate{1, 1}}
	}
	return XTimeRate{Rate: Rate{r.Num().Int64(), time.Duration(r.Denom().Int64())}}
}

func runXTime(t *testing.T, c object) {
	config := c.at("config")
	if c.text("kind") == "interval_to_rate" {
		got, want := XTimeEvery(time.Duration(c.at("input").num("interval_ns"))), xtimeRate(t, c.at("expect")["rate_per_s"])
		assert.Equal(t, want.Inf, got.Inf)
		if !want.Inf {
			assert.Zero(t, big.NewRat(want.Tokens, int64(want.Per)).Cmp(big.NewRat(got.Tokens, int64(got.Per))), "%v and %v", want, got)
		}
		return
	}
	first := Reading(0)
	if len(c.steps()) > 0 {
		first = Reading(c.steps()[0].ms("t"))
	}
	x, err := NewXTime(xtimeRate(t, config["rate_per_s"]), config.num("burst"), first)
	require.NoError(t, err)
	held := map[string]Reservation{}
	now := first // of the waits, which take their own time
	for i, step := range c.steps() {
		if step.text("op") == "wait" {
			now = xtimeWait(t, x, now, step)
			continue
		}
		xtimeStep(t, x, held, i, step)
	}
}

func xtimeStep(t *testing.T, x *XTime, held map[string]Reservation, i int, step object) {
	at, want, n := Reading(step.ms("t")), step.at("expect"), step.num("n")
	switch step.text("op") {
	case "allow":
		if want.has("tokens") {
			assert.Equal(t, want.num("tokens"), x.Tokens(at), "step %d", i)
		}
		assert.Equal(t, want.yes("ok"), x.Allow(at, n), "step %d", i)
	case "reserve":
		wait := farFuture
		if step.has("max_wait_ms") {
			wait = time.Duration(step.ms("max_wait_ms"))
		}
		r, ok := x.Reserve(at, n, wait)
		assert.Equal(t, want.yes("ok"), ok, "step %d", i)
		if ok {
			assert.EqualValues(t, want.ms("act_ms"), r.At, "step %d", i)
		}
		held[step.text("as")] = r
	case "cancel":
		x.Cancel(at, held[step.text("reservation")])
	case "set_rate":
		require.NoError(t, x.SetRate(at, xtimeRate(t, step["rate"])))
	case "set_burst":
		require.NoError(t, x.SetBurst(at, step.num("burst")))
	case "allow_many", "allow_every":
		granted, until := int64(0), at
		every, count := Reading(0), step.num("count")
		if step.has("every_ms") {
			at, until, every, count = Reading(step.ms("from_ms")), Reading(step.ms("until_ms")), Reading(step.ms("every_ms")), 1<<30
		}
		for ; count > 0 && at <= until; at, count = at+every, count-1 {
			if x.Allow(at, n) {
				granted++
			}
		}
		if want.has("granted") {
			assert.Equal(t, want.num("granted"), granted, "step %d", i)
		} else {
			assert.True(t, want.num("granted_min") <= granted && granted <= want.num("granted_max"), "granted %d", granted)
		}
	default:
		t.Fatal(step)
	}
}

// xtimeWait is Limiter.WaitN: a reservation, slept for and cancelled if the context ends first.
func xtimeWait(t *testing.T, x *XTime, now Reading, step object) Reading {
	want, delay, ok := step.at("expect"), time.Duration(0), false
	var r Reservation
	if step.text("context") == "" {
		limit := farFuture
		if step.has("deadline_ms") {
			limit = time.Duration(step.ms("deadline_ms"))
		}
		if r, ok = x.Reserve(now, step.num("n"), limit); ok {
			delay = time.Duration(r.At - now)
		}
	}
	if cancel := time.Duration(step.ms("cancel_after_ms")); ok && step.has("cancel_after_ms") && cancel < delay {
		delay, ok = cancel, false
		x.Cancel(now+Reading(delay), r)
	}
	assert.Equal(t, want.yes("ok"), ok, "%v", step)
	assert.EqualValues(t, want.ms("delay_ms"), delay, "%v", step)
	return now + Reading(delay)
}
