package format_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
)

// FuzzLoad: whatever stands in a file, it is loaded or refused, soon, and with
// messages that can be printed. What is loaded makes a world.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"../*/*.yaml", "testdata/invalid/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for i, file := range files {
			if i%48 != 0 {
				continue // few seeds, so that a short search gets beyond them (F16); TestEmbedded loads them all
			}
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte(fake.Minimal))
	for _, text := range []string{
		"network: {delay: {uniform: [1ms, 9ms]}, order: free, links: [{from: client-1, to: [redis-*, store], delay: {csv: rtt.csv}}]}",
		"clocks: {client-1: {drift: -100ppm, offset: -3s}}\ncosts: {'*': {exp: 1ms}}\nresume: messages-first",
		"faults: [{pause: client-1, on: {note: checked, by: client-2, nth: 2}, for: {gclog: gc.log}}, {suspend: store, for: {gclog: {file: gc.log, series: gc}}}]",
		"faults: [{pause: client-1, before: write, for: 1s, name: a}, {crash: store, after: {fault: a, end: 1s}, for: {exp: 1s}, name: b}, {lose: {kind: ack}, after: {fault: b, begin: 0s}}]",
		"faults: [{cut: {between: [client-1, [redis-1, store]]}, at: 1s, for: 2s}, {hold: {from: store, one-way: true}}, {set-rate: store, to: 5%, at: 1s}]",
		"faults: [{delay: {kind: write, nth: 1}, for: 7s}, {lose: {kind: ack}}, {duplicate: {kind: ack}}, {step-clock: store, by: -3s, at: 1s}]",
		"expect: {on-time: {violated: {at: 5s, nodes: store}}, writes: {least: 1}, latency: 3s}",
		"budget: {pauses: 2, pause-for: [15s, 1s], late: 1, late-by: {exp: 1s}, loss: 1%, clock-steps: 1, step-by: -3s, slews: 1, slew-to: [5ppm], nodes: redis-*}",
		"vary: {a: {b: {params.ttl: 1s, costs.store: 1ms}, c: {}}, params.clients: [1, 2]}\nplots: [{title: T, file: f, kind: bar, x: a, y: writes, series: params.clients, names: [one, two]}]",
		"control: {params.ttl: 3s}\nvary: {params.clients: [1, 2], faults.0: [{crash: client-1, at: 1s}]}",
	} {
		f.Add([]byte(fake.Minimal + text + "\n"))
	}
	fsys := fake.Shelf("")
	for _, big := range []string{"fake/many.csv", "fake/long.csv"} {
		delete(fsys, big) // tested elsewhere, and slow
	}
	file := *fsys["fake/x.yaml"]
	f.Fuzz(func(t *testing.T, text []byte) {
		file.Data = text
		fsys["fake/x.yaml"] = &file
		s, err := fake.LoadFrom(fsys, format.Options{}, fake.Models)
		if err == nil {
			fake.Run(t, s)
			return
		}
		e := (*format.Invalid)(nil)
		if !errors.As(err, &e) || len(e.Problems) == 0 || len(e.Problems) > format.MaxProblems {
			t.Fatalf("%T: %v", err, err)
		}
		if _, err := json.Marshal(e); err != nil || !utf8.ValidString(e.Error()) {
			t.Fatalf("%v: %q", err, e.Error())
		}
	})
}
