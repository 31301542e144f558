// Package realdata finds the logs of real machines for tests. They are beside the repository, in shared/data, since not all
// of them may be passed on: a clone without them has such tests with no rows.
package realdata

import (
	"os"
	"path/filepath"
)

// Path is the path of a file in a folder of shared/data, "" in a clone without it.
func Path(folder, name string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		path := filepath.Join(dir, "shared", "data", folder, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
