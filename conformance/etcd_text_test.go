package conformance

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"fencepost/models/internal/etcd"
)

// The flat values of the model as the texts of the API, and back.

// key is a key as a text. Names are counted from the pair's first lease: what the client calls
// the key of a session is that of the model.
func (p *etcdPair) key(k etcd.Key) string {
	return p.dir + etcd.Key{Dir: k.Dir, Name: uint64(p.lease) + k.Name}.String()
}

func (p *etcdPair) folder(k etcd.Key) string { return fmt.Sprintf("%s%d/", p.dir, k.Dir) }

func (p *etcdPair) keyOf(text []byte) (k etcd.Key) {
	p.Helper()
	dir, name, ok := strings.Cut(strings.TrimPrefix(string(text), p.dir), "/")
	d, err := strconv.ParseUint(dir, 10, 32)
	n, err2 := strconv.ParseUint(name, 16, 64)
	if !ok || err != nil || err2 != nil {
		p.Fatalf("a key %q", text)
	}
	return etcd.Key{Dir: uint32(d), Name: n - uint64(p.lease)}
}

// value is a number as a text that sorts as the number does.
func value(v uint64) string { return fmt.Sprintf("%020d", v) }

func (p *etcdPair) leaseID(id etcd.LeaseID) clientv3.LeaseID {
	if id == etcd.NoLease {
		return clientv3.NoLease
	}
	return clientv3.LeaseID(p.lease + int64(id))
}

func (p *etcdPair) kv(kv *mvccpb.KeyValue) etcd.KV {
	p.Helper()
	v, err := uint64(0), error(nil)
	if len(kv.Value) > 0 { // a mutex puts an empty text
		v, err = strconv.ParseUint(string(kv.Value), 10, 64)
	}
	p.must(err)
	lease := etcd.LeaseID(kv.Lease)
	if lease != etcd.NoLease {
		lease -= etcd.LeaseID(p.lease)
	}
	return etcd.KV{Key: p.keyOf(kv.Key), Value: v, CreateRev: kv.CreateRevision - p.base, ModRev: kv.ModRevision - p.base, Version: kv.Version, Lease: lease}
}

// grant asks for a lease with an ID, which the client itself leaves to the server.
func (p *etcdPair) grant(ctx context.Context, c *etcd.Command) (*clientv3.LeaseGrantResponse, error) {
	r, err := pb.NewLeaseClient(p.c.ActiveConnection()).LeaseGrant(ctx, &pb.LeaseGrantRequest{ID: int64(p.leaseID(c.Lease)), TTL: c.TTL})
	if err != nil {
		return nil, clientv3.ContextError(ctx, err)
	}
	return &clientv3.LeaseGrantResponse{ResponseHeader: r.Header, ID: clientv3.LeaseID(r.ID), TTL: r.TTL}, nil
}

func (p *etcdPair) compares(c *etcd.Command) (list []clientv3.Cmp) {
	relations := map[etcd.Relation]string{etcd.Equal: "=", etcd.NotEqual: "!=", etcd.Greater: ">", etcd.Less: "<"}
	for _, x := range c.Compare {
		key, operand := p.key(x.Key), x.Operand
		if operand != 0 && (x.Target == etcd.CreateRev || x.Target == etcd.ModRev) {
			operand += p.base
		}
		var target clientv3.Cmp
		var v any = operand
		switch x.Target {
		case etcd.NoTarget:
			continue
		case etcd.CreateRev:
			target = clientv3.CreateRevision(key)
		case etcd.ModRev:
			target = clientv3.ModRevision(key)
		case etcd.Version:
			target = clientv3.Version(key)
		case etcd.LeaseOf:
			target, v = clientv3.LeaseValue(key), p.leaseID(etcd.LeaseID(operand))
		case etcd.Value:
			target, v = clientv3.Value(key), value(uint64(operand))
		}
		list = append(list, clientv3.Compare(target, relations[x.Relation], v))
	}
	return list
}

func (p *etcdPair) ops(branch *[etcd.MaxOps]etcd.Op) (list []clientv3.Op) {
	for _, o := range branch {
		key := p.key(o.Key)
		var opts []clientv3.OpOption
		if o.Prefix {
			key, opts = p.folder(o.Key), append(opts, clientv3.WithPrefix())
		}
		switch o.Kind {
		case etcd.Put:
			list = append(list, clientv3.OpPut(p.key(o.Key), value(o.Value), clientv3.WithLease(p.leaseID(o.Lease)), clientv3.WithPrevKV()))
		case etcd.Delete:
			list = append(list, clientv3.OpDelete(key, append(opts, clientv3.WithPrevKV())...))
		case etcd.Range:
			if o.Prefix {
				opts = append(opts, order(o.Order)...)
			}
			if o.MaxCreate != 0 {
				opts = append(opts, clientv3.WithMaxCreateRev(o.MaxCreate+p.base))
			}
			list = append(list, clientv3.OpGet(key, opts...))
		}
	}
	return list
}

func order(o etcd.Order) []clientv3.OpOption {
	switch o {
	case etcd.OldestCreate:
		return clientv3.WithFirstCreate()
	case etcd.NewestCreate:
		return clientv3.WithLastCreate()
	}
	return clientv3.WithFirstKey()
}

// result is the answer to a transaction as the model has it.
func (p *etcdPair) result(resp *clientv3.TxnResponse, c *etcd.Command, r *etcd.Result) {
	r.Succeeded, r.Rev = resp.Succeeded, resp.Header.Revision-p.base
	branch := &c.Then
	if !resp.Succeeded {
		branch = &c.Else
	}
	answers := resp.Responses
	for i, o := range branch {
		if o.Kind == etcd.NoOp {
			continue
		}
		a := answers[0]
		answers = answers[1:]
		var kvs []*mvccpb.KeyValue
		switch o.Kind {
		case etcd.Range:
			kvs, r.Responses[i].Count = a.GetResponseRange().Kvs, int(a.GetResponseRange().Count)
			kvs = kvs[:min(len(kvs), 1)]
		case etcd.Delete:
			kvs, r.Responses[i].Count = a.GetResponseDeleteRange().PrevKvs, int(a.GetResponseDeleteRange().Deleted)
		case etcd.Put:
			if kv := a.GetResponsePut().PrevKv; kv != nil {
				kvs = append(kvs, kv)
			}
		}
		if n := len(kvs); n > 0 {
			r.Responses[i].KV = p.kv(kvs[n-1])
		}
	}
}
