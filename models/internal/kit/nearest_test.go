package kit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/kit"
)

func TestNearestIsTheWordThatWasMeant(t *testing.T) {
	words := []string{"order", "withdrawal", "api_call", "orders"}
	for word, want := range map[string]string{"withdraw": "withdrawal", "apiCall": "api_call", "order": "order", "oder": "order", "ordersx": "orders", "refund": "", "": "", "API-CALL": "api_call", "x": ""} {
		assert.Equal(t, want, kit.Nearest(word, words), word)
	}
	assert.Empty(t, kit.Nearest("order", nil))
}
