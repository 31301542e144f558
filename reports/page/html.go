package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed web
var web embed.FS

// scripts are joined in this order, as one module.
var scripts = []string{"run.js", "state.js", "scale.js", "draw.js", "strip.js", "shift.js", "pane.js", "log.js", "details.js", "slider.js", "main.js"}

// MostValues is how many runs a page with a slider has at most.
const MostValues = 50

// Write writes a page of one run, of two beside each other, or of several with a slider, of which each
// has its own [Run].Value.
func Write(out io.Writer, runs ...*Run) error {
	most := 2
	if len(runs) > 0 && runs[0].Vary != "" {
		most = MostValues
	}
	if len(runs) < 1 || len(runs) > most {
		return fmt.Errorf("page: want 1 to %d runs, got %d", most, len(runs))
	}
	data, err := pack(runs)
	if err != nil {
		return err
	}
	style, err := read("style.css")
	if err != nil {
		return err
	}
	script, err := read(scripts...)
	if err != nil {
		return err
	}
	body, err := read("page.html")
	if err != nil {
		return err
	}
	title := runs[0].Scenario
	if len(runs) == 2 && runs[0].Vary == "" {
		title += " and " + runs[1].Scenario
	}
	_, err = strings.NewReplacer(
		"{{title}}", html.EscapeString(Harmless(title)), "{{policy}}", policy(style, script),
		"{{style}}", style, "{{script}}", script, "{{data}}", data,
	).WriteString(out, body)
	return err
}

// What stands before and after the runs of a page.
const (
	dataBegins = `<script type="text/plain" id="data">`
	dataEnds   = `</script>`
)

// pack is runs as JSON, compressed, in base 64: nothing that a run names can end the element that it is in.
func pack(runs []*Run) (string, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if err := errors.Join(json.NewEncoder(z).Encode(runs), z.Close()); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// Read reads the runs of a page.
func Read(page []byte) (runs []*Run, err error) {
	_, data, begins := bytes.Cut(page, []byte(dataBegins))
	data, _, ends := bytes.Cut(data, []byte(dataEnds))
	if !begins || !ends {
		return nil, errors.New("this is no page of a run")
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	if err := json.NewDecoder(z).Decode(&runs); err != nil {
		return nil, err
	}
	return runs, nil
}

// policy allows the page its own script, style and pictures, and nothing else: no network, no frame, no form.
func policy(style, script string) string {
	return "default-src 'none'; img-src data:; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// read joins files of the page.
func read(names ...string) (string, error) {
	var all bytes.Buffer
	for _, name := range names {
		text, err := web.ReadFile("web/" + name)
		if err != nil {
			return "", err
		}
		// A browser reads every end of a line as \n before it hashes the text.
		all.Write(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	}
	return all.String(), nil
}
