package advise

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
	"fencepost/models/lock/promises"
)

// Events are what the reader says may happen. Of a name that does not happen there is no value.
type Events struct {
	Values map[string]*big.Rat // by the names of package promises
	Kind   string              // of the outage; "" is the worst
	Holder bool                // crashes
	Exact  bool                // a server that crashes is down for just that long; otherwise for up to that
	Keeps  bool                // the holder is to keep the lock besides
}

// Happens are the names of what happens, in the order in which it is told.
func (e *Events) Happens() (names []string) {
	for _, h := range promises.Happens() {
		if v := e.Values[h.Name]; v != nil && v.Sign() > 0 {
			names = append(names, h.Name)
		}
	}
	return names
}

// ReadEvents reads what may happen, each by its name: a duration, for an outage with its kind before it, as cut:20s; for a crash holder or
// server:20s, or both; for a skew 500ppm. An error is a [Mistakes].
func ReadEvents(l *promises.Lock, given map[string]string, keeps bool) (*Events, error) {
	e := &Events{Values: map[string]*big.Rat{}, Keeps: keeps}
	var wrong Mistakes
	for _, h := range promises.Happens() {
		if text, ok := given[h.Name]; ok && (h.Name != promises.Pause || readable(h.Unit, text)) { // a pause is a setting as well, and is refused as one
			if err := e.read(h, text); err != nil {
				wrong = append(wrong, fmt.Sprintf("--%s: %v", h.Name, err))
			}
		}
	}
	if e.Values[promises.Outage] != nil && e.Values[promises.Crash] != nil && l.Name != "redlock" {
		wrong = append(wrong, "--crash server: the crash of the only server is an outage, as in --outage crash:20s: want one of the two")
	}
	if keeps && len(e.Happens()) == 0 && len(wrong) == 0 {
		wrong = append(wrong, "--keep-leader: what may happen? want --pause, --outage, --crash server, --skew or --step as well")
	}
	if keeps && !l.Renewed() {
		wrong = append(wrong, fmt.Sprintf("--keep-leader: nothing renews a lock of %s, so that no holder keeps it; want one of %s", l.Name, strings.Join(renewed(), ", ")))
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return e, nil
}

func readable(u promises.Unit, text string) bool {
	v, err := read(u, text)
	return err == nil && v.Sign() >= 0
}

// renewed are the locks that their holders renew.
func renewed() (names []string) {
	for _, l := range promises.Locks() {
		if l.Renewed() {
			names = append(names, l.Name)
		}
	}
	return names
}

func (e *Events) read(h promises.Setting, given string) (err error) {
	switch h.Name {
	case promises.Outage:
		if kind, length, two := strings.Cut(given, ":"); two {
			if !slices.Contains(promises.Kinds(), kind) {
				return fmt.Errorf("want a duration, or one behind %s, as in cut:20s, got %q%s", text.Either(promises.Kinds()), given, didYouMean(kind, promises.Kinds()))
			}
			e.Kind, given = kind, length
		}
	case promises.Crash:
		return e.readCrash(given)
	}
	if e.Kind == promises.Crash && h.Name == promises.Outage {
		e.Values[h.Name], err = readDown(given)
		return err
	}
	if e.Values[h.Name], err = read(h.Unit, given); err == nil && e.Values[h.Name].Sign() < 0 {
		err = fmt.Errorf("must not be negative, got %s", given)
	}
	return err
}

// readCrash reads who crashes.
func (e *Events) readCrash(given string) (err error) {
	for _, word := range strings.Split(given, ",") {
		who, length, lasts := strings.Cut(word, ":")
		switch {
		case who == "holder" && !lasts:
			e.Holder = true
		case who == "server" && lasts && e.Values[promises.Crash] != nil:
			return fmt.Errorf("a server crashes once, got %q", given)
		case who == "server" && lasts:
			if e.Values[promises.Crash], err = readDown(length); err != nil {
				return err
			}
		case who == "server":
			return fmt.Errorf("how long is the server down? want server:20s, got %q", given)
		default:
			return fmt.Errorf("want holder, server:20s, or both with a comma, got %q%s", given, didYouMean(who, []string{"holder", "server"}))
		}
	}
	return nil
}

// readDown reads for how long a server is down. To be back at once is to have crashed as well: 0s is refused, not taken for no crash.
func readDown(given string) (*big.Rat, error) {
	v, err := read(promises.Duration, given)
	if err == nil && v.Sign() <= 0 {
		err = fmt.Errorf("want more than 0s, such as 1ms for a server that is back at once, got %s", given)
	}
	return v, err
}

func didYouMean(word string, words []string) string {
	if near := text.Nearest(word, words); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// readShare reads a share, in parts per million or percent.
func readShare(given string) (*big.Rat, error) {
	for unit, parts := range map[string]int64{"ppm": 1_000_000, "%": 100} {
		number, is := strings.CutSuffix(given, unit)
		v, ok := new(big.Rat).SetString(number)
		if !is || !ok || strings.ContainsAny(number, "/eE_xX") {
			continue
		}
		if v.Quo(v, big.NewRat(parts, 1)); v.Cmp(big.NewRat(49, 100)) > 0 {
			return nil, fmt.Errorf("want at most 49%%, got %s", given)
		}
		return v, nil
	}
	return nil, fmt.Errorf("want parts per million or percent, as in 500ppm or 0.1%%, got %s", strconv.Quote(given))
}
