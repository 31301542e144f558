package webtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser opens a page that simctl view writes, and fails the test for a console error, a broken
// policy, an exception or a request of anything but the page.
func browser(t *testing.T, args ...string) context.Context {
	t.Helper()
	return open(t, func(string) bool { return false }, args...)
}

// open is [browser], where what the page may say is as the test wants it.
func open(t *testing.T, may func(said string) bool, args ...string) context.Context {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	cmd := exec.Command(simctl(t), append([]string{"view", "--out", file}, args...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return show(t, may, file)
}

// show opens a page that is there.
func show(t *testing.T, may func(said string) bool, file string) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	said := func(what, text string) {
		if !may(text) {
			t.Errorf("%s: %s", what, text)
		}
	}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			said("exception", fmt.Sprint(e.ExceptionDetails))
		case *log.EventEntryAdded:
			said("console", e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "file://") && !strings.HasPrefix(e.Request.URL, "data:image/svg+xml;") {
				said("the page asks for", e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.EmulateViewport(1300, 1000), chromedp.Navigate("file://"+file))
	poll(t, ctx, "Boolean(globalThis.fencepost?.pane.visible)")
	return ctx
}

// simctl builds the command once.
func simctl(t *testing.T) string {
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var built = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "webtest")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "simctl")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/simctl")
	cmd.Dir = ".."
	return path, cmd.Run()
})

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// poll waits until an expression is true.
func poll(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression)); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

func press(t *testing.T, ctx context.Context, key string) {
	t.Helper()
	do(t, ctx, chromedp.KeyEvent(key))
}

// look keeps a picture of the page where PICTURES says.
func look(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("PICTURES")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

// prefer emulates what the reader prefers.
func prefer(t *testing.T, ctx context.Context, feature, value string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
	if err != nil {
		t.Fatal(err)
	}
}

// printed emulates the page on paper.
func printed(t *testing.T, ctx context.Context) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
}
