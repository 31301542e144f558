package gclog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// A script is a log written in the test and every pause it holds.
func TestPausesOfAFile(t *testing.T) {
	for _, test := range []struct {
		file, format, series string
		pauses               []Pause
	}{
		{"parallel_jdk8.log", Classic, GC, []Pause{
			{412 * ms, 10471200, "GC (Allocation Failure)"},
			{733 * ms, 5200 * us, "GC (System.gc())"},
			{739 * ms, 41300500, "Full GC (System.gc())"},
			{1250 * ms, 30 * ms, "GC (Allocation Failure)"},
			{1281 * ms, 221 * ms, "Full GC (Ergonomics)"}, // a histogram with "[B" inside
		}},
		{"cms_jdk8.log", Classic, GC, []Pause{
			{2000 * ms, 53220 * us, "GC (Allocation Failure)"}, // over four lines
			{3000 * ms, 2205100, "GC (CMS Initial Mark)"},
			{8104 * ms, 68219 * us, "GC (CMS Final Remark)"}, // with the young collection inside
			{9500 * ms, 1183500 * us, "GC (Allocation Failure)"},
		}},
		{"cms_jdk8.log", Classic, App, []Pause{
			{1100*ms - 180*us, 180 * us, "stopped"},
			{2054*ms - 53773*us, 53773 * us, "stopped"},
			{3003*ms - 2400*us, 2400 * us, "stopped"},
			{8173*ms - 69*ms, 69 * ms, "stopped"},
			{10684*ms - 1184029*us, 1184029 * us, "stopped"},
		}},
		{"g1_jdk8.log", Classic, GC, []Pause{
			{1595 * ms, 9617300, "GC pause (G1 Evacuation Pause) (young)"},
			{2503 * ms, 240 * ms, "GC pause (G1 Humongous Allocation) (young) (initial-mark)"},
			{2750 * ms, 45 * ms, "GC pause (G1 Evacuation Pause) (young)"},
			{3101 * ms, 14077400, "GC remark"},
			{3120 * ms, 653800, "GC cleanup"},
			{4000 * ms, 334278800, "Full GC (Metadata GC Threshold)"},
		}},
		{"serial_jdk7_unstamped.log", Classic, GC, []Pause{
			{-1, 4326 * us, "GC"}, {-1, 25100 * us, "GC"}, {-1, 31100 * us, "Full GC"}, {-1, 29 * ms, "Full GC (System)"},
		}},
		{"stopped_jdk11.log", Unified, App, []Pause{
			{102*ms - 238500, 238500, "stopped"}, {236*ms - 5610*us, 5610 * us, "stopped"},
		}},
		{"stopped_jdk11.log", Unified, GC, []Pause{
			{236*ms - 5324*us, 5324 * us, "Pause Young (Normal) (G1 Evacuation Pause)"},
		}},
		{"g1_jdk17.log", Unified, GC, []Pause{
			{48*ms - 1325*us, 1325 * us, "Pause Young (Normal) (G1 Evacuation Pause)"},
		}},
		{"pauses.csv", CSV, Unnamed, []Pause{
			{1500 * ms, 2500 * us, "young"}, {-1, 80250, "remark, final"}, {7 * time.Second, 0, "young"},
		}},
		{"durations.txt", CSV, Unnamed, []Pause{{-1, 15200 * us, ""}, {-1, 300 * us, ""}, {-1, 1500 * ms, ""}, {-1, 42, ""}}},
	} {
		t.Run(test.file+"/"+test.series, func(t *testing.T) {
			log, err := ReadFile(filepath.Join("testdata", test.file), test.series)
			require.NoError(t, err)
			assert.Equal(t, test.format, log.Format)
			assert.Equal(t, test.pauses, log.Pauses)
			assert.Empty(t, log.Problems)
		})
	}
}
