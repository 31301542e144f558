package parts

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
)

// Set is parts of one job that are all of it.
type Set struct {
	Job   *Job
	Parts []*execute.Part // in the order of their runs
}

// file is a part and where it is.
type file struct {
	path string
	part *Part
}

// maxErrors is how many mistakes are said at once.
const maxErrors = 20

// Open reads the parts in some folders, and proves that they are of one job, that none of
// its runs is in two of them, and that none is missing. It says all that is wrong.
func Open(folders []string) (*Set, error) {
	var list []file
	var errs []error
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		found := false
		for _, e := range entries {
			if !filePattern().MatchString(e.Name()) {
				continue
			}
			found = true
			path := filepath.Join(folder, e.Name())
			p, err := Read(path)
			if errors.Is(err, ErrDamaged) {
				err = fmt.Errorf("%w: remove it, and run its shard again", err)
			}
			if err != nil {
				errs = append(errs, err)
				continue
			}
			list = append(list, file{path, p})
		}
		if !found {
			errs = append(errs, fmt.Errorf("there is no part in %s: want files as --shard writes them, such as part-1-of-3.json", folder))
		}
	}
	if len(errs) == 0 {
		errs = check(list)
	}
	if len(errs) > maxErrors {
		errs = append(errs[:maxErrors], fmt.Errorf("and %d more", len(errs)-maxErrors))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	s := &Set{Job: &list[0].part.Job}
	for _, f := range list {
		s.Parts = append(s.Parts, &f.part.Part)
		if f.part.Last {
			break
		}
	}
	return s, nil
}

// check puts parts in order, and says in what they are not all of one job.
func check(list []file) (errs []error) {
	slices.SortStableFunc(list, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.part.First, b.part.First), cmp.Compare(a.part.End, b.part.End))
	})
	job := &list[0].part.Job
	for _, f := range list[1:] {
		if err := job.Mismatch(&f.part.Job); err != nil {
			errs = append(errs, fmt.Errorf("%s is not of the same job as %s: %w", f.path, list[0].path, err))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	next, before := 0, ""
	for _, f := range list {
		p := f.part
		if p.First < next {
			errs = append(errs, fmt.Errorf("runs %d to %d are in %s and in %s: want each once", p.First+1, min(p.End, next), before, f.path))
		}
		if p.First > next {
			errs = append(errs, missing(p, next, p.First))
		}
		if p.End > next {
			next, before = p.End, f.path
		}
		if p.Last { // what comes after it is not needed, and may be there all the same
			return errs
		}
	}
	if next < job.Total {
		errs = append(errs, missing(list[len(list)-1].part, next, job.Total))
	}
	return errs
}

// missing says which runs are, and how the first of the shards that has them is run, if the
// parts are as a neighbour.
func missing(like *Part, first, end int) error {
	number := 1
	for (Shard{number, like.Of}).last(like.Job.Total) <= first {
		number++
	}
	words := slices.Concat([]string{program.Name()}, like.Job.Command, []string{"--shard", Shard{number, like.Of}.String(), "--out", "DIR"})
	return fmt.Errorf("runs %d to %d of %d are missing: %s", first+1, end, like.Job.Total, terminal.Quote(words...))
}

// last is the index after the last run of the shard.
func (s Shard) last(total int) int {
	_, end := s.Runs(total)
	return end
}
