package etcd

// Watch is what one server owes to one watcher: the changes of a key, or of all keys in its
// directory, from a revision on.
type Watch struct {
	Client int32  // whose it is
	ID     uint32 // among those of the client
	Prefix bool
	Key    Key
	Next   int64 // revision of the first change that it has not got
}

// Take is the changes that the watcher has not got, those of other keys among them, which
// [Watch.Wants] tells apart. They are good until the next command. After [Compacted] there
// is nothing more to come.
func (w *Watch) Take(s *Store) ([]Event, error) {
	if w.Next > s.Rev() {
		return nil, nil
	}
	events, err := s.Events(w.Next)
	w.Next = s.Rev() + 1
	return events, err
}

// Wants reports whether the watch is about a key.
func (w *Watch) Wants(k Key) bool { return w.Key == k || w.Prefix && w.Key.Dir == k.Dir }
