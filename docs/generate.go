// Package docs is the documentation. Its figures are drawn by the scenarios that ask for
// them.
package docs

// The figures of the gallery, from the plots of all scenarios.
//go:generate go run ../cmd/simctl/internal/shipped/figures --into figures
