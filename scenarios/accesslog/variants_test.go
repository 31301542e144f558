package accesslog

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/hostile"
)

// counts are the requests of each client, by its hash, and the times.
func counts(r *Reader) (clients map[uint64]int, times []int64) {
	clients = map[uint64]int{}
	for q, ok := r.Next(); ok; q, ok = r.Next() {
		clients[q.Key]++
		times = append(times, int64(q.At))
	}
	return clients, times
}

// mayLeave is how many requests of the log may be missing from a variant that is read: lines
// that are damaged, and are counted as left out. A variant that is not here is the same.
var mayLeave = map[string]int{"leading-nuls": 1, "cut-in-line": 1 << 20, "begins-in-line": 1, "gzip-cut": 1 << 20, "header-only": 1 << 20}

// R4 to R7: no variant of a log gives other clients or another number of requests without a
// word. It is the same, or an error, or damaged lines are left out, counted, at most a tenth.
func TestVariants(t *testing.T) {
	for _, file := range []string{"combined.log", "common.log", "vhost.log", "caddy.log", "nginx.log", "traefik.log", "envoy.log", "istio.log", "alb.log", "epoch.csv"} {
		text, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		plain, err := NewReader(bytes.NewReader(text), Options{})
		require.NoError(t, err, file)
		want, wantTimes := counts(plain)
		require.NoError(t, plain.Err())
		before := plain.Summary()
		read := 0
		for _, v := range hostile.Variants(lines) {
			name := file + " " + v.Name
			r, err := NewReader(bytes.NewReader(v.Data), Options{})
			if err != nil {
				assert.False(t, v.Same, "%s: %v", name, err)
				noControl(t, err.Error())
				continue
			}
			got, times := counts(r)
			s := r.Summary()
			noControl(t, strings.Join(s.Text(v.Name), "\n"))
			if err := r.Err(); err != nil {
				assert.False(t, v.Same, "%s: %v", name, err)
				noControl(t, err.Error())
				assert.Contains(t, err.Error(), "were left out: want at most a tenth", name)
				continue
			}
			read++
			lost, damaged := mayLeave[v.Name]
			switch {
			case !damaged:
				assert.Equal(t, want, got, name)
				assert.Equal(t, wantTimes, times, name)
			default:
				for key, n := range got {
					assert.LessOrEqual(t, n, want[key], name)
				}
				assert.GreaterOrEqual(t, len(times), len(wantTimes)-lost, name)
				assert.True(t, s.Cut != "" || lost == 1<<20 || s.Malformed > before.Malformed, name)
			}
			out, of := s.LeftOut()
			assert.Equal(t, int64(len(times)), of-out, name)
		}
		assert.Greater(t, read, 20, file)
	}
}

func noControl(t *testing.T, text string) {
	t.Helper()
	for _, c := range strings.ReplaceAll(text, "\n", "") {
		if !unicode.IsPrint(c) {
			t.Fatalf("%q in %q", c, text)
		}
	}
}

// What is before each line is named, and the client is that of the line.
func TestEnvelopes(t *testing.T) {
	text, err := os.ReadFile("testdata/combined.log")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for name, within := range map[string]string{
		"plain": "combined", "quoted-lines": "combined", "half-quoted-lines": "combined", "indented": "combined",
		"syslog-3164": "combined within syslog", "syslog-file": "combined within syslog", "syslog-iso": "combined within syslog",
		"syslog-5424": "combined within syslog", "journald": "combined within syslog",
		"docker-json": "combined within docker json-file", "timestamps": "combined within timestamps", "cri": "combined within CRI",
		"compose": "combined within docker compose",
	} {
		list, s, r := readAll(t, string(hostile.Named(lines, name).Data), Options{})
		assert.Equal(t, within, s.format(), name)
		assert.Len(t, list, 58)
		client, ok := r.Name(list[0].key)
		assert.True(t, ok)
		assert.Equal(t, "203.0.113.9", client, name)
	}
	nested := `<190>Mar  1 07:00:01 web-1 docker[7]: {"log":"www.example.com:443 ` + strings.ReplaceAll(combinedLine, `"`, `\"`) + `\n","stream":"stdout","time":"x"}`
	list, s, _ := readAll(t, nested, Options{})
	assert.Equal(t, "combined within syslog and docker json-file and virtual host", s.format())
	assert.Equal(t, []request{{combinedTime, Hash([]byte("192.0.2.1"))}}, list)
}

