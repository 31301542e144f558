package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// What a goal may say, and what is wrong with one that cannot be read.
func TestGoals(t *testing.T) {
	lock, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	store, err := scenarios.Load("kv/find-sloppy-quorum", format.Options{})
	require.NoError(t, err)
	for goal, want := range map[string]int64{
		"overlap >= 9s": 9e9, " overlap>9s": 9e9 + 1, "overlap <= 1m30s": 90e9, "overlap < 9s": 9e9 - 1,
		"acquisitions <= 0": 0, "acquisitions < 1": 0, "validity < -250ms": -250e6 - 1, "lost-updates > 1": 2,
	} {
		s, err := lock.Reaching(goal)
		require.NoError(t, err, goal)
		require.Equal(t, want, s.Program.Goal.Value, goal)
		require.Nil(t, lock.Program.Goal, "the scenario itself stays as it is")
	}
	for goal, want := range map[string]int64{"availability < 50%": 5e8 - 1, "availability >= 0.995": 995e6, "availability <= 1": 1e9} {
		s, err := store.Reaching(goal)
		require.NoError(t, err, goal)
		require.Equal(t, want, s.Program.Goal.Value, goal)
	}
	for goal, said := range map[string]string{
		"":                                    "want MEASURE OP VALUE, where OP is >=, >, <= or <",
		"overlap = 9s":                        `such as "overlap >= 9s", got "overlap = 9s"`,
		"overlapp >= 9s":                      `there is no measure "overlapp"; did you mean "overlap"?; want one of acquire-latency, `,
		"mutual-exclusion >= 1":               `there is no measure "mutual-exclusion"; want one of`,
		"mean overlap >= 9s":                  "mean overlap: a goal is about one run: want a measure alone, without a mean or a percentile",
		"p99(overlap) > 1s":                   "a goal is about one run",
		"overlap >= 9":                        `overlap: "9" is not a duration: want a unit`,
		"overlap >= ":                         "overlap: ",
		"overlap >= 1s..2s":                   "overlap: ",
		"acquisitions >= 3s":                  `acquisitions: want a whole number such as 3, got "3s"`,
		"acquisitions >= 9223372036854775807": "the value is too large",
		"overlap >= -1s":                      "overlap: it is never below 0",
		"overlap < 0s":                        "overlap: it is never below 0",
	} {
		_, err := lock.Reaching(goal)
		require.ErrorContains(t, err, said, goal)
	}
	for goal, said := range map[string]string{"availability >= 2": "availability: it is never above 1", "availability > 3s": "is not a ratio"} {
		_, err := store.Reaching(goal)
		require.ErrorContains(t, err, said, goal)
	}
}

// A scenario that is read with other settings keeps its goal, unless its measure is gone.
func TestAGoalIsKept(t *testing.T) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	s, err = s.Reaching("client-2-attempts > 3")
	require.NoError(t, err)
	again, err := s.With([]result.Setting{{Path: "params.ttl", Value: "5s"}})
	require.NoError(t, err)
	require.Equal(t, s.Program.Goal.Text, again.Program.Goal.Text)
	_, err = s.With([]result.Setting{{Path: "params.clients", Value: "1"}})
	require.Error(t, err)
}
