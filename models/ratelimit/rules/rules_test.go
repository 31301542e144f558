package rules

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// at is when the vectors ask.
const at = 1700000123

func load(text string) (*Rules, error) { return Load([]File{{"f.yaml", []byte(text)}}, false) }

func mustLoad(t *testing.T, text string) *Rules {
	t.Helper()
	r, err := load(text)
	require.NoError(t, err)
	return r
}

// one is a file with one descriptor that has this limit.
func one(limit string) string {
	return "domain: d\ndescriptors:\n- {key: k, rate_limit: {" + limit + "}}\n"
}

// The rules file of S3, with the key spelled as the loader wants it.
const messaging = `
domain: messaging
descriptors:
  - key: message_type
    value: marketing
    rate_limit: {unit: day, requests_per_unit: 5}
`

// Each error in the words of the real loader.
func TestLoadErrors(t *testing.T) {
	twice := "domain: d\ndescriptors:\n- {key: k, rate_limit: {unit: day, requests_per_unit: 1}}\n- {key: k}\n"
	for _, v := range []struct {
		id, text string
		want     []string
	}{
		{"RU-01", strings.Replace(messaging, "value:", "Value:", 1), []string{"config error, unknown key 'Value'"}},
		{"RU-02 fortnight", one("unit: fortnight"), []string{"invalid rate limit unit 'fortnight'"}},
		{"RU-02 MINUTE", one("unit: MINUTE"), nil},
		{"RU-02 missing", one("requests_per_unit: 3"), []string{"invalid rate limit unit ''"}},
		{"RU-02 week", one("unit: week"), nil},
		{"unit unknown", one("unit: unknown"), []string{"invalid rate limit unit 'unknown'"}},
		{"RU-03 duplicate", twice, []string{"duplicate descriptor composite key 'd.k'"}},
		{"RU-03 no domain", "descriptors: []\n", []string{"config file cannot have empty domain"}},
		{"RU-03 no key", "domain: d\ndescriptors:\n- {value: v}\n", []string{"descriptor has empty key"}},
		{"RU-04", "domain: d\ndescriptors:\n- {key: a, value: b_c}\n- {key: a_b, value: c}\n", []string{"duplicate descriptor composite key 'd.a_b_c'"}},
		{"RU-05", one("unlimited: true, unit: day"), []string{"should not specify rate limit unit when unlimited"}},
		{"unlimited with a unit that there is not", one("unlimited: true, unit: fortnight"), nil},
		{"unlimited", one("unlimited: true"), nil},

		{"empty file", "", []string{"config file cannot have empty domain"}},
		{"key of another type", "domain: d\n0.25: x\n", []string{"config error, key is not of type string: 0.25"}},
		{"list of texts", "domain: d\ndescriptors:\n- a\n", []string{"config error, yaml file contains list of type other than map: a"}},
		{"list of lists", "domain: d\ndescriptors:\n- [a]\n", []string{"config error, yaml file contains list of type other than map: a list"}},
		{"misspelled", "domain: d\ndescriptors:\n- {key: k, ratelimit: {unit: day}}\n", []string{"config error, unknown key 'ratelimit'"}},
		{"misspelled inside", one("unit: day, requestsperunit: 3"), []string{"config error, unknown key 'requestsperunit'"}},
		{"all misspelled", "Domain: d\nDescriptors: []\n", []string{"config error, unknown key 'Domain'", "config error, unknown key 'Descriptors'"}},
		{"a fraction", one("unit: day, requests_per_unit: 1.5"), []string{"error checking config"}},
		{"a huge number", one("unit: day, requests_per_unit: 18446744073709551616"), []string{"error checking config"}},
		{"replaces nothing", one("unit: day, replaces: [{name: ''}], name: n"), []string{"should not have an empty replaces entry"}},
		{"replaces itself", one("unit: day, replaces: [{name: n}], name: n"), []string{"replaces should not contain name of same descriptor"}},
		{"shares without a wildcard", "domain: d\ndescriptors:\n- {key: k, value: v, share_threshold: true}\n",
			[]string{"share_threshold can only be used with wildcard values (ending with '*'), but found key 'k_v'"}},
		{"all at once", "domain: d\ndescriptors:\n- {value: v}\n- {key: k, rate_limit: {unit: x}, descriptors: [{key: l, rate_limit: {}}]}\n",
			[]string{"descriptor has empty key", "invalid rate limit unit 'x'", "invalid rate limit unit ''"}},
		{"all fields", "domain: d\ndescriptors:\n- {key: k, value: v*, shadow_mode: true, quota_mode: true, detailed_metric: true, value_to_metric: true, share_threshold: true, metadata: {any: [1.5, x]}, rate_limit: {unit: Year, requests_per_unit: 0, name: n, replaces: [{name: m}]}}\n", nil},
	} {
		t.Run(v.id, func(t *testing.T) {
			_, err := load(v.text)
			if v.want == nil {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "f.yaml: "+strings.Join(v.want, "\nf.yaml: "))
		})
	}
}

