// Package program knows what the program that runs is called: simctl, or a user's own that has its commands.
package program

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// Name is the name of the program, for the commands that it tells its reader to type: of its main package, whatever the file is
// called. A program of this module, such as a test, is simctl.
var Name = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return named(false, "", os.Args[0])
	}
	type here struct{}
	ours := strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/program")
	return named(info.Main.Path == ours, info.Path, os.Args[0])
})

// named is the name of a program by its main package and its file; ours is one of this module.
func named(ours bool, main, file string) string {
	switch {
	case ours:
		return "simctl"
	case main != "" && main != "command-line-arguments":
		return path.Base(main)
	}
	return strings.TrimSuffix(filepath.Base(file), ".exe")
}
