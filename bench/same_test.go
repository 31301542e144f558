package bench

import "testing"

// Every limiter admits the first hundred of each key and no more, whichever asks in
// between: they are measured at the same work.
func TestAllDecideTheSame(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			admits := s.many()
			for i := range 150 {
				for _, r := range []request{{1, "a"}, {2, "b"}} {
					if got := admits(&r, int64(i)); got != (i < limit) {
						t.Fatalf("request %d of %s: admitted %v", i, r.name, got)
					}
				}
			}
		})
	}
}
