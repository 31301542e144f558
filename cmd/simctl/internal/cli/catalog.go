package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"fencepost/internal/program"
	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim/explore"
)

// Catalog is the models and scenarios of the program, and how a command reads one of them.
type Catalog struct {
	*catalog.Catalog
	Names  func() []string
	Load   func(nameOrPath string, o format.Options) (*format.Scenario, error)
	Source func(nameOrPath string) ([]byte, error)
	Module fs.FS // the sources that a module of one's own is built from, nil if the program does not have them
	Record func(s *format.Scenario, f *explore.Failure, o record.Options) (*record.Record, error)
}

// WithInput is the catalog in which - is the scenario that a reader has. It is read once:
// a command may load a scenario more than once.
func (c Catalog) WithInput(in io.Reader) Catalog {
	text := sync.OnceValues(func() ([]byte, error) {
		// One byte more than allowed is enough to refuse the rest.
		return io.ReadAll(io.LimitReader(in, format.MaxText+1))
	})
	load, source := c.Load, c.Source
	c.Load = func(nameOrPath string, o format.Options) (*format.Scenario, error) {
		if nameOrPath != FromStdin {
			return load(nameOrPath, o)
		}
		data, err := text()
		if err != nil {
			return nil, err
		}
		return c.LoadText(FromStdin, data, o)
	}
	c.Source = func(nameOrPath string) ([]byte, error) {
		if nameOrPath != FromStdin {
			return source(nameOrPath)
		}
		return text()
	}
	return c
}

// renamed is the catalog that says, once for each, which scenarios have another name now.
func (c Catalog) renamed(errOut io.Writer) Catalog {
	var said sync.Map
	load, source := c.Load, c.Source
	say := func(nameOrPath string) {
		if now, ok := c.Now(nameOrPath); ok {
			if _, before := said.LoadOrStore(nameOrPath, true); !before {
				fmt.Fprintf(errOut, "%s: %s is called %s now; the old name goes with the next release\n", program.Name(), nameOrPath, now)
			}
		}
	}
	c.Load = func(nameOrPath string, o format.Options) (*format.Scenario, error) {
		say(nameOrPath)
		return load(nameOrPath, o)
	}
	c.Source = func(nameOrPath string) ([]byte, error) {
		say(nameOrPath)
		return source(nameOrPath)
	}
	return c
}

// interruptible is the catalog whose reading ends with a context.
func (c Catalog) interruptible(ctx context.Context) Catalog {
	load, source := c.Load, c.Source
	c.Load = func(nameOrPath string, o format.Options) (*format.Scenario, error) {
		return UntilDone(ctx, func() (*format.Scenario, error) { return load(nameOrPath, o) })
	}
	c.Source = func(nameOrPath string) ([]byte, error) {
		return UntilDone(ctx, func() ([]byte, error) { return source(nameOrPath) })
	}
	return c
}

// CatalogOf has the scenarios of a catalog, and - for the one that a reader has.
func CatalogOf(c *catalog.Catalog, in io.Reader) Catalog {
	return Catalog{Catalog: c, Names: c.Names, Load: c.Load, Source: c.Source, Record: record.New}.WithInput(in)
}
