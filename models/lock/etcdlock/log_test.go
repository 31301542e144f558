package etcdlock

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
)

// A request as it stands in the log is the request.
func TestTheLogKeepsRequests(t *testing.T) {
	q := request{server: 5, life: 7, client: 3, msg: core.Msg{Kind: core.EtcdUnlock, OK: true, N: 11, Try: 13, Value: 1 << 60, Token: 17, X: -19}}
	assert.Equal(t, q, decode(q.encode()))
	q = request{server: 1, msg: core.Msg{Kind: core.EtcdCheckpoint, Value: 9, X: 4}}
	c, deleter := q.command()
	assert.Equal(t, etcd.Command{Kind: etcd.LeaseCheckpoint, Lease: 9, TTL: 4}, c)
	assert.Zero(t, deleter)
}
