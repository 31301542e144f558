package output_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/cmd/simctl/internal/output"
)

func TestAReportThatNothingIsDrawnOfIsPlain(t *testing.T) {
	for options, want := range map[output.Options]bool{
		{Output: output.Table}:             true,
		{Output: "csv"}:                    true,
		{Output: output.JSON}:              false,
		{Output: output.Table, Out: "out"}: false,
	} {
		assert.Equal(t, want, options.Plain(), options)
	}
}
