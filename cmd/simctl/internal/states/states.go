// Package states has the models all of whose states simctl reach visits, and the documents of what it found.
package states

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
	"fencepost/models/clock/mutex"
	"fencepost/models/lock/lease"
	"fencepost/sim/reach"
)

// Models are the models all of whose states can be visited.
func Models() []reach.Model { return slices.Concat(lease.Models(), mutex.Models()) }

// Names names them.
func Names() (names []string) {
	for _, m := range Models() {
		names = append(names, m.Name)
	}
	return names
}

// Properties names the properties of a model.
func Properties(m *reach.Model) (names []string) {
	for _, p := range m.Properties {
		names = append(names, p.Name)
	}
	return names
}

// Params are the parameters of a model as they begin a value of --set.
func Params(m *reach.Model) (names []string) {
	for _, p := range m.Params {
		names = append(names, p.Name+"=")
	}
	return names
}

// Find is the model of a name.
func Find(name string) (*reach.Model, error) {
	models := Models()
	if i := slices.Index(Names(), name); i >= 0 {
		return &models[i], nil
	}
	return nil, unknownWord("model", name, Names())
}

// unknownWord says what may have been meant.
func unknownWord(what, word string, words []string) error {
	if near := text.Nearest(word, words); near != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q?", what, word, near)
	}
	return fmt.Errorf("there is no %s %q: want one of %s", what, word, strings.Join(words, ", "))
}

// Choose reads the parameters of a model into a choice, and checks all that is in it.
func Choose(m *reach.Model, c *reach.Choice, sets []string) error {
	c.Values = map[string]int{}
	for _, set := range sets {
		name, text, found := strings.Cut(set, "=")
		if !found {
			return fmt.Errorf("--set: want NAME=N, got %q", set)
		}
		if params := Params(m); !slices.Contains(params, name+"=") {
			return fmt.Errorf("--set: %w", unknownWord("parameter", name, strings.Split(strings.TrimSuffix(strings.Join(params, " "), "="), "= ")))
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("--set %s: want a whole number, got %q", name, text)
		}
		c.Values[name] = v
	}
	for _, name := range c.Properties {
		if claims := Properties(m); !slices.Contains(claims, name) {
			return fmt.Errorf("--property: %w", unknownWord("property", name, claims))
		}
	}
	faults := []int{c.Faults.Crashes, c.Faults.Duplicates, c.Faults.Losses}
	for i, name := range []string{"crashes", "duplicates", "losses"} {
		if faults[i] < 0 || faults[i] > 255 {
			return fmt.Errorf("--%s: want 0 to 255, got %d", name, faults[i])
		}
	}
	if err := m.Check(c); err != nil {
		return fmt.Errorf("--set %w", err)
	}
	return nil
}
