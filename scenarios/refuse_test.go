package scenarios

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestEveryModelRefusesAWord: R11. A model takes no parameter with a word that it does not
// know for another, also where no file was read: the caller that makes a world is told.
func TestEveryModelRefusesAWord(t *testing.T) {
	words := 0
	for _, m := range catalog {
		fields := reflect.TypeOf(m.New().Target()).Elem()
		for i := range fields.NumField() {
			f := fields.Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if f.Type.Kind() != reflect.String || !strings.Contains(options, "oneof=") {
				continue
			}
			words++
			p := m.New()
			reflect.ValueOf(p.Target()).Elem().Field(i).SetString("nonsense")
			_, err := p.Program().NewWorld(sim.Config{Until: 1})
			require.Error(t, err, "%s: %s", m.Name, name)
			assert.Contains(t, err.Error(), name+": want one of ", m.Name)
		}
	}
	assert.Positive(t, words)
}
