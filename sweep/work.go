package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
)

// working is a worker.
type working struct {
	access
	Jobs int

	js    jetstream.JetStream
	conn  *nats.Conn
	meta  *meta
	child *child
	done  int
	did   map[int]bool // batches whose first result is from here; their second is another worker's

	// held, for tests, holds a result back for as long as it says, without a word to the
	// server, as a worker does whose host is suspended; twice sends each result twice.
	held  func(batch int) time.Duration
	twice bool
}

// After this many deliveries a batch is given up: as one that ends its worker, or as one that
// simctl cannot do.
const (
	maxDeliveries = 10
	maxFailures   = 3
)

func newWorkCmd() *cobra.Command {
	w := &working{access: access{defaultURL: "nats://127.0.0.1:4222"}}
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Do batches of a sweep until it is done",
		Long: `Work does batches of the sweep that a server has, one after another, each on all processors.
Start as many workers as there are machines. A worker needs the same build of simctl as
the coordinator, and a scenario that is a file at the same path with the same content:
if not it is refused. One that is killed loses nothing: its batch goes to another.

Exit codes are 0 when the sweep is over, 1 on errors, 130 if interrupted.`,
		Example: `  $ simctl sweep work --nats nats://coordinator:4222
  $ simctl sweep work --nats tls://nats.example.com --creds worker.creds --name night`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := w.check(); err != nil {
				return usage(err)
			}
			if w.Jobs < 0 {
				return usage(fmt.Errorf("--jobs: want 0 or more, got %d", w.Jobs))
			}
			return w.run(cmd.Context())
		},
	}
	w.define(cmd.Flags())
	cmd.Flags().IntVar(&w.Jobs, "jobs", 0, "runs at the same time; 0 is one per processor")
	return cmd
}

func (w *working) names() names { return names(w.Name) }

func (w *working) run(ctx context.Context) (err error) {
	w.did = map[int]bool{}
	if w.conn, w.js, err = w.connect(ctx, nil); err != nil {
		return failure(err)
	}
	defer w.conn.Close()
	err = again(ctx, w.Wait, func(ctx context.Context) (err error) {
		if w.meta, err = stored(ctx, w.js, w.names()); isGone(err) || errors.Is(err, jetstream.ErrMsgNotFound) {
			return errNoSweep // it may have one soon
		}
		return err
	})
	if err != nil {
		return w.end(ctx, err)
	}
	if err := w.start(); err != nil {
		return failure(err)
	}
	defer func() { w.child.stop() }()
	fmt.Fprintf(os.Stderr, "simctl sweep: works on %d batches of %d runs\n", w.meta.Batches, w.meta.Job.Total)
	for ctx.Err() == nil {
		if err := w.next(ctx); err != nil {
			return w.end(ctx, err)
		}
	}
	return w.end(ctx, ctx.Err())
}

// errNoSweep is that the server has no sweep of the name, and errOther that it has another one than before.
var (
	errNoSweep = errors.New("no sweep")
	errOther   = errors.New("another sweep")
)

// end is how a worker ends: well, if the sweep is over.
func (w *working) end(ctx context.Context, err error) error {
	over := ""
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, errNoSweep):
		over = fmt.Sprintf("the server at %s has no sweep named %q: it is over, or was not started within %v", w.URL, w.Name, w.Wait)
	case errors.Is(err, errOther):
		over = "the sweep is over, and the server has another one now: start a worker for it"
	case isGone(err):
		over = "the sweep is over"
	case err != nil && w.meta != nil && !w.conn.IsConnected():
		over = fmt.Sprintf("the server at %s has not been reached for %v: the sweep is over, or interrupted", w.URL, w.Wait)
	}
	if over != "" {
		fmt.Fprintf(os.Stderr, "simctl sweep: %s; %d batches were done here\n", printable(over), w.done)
		return nil
	}
	switch {
	case ctx.Err() != nil:
		return &exit{exitInterrupted, errors.New("interrupted; the batch that was under way goes to another worker")}
	}
	if e := (*exit)(nil); errors.As(err, &e) {
		return e
	}
	return failure(plainly(err, w.URL))
}

// start starts simctl, which has to do the same as the coordinator's.
func (w *working) start() (err error) {
	command := w.meta.Job.Command
	if w.Jobs > 0 {
		command = append(command[:len(command):len(command)], fmt.Sprintf("--jobs=%d", w.Jobs))
	}
	if w.child, err = startChild(command, w.meta.Batches); err != nil {
		return fmt.Errorf("this worker cannot do what the sweep is of: %w", err)
	}
	if err := w.meta.Job.mismatch(&w.child.job); err != nil {
		w.child.stop()
		return fmt.Errorf("this worker is refused: %w", err)
	}
	return nil
}

