package version_test

import (
	"testing"

	"fencepost/models/kv/version"
)

// BenchmarkMerge is most steps of a replica: one side covers the other. It allocates nothing.
func BenchmarkMerge(b *testing.B) {
	for _, n := range policies {
		b.Run(n, func(b *testing.B) {
			old, young := pair(named(n))
			p := named(n)
			b.ReportAllocs()
			for b.Loop() {
				if p.Merge(old, young) != young || p.Merge(young, old) != young {
					b.Fatal("the younger does not cover the older")
				}
			}
		})
	}
}

// pair is an object and what became of it, after writes at three nodes.
func pair(p *version.Policy) (old, young *version.Object) {
	for n := range uint32(6) {
		r := version.NewReplica(n%3 + 1)
		w := write(1, n+1, 1)
		w.Op = version.Add
		old, young = young, p.Put(&r, ms(int(n)), young, young, w)
	}
	return old, young
}

func BenchmarkPut(b *testing.B) {
	for _, n := range policies {
		b.Run(n, func(b *testing.B) {
			p := named(n)
			old, _ := pair(p)
			r := version.NewReplica(1)
			w := write(1, 7, 1)
			w.Op = version.Add
			b.ReportAllocs()
			for b.Loop() {
				p.Put(&r, ms(9), old, old, w)
			}
		})
	}
}

func TestAMergeThatChangesNothingAllocatesNothing(t *testing.T) {
	for _, n := range policies {
		p := named(n)
		old, young := pair(p)
		if allocs := testing.AllocsPerRun(10, func() { p.Merge(old, young); p.Merge(young, old) }); allocs != 0 {
			t.Errorf("%s: %v allocations", n, allocs)
		}
	}
}
