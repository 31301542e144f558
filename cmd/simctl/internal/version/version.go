// Package version says what simctl is built from.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"fencepost/internal/program"
	"fencepost/scenarios/record"
	"fencepost/sim"
)

// release is the version: the first that CHANGELOG.md dates.
const release = "0.1.0"

// Info is what simctl is built from.
type Info struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the sources, if the build knows it
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // the sources had changes that are in no revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// DigestEncoding is what digests mean: those of another encoding cannot be compared.
	DigestEncoding int `json:"digest_encoding"`
	// ReplayFormat is that of the replay files it writes.
	ReplayFormat string `json:"replay_format"`
}

// String is the version on one line.
func (v *Info) String() string {
	from := "no revision: go build in a clone records it, go run does not"
	if v.Revision != "" {
		from = "revision " + v.Revision + " of " + v.Time
		if v.Modified {
			from += ", modified"
		}
	}
	what := program.Name() + " " + v.Version
	if program.Name() != "simctl" { // the revision is of a user's module
		what = program.Name() + " with fencepost " + v.Version
	}
	return fmt.Sprintf("%s (%s), %s, %s, digest encoding %d, replay format %s",
		what, from, v.Go, v.Platform, v.DigestEncoding, v.ReplayFormat)
}

// This is the program that runs.
func This() *Info {
	v := &Info{Schema: "fencepost/version/v1", Version: release, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, DigestEncoding: sim.DigestVersion, ReplayFormat: record.Format}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
