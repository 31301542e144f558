package program

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestName: a program has the name of its main package. If the package is not known, it has the name of its file.
func TestName(t *testing.T) {
	for _, v := range []struct {
		ours             bool
		main, file, want string
	}{
		{true, "fencepost/cmd/simctl", "/tmp/old-simctl", "simctl"},
		{true, "fencepost/cmd/simctl/cli.test", "/tmp/cli.test", "simctl"},
		{false, "example.com/mylock", "/tmp/go-build1/exe/main", "mylock"},
		{false, "example.com/mylock/cmd/lockctl", "/usr/bin/x", "lockctl"},
		{false, "command-line-arguments", "/tmp/mine.exe", "mine"},
		{false, "", "bin/mine", "mine"},
	} {
		assert.Equal(t, v.want, named(v.ours, v.main, v.file), v)
	}
	assert.Equal(t, "simctl", Name())
}
