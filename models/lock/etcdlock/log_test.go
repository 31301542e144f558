package etcdlock

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
)

// A request as it stands in the log is the request.
func TestTheLogKeepsRequests(t *testing.T) {
	m := core.NewEtcdUnlock(1<<60, 17).Of(13)
	m.SetNumber(11)
	q := request{server: 5, life: 7, client: 3, msg: m}
	assert.Equal(t, q, decode(q.encode()))
	q = request{server: 1, msg: core.NewEtcdLease(core.EtcdCheckpoint, 9, 4)}
	c, deleter := q.command()
	assert.Equal(t, etcd.Command{Kind: etcd.LeaseCheckpoint, Lease: 9, TTL: 4}, c)
	assert.Zero(t, deleter)
}
