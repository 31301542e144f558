// Package product says which product, of which version, a model follows: declared beside the model, and printed by simctl show.
package product

// Product is something in use, or a paper, whose behaviour a model has.
type Product struct {
	Name    string // as "etcd"
	Version string // as "server 3.7.3, client 3.7.3"; of a paper, its authors and year
	Note    string // how it was compared, and what the model does otherwise; "" if there is nothing to say
}

// String is the version and the note.
func (p Product) String() string {
	switch {
	case p.Version == "":
		return p.Note
	case p.Note == "":
		return p.Version
	}
	return p.Version + ": " + p.Note
}
