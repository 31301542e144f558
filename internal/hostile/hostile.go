// Package hostile makes of a text log what other people's tools and accidents make of it,
// for tests of log readers: a reader gets the same numbers out of a variant, or
// refuses it in words. No variant is read as a wrong number without a word.
package hostile

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// A Variant is a log as it may come.
type Variant struct {
	Name string
	Data []byte
	Same bool // it is the same lines in the same order, only packed or encoded otherwise
	Kept int  // whole lines of the log that are still in it, wrapped or not
	Not  int  // lines in it that are not of the log
}

// Variants are about forty variants of a log, given by its lines without their ends. The
// same lines give the same variants. A variant that does not suit the lines is left out:
// no year in them, no line years ahead.
func Variants(lines []string) []Variant {
	text := strings.Join(lines, "\n") + "\n"
	n := len(lines)
	list := []Variant{
		{Name: "plain", Data: []byte(text), Same: true, Kept: n},
		{Name: "no-last-end", Data: []byte(text[:len(text)-1]), Same: n > 0, Kept: n},
		{Name: "cr", Data: []byte(strings.ReplaceAll(text, "\n", "\r")), Same: true, Kept: n},
		{Name: "crlf", Data: []byte(strings.ReplaceAll(text, "\n", "\r\n")), Same: true, Kept: n},
		{Name: "mixed-line-ends", Data: []byte(mixedEnds(lines)), Same: true, Kept: n},
		{Name: "bom", Data: []byte("\ufeff" + text), Same: true, Kept: n},
		{Name: "gzip", Data: Gzip(text), Same: true, Kept: n},
		{Name: "gzip-members", Data: append(Gzip(text[:len(text)/3]), Gzip(text[len(text)/3:])...), Same: true, Kept: n},
		{Name: "gzip-crlf", Data: Gzip(strings.ReplaceAll(text, "\n", "\r\n")), Same: true, Kept: n},
		{Name: "utf16le-bom", Data: UTF16("\ufeff"+text, false), Same: true, Kept: n},
		{Name: "utf16be-bom", Data: UTF16("\ufeff"+text, true), Same: true, Kept: n},
		{Name: "utf16le", Data: UTF16(text, false), Same: true, Kept: n},
		{Name: "utf16be", Data: UTF16(text, true), Same: true, Kept: n},
		{Name: "empty"},
		{Name: "blank-lines", Data: []byte(strings.ReplaceAll(text, "\n", "\n\n")), Kept: n},
		{Name: "header-only", Data: []byte(lines[0] + "\n"), Kept: 1},
		{Name: "trailing-nuls", Data: append([]byte(text), make([]byte, 4096)...), Kept: n, Not: 1},
		{Name: "leading-nuls", Data: append(make([]byte, 4096), text...), Kept: n - 1, Not: 1},
	}
	zipped := Gzip(text)
	list = append(list, Variant{Name: "gzip-cut", Data: zipped[:len(zipped)*2/3]})
	list = append(list, wrapped(lines)...)
	list = append(list, damaged(lines)...)
	return append(list, mixed(lines)...)
}

// Named is the variant of a name; there is one.
func Named(lines []string, name string) Variant {
	list := Variants(lines)
	i := slices.IndexFunc(list, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		panic("hostile: there is no variant " + name)
	}
	return list[i]
}

func mixedEnds(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		switch end := []string{"\n", "\r\n", "\r"}[i%3]; {
		case end == "\r" && i+1 < len(lines) && lines[i+1] == "":
			b.WriteString("\r\n") // a CR and an empty line that ends in LF would be one end
		default:
			b.WriteString(end)
		}
	}
	return b.String()
}

// Gzip packs a text.
func Gzip(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // into memory
	_ = z.Close()
	return b.Bytes()
}

// UTF16 encodes a text, with the high byte first if big is set.
func UTF16(text string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// each makes a variant of what a function makes of each line.
func each(name string, lines []string, change func(i int, line string) string) Variant {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(change(i, line) + "\n")
	}
	return Variant{Name: name, Data: []byte(b.String()), Kept: len(lines)}
}

var (
	number  = regexp.MustCompile(`[\d.]+`)
	decimal = regexp.MustCompile(`^\d+\.\d+$`)
)

// comma writes decimals with a comma, and leaves addresses.
func comma(line string) string {
	return number.ReplaceAllStringFunc(line, func(s string) string {
		if decimal.MatchString(s) {
			return strings.Replace(s, ".", ",", 1)
		}
		return s
	})
}

