package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fencepost/reports"
	"fencepost/sim"
)

// version is what simctl is built from.
type version struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the sources, if the build knows it
	Modified bool   `json:"modified,omitempty"` // the sources had changes that are in no revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// DigestEncoding is what digests mean: those of another encoding cannot be compared.
	DigestEncoding int `json:"digest_encoding"`
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
				return failed(reports.WriteJSON(a.out, v))
			}
			fmt.Fprintf(a.out, "simctl %s, %s, %s, digest encoding %d\n", v.Version, v.Go, v.Platform, v.DigestEncoding)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func thisVersion() version {
	v := version{Schema: "fencepost/version/v1", Version: "(devel)", Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, DigestEncoding: sim.DigestVersion}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