// What the YAML library says stands behind "error loading config file".
func TestLoadRefusesYAML(t *testing.T) {
	for id, text := range map[string]string{
		"not closed":        "domain: d\ndescriptors:\n- {key: k\n",
		"negative":          one("unit: day, requests_per_unit: -1"),
		"too many requests": one("unit: day, requests_per_unit: 4294967296"),
		"descriptors text":  "domain: d\ndescriptors: x\n",
		"a list":            "- key: k\n",
		"a word":            "hello\n",
		"twice":             "domain: d\ndomain: e\n",
		"binary":            "\x00\x01\x02",
	} {
		t.Run(id, func(t *testing.T) {
			_, err := load(text)
			require.Error(t, err)
			assert.Regexp(t, `^f\.yaml: (error loading config file: |config error, )`, err.Error())
		})
	}
}

// An error says which line it means, beside the words.
func TestErrorLine(t *testing.T) {
	_, err := load("domain: d\ndescriptors:\n  - key: k\n    rate_limit:\n      unit: fortnight\n")
	var e *Error
	require.True(t, errors.As(err, &e))
	assert.Equal(t, Error{"f.yaml", 3, "invalid rate limit unit 'fortnight'"}, *e)
}

func TestLimitsOnFiles(t *testing.T) {
	bomb := "metadata:\n  a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'h'; c++ {
		bomb += fmt.Sprintf("  %c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), c-1)
	}
	for id, v := range map[string]struct{ text, want string }{
		"bytes":     {"domain: d\n#" + strings.Repeat("x", MaxSize), "larger than 1048576 bytes"},
		"depth":     {"domain: d\ndescriptors: " + strings.Repeat("[{descriptors: ", 200) + "[]" + strings.Repeat("}]", 200), "deeper than 64 levels"},
		"values":    {"domain: d\ndescriptors: [" + strings.Repeat("{},", MaxNodes) + "]", "more than 200000 values"},
		"laughs":    {bomb, "more than 200000 values"},
		"in itself": {"domain: d\ndescriptors: &x\n- {key: k, descriptors: *x}\n", "deeper than 64 levels"},
	} {
		t.Run(id, func(t *testing.T) {
			_, err := load(v.text)
			require.ErrorContains(t, err, v.want)
		})
	}
}

func TestSeveralFiles(t *testing.T) {
	file := func(name, key string) File {
		return File{name, []byte("domain: d\ndescriptors:\n- {key: " + key + ", rate_limit: {unit: day, requests_per_unit: 1}}\n")}
	}
	_, err := Load([]File{file("1.yaml", "a"), file("2.yaml", "b")}, false)
	require.EqualError(t, err, "2.yaml: duplicate domain 'd' in config file")
	_, err = Load([]File{file("1.yaml", "a"), file("2.yaml", "a")}, true)
	require.EqualError(t, err, "2.yaml: duplicate descriptor composite key 'd.a'")
	r, err := Load([]File{file("1.yaml", "a"), file("2.yaml", "b")}, true)
	require.NoError(t, err)
	for _, key := range []string{"a", "b"} {
		_, ok := r.Lookup("d", []Entry{{key, "x"}})
		assert.True(t, ok, key)
	}
}

const vectors = `
domain: api
descriptors:
  - key: message_type
    value: marketing
    descriptors:
      - {key: to_number, rate_limit: {unit: day, requests_per_unit: 5}}
  - {key: to_number, rate_limit: {unit: day, requests_per_unit: 100}}
  - {key: auth_type, value: login, rate_limit: {unit: minute, requests_per_unit: 5}}
  - {key: remote_address, rate_limit: {unit: second, requests_per_unit: 10}}
  - {key: remote_address, value: 50.0.0.5, rate_limit: {unit: second, requests_per_unit: 0}}
  - {key: path, value: "/v1/*", rate_limit: {unit: minute, requests_per_unit: 7}}
  - {key: path, value: /v1/orders, rate_limit: {unit: minute, requests_per_unit: 3}}
`

