package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		word, want string
		valid      []string
	}{
		{"puase", "pause", []string{"on", "pause", "phase"}},
		{"TTL", "ttl", []string{"tll", "ttl"}},
		{"mutual_exclusion", "mutual-exclusion", []string{"lost-updates", "mutual-exclusion"}},
		{"gx", "ge", []string{"none", "ge", "gt"}},
		{"client-9", "client-1", []string{"client-1", "client-2"}},
		{"x", "", []string{"y", "on"}},
		{"frobnicate", "", []string{"pause", "for"}},
		{"", "", []string{"a", ""}},
		{strings.Repeat("x", 1<<20), "", []string{"pause"}},
	} {
		require.Equal(t, c.want, Nearest(c.word, c.valid), "%.20s", c.word)
	}
}

func TestNearestFlag(t *testing.T) {
	words := []string{"seed", "runs", "set", "no-faults", "json"}
	for word, want := range map[string]string{"sed": "seed", "seeds": "seed", "nofaults": "no-faults", "jsno": "json", "zzzz": "", "": "", "run": "runs"} {
		require.Equal(t, want, Nearest(word, words), word)
	}
}

func TestNearestIsTheWordThatWasMeant(t *testing.T) {
	words := []string{"order", "withdrawal", "api_call", "orders"}
	for word, want := range map[string]string{"withdraw": "withdrawal", "apiCall": "api_call", "order": "order", "oder": "order", "ordersx": "orders", "refund": "", "": "", "API-CALL": "api_call", "x": ""} {
		require.Equal(t, want, Nearest(word, words), word)
	}
	require.Empty(t, Nearest("order", nil))
}
