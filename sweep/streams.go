package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A sweep is two streams. That of work has a message for each batch that is not done, and
// one consumer from which all workers pull; a batch is acknowledged when its result is
// stored, and is handed out again if it is not acknowledged in time. That of results has
// one subject for each batch and takes one message on it, so that the second result of a
// batch that was done twice is refused by the store. Both are at-least-once; together with
// the limit a result counts once.

// meta is the sweep, as the stream of results has it.
type meta struct {
	Job     job `json:"job"`
	Batches int `json:"batches"`
}

// id is a name for the sweep: work of another is told from it.
func (m *meta) id() string {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // there is nothing in it that JSON does not have
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// names are those of what a sweep has in the server.
type names string

func (n names) work() string         { return string(n) + "-work" }
func (n names) results() string      { return string(n) + "-results" }
func (n names) meta() string         { return string(n) + ".meta" }
func (n names) batch(i int) string   { return string(n) + ".work." + strconv.Itoa(i) }
func (n names) result(i int) string  { return string(n) + ".result." + strconv.Itoa(i) }
func (n names) second(i int) string  { return string(n) + ".work.second." + strconv.Itoa(i) }   // of a batch that is done twice
func (n names) compare(i int) string { return string(n) + ".result.second." + strconv.Itoa(i) } // with the first result
func (n names) failure(i int) string { return string(n) + ".failed." + strconv.Itoa(i) }

// consumer is the one from which the workers pull.
const consumer = "workers"

// idHeader is the header with the sweep that a message is of, and workerHeader the one with the worker that sent it.
const (
	idHeader     = "Sweep"
	workerHeader = "Worker"
)

// numberOf is the batch of a subject, 0 if it is of none.
func numberOf(subject string) int {
	n, err := strconv.Atoi(subject[strings.LastIndex(subject, ".")+1:])
	if err != nil {
		return 0
	}
	return n
}

// isSecond reports whether an error says that a subject has its message already.
func isSecond(err error) bool {
	e := (*jetstream.APIError)(nil)
	return errors.As(err, &e) && e.ErrorCode == 10077
}

// isGone reports whether an error says that the sweep has no stream or consumer any more.
func isGone(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrConsumerDeleted)
}

// lasting reports whether trying again does not help.
func lasting(err error) bool {
	return errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount)
}

// plainly is an error of the server for people.
func plainly(err error, url string) error {
	e := (*jetstream.APIError)(nil)
	switch {
	case lasting(err), errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return fmt.Errorf("the server at %s has no JetStream that answers: start it with -js, or enable it for the account", url)
	case errors.As(err, &e) && strings.Contains(e.Description, "insufficient"), errors.As(err, &e) && strings.Contains(e.Description, "maximum bytes"):
		return fmt.Errorf("the store of %s is full: %w; nothing is lost, and with more room --resume continues", url, err)
	}
	return err
}

// again tries something until it succeeds, or for as long as the server is waited for.
func again(ctx context.Context, wait time.Duration, try func(context.Context) error) error {
	for end := time.Now().Add(wait); ; {
		soon, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := try(soon)
		cancel()
		if err == nil || isSecond(err) || isGone(err) || lasting(err) || ctx.Err() != nil || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// create makes the streams and the consumer, or finds them as they are.
func (s *serving) create(ctx context.Context) error {
	n := s.names()
	common := jetstream.StreamConfig{Storage: jetstream.FileStorage, Replicas: s.Replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true}
	work, results := common, common
	work.Name, work.Subjects, work.Retention = n.work(), []string{string(n) + ".work.>"}, jetstream.WorkQueuePolicy
	results.Name, results.Subjects = n.results(), []string{n.meta(), string(n) + ".result.>", string(n) + ".failed.>"}
	return again(ctx, s.Wait, func(ctx context.Context) error {
		if _, err := s.js.CreateOrUpdateStream(ctx, results); err != nil {
			return err
		}
		if _, err := s.js.CreateOrUpdateStream(ctx, work); err != nil {
			return err
		}
		_, err := s.js.CreateOrUpdateConsumer(ctx, n.work(), jetstream.ConsumerConfig{
			Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.AckWait, MaxAckPending: 4096, MaxDeliver: -1})
		return err
	})
}

// stored is the sweep of a server, nil if it has none.
func stored(ctx context.Context, js jetstream.JetStream, n names) (*meta, error) {
	stream, err := js.Stream(ctx, n.results())
	if err != nil {
		return nil, err
	}
	msg, err := stream.GetLastMsgForSubject(ctx, n.meta())
	if err != nil {
		return nil, err
	}
	m := &meta{}
	if err := json.Unmarshal(msg.Data, m); err != nil || m.Batches < 1 {
		return nil, fmt.Errorf("the stream %s is not one of a sweep", n.results())
	}
	return m, nil
}

// pack and unpack make a part small for its way.
func pack(line []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(line)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // memory takes all
	}
	return b.Bytes()
}

// maxPart is the longest part of a sweep, in bytes. It bounds the memory that a result takes here: some text unpacks to a
// thousand times its size.
const maxPart = 16 << 20

// errLarge is why a part is refused that is longer.
var errLarge = fmt.Errorf("a part has more than %d MiB: want more --batches", maxPart>>20)

// unpack unpacks twice: it takes memory only when the size is known.
func unpack(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, maxPart+1))
	switch {
	case err != nil:
		return nil, err
	case n > maxPart:
		return nil, errLarge
	}
	if err := r.Reset(bytes.NewReader(data)); err != nil {
		return nil, err
	}
	line := make([]byte, n)
	_, err = io.ReadFull(r, line)
	return line, err
}
