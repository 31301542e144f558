// Package paramstest tests what models find wrong with their parameters.
package paramstest

import "testing"

// Paths are where the mistakes are. Each must say what is wrong.
func Paths[P ~struct{ Path, Message string }](t testing.TB, found []P) (paths []string) {
	t.Helper()
	for _, p := range found {
		q := struct{ Path, Message string }(p)
		if q.Message == "" {
			t.Errorf("%s: there is no message", q.Path)
		}
		paths = append(paths, q.Path)
	}
	return paths
}
