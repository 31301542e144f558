package etcd

import "cmp"

// Limits of one transaction.
const (
	MaxCompares = 2
	MaxOps      = 3 // of each branch
)

// CommandKind is what a command does.
type CommandKind uint8

// The commands.
const (
	Txn             CommandKind = iota // Compare, Then, Else
	LeaseGrant                         // Lease, TTL
	LeaseRevoke                        // Lease
	LeaseCheckpoint                    // Lease, TTL: what remains of it, 0 to forget that
	Compact                            // Rev
)

// Command is one entry of the replicated log.
type Command struct {
	Kind       CommandKind
	Compare    [MaxCompares]Compare // all must hold for Then
	Then, Else [MaxOps]Op
	Lease      LeaseID
	TTL        int64 // seconds
	Rev        int64
}

// Target is what a comparison looks at.
type Target uint8

// The targets. A key that does not exist has 0 everywhere, and no value to compare with.
const (
	NoTarget Target = iota // no comparison
	CreateRev
	ModRev
	Version
	Value
	LeaseOf
)

// Relation is how a comparison compares.
type Relation uint8

// The relations.
const (
	Equal Relation = iota
	NotEqual
	Greater
	Less
)

// Compare is one condition of a transaction: Target of Key, Relation, Operand.
type Compare struct {
	Target   Target
	Relation Relation
	Key      Key
	Operand  int64
}

// OpKind is what an operation of a transaction does.
type OpKind uint8

// The operations.
const (
	NoOp   OpKind = iota
	Range         // Key or its directory, Order, MaxCreate
	Put           // Key, Value, Lease
	Delete        // Key or its directory
)

// Order says which key of a range is given back.
type Order uint8

// The orders.
const (
	ByKey        Order = iota // the first by name
	OldestCreate              // the smallest create revision: WithFirstCreate
	NewestCreate              // the largest: WithLastCreate
)

// Op is one operation of a transaction.
type Op struct {
	Kind      OpKind
	Order     Order
	Prefix    bool // of all keys in the directory of Key
	Key       Key
	Value     uint64
	Lease     LeaseID
	MaxCreate int64 // of a range: only keys of at most this create revision; 0 is no limit
}

// Response is what became of one operation.
type Response struct {
	KV    KV  // of a range the first in its order, of a put or a deletion of one key what was there; the zero KV for none
	Count int // keys in the range, before MaxCreate; keys deleted
}

// Result is what became of a command.
type Result struct {
	Kind      CommandKind
	Err       Error
	Succeeded bool // the conditions held
	Rev       int64
	TTL       int64 // that a lease was granted for
	Count     int   // keys that a revoked lease took with it
	Responses [MaxOps]Response
}

// txn does a transaction, all of it or, if it is refused, nothing.
func (s *Store) txn(c *Command, r *Result) {
	if overlap(&c.Then) || overlap(&c.Else) {
		r.Err = DuplicateKey
		return
	}
	r.Succeeded = true
	for i := range c.Compare {
		r.Succeeded = r.Succeeded && s.holds(&c.Compare[i])
	}
	branch := &c.Then
	if !r.Succeeded {
		branch = &c.Else
	}
	for i := range branch {
		if op := &branch[i]; op.Kind == Put && op.Lease != NoLease {
			if _, ok := s.Lessor.Lookup(op.Lease); !ok {
				r.Err = LeaseNotFound
				return
			}
		}
	}
	changes := 0
	for i := range branch {
		changes += s.do(&branch[i], &r.Responses[i])
	}
	s.commit(changes)
}

// overlap reports whether a branch changes a key twice in a way that etcd refuses: two puts,
// or a put and a deletion.
func overlap(branch *[MaxOps]Op) bool {
	for i := range branch {
		for j := range branch {
			put, other := &branch[i], &branch[j]
			if i == j || put.Kind != Put {
				continue
			}
			if other.Kind == Put && other.Key == put.Key || other.Kind == Delete && other.covers(put.Key) {
				return true
			}
		}
	}
	return false
}

// covers reports whether a key lies in the range of an operation.
func (o *Op) covers(k Key) bool { return o.Key == k || o.Prefix && o.Key.Dir == k.Dir }

func (s *Store) holds(c *Compare) bool {
	kv, exists := s.Get(c.Key)
	var order int
	switch c.Target {
	case NoTarget:
		return true
	case CreateRev:
		order = cmp.Compare(kv.CreateRev, c.Operand)
	case ModRev:
		order = cmp.Compare(kv.ModRev, c.Operand)
	case Version:
		order = cmp.Compare(kv.Version, c.Operand)
	case LeaseOf:
		order = cmp.Compare(int64(kv.Lease), c.Operand)
	case Value:
		if !exists {
			return false
		}
		order = cmp.Compare(kv.Value, uint64(c.Operand))
	}
	switch c.Relation {
	case NotEqual:
		return order != 0
	case Greater:
		return order > 0
	case Less:
		return order < 0
	}
	return order == 0
}

// do does one operation of the transaction under way, and returns how much it changed.
func (s *Store) do(o *Op, r *Response) (changes int) {
	switch o.Kind {
	case Range:
		s.read(o, r)
	case Put:
		r.KV = s.put(o.Key, o.Value, o.Lease)
		return 1
	case Delete:
		for i := s.from(o); i < len(s.kvs) && o.covers(s.kvs[i].Key); {
			r.KV, _ = s.remove(s.kvs[i].Key)
			r.Count++
		}
	}
	if o.Kind == Delete {
		return r.Count
	}
	return 0
}

// read picks one key of a range.
func (s *Store) read(o *Op, r *Response) {
	for i := s.from(o); i < len(s.kvs) && o.covers(s.kvs[i].Key); i++ {
		kv := &s.kvs[i]
		r.Count++
		switch {
		case o.MaxCreate != 0 && kv.CreateRev > o.MaxCreate:
		case r.KV.CreateRev == 0,
			o.Order == OldestCreate && kv.CreateRev < r.KV.CreateRev,
			o.Order == NewestCreate && kv.CreateRev > r.KV.CreateRev:
			r.KV = *kv
		}
	}
}

// from is where the range of an operation begins.
func (s *Store) from(o *Op) int {
	k := o.Key
	if o.Prefix {
		k.Name = 0
	}
	i, _ := s.find(k)
	return i
}
