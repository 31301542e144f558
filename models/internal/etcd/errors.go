package etcd

// Error is why a command or a request was refused. 0 is none.
type Error uint8

// The errors.
const (
	LeaseNotFound Error = iota + 1
	LeaseExists
	LeaseTTLTooLarge
	NotPrimary    // only the primary lessor renews leases
	RevokePending // the lease has expired: the answer waits for its revocation, or for another primary
	Compacted     // the history from that revision on is no longer there
	FutureRev     // there is no such revision yet
	DuplicateKey  // a transaction changes a key twice
)

var errorTexts = [...]string{
	LeaseNotFound:    "lease not found",
	LeaseExists:      "lease already exists",
	LeaseTTLTooLarge: "too large lease TTL",
	NotPrimary:       "not a primary lessor",
	RevokePending:    "lease has expired, its revocation is pending",
	Compacted:        "mvcc: required revision has been compacted",
	FutureRev:        "mvcc: required revision is a future revision",
	DuplicateKey:     "duplicate key given in txn request",
}

// Error implements error, in the server's words.
func (e Error) Error() string { return errorTexts[e] }
