package format

import (
	"fmt"
	"io"
	"strings"
	"time"

	"fencepost/models/ratelimit/traffic"
	"fencepost/scenarios/accesslog"
	"fencepost/scenarios/internal/strict"
)

// Replays reports whether the scenario replays requests and has no nodes: there is
// nothing that could be searched, traced or told.
func (s *Scenario) Replays() bool { return len(s.Program.Nodes) == 0 }

// OfNodes are the keys of a file that are about nodes.
var OfNodes = []string{"network", "clocks", "costs", "resume", "faults", "budget"}

// refuseNodes reports what is about nodes in a file whose model has none.
func (d *decoding) refuseNodes() {
	if d.words.program == nil || len(d.words.program.Nodes) > 0 || d.doc.Root().Kind() != strict.Mapping {
		return
	}
	for _, key := range OfNodes {
		if v := d.doc.Root().Field(key); v != nil {
			v.Errorf("model %s has no nodes: want no %s", d.scenario.Model, key)
		}
	}
}

// accessLog decodes the path of an access log. It is not read here: the model opens it
// when it runs, and once before to see that it can be read.
func (d *decoding) accessLog(v *strict.Value, into *traffic.Log) {
	name, ok := strict.Read[string](v)
	if !ok {
		return
	}
	where, bySet := d.files.Folder, v.Pos().Set != ""
	file, full, size, err := where.ordinary(name, bySet)
	if err != nil {
		v.Errorf("%v", err)
		return
	}
	_ = file.Close()
	d.sizes = append(d.sizes, size)
	*into = traffic.Log{Path: full, Open: func(o traffic.LogOptions) (traffic.Recorded, error) {
		return openLog(where, name, bySet, o)
	}}
}

// recorded is an access log that is being read.
type recorded struct {
	*accesslog.Reader
	file io.Closer
	name string
	size int64
}

// What of the memory that a run may keep the lines may take that are held to be sorted, 32
// bytes each: an eighth. A gzip may have some times as much, unpacked: it is read once.
const (
	bytesPerLine = 256
	unpacked     = 16
)

func openLog(where Folder, name string, bySet bool, o traffic.LogOptions) (traffic.Recorded, error) {
	file, full, size, err := where.ordinary(name, bySet)
	if err != nil {
		return nil, err
	}
	options := accesslog.Options{Key: o.Key, Prefix6: o.Prefix6, Horizon: accesslog.DefaultHorizon,
		Held: int(max(o.Memory/bytesPerLine, 1)), MaxSize: unpacked * min(o.Memory, 1<<50)}
	if o.Horizon != nil {
		options.Horizon = *o.Horizon
	}
	r, err := accesslog.NewReader(file, options)
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", full, err)
	}
	return &recorded{r, file, full, size}, nil
}

// Close implements [traffic.Recorded].
func (r *recorded) Close() error { return r.file.Close() }

// Read implements [traffic.Recorded].
func (r *recorded) Read() (done, total int64) { return r.Bytes(), r.size }

// LeftOut implements [traffic.Recorded].
func (r *recorded) LeftOut() (n, of int64) {
	s := r.Summary()
	return s.LeftOut()
}

// Grain implements [traffic.Recorded].
func (r *recorded) Grain() time.Duration {
	s := r.Summary()
	return s.Grain()
}

// Cut implements [traffic.Recorded].
func (r *recorded) Cut() string { return r.Summary().Cut }

// Err implements [traffic.Recorded].
func (r *recorded) Err() error {
	if err := r.Reader.Err(); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

// Text implements [traffic.Recorded].
func (r *recorded) Text() []string {
	s := r.Summary()
	return s.Text(strings.ReplaceAll(r.name, `\`, "/"))
}
