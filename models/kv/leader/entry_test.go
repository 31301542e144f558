package leader

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/version"
)

// An entry of the log is what it was made of.
func TestEntries(t *testing.T) {
	e := entry{server: 7, life: 2, number: 3, key: 4, compares: true, expects: 5, write: &version.Write{ID: version.NewID(6, 7), Op: version.Delete, Data: 1 << 60}}
	assert.Equal(t, e, decodeEntry(e.encode()))
}