// wrapped are the lines within what loggers, containers and editors put around them. The
// stamps of the wrapping are not those of the lines: a second each, in 2026.
func wrapped(lines []string) []Variant {
	stamp := func(i int) time.Time {
		return time.Date(2026, 3, 1, 7, 0, 0, 123456789+i, time.UTC).Add(time.Duration(i) * time.Second)
	}
	nano := func(i int) string { return stamp(i).Format(time.RFC3339Nano) }
	quote := func(s string) string { return `"` + s + `"` }
	list := []Variant{
		each("decimal-comma", lines, func(_ int, s string) string { return comma(s) }),
		each("quoted-lines", lines, func(_ int, s string) string { return quote(s) }),
		each("quoted-csv-lines", lines, func(_ int, s string) string { return quote(strings.ReplaceAll(s, `"`, `""`)) }),
		each("half-quoted-lines", lines, func(i int, s string) string {
			if i%2 == 0 {
				return s
			}
			return quote(s)
		}),
		each("indented", lines, func(_ int, s string) string { return "    " + s }),
		each("trailing-spaces", lines, func(_ int, s string) string { return s + "  \t" }),
		each("grep-numbers", lines, func(i int, s string) string { return strconv.Itoa(i+1) + ":" + s }),
		each("grep-names", lines, func(_ int, s string) string { return "logs/app.log:" + s }),
		each("syslog-3164", lines, func(i int, s string) string {
			return "<190>" + stamp(i).Format(time.Stamp) + " web-1 app[1234]: " + s
		}),
		each("syslog-file", lines, func(i int, s string) string { return stamp(i).Format(time.Stamp) + " web-1 app: " + s }),
		each("syslog-iso", lines, func(i int, s string) string {
			return stamp(i).Format("2006-01-02T15:04:05.000000-07:00") + " web-1 app[1234]: " + s
		}),
		each("syslog-5424", lines, func(i int, s string) string {
			return "<190>1 " + stamp(i).Format("2006-01-02T15:04:05.000Z07:00") + ` web-1 app 1234 - [origin@32473 ip="198.51.100.7"] ` + s
		}),
		each("journald", lines, func(i int, s string) string { return stamp(i).Format("Jan 02 15:04:05") + " web-1 app[1234]: " + s }),
		each("docker-json", lines, func(i int, s string) string {
			b, _ := json.Marshal(s + "\n") // a string
			return fmt.Sprintf(`{"log":%s,"stream":"stdout","time":"%s"}`, b, nano(i))
		}),
		each("timestamps", lines, func(i int, s string) string { return nano(i) + " " + s }), // docker logs -t, kubectl logs --timestamps
		each("cri", lines, func(i int, s string) string { return nano(i) + " stdout F " + s }),
		each("compose", lines, func(_ int, s string) string { return "web-1  | " + s }),
	}
	return list
}

// damaged are logs of which something is missing or too much.
func damaged(lines []string) []Variant {
	n := len(lines)
	text := strings.Join(lines, "\n")
	half := strings.Join(lines[:n/2], "\n") + "\n"
	cut := half + lines[n/2][:len(lines[n/2])/2]
	list := []Variant{
		{Name: "cut-in-line", Data: []byte(cut), Kept: n / 2, Not: 1},
		{Name: "begins-in-line", Data: []byte(text[len(lines[0])/2:] + "\n"), Kept: n - 1, Not: 1},
		{Name: "long-line", Data: []byte(half + strings.Repeat("x", 2<<20) + "\n" + strings.Join(lines[n/2:], "\n") + "\n"), Kept: n, Not: 1},
		insert("garbage-few", lines, 20, garbage),
		insert("garbage-half", lines, 1, garbage),
		{Name: "binary", Data: noise(4096)},
		insert("foreign-few", lines, 20, foreign),
		insert("foreign-half", lines, 1, foreign),
	}
	if ahead, ok := YearsAhead(lines[min(1, n-1)]); ok {
		list = append(list,
			Variant{Name: "years-ahead-first", Data: []byte(ahead + "\n" + text + "\n"), Kept: n, Not: 1},
			Variant{Name: "years-ahead-second", Data: []byte(lines[0] + "\n" + ahead + "\n" + strings.Join(lines[1:], "\n") + "\n"), Kept: n, Not: 1},
			Variant{Name: "years-ahead-last", Data: []byte(text + "\n" + ahead + "\n"), Kept: n, Not: 1})
	}
	return list
}

var (
	year  = regexp.MustCompile(`\b(19|20)\d\d\b`)
	epoch = regexp.MustCompile(`\b1\d{9}`)
)

// YearsAhead is a line with its years, or seconds since 1970, ten years later.
func YearsAhead(line string) (string, bool) {
	later := func(digits *regexp.Regexp, line string, more int) string {
		return digits.ReplaceAllStringFunc(line, func(s string) string {
			n, _ := strconv.Atoi(s) // digits
			return strconv.Itoa(n + more)
		})
	}
	ahead := later(epoch, later(year, line, 10), 10*365*24*3600)
	return ahead, ahead != line
}

// mixed are the lines in another order.
func mixed(lines []string) []Variant {
	var zip []string
	half := (len(lines) + 1) / 2
	for i := range half {
		zip = append(zip, lines[i])
		if i+half < len(lines) {
			zip = append(zip, lines[i+half])
		}
	}
	back := slices.Clone(lines)
	slices.Reverse(back)
	turned := slices.Concat(lines[half:], lines[:half])
	same := func(_ int, s string) string { return s }
	return []Variant{each("interleaved", zip, same), each("newest-first", back, same), each("second-half-first", turned, same)}
}

// insert puts a line that is not of the log after every this many lines.
func insert(name string, lines []string, every int, other func(i int) string) Variant {
	v := Variant{Name: name, Kept: len(lines)}
	for i, line := range lines {
		v.Data = append(v.Data, line+"\n"...)
		if (i+1)%every == 0 {
			v.Data = append(v.Data, other(i)+"\n"...)
			v.Not++
		}
	}
	return v
}

// garbage is a line of bytes that are no text, with the sequences that terminals obey, and
// without an end in it.
func garbage(i int) string {
	b := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == 0 {
			return '#'
		}
		return r
	}, noise(20+i%40))
	return "\x1b]0;owned\x07\x1b[31m" + string(b)
}

// noise is n bytes that are the same every time.
func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(n)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// foreign is a line of another log, one of several formats in turn.
func foreign(i int) string {
	return []string{
		`2026/03/01 08:00:01 [error] 31#31: *17 connect() failed (111: Connection refused) while connecting to upstream, client: 192.0.2.77`,
		`{"level":"info","ts":1772348401.25,"msg":"served","took":"12ms"}`,
		`[0.512s][info][safepoint] Leaving safepoint region`,
		`127.0.0.1:52034> SET key value`,
		`java.lang.IllegalStateException: closed`,
		`	at example.Main.run(Main.java:17)`,
	}[i%6]
}
