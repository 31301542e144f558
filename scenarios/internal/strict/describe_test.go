package strict

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFields(t *testing.T) {
	byKey := map[string]Field{}
	for _, f := range Fields(reflect.TypeFor[scenario]()) {
		byKey[f.Key] = f
	}
	require.True(t, byKey["model"].Required)
	require.Equal(t, reflect.TypeFor[header](), byKey["model"].Owner, "it is embedded")
	require.Equal(t, reflect.TypeFor[scenario](), byKey["until"].Owner)
	require.True(t, byKey["tags"].OneOrMany)
	require.Equal(t, "duration", byKey["until"].Form)
	for key, want := range map[string]string{"drift": "clock-error", "offset": "signed-duration"} {
		for _, f := range Fields(reflect.TypeFor[clock]()) {
			if f.Key == key {
				assert.Equal(t, want, f.Form, key)
			}
		}
	}
	for _, f := range Fields(reflect.TypeFor[params]()) {
		switch f.Key {
		case "fencing":
			assert.Equal(t, []string{"none", "ge", "gt", "lex"}, f.OneOf)
		case "retry":
			assert.Equal(t, "duration", f.Form, "a pointer")
			assert.Equal(t, reflect.TypeFor[*time.Duration](), f.Go.Type)
		case "memory":
			assert.Equal(t, "size", f.Form)
		case "clients":
			assert.Empty(t, f.Form)
		}
	}
}

// FuzzPattern: the pattern of a form holds for all that can be read and, but for the
// empty text and a sign alone, for nothing that is written otherwise.
func FuzzPattern(f *testing.F) {
	for _, text := range []string{"", "-", "0s", "1h30m", "1.5s", "1m1h", "5", "+3ms", "0.5 %", "1%", "100ppm", "-500 ppb", "0.25", "10KB", "4MiB", "1.B", ".5s",
		"1µs2ns", "5  %", "7000000h0"} {
		f.Add(text)
	}
	var patterns []*regexp.Regexp
	for _, form := range Forms() {
		patterns = append(patterns, regexp.MustCompile(form.Pattern))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i, pattern := range patterns {
			matches := pattern.MatchString(text)
			if _, err := forms[i].parse(text); err == nil && !matches {
				t.Fatalf("%s: %q can be read and does not match", formNames[i], text)
			}
			digits := strings.TrimLeft(text, "+-")
			if _, err := forms[i].sum(digits); digits != "" && errors.Is(err, errForm) && matches {
				t.Fatalf("%s: %q matches and cannot be read", formNames[i], text)
			}
		}
	})
}