func entries(keysAndValues ...string) (list []Entry) {
	for i := 0; i < len(keysAndValues); i += 2 {
		list = append(list, Entry{keysAndValues[i], keysAndValues[i+1]})
	}
	return list
}

func TestMatch(t *testing.T) {
	r := mustLoad(t, vectors)
	for _, v := range []struct {
		id, want, key string
		entries       []Entry
	}{
		{"RU-06", "5/day", "api_message_type_marketing_to_number_111_1699920000", entries("message_type", "marketing", "to_number", "111")},
		{"RU-07 a", "none", "", entries("message_type", "marketing")},
		{"RU-07 b", "none", "", entries("message_type", "alerts", "to_number", "111")},
		{"RU-07 c", "none", "", entries("to_number", "111", "extra", "1")},
		{"RU-08", "100/day", "api_to_number_111_1699920000", entries("to_number", "111")},
		{"RU-09 login", "5/minute", "api_auth_type_login_1700000100", entries("auth_type", "login")},
		{"RU-09 logout", "none", "", entries("auth_type", "logout")},
		{"RU-10", "10/second", "api_remote_address_50.0.0.1_1700000123", entries("remote_address", "50.0.0.1")},
		{"RU-10 blocked", "0/second", "api_remote_address_50.0.0.5_1700000123", entries("remote_address", "50.0.0.5")},
		{"RU-11 orders", "3/minute", "api_path_/v1/orders_1700000100", entries("path", "/v1/orders")},
		{"RU-11 users", "7/minute", "api_path_/v1/users_1700000100", entries("path", "/v1/users")},
		{"RU-11 v2", "none", "", entries("path", "/v2")},
		{"nothing asked", "none", "", nil},
	} {
		t.Run(v.id, func(t *testing.T) {
			m, ok := r.Lookup("api", v.entries)
			require.Equal(t, v.want != "none", ok)
			if ok {
				assert.Equal(t, v.want, fmt.Sprintf("%d/%s", m.Limit.Requests, m.Limit.Unit))
				assert.Equal(t, v.key, string(m.AppendKey(nil, at)))
			}
		})
	}
	_, ok := r.Lookup("elsewhere", entries("to_number", "111"))
	assert.False(t, ok)
}

// The cases of the real project's own test of a basic file, beside its wildcards above.
//
// Source: envoyproxy/ratelimit, test/config/config_test.go, TestBasicConfig and
// TestShadowModeConfig.
func TestPeerCases(t *testing.T) {
	r := mustLoad(t, `
domain: test-domain
descriptors:
  - key: key1
    value: value1
    descriptors:
      - {key: subkey1, rate_limit: {unit: second, requests_per_unit: 5}}
      - {key: subkey1, value: subvalue1, shadow_mode: true, rate_limit: {unit: SECOND, requests_per_unit: 10}}
  - {key: key2, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 20}}
  - {key: key2, value: value2, rate_limit: {unit: minute, requests_per_unit: 30}}
  - {key: key2, value: value3}
  - {key: key3, rate_limit: {unit: hour, requests_per_unit: 1}}
  - {key: key4, rate_limit: {unit: day, requests_per_unit: 1}}
  - {key: key5, value: value5, rate_limit: {unit: day, requests_per_unit: 15}, descriptors: [{key: subkey5}]}
  - {key: key6, rate_limit: {unlimited: true}}
  - {key: key7, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 70}}
`)
	for _, v := range []struct {
		entries []Entry
		id      string // "": no limit
		want    string
	}{
		{entries("key1", "something"), "", ""},
		{entries("key1", "value1"), "", ""},
		{entries("key2", "value2", "subkey", "subvalue"), "", ""},
		{entries("key5", "value5", "subkey5", "subvalue"), "", ""},
		{entries("key1", "value1", "subkey1", "something"), "key1_value1.subkey1", "5/second shadow false"},
		{entries("key1", "value1", "subkey1", "subvalue1"), "key1_value1.subkey1_subvalue1", "10/second shadow true"},
		{entries("key2", "something"), "key2", "20/minute shadow true"},
		{entries("key2", "value2"), "key2_value2", "30/minute shadow false"},
		{entries("key2", "value3"), "", ""},
		{entries("key3", "foo"), "key3", "1/hour shadow false"},
		{entries("key4", "foo"), "key4", "1/day shadow false"},
		{entries("key6", "foo"), "key6", "0/ shadow false"},
		{entries("key7", "unspecified_value"), "key7", "70/minute shadow false"},
	} {
		m, ok := r.Lookup("test-domain", v.entries)
		require.Equal(t, v.id != "", ok, "%v", v.entries)
		if ok {
			assert.Equal(t, "test-domain."+v.id, m.Limit.ID)
			assert.Equal(t, v.want, fmt.Sprintf("%d/%s shadow %v", m.Limit.Requests, m.Limit.Unit, m.Limit.Shadow))
			assert.Equal(t, v.id == "key6", m.Limit.Unlimited)
		}
	}
}

