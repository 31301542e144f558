package accesslog

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const combinedLine = `192.0.2.1 - alice [17/May/2015:10:05:03 +0200] "GET /a/b?c=d HTTP/1.1" 200 512 "http://x.example/" "curl/8"`

var combinedTime = time.Date(2015, 5, 17, 8, 5, 3, 0, time.UTC).UnixNano()

// request is what a test says of one request.
type request struct {
	at  int64
	key uint64
}

// readAll reads a log to its end.
func readAll(t *testing.T, text string, o Options) ([]request, Summary, *Reader) {
	t.Helper()
	list, s, r := readSome(t, text, o)
	require.NoError(t, r.Err())
	return list, s, r
}

// readSome reads a log of which too much may be left out.
func readSome(t *testing.T, text string, o Options) ([]request, Summary, *Reader) {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), o)
	require.NoError(t, err)
	var list []request
	for {
		q, ok := r.Next()
		if !ok {
			break
		}
		require.EqualValues(t, 1, q.Cost)
		list = append(list, request{int64(q.At), q.Key})
	}
	return list, r.Summary(), r
}

func TestOneLine(t *testing.T) {
	clf := func(s string) string { return strings.Replace(combinedLine, "GET /a/b?c=d HTTP/1.1", s, 1) }
	for _, v := range []struct{ name, line, key, want, format string }{
		{"client", combinedLine, Client, "192.0.2.1", Combined},
		{"default key", combinedLine, "", "192.0.2.1", Combined},
		{"user", combinedLine, User, "alice", Combined},
		{"method", combinedLine, Method, "GET", Combined},
		{"path without query", combinedLine, Path, "/a/b", Combined},
		{"referer", combinedLine, Referer, "http://x.example/", Combined},
		{"agent", combinedLine, Agent, "curl/8", Combined},
		{"common", combinedLine[:strings.Index(combinedLine, ` "http`)], Path, "/a/b", Common},
		{"no bytes", strings.Replace(combinedLine, " 512 ", " - ", 1), Agent, "curl/8", Combined},
		{"dash for a request", clf("-"), Path, "-", Combined},
		{"HTTP/0.9", clf("GET /old"), Path, "/old", Combined},
		{"a handshake", clf(`\x16\x03\x01`), Path, `\x16\x03\x01`, Combined},
		{"quotes with backslash", clf(`GET /a\"b HTTP/1.1`), Path, `/a\"b`, Combined},
		{"quotes without", clf(`GET /a"b" HTTP/1.1`), Path, `/a"b"`, Combined},
		{"a space in the path", clf(`GET /a b HTTP/1.1`), Path, `/a b`, Combined},
		{"quotes in the agent", strings.Replace(combinedLine, "curl/8", `cu\"rl`, 1), Agent, `cu\"rl`, Combined},
		{"IPv6", strings.Replace(combinedLine, "192.0.2.1", "2001:db8::1", 1), Client, "2001:db8::1", Combined},
		{"no client", strings.Replace(combinedLine, "192.0.2.1", "-", 1), Client, "-", Combined},
		{"a user with spaces", strings.Replace(combinedLine, "alice", "al [x] ice", 1), User, "al [x] ice", Combined},
		{"garbage that is no UTF-8", clf("GET /\xff\xfe HTTP/1.1"), Path, "/\xff\xfe", Combined},
		{"CRLF", combinedLine + "\r", Agent, "curl/8", Combined},
		{"BOM", "\ufeff" + combinedLine, Client, "192.0.2.1", Combined},
		{"a field more", combinedLine + ` "198.51.100.1"`, Agent, "curl/8", Combined},
		{"no line end", combinedLine, Client, "192.0.2.1", Combined},
	} {
		t.Run(v.name, func(t *testing.T) {
			list, s, r := readAll(t, v.line+"\n", Options{Key: v.key})
			require.Equal(t, []request{{combinedTime, Hash([]byte(v.want))}}, list)
			assert.Equal(t, v.format, s.Format)
			name, ok := r.Name(list[0].key)
			assert.True(t, ok)
			assert.Equal(t, strings.ReplaceAll(strings.ReplaceAll(v.want, "\xff", "?"), "\xfe", "?"), name)
		})
	}
}

