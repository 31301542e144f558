package terminal

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"redlock/gc-pause": "redlock/gc-pause",
		"params.ttl=5s":    "params.ttl=5s",
		"":                 "''",
		"a b":              "'a b'",
		"it's":             `'it'\''s'`,
		"{exp: 5ms}":       "'{exp: 5ms}'",
		"$HOME*":           "'$HOME*'",
		"~x":               "'~x'",
		"ü\n":              "'ü\n'",
	} {
		require.Equal(t, want, Quote(word))
		if sh, err := exec.LookPath("sh"); err == nil {
			out, err := exec.Command(sh, "-c", "printf %s "+Quote(word)).Output()
			require.NoError(t, err)
			require.Equal(t, word, string(out))
		}
	}
	require.Equal(t, "a 'b c'", Quote("a", "b c"))
}

func TestMeter(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(0, 0)
	width := 80
	m := &Meter{out: &b, now: func() time.Time { return now }, width: func() int { return width }}
	m.Start("lock/x")
	m.Update(1, 10, 0)
	m.Clear()
	require.Empty(t, b.String(), "short work shows nothing")

	now = now.Add(2 * time.Second)
	m.Update(100_000, 1_000_000, 58)
	require.Equal(t, "\r\x1b[Klock/x: 100,000 of 1,000,000 runs, 58 violated, 50,000 runs/s, 18s left", b.String())
	b.Reset()
	now = now.Add(refresh / 2)
	m.Update(100_001, 1_000_000, 58)
	require.Empty(t, b.String(), "it is not drawn again so soon")
	now, width = now.Add(time.Second), 20 // of which the last stays free
	m.Update(200_000, 1_000_000, 58)
	require.Equal(t, "\r\x1b[Klock/x: 12.2s left", b.String())
	b.Reset()
	now, width = now.Add(time.Second), 80
	m.Show("point 3")
	require.Equal(t, "\r\x1b[Klock/x: point 3", b.String())
	b.Reset()
	now = now.Add(time.Second)
	m.ShowSince(func(since time.Duration) string { return since.String() })
	require.Equal(t, "\r\x1b[Klock/x: "+now.Sub(time.Unix(0, 0)).String(), b.String())
	b.Reset()
	m.Clear()
	m.Clear()
	require.Equal(t, "\r\x1b[K", b.String())

	b.Reset()
	now = time.Unix(20, 0)
	m.ShowWork(Work{Done: 60_000, Total: 100_000, Point: 61, Points: 100, Before: 20_000})
	require.Equal(t, "\r\x1b[Klock/x: 60 of 100 points, 60,000 of 100,000 runs, 2,000 runs/s, 20s left", b.String(), "what was kept took no time")
	m.Clear()

	var none *Meter
	none.Start("x")
	none.Update(1, 2, 3)
	none.Show("x")
	none.ShowSince(func(time.Duration) string { panic("nobody looks") })
	none.Clear()
	require.Nil(t, NewMeter(&b, func(string) string { return "" }), "a buffer is no terminal")
}

// TestMeterFits: the time left is on a line of any usual width, and a long label gives way.
func TestMeterFits(t *testing.T) {
	grid := Work{Done: 60_563, Total: 100_000, Violated: 408, Point: 61, Points: 100}
	runs := Work{Done: 60_563, Total: 100_000, Violated: 408}
	const label = "redlock/gc-pause"
	for _, c := range []struct {
		label string
		w     Work
		width int
		want  string
	}{
		{label, grid, 120, label + ": 60 of 100 points, 60,563 of 100,000 runs, 60,563 runs/s, 700ms left"},
		{label, grid, 80, label + ": 60 of 100 points, 60,563 of 100,000 runs, 700ms left"},
		{label, grid, 60, label + ": 60 of 100 points, 700ms left"},
		{label, grid, 40, label + ": 700ms left"},
		{label, grid, 20, "redloc…: 700ms left"},
		{label, runs, 90, label + ": 60,563 of 100,000 runs, 408 violated, 60,563 runs/s, 700ms left"},
		{label, runs, 80, label + ": 60,563 of 100,000 runs, 408 violated, 700ms left"},
		{label, runs, 60, label + ": 60,563 of 100,000 runs, 700ms left"},
		{"a/very/long/path/of/a/file/that/somebody/has/somewhere.yaml", grid, 60, "a/very/long/path/of/a/file/that/somebody/has/s…: 700ms left"},
		{label, Work{Done: 10, Total: 10}, 20, "redlo…: 10 of 10 ru"},
		{label, grid, 1, ""},
		{label, grid, 0, ""},
	} {
		var b bytes.Buffer
		now := time.Unix(0, 0)
		m := &Meter{out: &b, now: func() time.Time { return now }, width: func() int { return c.width }}
		m.Start(c.label)
		now = now.Add(time.Second)
		m.ShowWork(c.w)
		require.Equal(t, "\r\x1b[K"+c.want, b.String(), "%d", c.width)
	}
}