// Finding a rule and naming its counter takes no memory.
func TestLookupAllocatesNothing(t *testing.T) {
	r := mustLoad(t, vectors)
	asked, room := entries("path", "/v1/users"), make([]byte, 0, 128)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if m, ok := r.Lookup("api", asked); ok {
			room = m.AppendKey(room[:0], at)
		}
	}))
}

func BenchmarkLookup(b *testing.B) {
	r, err := load(vectors)
	require.NoError(b, err)
	for name, asked := range map[string][]Entry{
		"exact":    entries("message_type", "marketing", "to_number", "111"),
		"wildcard": entries("path", "/v1/users"),
		"none":     entries("auth_type", "logout"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Lookup("api", asked)
			}
		})
	}
}

// RU-12: two descriptors, one counter.
func TestKeysCollide(t *testing.T) {
	r := mustLoad(t, `
domain: d
descriptors:
  - key: a
    rate_limit: {unit: minute, requests_per_unit: 1}
    descriptors: [{key: b, rate_limit: {unit: minute, requests_per_unit: 1}}]
`)
	first, ok := r.Lookup("d", entries("a", "1_b_2"))
	require.True(t, ok)
	second, ok := r.Lookup("d", entries("a", "1", "b", "2"))
	require.True(t, ok)
	assert.NotEqual(t, first.Limit.ID, second.Limit.ID)
	assert.Equal(t, "d_a_1_b_2_1700000100", string(first.AppendKey(nil, at)))
	assert.Equal(t, "d_a_1_b_2_1700000100", string(second.AppendKey(nil, at)))
}

// A wildcard stands at the end of a value; elsewhere a star is a star.
func TestWildcards(t *testing.T) {
	r := mustLoad(t, `
domain: d
descriptors:
  - {key: wild, value: foo*, rate_limit: {unit: minute, requests_per_unit: 1}}
  - {key: wild, value: fo*, rate_limit: {unit: minute, requests_per_unit: 2}}
  - {key: exact, value: foo, rate_limit: {unit: minute, requests_per_unit: 3}}
  - {key: mid, value: bar*b, rate_limit: {unit: minute, requests_per_unit: 4}}
  - key: outer
    descriptors: [{key: inner, value: x*, rate_limit: {unit: minute, requests_per_unit: 5}}]
`)
	for _, v := range []struct {
		entries []Entry
		want    uint32 // 0: none
	}{
		{entries("wild", "foo1"), 1},
		{entries("wild", "foo2"), 1},
		{entries("wild", "fo2"), 2}, // the first that matches, in the order of the file
		{entries("wild", "bar"), 0},
		{entries("exact", "foo1"), 0},
		{entries("mid", "barab"), 0},
		{entries("mid", "bar*b"), 4},
		{entries("outer", "any", "inner", "xyz"), 5},
		{entries("outer", "any", "inner", "y"), 0},
	} {
		m, ok := r.Lookup("d", v.entries)
		require.Equal(t, v.want != 0, ok, "%v", v.entries)
		if ok {
			assert.Equal(t, v.want, m.Limit.Requests, "%v", v.entries)
		}
	}
}

