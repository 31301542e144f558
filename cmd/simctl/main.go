// Command simctl runs scenarios against distributed algorithms in virtual time and
// says whether their properties hold, what they cost, and how a violation came about.
package main

import (
	"fencepost"
	"fencepost/cmd/simctl/cli"
	"fencepost/scenarios"
)

func main() { cli.MainOf(scenarios.Catalog(), fencepost.Sources) }
