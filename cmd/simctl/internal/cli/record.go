package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fencepost/internal/program"
	"fencepost/scenarios/record"
)

// ReadRecord reads a replay file; edited says that it was changed after it was written.
func ReadRecord(ctx context.Context, name string, force bool) (r *record.Record, edited bool, err error) {
	r, err = UntilDone(ctx, func() (*record.Record, error) {
		f, err := OpenInput(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return record.Read(f)
	})
	if errors.Is(err, record.ErrEdited) && force {
		return r, true, nil
	}
	return r, false, err
}

// IsRecord reports whether a name is that of a replay file.
func IsRecord(name string) bool { return strings.HasSuffix(name, ".json") }

// NoRecord is the error for a replay file where a scenario is wanted.
func NoRecord(name string) error {
	if !IsRecord(name) {
		return nil
	}
	return fmt.Errorf("%s is no scenario: "+program.Name()+" replay and "+program.Name()+" explain take replay files", name)
}
