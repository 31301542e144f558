// Package webtest opens what simctl view writes in Chromium: it draws, answers keys and the pointer, asks for
// nothing, and says nothing on the console. With PICTURES=FOLDER it keeps pictures of the pages.
package webtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeysAndPointer: keys step, zoom, search and help; a click chooses; the wheel zooms.
func TestKeysAndPointer(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause")
	press(t, ctx, "v")
	poll(t, ctx, `document.getElementById("said").textContent.startsWith("VIOLATED as expected: mutual-exclusion at 10.020s")`)
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
	do(t, ctx, chromedp.EmulateViewport(1700, 1000))
	poll(t, ctx, `(([a, b]) => a.top === b.top && a.right <= b.left && b.right <= 1700 && b.width > 700)(fencepost.panes.map(p => p.element.getBoundingClientRect()))`)
	poll(t, ctx, `fencepost.panes.every(p => p.difference === 21 && p.canvas.clientWidth === p.width && p.width < 840)`)
	look(t, ctx, "beside")
	do(t, ctx, chromedp.EmulateViewport(360, 800))
	poll(t, ctx, "document.documentElement.scrollWidth <= 360")
	look(t, ctx, "narrow")
}

// TestFigureOfTheRun: the figure of the scenario is drawn as an image, which the policy allows.
func TestFigureOfTheRun(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause")
	poll(t, ctx, `document.querySelector("figure img")?.naturalWidth > 100`)
	do(t, ctx, chromedp.EmulateViewport(360, 800))
	poll(t, ctx, "document.documentElement.scrollWidth <= 360")
}

// TestPrintContrastAndMotion: printed, the page has its lanes and no controls; with more contrast nothing is dim; with
// less motion nothing moves by itself.
func TestPrintContrastAndMotion(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause")
	prefer(t, ctx, "prefers-contrast", "more")
	poll(t, ctx, `(s => s.getPropertyValue("--dim") === s.getPropertyValue("--front"))(getComputedStyle(document.documentElement)) ||
		getComputedStyle(document.querySelector(".small")).color === getComputedStyle(document.documentElement).color`)
	prefer(t, ctx, "prefers-reduced-motion", "reduce")
	poll(t, ctx, `getComputedStyle(document.getElementById("log")).scrollBehavior === "auto" && document.getAnimations().length === 0`)
	printed(t, ctx)
	poll(t, ctx, `getComputedStyle(document.querySelector("nav")).display === "none" && document.querySelector("canvas").clientHeight > 100 &&
		[...document.querySelectorAll(".scroll")].every(s => s.scrollHeight <= s.clientHeight)`)
	look(t, ctx, "printed")
}

// hostile are texts that could become part of the page, or of how it looks. Control characters and those that turn
// what follows around are refused in a file; they are in its name here.
var hostile = map[string]string{
	"script":  "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>",
	"quotes":  "\"'`<b>&lt;",
	"long":    strings.Repeat("long ", 2000),
	"comment": "<!--<script>",
}

