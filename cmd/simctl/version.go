package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports"
	"fencepost/scenarios/record"
	"fencepost/sim"
)

// release is the version: the first that CHANGELOG.md dates.
const release = "0.1.0"

// version is what simctl is built from.
type version struct {
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
func (v *version) String() string {
	from := "no revision: go build in a clone records it, go run does not"
	if v.Revision != "" {
		from = "revision " + v.Revision + " of " + v.Time
		if v.Modified {
			from += ", modified"
		}
	}
	return fmt.Sprintf("simctl %s (%s), %s, %s, digest encoding %d, replay format %s",
		v.Version, from, v.Go, v.Platform, v.DigestEncoding, v.ReplayFormat)
}

func newVersionCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of simctl and of its digests",
		Example: `  $ simctl version
  $ simctl version --json`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			v := thisVersion()
			if asJSON {
				return cli.Failed(reports.WriteJSON(a.Out, v))
			}
			_, err := fmt.Fprintln(a.Out, v)
			return cli.Failed(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func thisVersion() *version {
	v := &version{Schema: "fencepost/version/v1", Version: release, Go: runtime.Version(),
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
