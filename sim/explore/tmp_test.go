package explore
import ("testing";"math/rand/v2";"slices";"math/bits";"encoding/binary")
type modBytes struct{ Data []byte }
func (b *modBytes) Below(n uint64) uint64 {
	var word [8]byte
	size := (bits.Len64(n-1) + 7) / 8
	taken := copy(word[8-size:], b.Data)
	b.Data = b.Data[taken:]
	return binary.BigEndian.Uint64(word[:]) % n
}
func TestTmp(t *testing.T) {
	p, c := redlock()
	s := &Search{Program: p, Config: c, Seed: 1, Budget: Budget{Pauses: 1}, Targets: []int{slices.Index(p.Properties, "no-lost-update")}}
	d, err := NewDecoder(s)
	if err != nil { t.Fatal(err) }
	for mode := range 3 {
		for rep := range uint64(5) {
			r := rand.New(rand.NewPCG(rep, 2))
			n := 0
			for n = 0; n < 30000; n++ {
				data := make([]byte, r.IntN(64))
				for i := range data { data[i] = byte(r.Uint32()) }
				var ch Chooser = &Bytes{data}
				if mode==1 { ch = &modBytes{data} }
				if mode==2 { x := newSeeded(rep<<32+uint64(n)); ch = &x }
				_, sch, _ := d.Run(ch)
				f, _ := d.Failure(sch)
				if f != nil { break }
			}
			t.Log(mode, rep, n)
		}
	}
}