// next pulls a batch and does it, if there is one within a second.
func (w *working) next(ctx context.Context) error {
	var batch jetstream.Msg
	err := again(ctx, w.Wait, func(ctx context.Context) error {
		c, err := w.js.Consumer(ctx, w.names().work(), consumer)
		if err != nil {
			return err
		}
		list, err := c.Fetch(1, jetstream.FetchMaxWait(time.Second))
		if err != nil {
			return err
		}
		for m := range list.Messages() {
			batch = m
		}
		if err := list.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && batch == nil {
			return err
		}
		return nil
	})
	if err != nil || batch == nil {
		return err
	}
	if batch.Headers().Get(idHeader) != w.meta.id() {
		_ = batch.NakWithDelay(time.Second)
		return errOther
	}
	return w.do(ctx, batch)
}

// do does a batch, stores its result and acknowledges it, in this order.
func (w *working) do(ctx context.Context, batch jetstream.Msg) error {
	number := numberOf(batch.Subject())
	info, err := batch.Metadata()
	if err != nil {
		return err
	}
	second := batch.Subject() == w.names().second(number)
	if second && w.did[number] { // another worker is to do it: at random, so that its requests and ours do not keep step
		return batch.NakWithDelay(rand.N(500 * time.Millisecond))
	}
	if info.NumDelivered > maxDeliveries && !second {
		return w.giveUp(ctx, batch, fmt.Sprintf("it was handed out %d times, and no worker lived to finish it", info.NumDelivered-1))
	}
	stop := w.extend(batch)
	line, err := w.child.part(number)
	stop()
	if err != nil {
		cause := err
		if err := w.start(); err != nil {
			return failure(fmt.Errorf("simctl ended with %q, and does not start again: %w", cause, err))
		}
		if info.NumDelivered >= maxFailures {
			return w.giveUp(ctx, batch, cause.Error())
		}
		return batch.NakWithDelay(100 * time.Millisecond)
	}
	if w.held != nil {
		time.Sleep(w.held(number))
	}
	if len(line) > maxPart {
		return w.giveUp(ctx, batch, errLarge.Error())
	}
	data := pack(line)
	if most := w.conn.MaxPayload(); int64(len(data)) > most {
		return w.giveUp(ctx, batch, fmt.Sprintf("its result has %d bytes, and the server takes %d: want more --batches, or a larger max_payload", len(data), most))
	}
	subject := w.names().result(number)
	if second {
		subject = w.names().compare(number)
	}
	stored, err := w.publish(ctx, subject, data)
	if err != nil {
		return err
	}
	w.done++
	if stored && !second {
		w.did[number] = true
	}
	if w.twice {
		if _, err := w.publish(ctx, subject, data); err != nil {
			return err
		}
	}
	return w.acknowledge(ctx, batch)
}

// extend tells the server, until it is stopped, that a batch is being worked on.
func (w *working) extend(batch jetstream.Msg) (stop func()) {
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Second):
				_ = batch.InProgress() // if it is lost, the batch is done twice, and counts once
			}
		}
	}()
	return func() { close(done) }
}

// worker is what the coordinator calls this process.
func worker() string {
	host, _ := os.Hostname() // without a name the process is told by its number alone
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// publish stores a message, unless there is one on its subject, which is as good.
func (w *working) publish(ctx context.Context, subject string, data []byte) (stored bool, err error) {
	err = again(ctx, w.Wait, func(ctx context.Context) error {
		_, err := w.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data, Header: nats.Header{idHeader: {w.meta.id()}, workerHeader: {worker()}}})
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			if _, gone := w.js.Stream(ctx, w.names().results()); isGone(gone) {
				return gone
			}
		}
		return err
	})
	if isSecond(err) {
		return false, nil
	}
	return err == nil, err
}

// acknowledge removes a batch from the work. If that fails it is handed out again, and its
// second result refused.
func (w *working) acknowledge(ctx context.Context, batch jetstream.Msg) error {
	soon, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_ = batch.DoubleAck(soon)
	return nil
}

// giveUp reports a batch that cannot be done.
func (w *working) giveUp(ctx context.Context, batch jetstream.Msg, why string) error {
	if _, err := w.publish(ctx, w.names().failure(numberOf(batch.Subject())), []byte(why)); err != nil {
		return err
	}
	return w.acknowledge(ctx, batch)
}
