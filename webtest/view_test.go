// Package webtest opens what simctl view writes in Chromium: it draws, answers keys and the pointer, asks for
// nothing, and says nothing on the console. With PICTURES=FOLDER it keeps pictures of the pages.
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

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser opens a page that simctl view writes, and fails the test for a console error, a broken
// policy, an exception or a request of anything but the page.
func browser(t *testing.T, args ...string) context.Context {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	cmd := exec.Command(simctl(t), append([]string{"view", "--out", file}, args...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("exception: %v", e.ExceptionDetails)
		case *log.EventEntryAdded:
			t.Errorf("console: %s", e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "file://") {
				t.Errorf("the page asks for %s", e.Request.URL)
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

// TestKeysAndPointer: keys step, zoom, search and help; a click chooses; the wheel zooms.
func TestKeysAndPointer(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause")
	press(t, ctx, "v")
	poll(t, ctx, `document.getElementById("said").textContent.startsWith("VIOLATED: mutual-exclusion at 10.020s")`)
	poll(t, ctx, `fencepost.lit && fencepost.pane.past.includes(0)`)
	look(t, ctx, "violation")
	before := ask[int](t, ctx, "fencepost.pane.chosen")
	press(t, ctx, kb.ArrowLeft)
	poll(t, ctx, fmt.Sprintf("fencepost.pane.chosen === %d", before-1))
	do(t, ctx, chromedp.Click(chromedp.CSS("#next")))
	poll(t, ctx, fmt.Sprintf("fencepost.pane.chosen === %d", before))
	press(t, ctx, "+")
	poll(t, ctx, "fencepost.view.to - fencepost.view.from < 0.7")
	press(t, ctx, "0")
	poll(t, ctx, "fencepost.view.to - fencepost.view.from === 1")
	press(t, ctx, "/")
	poll(t, ctx, `document.activeElement.id === "search"`)
	ask[bool](t, ctx, `document.getElementById("search").value = "", true`) // the driver types the key that was handled, too
	press(t, ctx, "token 33")
	poll(t, ctx, `/^[1-9][0-9]* found$/.test(document.getElementById("found").textContent)`)
	do(t, ctx, chromedp.Click(chromedp.CSS("#help")))
	poll(t, ctx, `document.getElementById("keys").open`)
	ask[bool](t, ctx, `document.getElementById("keys").close(), true`)
	ask[bool](t, ctx, `(() => { const p = fencepost.pane, c = p.canvas, b = c.getBoundingClientRect(), at = {bubbles: true, cancelable: true, clientX: b.left + p.xOf(20), clientY: b.top + p.y(p.place(p.run.node[20]))};
		c.dispatchEvent(new PointerEvent("pointerdown", at)); c.dispatchEvent(new PointerEvent("pointerup", at));
		c.dispatchEvent(new WheelEvent("wheel", {...at, deltaY: -100})); return true })()`)
	poll(t, ctx, "fencepost.pane.chosen === 20 && fencepost.view.to - fencepost.view.from < 1")
	poll(t, ctx, `document.getElementById("event").textContent.includes("vector clock")`)
}

// TestTwoRuns: the first difference is marked and said; a narrow window has no sideways scrolling.
func TestTwoRuns(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause", "redlock/gc-pause-fenced")
	poll(t, ctx, `fencepost.panes.length === 2 && fencepost.panes[1].difference === 21`)
	poll(t, ctx, `document.getElementById("said").textContent.startsWith("The runs are the same for 21 events.")`)
	look(t, ctx, "two")
	do(t, ctx, chromedp.EmulateViewport(360, 800))
	poll(t, ctx, "document.documentElement.scrollWidth <= 360")
	look(t, ctx, "narrow")
}

// TestHostileTextIsText: what a file says cannot become part of the page, and its policy blocks scripts.
func TestHostileTextIsText(t *testing.T) {
	text, err := os.ReadFile("../scenarios/redlock/gc-pause.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "<script>window.pwned=1<img src=x onerror=pwned=1>\u202e.yaml")
	text = []byte("# </script><script>window.pwned=1</script>\n" + string(text))
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := browser(t, file)
	if ask[bool](t, ctx, `"pwned" in window || document.querySelector("img") !== null || document.querySelectorAll("script").length !== 2`) {
		t.Error("the text of the file is part of the page")
	}
}

// TestLongRun draws a hundred thousand events; how long that takes, and how many pictures a second there are while it
// is dragged, is said, not asserted.
func TestLongRun(t *testing.T) {
	ctx := browser(t, "kv/jepsen-lww-healthy", "--set", "until=400s")
	n := ask[int](t, ctx, "fencepost.pane.run.n")
	for _, u := range []string{"0, 1", "0.25, 0.75", "0.4, 0.41"} {
		ms := ask[float64](t, ctx, `(() => { fencepost.show(`+u+`); const t = performance.now(); fencepost.paint(); return performance.now() - t })()`)
		frames := pan(t, ctx, 60)
		t.Logf("%d events, view %s: drawn in %.0f ms, %.0f pictures a second when moved", n, u, ms, frames)
	}
	look(t, ctx, "long")
}

// pan moves the view in so many pictures, one after another, and returns how many a second there were.
func pan(t *testing.T, ctx context.Context, pictures int) float64 {
	t.Helper()
	ask[bool](t, ctx, fmt.Sprintf(`(() => { globalThis.rate = 0; let n = 0; const t = performance.now();
		const next = () => { if (n++ < %d) { fencepost.move(n %% 2 ? 0.01 : -0.008); requestAnimationFrame(next) } else rate = 1000 * (n - 1) / (performance.now() - t) };
		requestAnimationFrame(next); return true })()`, pictures))
	poll(t, ctx, "rate > 0")
	return ask[float64](t, ctx, "rate")
}
