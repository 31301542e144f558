package webtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:generate go test -run TestPictureOfTheReadme -take-picture .

var takePicture = flag.Bool("take-picture", false, "take the picture of the README again")

// The picture of the README is of this page. The hash of the page stands beside it: that it is the page that ships is
// tested in cmd/simctl/cli, without a browser.
const pictured = "../docs/pages/redlock-gc-pause"

// TestPictureOfTheReadme takes the picture of the README with -take-picture, and otherwise shows that it can be taken:
// the first violation is chosen, and the lanes and the verdicts are in view.
func TestPictureOfTheReadme(t *testing.T) {
	page, err := os.ReadFile(pictured + ".html")
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(pictured + ".html")
	if err != nil {
		t.Fatal(err)
	}
	ctx := show(t, func(string) bool { return false }, file)
	do(t, ctx, chromedp.EmulateViewport(1300, 900))
	poll(t, ctx, "innerWidth === 1300 && innerHeight === 900 && !fencepost.stale && fencepost.pane.visible > 0")
	poll(t, ctx, `(b => b.top >= 0 && b.bottom <= 900)(fencepost.pane.canvas.getBoundingClientRect())`)
	picture := viewport(t, ctx)
	if !*takePicture {
		return
	}
	sum := sha256.Sum256(page)
	for name, content := range map[string][]byte{".png": picture, ".png.sha256": []byte(hex.EncodeToString(sum[:]) + "\n")} {
		if err := os.WriteFile(pictured+name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// viewport is what is in view, as a picture.
func viewport(t *testing.T, ctx context.Context) []byte {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
