// Package division has the runs of a command done in parts, of which each machine does one, and joins them again.
package division

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/parts"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/internal/program"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Division is how the runs of a command are divided among machines: it does a part of
// them, or none since it has the parts of all.
type Division struct {
	Shard   parts.Shard
	Command []string   // and its arguments, as each part has them
	Set     *parts.Set // of simctl merge
}

// Usage is what --help says of --shard.
const Usage = "do part `I/N` of the runs only, and keep it as a file in --out for simctl merge"

// unshared are the flags of a command that are nothing to a part: how fast it is done, and
// where it goes.
var unshared = []string{"shard", "out", "jobs", "color", "memory"}

// unprinted are those that a part refuses: they are about what is printed of all parts.
var unprinted = []string{"json", "quiet", "output", "trace", "export", "headers", "resume"}

// Merged is the division of a command that has the parts of all runs.
func Merged(s *parts.Set) Division { return Division{Command: s.Job.Command, Set: s} }

// Complete reads --shard.
func (d *Division) Complete(verb string, names []string, out string, f *pflag.FlagSet) (err error) {
	if !f.Changed("shard") {
		return nil
	}
	d.Command = append([]string{verb}, Arguments(names, f)...)
	text, err := f.GetString("shard")
	if err != nil {
		return err
	}
	if d.Shard, err = parts.ParseShard(text); err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	for _, name := range unprinted {
		if f.Lookup(name) != nil && f.Changed(name) {
			return fmt.Errorf("--shard prints no report: --%s is for one machine, or for "+program.Name()+" merge", name)
		}
	}
	switch {
	case slices.Contains(names, cli.FromStdin):
		return errors.New("--shard: want a scenario that each machine can read, not standard input")
	case d.Shard.Number == 0 && out != "":
		return errors.New("--shard -/N writes each part to standard output: want no --out")
	case d.Shard.Number > 0 && out == "":
		return errors.New("--shard: want --out DIR, the folder for the parts")
	}
	return nil
}

// Arguments are the arguments of a command that decide its result, in one form.
func Arguments(names []string, f *pflag.FlagSet) []string {
	list := slices.Clone(names)
	for i := range list {
		list[i] = cli.PathArgument(list[i])
	}
	f.Visit(func(one *pflag.Flag) {
		if slices.Contains(unshared, one.Name) || slices.Contains(unprinted, one.Name) {
			return
		}
		values := []string{one.Value.String()}
		if several, ok := one.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, v := range values {
			list = append(list, "--"+one.Name+"="+v)
		}
	})
	return list
}

// Do has some work done as a division says. Done says that this was a part, and that
// there is nothing else to do.
func Do(ctx context.Context, a *cli.App, d *Division, w execute.Divided, list []*format.Scenario, out string) (done bool, err error) {
	if d.Set == nil && d.Shard.Of == 0 {
		return false, nil
	}
	job, err := d.job(w, list)
	if err != nil {
		return true, cli.Usage(err)
	}
	switch {
	case d.Set != nil:
		if err := job.Mismatch(d.Set.Job); err != nil {
			return true, cli.Failure(fmt.Errorf("the parts are of another job than this "+program.Name()+" would do: %w", err))
		}
		if err := w.Join(d.Set.Parts); err != nil {
			return true, cli.Failure(fmt.Errorf("the parts do not fit together: %w", err))
		}
		return false, nil
	case d.Shard.Number == 0:
		return true, serveParts(ctx, a, d, w, job)
	}
	return true, keepPart(ctx, a, d, w, job, out)
}

// Begin is Do for one scenario, of whose runs the command makes a report: where there is more to do it begins the
// folder of the report, as [cli.OutDir] does.
func Begin(ctx context.Context, a *cli.App, d *Division, w execute.Divided, s *format.Scenario, out string) (dir *files.Dir, done bool, err error) {
	if done, err = Do(ctx, a, d, w, []*format.Scenario{s}, out); done || err != nil {
		return nil, true, err
	}
	dir, err = cli.OutDir(out)
	return dir, err != nil, err
}

// job says what is divided.
func (d *Division) job(w execute.Divided, list []*format.Scenario) (*parts.Job, error) {
	total, err := w.Total()
	if err != nil {
		return nil, fmt.Errorf("--shard: %w", err)
	}
	if d.Shard.Of > total {
		return nil, fmt.Errorf("--shard: there are %d runs: want at most as many shards, got %d", total, d.Shard.Of)
	}
	program, err := version.Build()
	if err != nil {
		return nil, err
	}
	var sums []string
	for _, s := range list {
		sums = append(sums, s.Checksum())
	}
	return &parts.Job{Schema: parts.Schema, Build: program, Digests: sim.DigestVersion, Command: d.Command,
		Checksum: strings.Join(sums, " "), Total: total}, nil
}