// With share_threshold all that a wildcard matches counts together, without it each
// value on its own.
func TestShareThreshold(t *testing.T) {
	r := mustLoad(t, `
domain: d
descriptors:
  - {key: files, value: a/*, share_threshold: true, rate_limit: {unit: minute, requests_per_unit: 100}}
  - {key: files, value: b/*, rate_limit: {unit: minute, requests_per_unit: 100}}
  - key: user
    value: u*
    share_threshold: true
    descriptors: [{key: action, rate_limit: {unit: minute, requests_per_unit: 9}}]
`)
	key := func(e ...string) string {
		asked := entries(e...)
		m, ok := r.Lookup("d", asked)
		require.True(t, ok, "%v", e)
		assert.Equal(t, entries(e...), asked, "the request is as it was")
		return string(m.AppendKey(nil, at))
	}
	assert.Equal(t, "d_files_a/*_1700000100", key("files", "a/1"))
	assert.Equal(t, key("files", "a/1"), key("files", "a/2"))
	assert.NotEqual(t, key("files", "b/1"), key("files", "b/2"))
	assert.Equal(t, "d_user_u*_action_get_1700000100", key("user", "u7", "action", "get"))
}

func TestReplaces(t *testing.T) {
	r := mustLoad(t, `
domain: d
descriptors:
  - {key: all, rate_limit: {name: general, unit: second, requests_per_unit: 500}}
  - {key: team, rate_limit: {name: team, replaces: [{name: general}], unit: second, requests_per_unit: 1000}}
  - {key: other, rate_limit: {unit: second, requests_per_unit: 1}}
`)
	ids := func(keys ...string) (list []string) {
		var matches []Match
		for _, k := range keys {
			m, ok := r.Lookup("d", entries(k, "x"))
			require.True(t, ok)
			matches = append(matches, m)
		}
		for _, m := range Select(matches) {
			list = append(list, m.Limit.ID)
		}
		return list
	}
	assert.Equal(t, []string{"d.all", "d.other"}, ids("all", "other"))
	assert.Equal(t, []string{"d.team", "d.other"}, ids("all", "team", "other"))
}

func TestUnits(t *testing.T) {
	for u, days := range map[Unit]float64{Second: 1. / 86400, Minute: 1. / 1440, Hour: 1. / 24, Day: 1, Week: 7, Month: 30, Year: 365} {
		assert.InDelta(t, days, u.Length().Hours()/24, 1e-12, u.String())
	}
	m := Match{Limit: &Limit{Unlimited: true}}
	assert.Zero(t, m.WindowStart(at))
	m.Limit = &Limit{Unit: Minute}
	assert.EqualValues(t, -60, m.WindowStart(-1))
}

// "A bad file must keep the last good version."
func TestSetKeepsTheLastGoodVersion(t *testing.T) {
	var s Set
	_, _, ok := s.Lookup("d", entries("k", "x"))
	assert.False(t, ok)
	good := func(n int) []File {
		return []File{{"f.yaml", []byte(one(fmt.Sprintf("unit: day, requests_per_unit: %d", n)))}}
	}
	version, err := s.Load(good(5), false)
	require.NoError(t, err)
	assert.EqualValues(t, 1, version)
	_, before := s.Current()

	version, err = s.Load([]File{{"f.yaml", []byte(one("unit: fortnight"))}}, false)
	require.Error(t, err)
	assert.EqualValues(t, 1, version)
	m, version, ok := s.Lookup("d", entries("k", "x"))
	require.True(t, ok)
	assert.EqualValues(t, 1, version)
	assert.EqualValues(t, 5, m.Limit.Requests)

	version, err = s.Load(good(7), false)
	require.NoError(t, err)
	assert.EqualValues(t, 2, version)
	m, _ = before.Lookup("d", entries("k", "x"))
	assert.EqualValues(t, 5, m.Limit.Requests, "who still holds the old version reads the old version")
}

// FuzzLoad: no text makes the loader panic or work without end, and what it accepts it
// can be asked.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{messaging, vectors, one("unit: day"), "", "domain: d\ndescriptors: &x\n- {key: k, descriptors: *x}\n", "a: &a [*a]", "<<: {domain: d}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := load(text)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\nf.yaml: ") {
				require.NotEmpty(t, line)
			}
			require.Nil(t, r)
			return
		}
		again, err := load(text)
		require.NoError(t, err)
		for name, domain := range r.domains {
			require.NotEmpty(t, name)
			for _, d := range domain.byKey {
				if d.limit == nil {
					continue
				}
				require.Equal(t, d.limit.Unlimited, d.limit.Unit == 0)
			}
			e := entries("k", "v")
			m, ok := r.Lookup(name, e)
			n, also := again.Lookup(name, e)
			require.Equal(t, ok, also)
			if ok {
				require.Equal(t, m.Limit.ID, n.Limit.ID)
				require.NotEmpty(t, m.AppendKey(nil, at))
			}
		}
	})
}
