package response

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"fencepost/models/ratelimit"
)

const second = ratelimit.Reading(time.Second)

func bucket(t require.TestingT, capacity, tokens int64, per time.Duration) *ratelimit.TokenBucket {
	b, err := ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{Capacity: capacity, Refill: ratelimit.Rate{Tokens: tokens, Per: per}})
	require.NoError(t, err)
	return b
}

func value(t *testing.T, list []Header, name string) string {
	t.Helper()
	for _, h := range list {
		if h.Name == name {
			return h.Value
		}
	}
	t.Fatalf("no %s in %v", name, list)
	return ""
}

// HD-01: the ninth request of RL-01.
func TestNinthRequest(t *testing.T) {
	b := bucket(t, 4, 4, time.Minute)
	key := b.Start(0)
	var d ratelimit.Decision
	for _, at := range []ratelimit.Reading{0, 5, 5, 5, 20, 60, 60, 60, 60} {
		d = b.Take(&key, at*second, 1)
	}
	r := Of(Answer{Policy{"permin", 4, time.Minute}, d, Quota})
	assert.Equal(t, 429, r.Status)
	assert.Equal(t, []Header{
		{"Retry-After", "15"},
		{"RateLimit-Policy", `"permin";q=4;w=60`},
		{"RateLimit", `"permin";r=0;t=15`},
	}, r.Headers())
	kind, detail := r.Problem(1)
	assert.Equal(t, "https://iana.org/assignments/http-problem-types#quota-exceeded", kind)
	assert.Equal(t, `the quota of "permin" is used up: come back in 15 s`, detail)
}

func TestHeaderVectors(t *testing.T) {
	t.Run("HD-02", func(t *testing.T) {
		for d, want := range map[time.Duration]int64{0: 0, 1: 1, 100 * time.Millisecond: 1, time.Second: 1, 1001 * time.Millisecond: 2, ratelimit.Never: -1} {
			assert.Equal(t, want, Seconds(d), d)
		}
	})
	t.Run("HD-03", func(t *testing.T) {
		w, err := ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: 100, Window: time.Minute})
		require.NoError(t, err)
		key := w.Start(0)
		var d ratelimit.Decision
		for range 57 {
			d = w.Take(&key, 37*second, 1)
		}
		r := Of(Answer{Policy{"permin", 100, time.Minute}, d, Quota})
		assert.Equal(t, 200, r.Status)
		assert.Equal(t, `"permin";r=43;t=23`, value(t, r.Headers(), "RateLimit"))
		assert.Equal(t, []Header{{"X-RateLimit-Limit", "100"}, {"X-RateLimit-Remaining", "43"}, {"X-RateLimit-Reset", "23"}}, r.LegacyHeaders())
		_, detail := r.Problem(1)
		assert.Empty(t, detail)
	})
	t.Run("HD-04", func(t *testing.T) {
		left := func(name string, n int64) Answer {
			return Answer{Policy{name, 10, time.Minute}, ratelimit.Decision{Allowed: true, Remaining: n, ResetAfter: time.Second}, Quota}
		}
		r := Of(left("user", 3), left("global", 1))
		assert.Equal(t, `"global";r=1;t=1`, value(t, r.Headers(), "RateLimit"))
		assert.Equal(t, `"user";q=10;w=60, "global";q=10;w=60`, value(t, r.Headers(), "RateLimit-Policy"))
	})
}

func TestStatus(t *testing.T) {
	ok := ratelimit.Decision{Allowed: true}
	no := ratelimit.Decision{Wait: time.Second}
	never := ratelimit.Decision{Wait: ratelimit.Never}
	for _, v := range []struct {
		d    ratelimit.Decision
		c    Cause
		want int
	}{{ok, Quota, 200}, {ok, Overload, 200}, {no, Quota, 429}, {no, Overload, 503}, {never, Quota, 400}, {never, Overload, 400}} {
		assert.Equal(t, v.want, Status(v.d, v.c), "%+v", v)
	}
}

