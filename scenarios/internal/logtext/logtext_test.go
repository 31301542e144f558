package logtext

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEach(t *testing.T) {
	var got []string
	keep := func(n int, line string) error {
		got = append(got, fmt.Sprintf("%d %q", n, line))
		return nil
	}
	assert.NoError(t, Each(strings.NewReader("\ufeffa\r\n\n\ufeffcut"), 1024, keep))
	assert.Equal(t, []string{`1 "a\r\n"`, `2 "\n"`, `3 "` + "\\ufeff" + `cut"`}, got)
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"\x1f\x8b\x08":                    "the log is gzipped: gunzip it first",
		"a\nb\x00\n":                      "line 2: zero byte: the file is binary, UTF-16, or was truncated while the process wrote it",
		"a\n" + strings.Repeat("x", 1025): "line 2: longer than 1 KiB",
		"a\nstop\n":                       "enough",
	} {
		err := Each(strings.NewReader(text), 1024, func(_ int, line string) error {
			if line == "stop\n" {
				return errors.New("enough")
			}
			return nil
		})
		assert.EqualError(t, err, want)
	}
}
