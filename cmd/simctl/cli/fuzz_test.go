package cli

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/printable"
)

// FuzzPlot: whatever a result document says, it is drawn or refused, and neither the
// picture nor the message has a control character in it.
func FuzzPlot(f *testing.F) {
	for _, file := range []string{"testdata/TestRunJSON-grid.json", "testdata/TestRunJSON-pause.json", "testdata/TestRunJSON-drawn.json"} {
		document, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(document, "params.hold", "P(mutual-exclusion)")
		f.Add(bytes.ReplaceAll(document, []byte("mutual-exclusion"), []byte(`m\u001b]0;pwn\u0007`)), "params.hold", "P(m\x1b]0;pwn\a)")
		f.Add(bytes.ReplaceAll(document, []byte("hold"), []byte("h\u202e\x7f")), "params.h\u202e\x7f", "acquired-at")
	}
	f.Fuzz(func(t *testing.T, document []byte, x, y string) {
		var out, errs bytes.Buffer
		a := &app{&cli.App{Out: cli.NewOutput(&out), ErrOut: printable.NewWriter(&errs)}}
		cmd := newPlotCmd(a)
		cmd.SetIn(bytes.NewReader(document))
		cmd.SetArgs([]string{"-", "--x=" + x, "--y=" + y})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		code := cli.ExitCode(cmd.ExecuteContext(t.Context()), a.ErrOut)
		require.NoError(t, a.Out.Flush())
		harmless(t, errs.String())
		harmless(t, out.String())
		require.Equal(t, code == cli.ExitOK, out.Len() > 0, "a picture or a message")
		if out.Len() > 0 {
			wellFormed(t, &out)
		}
	})
}

// wellFormed fails if a text is no XML.
func wellFormed(t *testing.T, text io.Reader) {
	t.Helper()
	d := xml.NewDecoder(text)
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}
