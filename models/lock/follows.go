package lock

import (
	"cmp"

	"fencepost/models/product"
)

// What the locks follow. conformance/ compares the servers with the real ones, and runs redsync and client-go beside the models.
var (
	redisServer = product.Product{Name: "Redis", Version: "7.0.15", Note: "answers compared with the server"}
	redisPage   = product.Product{Name: "Redis documentation", Version: "Distributed Locks with Redis"}
	sentinel    = product.Product{Name: "Redis Sentinel", Version: "7.0.15", Note: "failovers compared with the server"}
	redisson    = product.Product{Name: "Redisson", Version: "3.17 to 3.2x (2022)"}
	etcdServer  = product.Product{Name: "etcd server", Version: "3.7.3",
		Note: "transactions, leases and watches compared with 3.4.23; changes of the leader and checkpoints are from the source alone. A new leader renews a lease to its whole TTL unless a checkpoint says less (etcd issues 13294, 17132)"}
	etcdClient = product.Product{Name: "etcd client", Version: "3.7.3", Note: "lease.go and concurrency/"}
	zooKeeper  = product.Product{Name: "ZooKeeper", Version: "3.8.0", Note: "answers of one server compared; no ensemble, no SetWatches"}
	curator    = product.Product{Name: "Curator", Version: "5"}
	clientGo   = product.Product{Name: "client-go", Version: "v0.34.1", Note: "run unmodified beside the model"}
	consulAPI  = product.Product{Name: "hashicorp/consul/api", Version: "v1.35", Note: "lock.go and session.go; the server is from its documentation"}
)

// libraries are the presets of Redlock.
var libraries = map[string]product.Product{
	"":             redisPage,
	"reference":    {Name: "redlock-rb", Version: "2014"},
	"redsync":      {Name: "redsync", Version: "v4.18.1", Note: "run unmodified beside the model"},
	"node-redlock": {Name: "node-redlock", Version: "5"},
}

// followed are the products that a service follows.
var followed = map[string][]product.Product{
	"naive":     {redisServer, {Name: "Redis documentation", Version: "SETNX, Locking with SETNX"}},
	"redis":     {redisServer, redisPage},
	"sentinel":  {sentinel, redisServer},
	"watchdog":  {redisson, redisServer},
	"etcd":      {etcdClient, etcdServer},
	"zookeeper": {curator, zooKeeper},
	"k8s-lease": {clientGo},
	"consul":    {consulAPI},
}

// Follows are the products whose behaviour the service has.
func (p *Params) Follows() []product.Product {
	if service := cmp.Or(p.Service, "redlock"); service != "redlock" {
		return followed[service]
	}
	return []product.Product{libraries[p.Preset], redisServer}
}