// The wait is for the last of those that refuse; what is never allowed says no time at all.
func TestSeveralRules(t *testing.T) {
	answer := func(d ratelimit.Decision, c Cause) Answer { return Answer{Policy{Name: "p"}, d, c} }
	no := func(wait time.Duration) ratelimit.Decision { return ratelimit.Decision{Wait: wait} }
	r := Of(answer(no(time.Second), Quota), answer(no(3*time.Second), Quota), answer(ratelimit.Decision{Allowed: true}, Quota))
	assert.EqualValues(t, 429, r.Status)
	assert.EqualValues(t, 3, r.RetryAfter)
	assert.Equal(t, `"p";r=0;t=3`, value(t, r.Headers(), "RateLimit"))
	r = Of(answer(no(time.Second), Quota), answer(no(time.Second), Overload))
	assert.Equal(t, 503, r.Status)
	kind, _ := r.Problem(1)
	assert.Equal(t, "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity", kind)
	r = Of(answer(no(time.Second), Quota), answer(no(ratelimit.Never), Quota))
	assert.Equal(t, 400, r.Status)
	assert.EqualValues(t, -1, r.RetryAfter)
	assert.Equal(t, "RateLimit-Policy", r.Headers()[0].Name, "no Retry-After")
}

// "Retry-After wins over t and must not be earlier than it", whatever the rules say.
func TestRetryAfterIsNotBeforeReset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var answers []Answer
		for range rapid.IntRange(1, 4).Draw(t, "rules") {
			d := ratelimit.Decision{Allowed: rapid.Bool().Draw(t, "allowed"), Remaining: rapid.Int64Range(0, 3).Draw(t, "remaining"),
				ResetAfter: time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "reset"))}
			if !d.Allowed {
				d.Wait = time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "wait"))
			}
			answers = append(answers, Answer{Policy{Name: "p"}, d, Quota})
		}
		r := Of(answers...)
		headers := r.Headers()
		items, err := Parse(headers[len(headers)-1].Value)
		require.NoError(t, err)
		reset, ok := items[0].Get("t")
		require.True(t, ok)
		require.Equal(t, r.Status == 200, r.RetryAfter < 0)
		if r.Status != 200 {
			require.LessOrEqual(t, reset, r.RetryAfter)
		}
	})
}

// A cost above the capacity is refused forever, and the client is told so.
func TestCostAboveCapacity(t *testing.T) {
	b := bucket(t, 5, 1, time.Second)
	key := b.Start(0)
	r := Of(Answer{Policy{"p", 5, 0}, b.Take(&key, 0, 6), Quota})
	assert.Equal(t, 400, r.Status)
	_, detail := r.Problem(6)
	assert.Equal(t, "a cost of 6 is more than a rule ever allows at once: it is refused whenever it comes", detail)
	assert.Equal(t, `"p";q=5`, value(t, r.Headers(), "RateLimit-Policy"))
}

// "After Resp with retryAfterSec=r and no other traffic on the key, a request at local
// time +r is admitted": rounded up it is, rounded down it is not always.
func TestRetryAfterIsHonest(t *testing.T) {
	early := 0
	rapid.Check(t, func(t *rapid.T) {
		b := bucket(t, rapid.Int64Range(1, 20).Draw(t, "capacity"), rapid.Int64Range(1, 20).Draw(t, "tokens"),
			time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "per")))
		key, now := b.Start(0), ratelimit.Reading(0)
		for range 30 {
			now += ratelimit.Reading(rapid.Int64Range(0, int64(time.Second)).Draw(t, "gap"))
			d := b.Take(&key, now, 1)
			if d.Allowed {
				continue
			}
			r := Of(Answer{Policy{"p", b.Limit(), 0}, d, Quota})
			at, floor := key, key
			require.True(t, b.Take(&at, now+ratelimit.Reading(r.RetryAfter)*second, 1).Allowed)
			if !b.Take(&floor, now+ratelimit.Reading(d.RetryAfter()/time.Second)*second, 1).Allowed {
				early++
			}
		}
	})
	assert.Positive(t, early, "rounding down was never wrong: the property could not fail")
}