// A log in a zone is the same instants as one in UTC.
func TestTimes(t *testing.T) {
	at := func(y int, m time.Month, d, h, min, s, ns int) int64 {
		return time.Date(y, m, d, h, min, s, ns, time.UTC).UnixNano()
	}
	for text, want := range map[string]int64{
		"17/May/2015:10:05:03 +0200":          combinedTime,
		"[17/May/2015:10:05:03 +0200]":        combinedTime,
		"29/Feb/2024:23:59:59 -0730":          at(2024, 3, 1, 7, 29, 59, 0),
		"31/Dec/2016:23:59:60 +0000":          at(2017, 1, 1, 0, 0, 0, 0),
		"2015-05-17T08:05:03Z":                combinedTime,
		"2015-05-17 08:05:03":                 combinedTime,
		"2015-05-17T10:05:03+02:00":           combinedTime,
		"2015-05-17T10:05:03.25+0200":         combinedTime + 25e7,
		"2015-05-17t08:05:03.1234567899z":     combinedTime + 123456789,
		"2015-05-17 10:05:03,5+02":            combinedTime + 5e8,
		fmt.Sprint(combinedTime / 1e9):        combinedTime,
		fmt.Sprint(combinedTime/1e9) + ".125": combinedTime + 125e6,
		fmt.Sprint(combinedTime/1e6 + 7):      combinedTime + 7e6,
		fmt.Sprint(combinedTime/1e3 + 7):      combinedTime + 7e3,
		fmt.Sprint(combinedTime + 7):          combinedTime + 7,
		"0":                                   0,
		"4102444799":                          at(2099, 12, 31, 23, 59, 59, 0),
	} {
		list, _, _ := readAll(t, "time;client\n"+text+";a\n", Options{})
		assert.Equal(t, []request{{want, Hash([]byte("a"))}}, list, text)
	}
	for unit, scale := range map[string]int64{"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1} {
		list, _, _ := readAll(t, "client,ts_"+unit+"\na,5000\n", Options{})
		assert.Equal(t, 5000*scale, list[0].at, unit)
	}
}

func TestBadTimes(t *testing.T) {
	for text, want := range map[string]string{
		"31/Dec/1969:23:59:59 +0000": before,
		"01/Jan/1970:00:30:00 +0100": before,
		"01/Jan/2100:00:00:00 +0000": afterward,
		"30/Feb/2015:10:05:03 +0200": noTime,
		"17/Mai/2015:10:05:03 +0200": noTime,
		"17/May/2015:24:05:03 +0200": noTime,
		"17/May/2015:10:60:03 +0200": noTime,
		"17/May/2015:10:05:61 +0200": noTime,
		"17/May/2015:10:05:03 0200x": noTime,
		"2015-13-17T08:05:03Z":       noTime,
		"2015-05-17T08:05:03+2":      noTime,
		"2015-05-17T08:05:03.Z":      noTime,
		"1969-12-31T23:59:59Z":       before,
		"-5":                         before,
		"99999999999999999999":       afterward,
		"yesterday":                  noTime,
		"":                           noTime,
	} {
		_, s, _ := readSome(t, "time,client\n1,a\n"+text+",b\n", Options{})
		require.Len(t, s.Problems, 1, text)
		assert.Equal(t, want, s.Problems[0].Reason, text)
	}
}

func TestTables(t *testing.T) {
	for _, v := range []struct{ name, text, key, want string }{
		{"tabs", "ts\tip\n5\ta,b\n", "", "a,b"},
		{"quotes", "\"time\",\"user id\"\n5,\"a \"\"b\"\", c\"\n", "user id", `a "b", c`},
		{"any column", "time,client,tier\n5,a,gold\n", "tier", "gold"},
		{"remote_addr", "request_time,time,bytes,remote_addr\n0.25,5,7,a\n", "", "a"},
		{"capitals", "Timestamp,Host\n5,a\n", "", "a"},
		{"an empty key", "time,client,tier\n5,a,\n", "tier", ""},
		{"a port", "time,client\n5,192.0.2.1:4711\n", "", "192.0.2.1"},
		{"no port", "time,client\n5,team:4711\n", "", "team:4711"},
		{"a server as well", "time,host,remote\n5,www,a\n", "", "a"},
		{"the time is also the key", "client,at\n9,5\n", "", "9"},
	} {
		t.Run(v.name, func(t *testing.T) {
			list, s, _ := readAll(t, v.text, Options{Key: v.key})
			require.Equal(t, []request{{5e9, Hash([]byte(v.want))}}, list)
			assert.Equal(t, CSV, s.Format)
		})
	}
	_, s, _ := readSome(t, "time,client\n5,a\n6\n7,a,b\n8,\"a\n9,\"a\"b\n", Options{})
	assert.EqualValues(t, 4, s.Malformed)
	assert.Equal(t, `line 3: the number of columns is not that of the header: "6"`, s.Problems[0].String())
	assert.Equal(t, `line 5: a quote has no end: "8,\"a"`, s.Problems[2].String())
}

