package conformance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"sync"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"fencepost/models/internal/etcd"
)

var etcdFile = flag.String("etcd", "", "etcd server (default: of PATH)")

// startEtcd starts a server with a fresh store, and returns a client of it.
func startEtcd(t testing.TB, name string, args ...string) *clientv3.Client {
	t.Helper()
	file := *etcdFile
	if file == "" {
		file = "etcd"
	}
	path, err := exec.LookPath(file)
	if err != nil {
		t.Fatalf("no etcd server %q: install it (Debian, Ubuntu: apt-get install etcd-server; macOS: brew install etcd), or name it with -etcd", file)
	}
	var c *clientv3.Client
	p := start(t, name, func(dir, port string) *exec.Cmd {
		client, peer := "http://127.0.0.1:"+port, "http://127.0.0.1:"+freePort(t)
		return exec.Command(path, append([]string{"--name", name, "--data-dir", dir, "--listen-client-urls", client, "--advertise-client-urls", client,
			"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", name + "=" + peer, "--unsafe-no-fsync"}, args...)...)
	}, func(port string) (err error) {
		if c == nil {
			c, err = clientv3.New(clientv3.Config{Endpoints: []string{"127.0.0.1:" + port}, Logger: zap.NewNop()})
			if err != nil {
				return err
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err = c.Get(ctx, "ready")
		return err
	})
	t.Cleanup(func() { c.Close(); p.kill() })
	return c
}

// etcdPair is a server and the model, to which the same commands go. Each pair has keys,
// leases and revisions of its own on the server, which is shared.
type etcdPair struct {
	testing.TB
	c     *clientv3.Client
	model etcd.Store
	dir   string // before every key on the server
	lease int64  // added to every lease
	base  int64  // added to every revision
}

var etcdPairs struct {
	sync.Mutex
	n int
}

func newEtcdPair(t testing.TB, c *clientv3.Client) *etcdPair {
	t.Helper()
	etcdPairs.Lock()
	defer etcdPairs.Unlock()
	etcdPairs.n++
	p := &etcdPair{TB: t, c: c, dir: fmt.Sprintf("pair%d/", etcdPairs.n), lease: 1<<60 | int64(etcdPairs.n)<<20} // of 16 digits, whatever the pair
	p.model.Lessor.MinTTL = etcd.MinTTL(10, 100*time.Millisecond)
	p.model.Lessor.Promote(0, 0)
	r, err := c.Get(t.Context(), p.dir)
	p.must(err)
	p.base = r.Header.Revision - p.model.Rev()
	return p
}

func (p *etcdPair) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// do applies a command to both, and compares what they answer.
func (p *etcdPair) do(c etcd.Command) etcd.Result {
	p.Helper()
	want := p.model.Apply(0, &c)
	want.Count = 0 // of keys that a revocation deletes: the server does not say
	got := p.real(&c)
	if want.Err != 0 { // the server answers no revision with an error
		want.Rev, want.Succeeded = 0, false
	}
	if got != want {
		p.Fatalf("%+v\nserver %+v\nmodel  %+v", c, got, want)
	}
	return want
}

// real applies a command to the server.
func (p *etcdPair) real(c *etcd.Command) (r etcd.Result) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 10*time.Second)
	defer cancel()
	r.Kind = c.Kind
	var err error
	switch c.Kind {
	case etcd.Txn:
		var resp *clientv3.TxnResponse
		if resp, err = p.c.Txn(ctx).If(p.compares(c)...).Then(p.ops(&c.Then)...).Else(p.ops(&c.Else)...).Commit(); err == nil {
			p.result(resp, c, &r)
		}
	case etcd.LeaseGrant:
		var resp *clientv3.LeaseGrantResponse
		if resp, err = p.grant(ctx, c); err == nil {
			r.TTL, r.Rev = resp.TTL, resp.Revision-p.base
		}
	case etcd.LeaseRevoke:
		var resp *clientv3.LeaseRevokeResponse
		if resp, err = p.c.Revoke(ctx, p.leaseID(c.Lease)); err == nil {
			r.Rev = resp.Header.Revision - p.base
		}
	case etcd.Compact:
		var resp *clientv3.CompactResponse
		if resp, err = p.c.Compact(ctx, c.Rev+p.base); err == nil {
			r.Rev = resp.Header.Revision - p.base
		}
	default:
		p.Fatalf("no command of a client: %+v", c)
	}
	r.Err = p.errorOf(err)
	return r
}

// etcdErrors are the errors of the API as those of the model.
var etcdErrors = map[error]etcd.Error{
	rpctypes.ErrLeaseNotFound: etcd.LeaseNotFound, rpctypes.ErrLeaseExist: etcd.LeaseExists, rpctypes.ErrLeaseTTLTooLarge: etcd.LeaseTTLTooLarge,
	rpctypes.ErrCompacted: etcd.Compacted, rpctypes.ErrFutureRev: etcd.FutureRev, rpctypes.ErrDuplicateKey: etcd.DuplicateKey,
}

func (p *etcdPair) errorOf(err error) etcd.Error {
	p.Helper()
	if err == nil {
		return 0
	}
	for known, e := range etcdErrors {
		if errors.Is(err, known) {
			return e
		}
	}
	p.Fatalf("unknown error %v", err)
	return 0
}