// TestHostileTextIsText: what a file says cannot become part of the page, in any of its views, and its policy blocks
// scripts that are put into it.
func TestHostileTextIsText(t *testing.T) {
	text, err := os.ReadFile("../scenarios/redlock/gc-pause.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, evil := range hostile {
		t.Run(name, func(t *testing.T) {
			about := strconv.QuoteToASCII(evil)
			said := regexp.MustCompile(`(?m)^about:.*(\n +.*)*`).ReplaceAll(text, []byte("about: "+strings.ReplaceAll(about, "$", "$$")))
			file := filepath.Join(t.TempDir(), "<script>window.pwned=1<img src=x onerror=pwned=1>\u202e.yaml")
			if err := os.WriteFile(file, append([]byte("# "+about+"\n"), said...), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx := browser(t, file)
			press(t, ctx, "v")
			poll(t, ctx, "fencepost.pane.chosen >= 0")
			if ask[bool](t, ctx, `"pwned" in window || document.querySelector("img:not(figure img), b b") !== null || document.querySelectorAll("script").length !== 2`) {
				t.Error("the text of the file is part of the page")
			}
			if ask[bool](t, ctx, `/[\u202a-\u202e\u2066-\u2069\u200f\u0000-\u0008]/.test(document.body.textContent)`) {
				t.Error("the page has characters that turn what follows around")
			}
			if ask[int](t, ctx, "document.documentElement.scrollWidth") > 1300 {
				t.Error("the page scrolls sideways")
			}
		})
	}
}

// TestPolicyBlocksScripts: one that is put into the page later does not run.
func TestPolicyBlocksScripts(t *testing.T) {
	ctx := open(t, func(string) bool { return true }, "clock/vector-concurrent")
	ask[bool](t, ctx, `(() => { globalThis.blocked = 0; addEventListener("securitypolicyviolation", () => blocked++);
		const s = document.createElement("script"); s.textContent = "window.pwned = 1"; document.body.append(s);
		const i = document.createElement("img"); i.src = "http://127.0.0.1:9/x.png"; document.body.append(i); return true })()`)
	poll(t, ctx, "blocked >= 2")
	if ask[bool](t, ctx, `"pwned" in window`) {
		t.Error("a script ran that the policy does not allow")
	}
}

// TestConcurrentEvents: two that are chosen are a || b, or one was before the other.
func TestConcurrentEvents(t *testing.T) {
	ctx := browser(t, "clock/vector-concurrent")
	for pair, want := range map[string]string{"2, 3": "a || b: concurrent", "1, 8": "happened before"} {
		ask[bool](t, ctx, `(() => { const [a, b] = [`+pair+`], p = fencepost; p.choose(p.pane, a); p.choose(p.pane, b, true); return true })()`)
		poll(t, ctx, fmt.Sprintf(`document.getElementById("event").textContent.includes(%q)`, want))
	}
}

// TestSlider: each value shows its run, and the boundaries are said.
func TestSlider(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause", "--from", "1s", "--to", "20s", "--step", "1s")
	poll(t, ctx, `document.querySelector("#slider ul").textContent.includes("mutual-exclusion: not violated at 9s, violated at 10s")`)
	set := func(k int) {
		ask[bool](t, ctx, fmt.Sprintf(`(() => { const v = document.getElementById("value"); v.value = %d; v.dispatchEvent(new Event("input")); return true })()`, k))
	}
	poll(t, ctx, `document.querySelector("#slider output").textContent.startsWith("15s, as in the file: ")`)
	set(0)
	poll(t, ctx, `document.getElementById("verdicts").textContent === "Nothing is violated."`)
	set(14)
	poll(t, ctx, `document.getElementById("verdicts").textContent.includes("VIOLATED as expected: mutual-exclusion at 10.020s")`)
	look(t, ctx, "slider")
}

// TestExpectedViolationsAreOthers: one that the file expects has another word, class and mark than one that it does not.
func TestExpectedViolationsAreOthers(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause", "--set", "expect.no-lost-update=holds")
	poll(t, ctx, `(list => list.length === 3 && list[0].className === "expected" && list[0].textContent.startsWith("\u25b7 VIOLATED as expected: mutual-exclusion") &&
		list.some(l => l.className === "bad" && l.textContent.startsWith("\u25b6 VIOLATED: no-lost-update")))([...document.querySelectorAll("#verdicts li")])`)
	poll(t, ctx, `document.getElementById("run").textContent.includes("82 events: 80 steps of nodes, as simctl run counts them; 2 of faults")`)
	look(t, ctx, "unexpected")
}

// TestEventsOfTheModel: each of a step is an event by its name, and its vector clock is that of the model.
func TestEventsOfTheModel(t *testing.T) {
	ctx := browser(t, "clock/vector-concurrent")
	poll(t, ctx, `fencepost.pane.run.n === 12 && fencepost.pane.run.name.every(k => k > 0)`)
	ask[bool](t, ctx, `fencepost.choose(fencepost.pane, 10), true`)
	poll(t, ctx, `document.getElementById("event").textContent.includes("A: 2, B: 5, C: 2")`)
	look(t, ctx, "model")
}

// TestStateAndStrip: an event shows the state before and after it, and the lanes what the servers grant.
func TestStateAndStrip(t *testing.T) {
	ctx := browser(t, "redlock/gc-pause")
	poll(t, ctx, `document.getElementById("strip").value === "Grants and tokens" && fencepost.pane.strip.size > 5`)
	ask[bool](t, ctx, `fencepost.choose(fencepost.pane, 52), true`)
	poll(t, ctx, `/fence.token3433/.test(document.querySelector("#event .changed").textContent)`)
	limiter := browser(t, "limiter/fixed-window-boundary")
	poll(t, limiter, `[...fencepost.pane.strip.values()].some(s => s.limit === 5 && s.list.at(-1).value === "10")`)
	look(t, limiter, "limiter")
}

// TestAccessible: axe-core finds nothing, in light and dark, wide and narrow. npm fetches it, for this test alone.
func TestAccessible(t *testing.T) {
	folder := t.TempDir()
	if text, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, "axe-core@4.10.3").CombinedOutput(); err != nil {
		t.Fatalf("npm: %v: %s", err, text)
	}
	axe, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"redlock/gc-pause"}, {"redlock/gc-pause", "redlock/gc-pause-fenced"}, {"redlock/gc-pause", "--from", "9s", "--to", "11s"}} {
		ctx := browser(t, args...)
		ask[bool](t, ctx, string(axe)+"; true")
		press(t, ctx, "v")
		for _, width := range []int64{1300, 360} {
			for _, scheme := range []string{"light", "dark"} {
				do(t, ctx, chromedp.EmulateViewport(width, 900))
				prefer(t, ctx, "prefers-color-scheme", scheme)
				ask[bool](t, ctx, `globalThis.found = null, axe.run().then(r => { found = r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" ")).join("\n") }), true`)
				poll(t, ctx, "found !== null")
				if found := ask[string](t, ctx, "found"); found != "" {
					t.Errorf("%v at %d, %s: %s", args, width, scheme, found)
				}
			}
		}
	}
}

// TestLongRun draws a hundred thousand events; how long that takes, and how many pictures a second there are while it
// is dragged, is said, not asserted.
func TestLongRun(t *testing.T) {
	ctx := browser(t, "kv/jepsen-lww-healthy", "--set", "until=400s")
	n := ask[int](t, ctx, "fencepost.pane.run.n")
	t.Logf("%d events, unpacked and drawn %.0f ms after the page was opened", n, ask[float64](t, ctx, "fencepost.ready"))
	for _, u := range []string{"0, 1", "0.25, 0.75", "0.4, 0.41"} {
		ms := ask[float64](t, ctx, `(() => { fencepost.show(`+u+`); fencepost.moving = false; const t = performance.now(); fencepost.paint(); return performance.now() - t })()`)
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
