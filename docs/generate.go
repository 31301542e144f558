// Package docs is the documentation. Its figures are drawn by the scenarios that ask for
// them.
package docs

// The figures of the gallery, from the plots of all scenarios.
//go:generate go run ../cmd/simctl/internal/shipped/figures --into figures

// The map of the gallery.
//go:generate go run ../cmd/simctl certify redis/pause-certified --quiet --over network.delay=0..5ms --map x=network.delay:1ms..100ms/12,y=faults.0.for:0..1400ms --force --figure figures/certified-region.svg

// Pages of simctl view. The picture of the first one is taken by go generate in webtest, which needs Chromium.
//go:generate go run ../cmd/simctl view redlock/gc-pause --out pages/redlock-gc-pause.html --force
//go:generate go run ../cmd/simctl view limiter/fixed-window-boundary --out pages/limiter-fixed-window-boundary.html --force
//go:generate go run ../cmd/simctl view clock/vector-concurrent --out pages/clock-vector-concurrent.html --force