func TestErrors(t *testing.T) {
	var z bytes.Buffer
	for _, v := range []struct {
		name, text, key string
		want            []string
	}{
		{"empty", "", "", []string{"the log is empty"}},
		{"only blank", "\n \n", "", []string{"no line of 2 is of a known format"}},
		{"binary", "\x7fELF\x02\x00\x00\x01\n", "", []string{"zero bytes, and no line of a known format: the file is binary"}},
		{"UTF-16", "\xff\xfe1\x009\x00\n\x00", "", []string{`line 1: no time such as [17/May/2015:10:05:03 +0000]: "19"`}},
		{"zstd", "\x28\xb5\x2f\xfdabc", "", []string{"packed with zstd: unpack it first"}},
		{"no gzip", "\x1f\x8bnothing", "", []string{"begins like a gzip, and is none"}},
		{"another format", `{"ts": 1, "id": "a"}` + "\n" + `{"ts": 2}` + "\n", "", []string{
			"no line of 2 is of a known format", "common ", "combined ", "csv ", `line 1: no time such as [17/May/2015:10:05:03 +0000]: "{\"ts\": 1`, "line 2: "}},
		{"all before 1970", "a - - [17/May/1915:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n", "", []string{"line 1: its time is before 1970"}},
		{"no row", "time,client\nx,y\n", "", []string{"no row of the table can be read (1 rows)", "line 2: not a time"}},
		{"no such column", "time,client\n5,a\n", "tier", []string{`line 1: key "tier": the table has no such column: want one of time, client`}},
		{"no client column", "time,x\n5,a\n", "", []string{`key "client": the table has no such column: want one of time, x`}},
		{"no header of a request", combinedLine[:strings.Index(combinedLine, ` "http`)] + "\n", Agent, []string{
			`key "agent": a log in common format has none: want one of client, user, method, path`}},
		{"no such key", combinedLine, "cookie", []string{"combined format has none", "referer, agent"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			_, err := NewReader(strings.NewReader(v.text), Options{Key: v.key})
			for _, want := range v.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
	for _, o := range []Options{{Horizon: -1}, {Horizon: MaxHorizon + 1}, {Prefix6: -1}, {Prefix6: 128}} {
		_, err := NewReader(&z, o)
		require.ErrorContains(t, err, "must be")
	}
}

// "malformed lines (counted, first three shown, never fatal unless all are)".
func TestMalformed(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	bad := []string{"a", long, combinedLine + long, "b\x00", `c - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" two`}
	text := "junk before\n" + combinedLine + "\n" + strings.Join(bad, "\n") + "\n\n" + combinedLine + "\n" + long
	list, s, r := readSome(t, text, Options{})
	assert.Len(t, list, 2)
	assert.EqualValues(t, 7, s.Malformed)
	assert.EqualValues(t, 1, s.Blank)
	assert.EqualValues(t, 10, s.Lines)
	require.Len(t, s.Problems, 3)
	assert.Equal(t, `line 1: no time such as [17/May/2015:10:05:03 +0000]: "junk before"`, s.Problems[0].String())
	assert.Equal(t, int64(4), s.Problems[2].Line)
	assert.Equal(t, "longer than 64 KiB", s.Problems[2].Reason)
	assert.Less(t, len(s.Problems[2].Text), 100)
	assert.ErrorContains(t, r.Err(), "7 of 9 lines (77.8%) were left out: want at most a tenth\n7 cannot be read as combined\nline 1: no time")
	assert.Equal(t, []string{
		"x.log: combined, 10 lines, 2 requests in 0s from 2015-05-17T08:05:03Z, 0 out of order; 7 left out (77.8%): 7 malformed",
		s.Problems[0].String(), s.Problems[1].String(), s.Problems[2].String(),
	}, s.Text("dir/x.log"))
}

// A line of exactly the limit, with its end, is read.
func TestLongestLine(t *testing.T) {
	fill := strings.Repeat("x", MaxLine-1-len(combinedLine))
	line := strings.Replace(combinedLine, "curl/8", "curl/8"+fill, 1)
	for more, malformed := range map[string]int64{"": 0, "x": 1} {
		_, s, _ := readSome(t, combinedLine+"\n"+more+line+"\n", Options{})
		assert.Equal(t, malformed, s.Malformed)
	}
}

func at(seconds int, client string) string {
	return fmt.Sprintf("%s - - [%s] \"GET / HTTP/1.1\" 200 5\n", client,
		time.Unix(int64(seconds), 0).UTC().Format("02/Jan/2006:15:04:05 -0700"))
}

// R5: lines are sorted within what is held, and then within the horizon; what comes later
// is left out, and an error above a tenth that names the horizon that suffices.
func TestHorizon(t *testing.T) {
	log := at(100, "a") + at(90, "b") + at(150, "c") + at(90, "d") + at(100, "e") + at(89, "f") + at(151, "g") + at(90, "h")
	read := func(held int, horizon time.Duration) (s string, r *Reader) {
		r, err := NewReader(strings.NewReader(log), Options{Horizon: horizon})
		require.NoError(t, err)
		r.order.least, r.order.limit = held, held+1
		for q, ok := r.Next(); ok; q, ok = r.Next() {
			for _, c := range "abcdefgh" {
				if q.Key == Hash([]byte(string(c))) {
					s += string(c)
				}
			}
		}
		return s, r
	}
	got, r := read(1, 30*time.Second)
	assert.Equal(t, "baecg", got, "d, f and h come when 100 s has been given out")
	s := r.Summary()
	assert.EqualValues(t, 3, s.Late)
	assert.EqualValues(t, 4, s.OutOfOrder)
	assert.Contains(t, s.Text("x")[0], "; 3 left out (37.5%): 3 too late (horizon 30s)")
	assert.EqualError(t, r.Err(), "3 of 8 lines (37.5%) were left out: want at most a tenth\n"+
		"3 come up to 1m1s after newer lines, which are more than 1 lines before them: set the horizon to 2m0s, or sort the log by its times")
	for _, v := range []struct {
		held    int
		horizon time.Duration
	}{{1, 2 * time.Minute}, {1, time.Hour}, {8, 0}} {
		got, r = read(v.held, v.horizon)
		assert.Equal(t, "fbdhaecg", got)
		assert.NoError(t, r.Err())
	}
	got, r = read(1, 0)
	assert.Equal(t, "baecg", got)
	assert.ErrorContains(t, r.Err(), "set the horizon to 2m0s")
}

// "times years apart": a line a year ahead of all others would make them late.
func TestYearsApart(t *testing.T) {
	const day = 24 * 3600
	log := at(1000, "a") + at(1000+400*day, "b") + at(1001, "c") + at(1001+366*day, "d") + at(2000, "e")
	list, s, _ := readSome(t, log, Options{Horizon: time.Hour})
	assert.Len(t, list, 4)
	assert.EqualValues(t, 1, s.Malformed)
	assert.Equal(t, "its time is more than a year from that of the lines around it", s.Problems[0].Reason)
	assert.Zero(t, s.Late)
}

// A log with a gap of years, or whose first line was written before the clock was set,
// is not lost for it: from the second line that says so it is another year.
func TestYearsApartForGood(t *testing.T) {
	const day = 24 * 3600
	later := 1000 + 20*365*day
	list, s, _ := readSome(t, at(1000, "a")+at(later, "b")+at(later+1, "c")+at(later+2, "d"), Options{Horizon: time.Hour})
	assert.Len(t, list, 3)
	assert.EqualValues(t, 1, s.Malformed)
	assert.Zero(t, s.Late)

	list, s, _ = readSome(t, at(1000, "a")+at(later, "b")+at(1001, "c")+at(later, "d")+at(1002, "e"), Options{Horizon: time.Hour})
	assert.Len(t, list, 3, "two that are not in succession are two wrong ones")
	assert.EqualValues(t, 2, s.Malformed)

	list, s, _ = readSome(t, at(1000, "a")+at(later, "b")+at(2*later, "c")+at(1001, "d"), Options{Horizon: time.Hour})
	assert.Len(t, list, 2, "two that do not agree are two wrong ones")
	assert.EqualValues(t, 2, s.Malformed)
}

func TestIPv6Networks(t *testing.T) {
	log := at(1, "2001:db8:1:2::5") + at(2, "2001:db8:1:2:ffff::6") + at(3, "2001:db8:1:3::5") + at(4, "192.0.2.1") + at(5, "::ffff:192.0.2.1") + at(6, "x.example")
	list, _, r := readAll(t, log, Options{Prefix6: 64})
	assert.Equal(t, list[0].key, list[1].key)
	assert.NotEqual(t, list[0].key, list[2].key)
	assert.Equal(t, list[3].key, list[4].key)
	name, _ := r.Name(list[0].key)
	assert.Equal(t, "2001:db8:1:2::/64", name)
	assert.Equal(t, Hash([]byte("x.example")), list[5].key)
}

func zipped(t *testing.T, texts ...string) string {
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	return b.String()
}

func TestGzip(t *testing.T) {
	text, err := os.ReadFile("testdata/combined.log")
	require.NoError(t, err)
	want, plain, _ := readAll(t, string(text), Options{Horizon: time.Minute})
	packed := zipped(t, string(text[:1000]), string(text[1000:]))
	list, s, r := readAll(t, packed, Options{Horizon: time.Minute})
	assert.Equal(t, want, list)
	assert.True(t, s.Gzip)
	assert.EqualValues(t, len(packed), r.Bytes())
	assert.Equal(t, strings.Replace(plain.Text("x")[0], "combined", "combined, gzip", 1), s.Text("x")[0])

	list, s, _ = readAll(t, packed[:len(packed)*2/3], Options{Horizon: time.Minute})
	assert.Less(t, len(list), len(want))
	assert.Contains(t, s.Cut, "damaged or cut here")
	assert.Contains(t, s.Text("x")[0], "damaged or cut here")
	for _, broken := range []string{packed + "trailing bytes", packed + string(text), packed[:200] + "damage" + packed[206:]} { // R5
		_, _, r = readSome(t, broken, Options{Horizon: time.Minute})
		assert.ErrorContains(t, r.Err(), "and what follows cannot be read")
	}
}

// What does not come out of the disk is an error, and not the end of the log.
func TestReadError(t *testing.T) {
	r, err := NewReader(&failing{text: combinedLine + "\n"}, Options{})
	require.NoError(t, err)
	for ok := true; ok; {
		_, ok = r.Next()
	}
	require.ErrorContains(t, r.Err(), "the disk is gone")
}

type failing struct{ text string }

func (f *failing) Read(b []byte) (int, error) {
	if f.text == "" {
		return 0, fmt.Errorf("the disk is gone")
	}
	n := copy(b, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestOwnLogs(t *testing.T) {
	for file, want := range map[string]string{
		"combined.log":          "combined.log: combined, 60 lines, 58 requests in 4m46s from 2026-03-01T07:00:01Z, 7 out of order; 2 left out (3.3%): 2 malformed",
		"common.log":            "common.log: common, 12 lines, 12 requests in 41s from 2026-03-01T07:00:01Z, 0 out of order",
		"epoch.csv":             "epoch.csv: csv (ts_ms, host), 41 lines, 40 requests in 11s from 2026-03-01T07:26:39Z, 7 out of order",
		"f6-aborted-status.log": "f6-aborted-status.log: combined, 23 lines, 23 requests in 9s from 2022-09-28T13:38:00Z, 3 out of order",
	} {
		text, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		_, s, _ := readAll(t, string(text), Options{Horizon: time.Minute})
		assert.Equal(t, want, s.Text(file)[0])
	}
}

// A line allocates nothing.
func TestNoAllocations(t *testing.T) {
	for _, text := range []string{
		combinedLine + "\n", "2026-03-01T07:00:01.123456789Z stdout F " + combinedLine + "\n", `"2015-05-17T10:05:03.5Z","a ""b"" c"` + "\n",
		`{"ts":1772348401.25,"a":{"b":[1,"x\"y"]},"request":{"client_ip":"192.0.2.1","uri":"\/a"}}` + "\n",
	} {
		head := ""
		if strings.HasPrefix(text, `"`) {
			head = "time,client\n"
		}
		r, err := NewReader(&endless{head: head, line: text}, Options{Horizon: time.Minute})
		require.NoError(t, err)
		r.order = newOrder(0, 100)
		take := func() {
			r.step()
			for _, ok := r.order.pop(); ok; {
				_, ok = r.order.pop()
			}
		}
		for range 10_000 {
			take()
		}
		assert.Zero(t, testing.AllocsPerRun(1000, take), text)
	}
}

// endless is a head and then the same line again and again.
type endless struct{ head, line, rest string }

func (e *endless) Read(b []byte) (n int, err error) {
	if e.head != "" {
		n, e.head = copy(b, e.head), ""
	}
	for n < len(b) {
		if e.rest == "" {
			e.rest = e.line
		}
		k := copy(b[n:], e.rest)
		e.rest = e.rest[k:]
		n += k
	}
	return n, nil
}

// BenchmarkReader is ns per line of a combined log, keyed by client.
func BenchmarkReader(b *testing.B) {
	r, err := NewReader(&endless{line: combinedLine + "\n"}, Options{Horizon: time.Minute})
	require.NoError(b, err)
	b.ReportAllocs()
	b.SetBytes(int64(len(combinedLine)) + 1)
	for b.Loop() {
		r.Next()
	}
}