// R4: what stands first is the client only if it looks like one and nothing else stands
// before the time than ident and user.
func TestClients(t *testing.T) {
	line := func(head string) string { return strings.Replace(combinedLine, "192.0.2.1 - alice", head, 1) }
	for head, want := range map[string]string{
		"192.0.2.1 - alice": "192.0.2.1", "192.0.2.1:4711 - -": "192.0.2.1", "[2001:db8::1]:4711 - -": "2001:db8::1", "2001:db8::1 - -": "2001:db8::1",
		"fe80::1%eth0 - -": "fe80::1%eth0", "::ffff:192.0.2.1 - -": "192.0.2.1", "2001:DB8:0:0:0:0:0:1 - -": "2001:db8::1", "web.example.com ident al": "web.example.com",
		"192.0.2.1, 10.0.0.1, 10.0.0.2 - -": "192.0.2.1", "192.0.2.1": "192.0.2.1", "unix: - -": "unix:", "- - -": "-", "192.0.2.1 - al ice": "192.0.2.1",
		"www.example.com 192.0.2.1 - -": "192.0.2.1", "www.example.com:443 192.0.2.1 - -": "192.0.2.1", "10.0.0.1:443 192.0.2.1 - al": "192.0.2.1",
		"www.example.com:443 client.example - -": "client.example",
		// Refused:
		"12:192.0.2.1 - -": "", "logs/app.log:192.0.2.1 - -": "", "app.log:192.0.2.1 - -": "", "www.example.com - 192.0.2.1 - -": "",
		"Mar 1 07:00:01 192.0.2.1 - -": "", "web-1 - 192.0.2.1": "", "10.0.0.1 192.0.2.1 - -": "", "level=info 192.0.2.1 - -": "",
		"\x1b[31m192.0.2.1 - -": "", "192.0.2.1 - - [17/M192.0.2.7 - -": "", "192.0.2.1 - a - b": "",
	} {
		r, err := NewReader(strings.NewReader(line(head)), Options{})
		if want == "" {
			assert.ErrorContains(t, err, "no line of 1 is of a known format", head)
			continue
		}
		if assert.NoError(t, err, head) {
			q, _ := r.Next()
			assert.Equal(t, Hash([]byte(want)), q.Key, head)
		}
	}
}

// Each of the formats has the clients, times and keys of its lines.
func TestFormats(t *testing.T) {
	for _, v := range []struct{ file, format, key string }{
		{"combined.log", "combined", "path"}, {"common.log", "common", "path"}, {"vhost.log", "combined within virtual host", "path"},
		{"caddy.log", "json (ts, request.client_ip)", "path"}, {"nginx.log", "json (time_iso8601, remote_addr)", "path"},
		{"traefik.log", "json (StartUTC, ClientHost)", "path"}, {"envoy.log", "envoy", "path"}, {"istio.log", "envoy", "path"},
	} {
		text, err := os.ReadFile("testdata/" + v.file)
		require.NoError(t, err)
		common, err := os.ReadFile("testdata/common.log")
		require.NoError(t, err)
		for _, key := range []string{"", "method", v.key} {
			want, _, _ := readAll(t, string(common), Options{Key: key})
			list, s, _ := readAll(t, string(text), Options{Key: key})
			if key == "" {
				assert.Equal(t, v.format, s.format(), v.file)
			}
			if v.file == "combined.log" {
				continue
			}
			if !assert.Len(t, list, len(want), v.file) {
				continue
			}
			for i := range want {
				if key != "path" || i != 10 { // whose quotes have backslashes in the common format
					assert.Equal(t, want[i].key, list[i].key, "%s %s %d", v.file, key, i)
				}
				assert.Equal(t, want[i].at, list[i].at/1e9*1e9, "%s %d", v.file, i)
			}
		}
	}
}

// In JSON the key may be any field, also one within others; what it is not is said.
func TestFieldsOfObjects(t *testing.T) {
	text, err := os.ReadFile("testdata/caddy.log")
	require.NoError(t, err)
	list, _, r := readAll(t, string(text), Options{Key: "request.host"})
	name, _ := r.Name(list[0].key)
	assert.Equal(t, "www.example.com", name)
	list, _, r = readAll(t, string(text), Options{Key: Agent})
	name, _ = r.Name(list[0].key)
	assert.Equal(t, "curl/8.5.0", name, "the first of a list")
	_, err = NewReader(bytes.NewReader(text), Options{Key: "request.cookie"})
	assert.ErrorContains(t, err, `key "request.cookie": the lines have no such field: want one of bytes_read, duration, level`)
	_, err = NewReader(strings.NewReader(`{"ts":1772348401,"ip":"192.0.2.1","\u001b[2J\uf174":1}`), Options{Key: "x"})
	assert.EqualError(t, err, `key "x": the lines have no such field: want one of ?[2J?, ip, ts`, "names come from the log")

	odd := `{"a":{"b":{"c":"\u00e9\ud83d\ude00\n\/\"x"}},"list":["q",{"r":[]}],"n":-1.5e+3,"t":true,"ts":1772348401,"ip":"192.0.2.1:99"}`
	list, _, _ = readAll(t, odd, Options{Key: "a.b.c"})
	assert.Equal(t, Hash([]byte("\u00e9\U0001f600\n/\"x")), list[0].key)
	list, s, _ := readAll(t, odd, Options{})
	assert.Equal(t, []request{{1772348401e9, Hash([]byte("192.0.2.1"))}}, list)
	assert.Equal(t, JSON, s.Format)
	for _, broken := range []string{odd[:len(odd)-1], odd + "x", strings.Replace(odd, ":", ";", 1), strings.Replace(odd, "1772348401", "1,5", 1), strings.Replace(odd, "ts", "tt", 1),
		strings.Replace(odd, "192.0.2.1:99", "a b", 1), strings.Replace(odd, `[]`, `[1`, 1), `{"ts":` + strings.Repeat("[", 1000)} {
		_, s, r := readSome(t, odd+"\n"+broken+"\n", Options{})
		assert.EqualValues(t, 1, s.Malformed, broken)
		assert.ErrorContains(t, r.Err(), "1 of 2 lines (50.0%) were left out")
	}
}
