package sim

// The compiler makes a world where a model uses it: in a package that imports this one, and not
// those below it, such as sim/internal/queue. It inlines a function of these there only if it was inlined here, too;
// the bodies of others it does not hand on, and a call takes longer than most of them. Hence this world, of
// which no message exists and that no program links. The tests of sim/internal/phold hold it.
var _ World[nothing]

type nothing struct{}

func (nothing) Label() Kind          { return 0 }
func (nothing) Fold(d Digest) Digest { return d }
func (nothing) String() string       { return "" }