// keepPart does the part of a shard and keeps it, unless it is there.
func keepPart(ctx context.Context, a *cli.App, d *Division, w execute.Divided, job *parts.Job, out string) error {
	path := filepath.Join(out, d.Shard.File())
	first, end := d.Shard.Runs(job.Total)
	what := fmt.Sprintf("shard %s, runs %d to %d of %d", d.Shard, first+1, end, job.Total)
	switch there, err := parts.Read(path); {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, parts.ErrDamaged): // it is done again
	case err != nil:
		return cli.Failure(err)
	default:
		if err := job.Mismatch(&there.Job); err != nil {
			return cli.Failure(fmt.Errorf("%s is a part of another job, and stays as it is: %w", path, err))
		}
		if bad := w.CheckPart(&there.Part); bad != nil {
			to, err := parts.Aside(path)
			if err != nil {
				return cli.Failure(err)
			}
			fmt.Fprintf(a.ErrOut, program.Name()+": %s is not the result of its runs: %v\nmoved to %s; the shard runs again\n", path, bad, to)
			break
		}
		fmt.Fprintf(a.Out, "%s: %s is there and whole, nothing to do\n", what, path)
		return nil
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return cli.Failure(fmt.Errorf("--out: %w", err))
	}
	if err := files.Check(path); err != nil {
		return cli.Failure(fmt.Errorf("--out: %w", err))
	}
	p, err := execute.DoPart(ctx, what, w, first, end)
	if err != nil {
		return partFailed(ctx, err)
	}
	if err := parts.New(job, d.Shard, p).Keep(path); err != nil {
		return cli.Failure(err)
	}
	fmt.Fprintf(a.Out, "%s: %s\nwith all %d: %s\n", what, path, d.Shard.Of, terminal.Quote(program.Name(), "merge", out))
	return nil
}

// partFailed is how a command ends whose part was not done.
func partFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.End(cli.ExitInterrupted, errors.New("interrupted; nothing of this part is kept, and the same command does it again"))
	}
	return cli.Failure(err)
}

// serveParts answers what it reads from standard input line by line: the number of a shard with its part, a part with
// whether it can be one of the job. The first line that it writes says which job that is.
func serveParts(ctx context.Context, a *cli.App, d *Division, w execute.Divided, job *parts.Job) error {
	out := a.Out.Binary()
	text, err := json.Marshal(job)
	if err != nil {
		return cli.Failure(err)
	}
	fmt.Fprintf(out, "%s\n", text)
	in := bufio.NewReader(os.Stdin)
	for {
		if a.Out.Sync(); a.Out.Err != nil {
			return a.Out.Flush()
		}
		line, err := cli.UntilDone(ctx, func() ([]byte, error) { return in.ReadBytes('\n') })
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case err != nil && !errors.Is(err, io.EOF):
			return partFailed(ctx, err)
		case line[0] == '{':
			err = writeCheck(out, checkLine(w, job, line))
		default:
			err = serveShard(ctx, out, d, w, job, strings.TrimSpace(string(line)))
		}
		if err != nil {
			return err
		}
	}
}

// serveShard does the shard of a number and writes its part as a line.
func serveShard(ctx context.Context, out io.Writer, d *Division, w execute.Divided, job *parts.Job, text string) error {
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > d.Shard.Of {
		return cli.Usage(fmt.Errorf("--shard: want the number of a shard on each line, 1 to %d, got %q", d.Shard.Of, text))
	}
	one := parts.Shard{Number: number, Of: d.Shard.Of}
	first, end := one.Runs(job.Total)
	p, err := execute.DoPart(ctx, "shard "+one.String(), w, first, end)
	if err != nil {
		return partFailed(ctx, err)
	}
	if err := parts.New(job, one, p).Write(out); err != nil {
		return cli.Failure(err)
	}
	return nil
}

// checkLine says why a line is not a part of a job.
func checkLine(w execute.Divided, job *parts.Job, line []byte) error {
	p, err := parts.Parse(line)
	if err != nil {
		return fmt.Errorf("the part %w", err)
	}
	if err := job.Mismatch(&p.Job); err != nil {
		return fmt.Errorf("the part is of another job: %w", err)
	}
	return w.CheckPart(&p.Part)
}

// writeCheck writes what [checkLine] says, as a line.
func writeCheck(out io.Writer, bad error) error {
	var answer struct {
		Bad string `json:"bad,omitempty"`
	}
	if bad != nil {
		answer.Bad = bad.Error()
	}
	text, err := json.Marshal(answer)
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", text)
	}
	return err
}
