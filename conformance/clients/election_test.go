package clients

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"fencepost/models/internal/kubernetes"
	"fencepost/sim"
)

// apiServer is the model's Lease object, for the real client.
type apiServer struct {
	j     *journal
	lease kubernetes.Lease
}

// lock is one member's way to the API server: the extension point of client-go. A request
// takes delay to get there and delay back; while the way is stalled, messages are lost.
type lock struct {
	server  *apiServer
	name    string
	id      uint64
	delay   time.Duration
	timeout time.Duration    // of a request, as rest.Config.Timeout
	stalled [2]time.Duration // from, to
	updated func()           // when the reply to an update that succeeded has come; nil: nothing

	version uint64 // of the object that was read or written last
}

// call is a request: do is what the server does.
func (l *lock) call(ctx context.Context, what string, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	if err := l.travel(ctx); err != nil {
		return err
	}
	err := do()
	l.server.j.note("%s %s %v", l.name, what, err == nil)
	if err := l.travel(ctx); err != nil {
		return err
	}
	return err
}

// travel is a message's way: one that sets out during a stall is lost.
func (l *lock) travel(ctx context.Context) error {
	if at := l.server.j.at(); l.stalled[0] <= at && at < l.stalled[1] {
		<-ctx.Done()
		return ctx.Err()
	}
	return pause(ctx, l.delay)
}

// Get implements [resourcelock.Interface].
func (l *lock) Get(ctx context.Context) (r *resourcelock.LeaderElectionRecord, raw []byte, err error) {
	err = l.call(ctx, "get", func() error {
		if l.server.lease.Version == 0 {
			return apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "lease")
		}
		l.version, r = l.server.lease.Version, theirs(l.server.lease.Record)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	raw, err = json.Marshal(*r)
	return r, raw, err
}

// Create implements [resourcelock.Interface].
func (l *lock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.call(ctx, "create", func() error { return l.wrote(l.server.lease.Create(ours(r))) })
}

// Update implements [resourcelock.Interface].
func (l *lock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if l.version == 0 {
		return errors.New("lease not initialized, call get or create first")
	}
	err := l.call(ctx, "update", func() error { return l.wrote(l.server.lease.Update(l.version, ours(r))) })
	if err == nil && l.updated != nil {
		l.updated()
	}
	return err
}

func (l *lock) wrote(ok bool) error {
	if !ok {
		return errors.New("conflict")
	}
	l.version = l.server.lease.Version
	return nil
}

// RecordEvent implements [resourcelock.Interface].
func (l *lock) RecordEvent(string) {}

// Identity implements [resourcelock.Interface].
func (l *lock) Identity() string { return strconv.FormatUint(l.id, 10) }

// Describe implements [resourcelock.Interface].
func (l *lock) Describe() string { return l.name }

func theirs(r kubernetes.Record) *resourcelock.LeaderElectionRecord {
	holder := ""
	if r.Holder != 0 {
		holder = strconv.FormatUint(r.Holder, 10)
	}
	return &resourcelock.LeaderElectionRecord{HolderIdentity: holder, LeaseDurationSeconds: int(r.Seconds),
		RenewTime: metav1.NewTime(time.Unix(0, int64(r.Renewed))), LeaderTransitions: int(r.Transitions)}
}

func ours(r resourcelock.LeaderElectionRecord) kubernetes.Record {
	holder, _ := strconv.ParseUint(r.HolderIdentity, 10, 64)
	return kubernetes.Record{Holder: holder, Seconds: uint16(r.LeaseDurationSeconds),
		Renewed: sim.Wall(r.RenewTime.UnixNano()), Transitions: uint32(r.LeaderTransitions)}
}

// span is when a member leads: from OnStartedLeading until its context is done and the work
// has stopped.
type span struct{ from, to time.Duration }

// member is one process that takes part in an election.
type member struct {
	lock    *lock
	start   time.Duration
	cancel  time.Duration // when its context is cancelled; 0: never
	release bool          // ReleaseOnCancel
	hook    time.Duration // from the end of the context to the end of the work
	lease   time.Duration // 0: leaseDuration
	led     []span
}

const (
	leaseDuration = 15 * time.Second
	renewDeadline = 10 * time.Second
	retryPeriod   = 2 * time.Second
	oneWay        = 5 * time.Millisecond
)

// Log of the library goes nowhere.
func init() { klog.SetLogger(logr.Discard()) }

// elect runs the members until the end.
func elect(j *journal, end time.Duration, members ...*member) []*member {
	server := &apiServer{j: j}
	ctx, stop := context.WithCancel(context.Background())
	for i, m := range members {
		m.lock.server, m.lock.id, m.lock.name = server, uint64(i+1), "member-"+strconv.Itoa(i+1)
		m.lease = cmp.Or(m.lease, leaseDuration)
		if m.lock.delay == 0 {
			m.lock.delay = oneWay
		}
		if m.lock.timeout == 0 {
			m.lock.timeout = renewDeadline / 2
		}
		go m.run(ctx, j)
	}
	time.Sleep(end)
	stop()
	time.Sleep(time.Minute) // everything that was started ends
	return members
}

func (m *member) run(ctx context.Context, j *journal) {
	time.Sleep(m.start)
	if m.cancel > 0 {
		var cancel func()
		ctx, cancel = context.WithCancel(ctx)
		time.AfterFunc(m.cancel-m.start, cancel)
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: m.lock, LeaseDuration: m.lease, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod, ReleaseOnCancel: m.release,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				m.led = append(m.led, span{from: j.at()})
				j.note("%s leads", m.lock.name)
				<-ctx.Done()
				time.Sleep(m.hook)
				m.led[len(m.led)-1].to = j.at()
				j.note("%s has stopped", m.lock.name)
			},
			OnStoppedLeading: func() {},
		},
	})
}
