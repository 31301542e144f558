package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// serving is the coordinator: it hands out the batches of a command and collects their
// parts in a folder. All that it knows is in the folder and in the server, so that one
// that was killed continues.
type serving struct {
	access
	Command  []string
	Dir      string
	Batches  int
	AckWait  time.Duration
	Replicas int
	Resume   bool
	JSON     bool
	Quiet    bool
	Check    string // which share of the batches is done twice, such as 1%

	conn     *nats.Conn
	js       jetstream.JetStream
	meta     *meta
	unused   bool           // the folder is new, and no server knows of the sweep
	have     []bool         // by batch, from 1
	missing  int            // batches that are needed and not there
	end      int            // the last batch that is needed
	failures map[int]string // by batch
	firsts   map[int]string // the worker of the first result, by batch that waits for its second
	twice    int            // how many batches are done twice
	asked    bool           // for a second worker
	checker  *child         // says whether a part can be the result of its runs; nil before the first
	seen     uint64         // the last result that was taken, by its number in the stream
	left     atomic.Int64   // missing, for the meter
	progress meter
}

func newServeCmd() *cobra.Command {
	s := &serving{}
	cmd := &cobra.Command{
		Use:   "serve --dir DIR [COMMAND] NAME|FILE [FLAG...]",
		Short: "Hand out the runs of a command, collect them, and print its report",
		Long: `Serve divides the runs of simctl run, compare or explore into batches, hands them out to
workers, and prints what the command prints. It does no batches itself. The parts are
kept in --dir: after Ctrl-C, or worse, the same command with --resume continues. A
search ends with the first find, which is shrunk.

Serve refuses a part whose numbers contradict each other. Beyond that it trusts its
workers: a worker that computes wrong numbers makes a wrong report. --check 1% has two
workers do one batch in a hundred and compares their results.

Without --nats it has a NATS server of its own, on loopback unless --listen says
otherwise; one that other machines reach demands a token.

Exit codes are those of the command; 1 if a batch cannot be done, 130 if interrupted.`,
		Example: `  $ simctl sweep serve --dir night redlock/gc-pause --runs 1000000
  $ simctl sweep serve --dir night --listen 0.0.0.0:4222 explore my.yaml --runs 1000000 --budget pauses=2
  $ simctl sweep serve --dir night --nats nats://nats.example.com --creds me.creds --replicas 3 compare lock --runs 100000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.Command = args; len(args) > 0 && !slices.Contains(verbs, args[0]) {
				s.Command = append([]string{"run"}, args...)
			}
			if err := misplaced(cmd.Flags(), s.Command); err != nil {
				return usage(err)
			}
			if err := s.checkAll(); err != nil {
				return usage(err)
			}
			return s.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows is of the command
	s.define(f)
	f.StringVar(&s.listen, "listen", "127.0.0.1:4222", "where the embedded server listens")
	f.StringVar(&s.Dir, "dir", "", "the `DIR` for the parts, and for the store of the embedded server")
	f.IntVar(&s.Batches, "batches", 0, "how many batches; 0 makes each about a quarter of a second of work")
	f.DurationVar(&s.AckWait, "ack-wait", 10*time.Second, "after how long without a word from its worker a batch goes to another")
	f.IntVar(&s.Replicas, "replicas", 1, "in how many servers of a cluster the streams are")
	f.StringVar(&s.Check, "check", "", "the `SHARE` of the batches that two workers do, such as 1%; their results must be equal")
	f.BoolVar(&s.Resume, "resume", false, "continue the sweep in --dir")
	f.BoolVar(&s.JSON, "json", false, "print one JSON document")
	f.BoolVar(&s.Quiet, "quiet", false, "of run and explore: print only the line of verdict")
	return cmd
}

// misplaced says which flag of serve stands behind the command, where it is taken for the command's.
func misplaced(own *pflag.FlagSet, command []string) error {
	for _, arg := range command {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if strings.HasPrefix(arg, "--") && own.Lookup(name) != nil {
			return fmt.Errorf("--%s is for serve: want it before the command, as simctl sweep serve --dir night %s", name, strings.Join(command[:min(len(command), 2)], " "))
		}
	}
	return nil
}

// checkAll says what is wrong with the flags and the command.
func (s *serving) checkAll() error {
	if err := s.check(); err != nil {
		return err
	}
	switch {
	case len(s.Command) == 0:
		return errors.New("want a scenario, or a command such as compare lock; see simctl sweep serve --help")
	case s.Dir == "":
		return errors.New("--dir: want the folder for the parts")
	case len(s.Command) > 2 && s.Command[0] == "run" && !strings.ContainsAny(s.Command[1], "/.") && !strings.HasPrefix(s.Command[2], "-"):
		return fmt.Errorf("want a scenario, or run, compare or explore and what they take, got %s", strings.Join(s.Command[1:], " "))
	case s.Batches < 0 || s.Batches > maxBatches:
		return fmt.Errorf("--batches: want 0 to %d, got %d", maxBatches, s.Batches)
	case s.Check != "" && !isShare(s.Check):
		return fmt.Errorf("--check: want a share of the batches, 0%% to 100%%, got %q", s.Check)
	case s.AckWait < 2*time.Second:
		return fmt.Errorf("--ack-wait: want 2s or more, since workers report every second, got %v", s.AckWait)
	case s.Replicas < 1 || s.Replicas > 5 || s.Replicas > 1 && s.URL == "":
		return fmt.Errorf("--replicas: want 1 to 5, and more than 1 only with --nats, got %d", s.Replicas)
	case s.URL == "":
		return s.checkListen()
	}
	return nil
}

func (s *serving) names() names { return names(s.Name) }

func (s *serving) run(ctx context.Context) error {
	defer func() {
		if s.checker != nil {
			s.checker.stop()
		}
	}()
	if err := s.prepare(); err != nil {
		return failure(err)
	}
	s.twice = twiceOf(s.Check, s.meta.Batches)
	if s.missing > 0 {
		if err := s.collect(ctx); err != nil {
			return s.stopped(ctx, err)
		}
	}
	return s.merge(ctx)
}

// stopped is how it ends before all batches are there.
func (s *serving) stopped(ctx context.Context, err error) error {
	if e := (*exit)(nil); errors.As(err, &e) {
		return e
	}
	if s.unused {
		s.discard()
	}
	switch {
	case ctx.Err() != nil && s.unused:
		return &exit{exitInterrupted, errors.New("interrupted before a batch was handed out; nothing is kept")}
	case ctx.Err() != nil:
		return &exit{exitInterrupted, errors.New("interrupted; the parts are kept, and the same command with --resume continues")}
	}
	return failure(plainly(err, s.URL))
}

// collect serves until all batches that are needed are there, or have failed.
func (s *serving) collect(ctx context.Context) error {
	var own *server.Server
	var err error
	if s.URL == "" {
		if own, err = s.embed(filepath.Join(s.Dir, "store")); err != nil {
			return err
		}
		defer func() { own.Shutdown(); own.WaitForShutdown() }()
	}
	if s.conn, s.js, err = s.connect(ctx, own); err != nil {
		return err
	}
	defer s.conn.Close()
	if err := s.open(ctx); err != nil {
		return err
	}
	s.unused = false
	fmt.Fprintf(os.Stderr, "simctl sweep: %d batches, %d of them done; workers: simctl sweep work --nats %s\n", s.meta.Batches, s.meta.Batches-s.missing, s.URL)
	s.progress.start(s)
	err = s.receive(ctx)
	if s.progress.clear(); err != nil {
		return err
	}
	if len(s.failures) > 0 {
		return failure(s.poisoned())
	}
	_ = s.js.DeleteStream(ctx, s.names().work()) // the workers take it for the end
	_ = s.js.DeleteStream(ctx, s.names().results())
	s.linger(ctx, own)
	return nil
}

// lingering is for how long an embedded server waits for its workers to see that the sweep
// is over.
const lingering = 10 * time.Second

// linger waits for the workers of an embedded server.
func (s *serving) linger(ctx context.Context, own *server.Server) {
	if own == nil {
		return
	}
	s.conn.Close()
	for end := time.Now().Add(lingering); own.NumClients() > 0 && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(50 * time.Millisecond)
	}
}

// open makes the streams, unless they are there, and says in them what the sweep is.
func (s *serving) open(ctx context.Context) error {
	if err := s.create(ctx); err != nil {
		return err
	}
	text, err := json.Marshal(s.meta)
	if err != nil {
		return err
	}
	err = again(ctx, s.Wait, func(ctx context.Context) error {
		_, err := s.js.Publish(ctx, s.names().meta(), text)
		return err
	})
	if !isSecond(err) {
		return err
	}
	var there *meta // of a coordinator that was killed, or of another sweep
	err = again(ctx, s.Wait, func(ctx context.Context) (err error) { there, err = stored(ctx, s.js, s.names()); return err })
	switch {
	case err != nil:
		return err
	case there.id() != s.meta.id():
		return fmt.Errorf("the server at %s has another sweep named %q, of simctl %s: want another --name, or its streams %s and %s removed",
			s.URL, s.Name, strings.Join(there.Job.Command, " "), s.names().work(), s.names().results())
	}
	results, err := s.js.Stream(ctx, s.names().results())
	if err != nil {
		return err
	}
	return results.Purge(ctx, jetstream.WithPurgeSubject(string(s.names())+".failed.>")) // they are tried again
}

// handOut stores all batches that are needed and not there. Those that are in the store are
// refused by it: so nothing is handed out twice, and what was lost is handed out again.
func (s *serving) handOut(ctx context.Context) error {
	var futures []jetstream.PubAckFuture
	for i := 1; i <= s.end; i++ {
		if s.have[i] || s.failures[i] != "" {
			continue
		}
		subject := s.names().batch(i)
		if s.firsts[i] != "" {
			subject = s.names().second(i)
		}
		f, err := s.js.PublishMsgAsync(&nats.Msg{Subject: subject, Header: nats.Header{idHeader: {s.meta.id()}}})
		if err != nil {
			return err
		}
		futures = append(futures, f)
	}
	for _, f := range futures {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.Ok():
		case err := <-f.Err():
			if !isSecond(err) {
				return err
			}
		}
	}
	return nil
}

// handOutEvery is how often what a killed server may have lost is handed out again, and
// pollEvery how often a result is asked for where there was none.
const (
	handOutEvery = 15 * time.Second
	pollEvery    = 50 * time.Millisecond
)

// receive hands out and receives, until all is there. It asks for one result after another
// by its place in the stream: a consumer, which may be lost with a server, is not needed.
func (s *serving) receive(ctx context.Context) error {
	var handedOut time.Time
	took := time.Now()
	for s.missing > len(s.failures) {
		msg, err := s.result(ctx)
		switch {
		case err != nil:
			return err
		case msg != nil:
			s.seen, took = msg.Sequence, time.Now()
			if err := s.take(ctx, msg); err != nil {
				return err
			}
			continue
		}
		s.askForSecond(time.Since(took))
		if time.Since(handedOut) > handOutEvery {
			if err := again(ctx, s.Wait, s.handOut); err != nil {
				return err
			}
			handedOut = time.Now()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
	return nil
}

// result is the next one that the server has, nil if there is none yet.
func (s *serving) result(ctx context.Context) (msg *jetstream.RawStreamMsg, err error) {
	err = again(ctx, s.Wait, func(ctx context.Context) error {
		results, err := s.js.Stream(ctx, s.names().results())
		if err == nil {
			msg, err = results.GetMsg(ctx, s.seen+1, jetstream.WithGetMsgSubject(string(s.names())+".>"))
		}
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return msg, err
}

// take keeps the part of a message. One that is of no use is removed, since it stands where the part belongs.
func (s *serving) take(ctx context.Context, msg *jetstream.RawStreamMsg) error {
	number := numberOf(msg.Subject)
	switch {
	case number < 1 || number > s.end:
		return nil
	case msg.Header.Get(idHeader) != s.meta.id(): // a late one, of a sweep with the same name
		return s.remove(ctx, msg)
	case s.have[number]:
		return nil
	case msg.Subject == s.names().failure(number):
		s.failures[number] = string(msg.Data[:min(len(msg.Data), maxTail)])
		return nil
	}
	worker := cmp.Or(printable(msg.Header.Get(workerHeader)), "without a name")
	line, err := unpack(msg.Data)
	var last bool
	if err == nil {
		last, err = s.verify(number, line)
	}
	if err != nil {
		return s.reject(ctx, msg, number, worker, line, err)
	}
	if s.isTwice(number) {
		if equal, err := s.second(ctx, msg, number, worker, line); !equal || err != nil {
			return err
		}
	} else if err := s.keep(number, line); err != nil {
		return err
	}
	return s.count(ctx, number, last)
}

// reject keeps a result that is of no use aside, and its place free.
func (s *serving) reject(ctx context.Context, msg *jetstream.RawStreamMsg, number int, worker string, line []byte, why error) error {
	s.failures[number] = fmt.Sprintf("the result of worker %s is refused: %v", worker, why)
	if line != nil {
		if err := write(s.aside(number), line); err != nil {
			return err
		}
		s.failures[number] += "; it is in " + s.aside(number)
	}
	s.progress.print(fmt.Sprintf("batch %d: %s", number, s.failures[number]))
	return s.remove(ctx, msg)
}

// count counts a part that is kept.
func (s *serving) count(ctx context.Context, number int, last bool) error {
	before := s.end
	s.took(number, last)
	if s.end < before { // a search has found something: what comes after it is not needed
		return again(ctx, s.Wait, func(ctx context.Context) error {
			work, err := s.js.Stream(ctx, s.names().work())
			if err == nil {
				err = work.Purge(ctx)
			}
			if err == nil {
				err = s.handOut(ctx)
			}
			return err
		})
	}
	return nil
}

// remove takes a message out of the results.
func (s *serving) remove(ctx context.Context, msg *jetstream.RawStreamMsg) error {
	return again(ctx, s.Wait, func(ctx context.Context) error {
		results, err := s.js.Stream(ctx, s.names().results())
		if err == nil {
			err = results.DeleteMsg(ctx, msg.Sequence)
		}
		if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) { // it was removed before
			return nil
		}
		return err
	})
}

// poisoned says which batches cannot be done.
func (s *serving) poisoned() error {
	var list []int
	for i := range s.failures {
		list = append(list, i)
	}
	slices.Sort(list)
	errs := []error{fmt.Errorf("%d of %d batches cannot be done; all others are kept, and the same command with --resume tries them again", len(list), s.meta.Batches)}
	for _, i := range list[:min(len(list), 10)] {
		errs = append(errs, fmt.Errorf("batch %d: %s", i, s.failures[i]))
	}
	return errors.Join(errs...)
}

// merge has simctl print the report, and ends as it does.
func (s *serving) merge(ctx context.Context) error {
	path, err := program()
	if err != nil {
		return failure(err)
	}
	args := []string{"merge", filepath.Join(s.Dir, "parts")}
	for flag, given := range map[string]bool{"--json": s.JSON, "--quiet": s.Quiet} {
		if given {
			args = append(args, flag)
		}
	}
	cmd := exec.Command(path, args...) // Ctrl-C reaches it by itself
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) && e.ExitCode() > 0 {
		return &exit{e.ExitCode(), nil}
	}
	if err != nil {
		return failure(err)
	}
	return nil
}
