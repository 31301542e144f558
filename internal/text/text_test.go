package text

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{0: "0th", 1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th",
		21: "21st", 22: "22nd", 101: "101st", 111: "111th", 1013: "1013th", 1023: "1023rd"} {
		assert.Equal(t, want, Ordinal(n))
	}
}

func TestCount(t *testing.T) {
	assert.Equal(t, "0 locks", Count(0, "lock"))
	assert.Equal(t, "1 lock", Count(int64(1), "lock"))
	assert.Equal(t, "-1 locks", Count(-1, "lock"))
	assert.Equal(t, "18446744073709551615 locks", Count(^uint64(0), "lock"))
}

func TestList(t *testing.T) {
	assert.Equal(t, "", List(nil))
	assert.Equal(t, "a", List([]string{"a"}))
	assert.Equal(t, "a and b", List([]string{"a", "b"}))
	assert.Equal(t, "a, b and c", List([]string{"a", "b", "c"}))
	assert.Equal(t, "a, b or c", Either([]string{"a", "b", "c"}))
}

func TestExcerptCutsNoCharacter(t *testing.T) {
	assert.Equal(t, "abc", Excerpt("abc", 3))
	assert.Equal(t, "abc...", Excerpt("abcd", 3))
	assert.Equal(t, "...", Excerpt("\u00e9", 1))
	assert.Equal(t, "a?b", Excerpt("a\xffb", 9))
	for _, s := range []string{"\U0001F512\U0001F512", "\u00e9\u00e9\u00e9\u00e9", "\u20ac\u20ac\u20ac", "\x80\x80\x80\x80\x80\x80\x80"} {
		for most := range len(s) + 1 {
			got := Excerpt(s, most)
			assert.True(t, utf8.ValidString(got), "%q", got)
			if utf8.ValidString(s) {
				assert.True(t, strings.HasPrefix(s, strings.TrimSuffix(got, "...")), "%q", got)
			}
			assert.LessOrEqual(t, len(strings.TrimSuffix(got, "...")), most)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 90 * time.Second: "1m30s", time.Minute: "1m", 2 * time.Hour: "2h",
		5 * time.Microsecond: "5us", time.Hour + time.Second: "1h0m1s", 10 * time.Minute: "10m", -time.Hour: "-1h"} {
		assert.Equal(t, want, Duration(d))
	}
}