func TestParse(t *testing.T) {
	for _, v := range []struct {
		field string
		want  []Item
	}{
		{``, nil},
		{`"permin";q=100;w=60`, []Item{{"permin", []Param{{"q", 100}, {"w", 60}}}}},
		{`"permin";r=57;t=23`, []Item{{"permin", []Param{{"r", 57}, {"t", 23}}}}},
		{` "a";q=1 ,	b; q=-2 `, []Item{{"a", []Param{{"q", 1}}}, {"b", []Param{{"q", -2}}}}},
		{`"a\"\\b";q=1`, []Item{{`a"\b`, []Param{{"q", 1}}}}},
		{`"a";q=1;q=2`, []Item{{"a", []Param{{"q", 2}}}}},
		{`"a";qu="content-bytes";pk=:QUJD:;x;y=?1;z=tok;f=1.5;q=7`, []Item{{"a", []Param{{"q", 7}}}}},
	} {
		items, err := Parse(v.field)
		require.NoError(t, err, v.field)
		assert.Equal(t, v.want, items, v.field)
	}
	items, err := Parse(`"a";r=5`)
	require.NoError(t, err)
	n, ok := items[0].Get("r")
	assert.True(t, ok)
	assert.EqualValues(t, 5, n)
	_, ok = items[0].Get("t")
	assert.False(t, ok)
}

func TestParseRefuses(t *testing.T) {
	for field, want := range map[string]string{
		`"a`:                     "a quote is not closed",
		`"a\n"`:                  `only \" and \\ may be escaped`,
		"\"\x01\"":               "want printable ASCII",
		`5`:                      "want a name in quotes",
		`"a" "b"`:                "want a comma between two items",
		`"a",`:                   "nothing behind the last comma",
		`"a";`:                   "want the name of a parameter",
		`"a";Q=1`:                "want the name of a parameter",
		`"a";q=`:                 "want a value",
		`"a";q=-`:                "want a number of 1 to 15 digits",
		`"a";q=1234567890123456`: "want a number of 1 to 15 digits",
		`"a";q=1.`:               "behind the point",
		`"a";q=?2`:               "want ?0 or ?1",
		`"a";q=:QUJD`:            "want a colon",
		`"` + string(make([]byte, maxField)) + `"`: "at most 8192 are read",
	} {
		_, err := Parse(field)
		require.ErrorContains(t, err, want, field)
	}
	_, err := Parse(`"a" "b"`)
	require.EqualError(t, err, `column 5: want a comma between two items, in "\"a\" \"b\""`)
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(1994, 11, 6, 8, 49, 0, 0, time.UTC)
	for field, want := range map[string]time.Duration{
		"120":                            2 * time.Minute,
		" 0 ":                            0,
		"99999999999999999999":           maxRetry,
		"Sun, 06 Nov 1994 08:49:37 GMT":  37 * time.Second,
		"Sunday, 06-Nov-94 08:49:37 GMT": 37 * time.Second,
		"Sun Nov  6 08:49:37 1994":       37 * time.Second,
		"Sun, 06 Nov 1994 08:48:00 GMT":  0, // it has passed
	} {
		d, err := ParseRetryAfter(field, now)
		require.NoError(t, err, field)
		assert.Equal(t, want, d, field)
	}
	for _, field := range []string{"", "-1", "1.5", "soon"} {
		_, err := ParseRetryAfter(field, now)
		require.Error(t, err, field)
	}
}

// FuzzParse: what is read and written again reads the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`"permin";q=100;w=60, "b";r=1`, `a;x=:QUJD:;y=1.5`, `"`, `"\\";q=-1`, "Sun, 06 Nov 1994 08:49:37 GMT", "12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, field string) {
		if d, err := ParseRetryAfter(field, time.Unix(0, 0)); err == nil {
			require.GreaterOrEqual(t, d, time.Duration(0))
		}
		items, err := Parse(field)
		if err != nil {
			return
		}
		again, err := Parse(Format(items))
		require.NoError(t, err)
		require.Equal(t, items, again)
	})
}
