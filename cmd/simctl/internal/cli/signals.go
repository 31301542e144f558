package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// moment is for how long signals are not asked for, which starts two threads: a twentieth of a short run.
const moment = 20 * time.Millisecond

// asking is the key of the function that asks for signals before the moment is over.
type asking struct{}

// UntilInterrupted is a context that ends at the first Ctrl-C or SIGTERM; the second ends the program at once. So does the first
// one of the first 20 ms, unless the program waits for input by then: what is left of its files is what is left when it is killed.
func UntilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	ask := sync.OnceFunc(func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() {
			<-signals
			signal.Stop(signals)
			cancel()
		}()
	})
	timer := time.AfterFunc(moment, ask)
	return context.WithValue(ctx, asking{}, ask), func() {
		timer.Stop()
		cancel()
	}
}

// askForSignals is for what may wait as long as it likes.
func askForSignals(ctx context.Context) {
	if ask, ok := ctx.Value(asking{}).(func()); ok {
		ask()
	}
}
