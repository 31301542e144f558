package advise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/models/lock/promises"
	"fencepost/reports"
)

// Full is all that follows from the settings, with runs put to the test. Progress is called with what is tested.
func (s *Settings) Full(ctx context.Context, e *Events, runs int, progress func(string)) (doc *reports.Advice, err error) {
	doc = s.Advice()
	if doc.Promises, err = s.Promises(ctx, runs, progress); err != nil {
		return nil, err
	}
	if doc.Wishes, err = s.Answers(ctx, e, runs, progress); err != nil {
		return nil, err
	}
	if len(doc.Wishes) > 0 {
		doc.Assumes = s.Assumptions(e)
	}
	doc.Remedies, doc.Costs, doc.Watch = s.Remedies(e), s.Costs(), s.Watch()
	doc.Finish()
	return doc, nil
}

// ReadOther reads other settings, as in lease=25s,renew=15s, on top of those that are given. An error is a [Mistakes].
func ReadOther(l *promises.Lock, given map[string]string, other string, load Loader) (*Settings, error) {
	values, wrong := map[string]string{}, Mistakes{}
	for name, v := range given {
		values[name] = v
	}
	words := strings.FieldsFunc(other, func(r rune) bool { return r == ' ' || r == ',' })
	for _, word := range words {
		name, v, two := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if name == promises.Pause {
			wrong = append(wrong, "--vs: what may happen is the same for both settings, got "+strconv.Quote(word))
			continue
		}
		if !two || !slices.Contains(settingNames(l), name) {
			wrong = append(wrong, fmt.Sprintf("--vs: want settings of %s, as in %q, got %q%s", l.Name, example(l), word, didYouMean(name, settingNames(l))))
		}
		values[name] = v
	}
	if len(words) == 0 {
		wrong = append(wrong, fmt.Sprintf("--vs: want settings of %s, as in %q", l.Name, example(l)))
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	s, err := Read(l, values, load)
	var refused Mistakes
	if errors.As(err, &refused) {
		for i := range refused {
			refused[i] = "--vs: " + strings.TrimPrefix(refused[i], "--")
		}
	}
	return s, err
}

func settingNames(l *promises.Lock) (names []string) {
	for _, s := range l.Settings {
		names = append(names, s.Name)
	}
	return names
}

// example is a setting of the lock with its default.
func example(l *promises.Lock) string { return l.Settings[0].Name + "=" + l.Settings[0].Default }
