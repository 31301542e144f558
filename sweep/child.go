package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// job is what simctl --shard says first: which runs its parts are of.
type job struct {
	Schema   string   `json:"schema"`
	Build    string   `json:"build"`
	Digests  int      `json:"digest_version"`
	Command  []string `json:"command"`
	Checksum string   `json:"checksum"`
	Total    int      `json:"total"`
}

// mismatch says in what another job differs from the one of a sweep.
func (j *job) mismatch(other *job) error {
	for _, c := range []struct{ what, want, have string }{
		{"build of simctl", j.Build, other.Build},
		{"command", strings.Join(j.Command, " "), strings.Join(other.Command, " ")},
		{"scenario, by the checksum of all that it reads", j.Checksum, other.Checksum},
		{"encoding of digests", fmt.Sprint(j.Digests), fmt.Sprint(other.Digests)},
		{"format of parts", j.Schema, other.Schema},
		{"number of runs", fmt.Sprint(j.Total), fmt.Sprint(other.Total)},
	} {
		if c.want != c.have {
			return fmt.Errorf("it has another %s: %q, and the sweep has %q", c.what, c.have, c.want)
		}
	}
	return nil
}

// verbs are the commands of simctl that have --shard.
var verbs = []string{"run", "compare", "explore"}

// child is a simctl that does one part after another.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	job    job
}

// startChild starts simctl for some command and number of shards. It is in a group of its
// own, so that a Ctrl-C is heard by the sweep alone.
func startChild(command []string, shards int) (*child, error) {
	path, err := program()
	if err != nil {
		return nil, err
	}
	if len(command) == 0 || !slices.Contains(verbs, command[0]) {
		return nil, fmt.Errorf("want a command that has --shard, such as run NAME --runs 100000, got %q", strings.Join(command, " "))
	}
	c := &child{cmd: exec.Command(path, append(slices.Clone(command), "--shard", fmt.Sprintf("-/%d", shards))...), stderr: &tail{}}
	c.cmd.Stderr = c.stderr
	c.cmd.SysProcAttr = ownGroup()
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, c.failed()
	}
	if err := json.Unmarshal(line, &c.job); err != nil {
		c.stop()
		return nil, fmt.Errorf("%s does not say what it divides: want simctl of the same build as simctl-sweep", path)
	}
	return c, nil
}

// failed is why the child has ended.
func (c *child) failed() error {
	_ = c.in.Close()
	err := c.cmd.Wait()
	if text := strings.TrimSpace(strings.ReplaceAll(c.stderr.String(), "simctl: ", "")); text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("simctl ended: %v", err)
}

// part does the part of a number, from 1.
func (c *child) part(number int) ([]byte, error) {
	if _, err := fmt.Fprintf(c.in, "%d\n", number); err != nil {
		return nil, c.failed()
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, c.failed()
	}
	return line, nil
}

// check has the child say what is wrong with the line of a part, "" if it can be the result of its runs.
func (c *child) check(line []byte) (bad string, err error) {
	if _, err := c.in.Write(line); err != nil {
		return "", c.failed()
	}
	text, err := c.out.ReadBytes('\n')
	if err != nil {
		return "", c.failed()
	}
	var answer struct {
		Bad string `json:"bad"`
	}
	err = json.Unmarshal(text, &answer)
	return answer.Bad, err
}

// stop ends the child.
func (c *child) stop() {
	_ = c.in.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

const maxTail = 4000

func (t *tail) Write(b []byte) (int, error) {
	if t.Len() > maxTail {
		t.Reset()
	}
	return t.Buffer.Write(b)
}

// part is what the sweep has to know of a part; simctl merge checks the rest.
type part struct {
	Job   job  `json:"job"`
	Shard int  `json:"shard"`
	Of    int  `json:"of"`
	Last  bool `json:"last"`
}

// parsePart reads the line of a part, and reports whether it is whole. It makes no copy of the results.
func parsePart(line []byte) (*part, bool) {
	const begin = `{"crc32":"00000000","part":`
	text, ends := bytes.CutSuffix(line, []byte("}\n"))
	if !ends || len(text) < len(begin) || bytes.IndexByte(text, '\n') >= 0 {
		return nil, false
	}
	text = text[len(begin):]
	p := &part{}
	if !bytes.HasPrefix(line, fmt.Appendf(nil, `{"crc32":"%08x","part":`, crc32.ChecksumIEEE(text))) || json.Unmarshal(text, p) != nil {
		return nil, false
	}
	return p, true
}
