package ring

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables of the peers' own tests, rewritten as inputs and expected outputs. A part of
// each is in testdata/vectors; the whole files in shared/data beside the repository are
// tested too where they are.

type peerCase struct {
	ID, Kind string
	Config   struct {
		Nodes       []string
		Replicas    int
		Weights     map[string]int
		Partitions  int
		Members     int
		MemberNames []string `json:"member_names"`
		Points      int      `json:"points_per_member"`
		Load        float64
	}
	Input struct {
		Key      string
		N        int
		Nodes    []string
		NodesA   []string `json:"nodes_a"`
		NodesB   []string `json:"nodes_b"`
		Replicas int
		From     int `json:"buckets_from"`
		To       int `json:"buckets_to"`
		Buckets  int
		Ring     string
		First    int
		Down     []string
	}
	Expect json.RawMessage
	Steps  []struct {
		Op, Key, Node string
		Expect        struct{ Node string }
	}
}

func (c *peerCase) expect(t *testing.T, into any) {
	require.NoError(t, json.Unmarshal(c.Expect, into), "%s", c.Expect)
}

func TestPeers(t *testing.T) {
	shared := filepath.Join("..", "..", "..", "..", "shared", "data", "vectors")
	for _, table := range []struct {
		file         string
		cases, whole int // in testdata, in the whole file
		run          func(t *testing.T, c peerCase, rings map[string][]string)
	}{
		{"ring_groupcache.json", 2, 2, runDecimal},
		{"ring_serialx_hashring.json", 22, 76, runWeighted},
		{"ring_stathat_crc32.json", 8, 8, runCRC},
		{"preference_lists_riak.json", 12, 22, runRiak},
		{"jump_hash_dgryski.json", 14, 30, runJump},
		{"bounded_load_buraksezer.json", 16, 16, runBounded},
	} {
		run := func(dir string, cases int) {
			text, err := os.ReadFile(filepath.Join(dir, table.file))
			require.NoError(t, err)
			var f struct {
				Source struct{ Repo, Licence string }
				Rings  map[string][]string
				Cases  []peerCase
			}
			require.NoError(t, json.Unmarshal(text, &f))
			assert.NotEmpty(t, f.Source.Licence)
			assert.GreaterOrEqual(t, len(f.Cases), cases, "%s in %s", table.file, dir)
			for _, c := range f.Cases {
				t.Run(f.Source.Repo+"/"+c.ID, func(t *testing.T) { table.run(t, c, f.Rings) })
			}
		}
		run(filepath.Join("testdata", "vectors"), table.cases)
		if _, err := os.Stat(shared); err == nil {
			run(shared, table.whole)
		}
	}
}

// peerRing is a circle whose nodes have names, each with points at hashes of labels.
type peerRing struct {
	names  []string
	points func(name string) []uint64
}

func (p *peerRing) circle() Circle {
	var all []Token
	for i, name := range p.names {
		for _, at := range p.points(name) {
			all = append(all, Token{at, NodeIndex(i)})
		}
	}
	return NewCircle(all)
}

func (p *peerRing) get(at uint64, n int) (names []string) {
	c := p.circle()
	walk := c.Walk(max(c.First(at), 0))
	for range n {
		if node, ok := walk.Next(); ok {
			names = append(names, p.names[node])
		}
	}
	return names
}

// steps runs gets, adds and removes.
func (p *peerRing) steps(t *testing.T, c peerCase, hash func(string) uint64) {
	for _, s := range c.Steps {
		switch s.Op {
		case "get":
			assert.Equal(t, []string{s.Expect.Node}, p.get(hash(s.Key), 1), "key %s", s.Key)
		case "add":
			p.names = append(p.names, s.Node)
		case "remove":
			p.names = slices.DeleteFunc(p.names, func(n string) bool { return n == s.Node })
		default:
			t.Fatalf("no step %q", s.Op)
		}
	}
}

// indexFirst are points at hashes of index and name.
func indexFirst(hash func(string) uint64, replicas int) func(string) []uint64 {
	return func(name string) (at []uint64) {
		for i := range replicas {
			at = append(at, hash(strconv.Itoa(i)+name))
		}
		return at
	}
}

func runDecimal(t *testing.T, c peerCase, _ map[string][]string) {
	decimal := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
		return n
	}
	if c.Kind == "ring" {
		p := peerRing{c.Config.Nodes, indexFirst(decimal, c.Config.Replicas)}
		p.steps(t, c, decimal)
		return
	}
	crc := func(s string) uint64 { return CRC32.Sum([]byte(s)) }
	a := peerRing{c.Input.NodesA, indexFirst(crc, c.Input.Replicas)}
	b := peerRing{c.Input.NodesB, indexFirst(crc, c.Input.Replicas)}
	assert.Equal(t, a.get(crc(c.Input.Key), 1), b.get(crc(c.Input.Key), 1))
}

// runWeighted has the order of its peer: the first half of an MD5, little endian, as a signed
// number. As no key is exactly a point, "strictly greater" is the same.
func runWeighted(t *testing.T, c peerCase, _ map[string][]string) {
	signed := func(s string) uint64 {
		sum := md5.Sum([]byte(s))
		return binary.LittleEndian.Uint64(sum[:8]) ^ 1<<63
	}
	var p peerRing
	for name := range c.Config.Weights {
		p.names = append(p.names, name)
	}
	slices.Sort(p.names)
	p.points = func(name string) (at []uint64) {
		for j := range c.Config.Weights[name] {
			at = append(at, signed(name+"-"+strconv.Itoa(j)))
		}
		return at
	}
	var want struct {
		Node  string
		Nodes []string
		OK    *bool
	}
	c.expect(t, &want)
	got := p.get(signed(c.Input.Key), max(c.Input.N, 1))
	switch {
	case want.OK != nil: // too few nodes: ours is an error where the ring is made
		assert.Less(t, len(got), max(c.Input.N, 1))
		_, err := New(Params{Strategy: Hashed, Hash: MD5, VirtualNodes: 1, Replicas: max(c.Input.N, 1)}, members(len(p.names)))
		assert.Error(t, err)
	case c.Kind == "ring_get":
		assert.Equal(t, []string{want.Node}, got)
	default:
		assert.Equal(t, want.Nodes, got)
	}
}

func runCRC(t *testing.T, c peerCase, _ map[string][]string) {
	crc := func(s string) uint64 { return CRC32.Sum([]byte(s)) }
	p := peerRing{c.Config.Nodes, indexFirst(crc, c.Config.Replicas)}
	var want struct {
		Nodes  []string
		Points int
	}
	switch c.Kind {
	case "ring":
		p.steps(t, c, crc)
	case "ring_get_n":
		c.expect(t, &want)
		assert.Equal(t, want.Nodes, p.get(crc(c.Input.Key), c.Input.N))
	case "ring_points":
		c.expect(t, &want)
		p = peerRing{c.Input.Nodes, indexFirst(crc, c.Input.Replicas)}
		assert.Len(t, p.circle(), want.Points)
	default:
		t.Fatalf("no kind %q", c.Kind)
	}
}

func runRiak(t *testing.T, c peerCase, rings map[string][]string) {
	owners := rings[c.Input.Ring]
	require.NotEmpty(t, owners)
	var names []string
	var circle Circle
	for i, name := range owners {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		circle = append(circle, Token{endOf(i, len(owners)), NodeIndex(slices.Index(names, name))})
	}
	type entry struct {
		Partition  int
		Node, Role string
	}
	var got []entry
	for _, a := range circle.Assign(nil, c.Input.First, c.Input.N, func(n NodeIndex) bool { return slices.Contains(c.Input.Down, names[n]) }) {
		role := "primary"
		if a.Fallback {
			role = "fallback"
		}
		got = append(got, entry{a.Partition, names[a.Node], role})
	}
	var want struct{ List []entry }
	c.expect(t, &want)
	assert.Equal(t, want.List, got)
}

func runJump(t *testing.T, c peerCase, _ map[string][]string) {
	key, err := strconv.ParseUint(c.Input.Key, 10, 64)
	require.NoError(t, err)
	if c.Kind == "jump_hash" {
		var want struct{ Bucket int }
		c.expect(t, &want)
		assert.Equal(t, want.Bucket, Jump(key, c.Input.Buckets))
		return
	}
	var want struct{ Bucket []int }
	c.expect(t, &want)
	for i, bucket := range want.Bucket {
		assert.Equal(t, bucket, Jump(key, c.Input.From+i), "%d buckets", c.Input.From+i)
	}
}

func runBounded(t *testing.T, c peerCase, _ map[string][]string) {
	var want struct {
		Limit      *int
		EveryOwned bool `json:"every_partition_owned"`
		MaxLoad    *int `json:"max_load_at_most"`
		Error      string
		Distinct   int `json:"distinct_points"`
		After      int `json:"after_removing_member1"`
		Owners     []string
		Loads      map[string]int
		Partition  *int
		Owner      string
	}
	c.expect(t, &want)
	load := int(c.Config.Load*1000 + 0.5)
	names := c.Config.MemberNames
	for i := range c.Config.Members {
		names = append(names, fmt.Sprintf("node%d.olric", i))
	}
	if want.Limit != nil {
		assert.Equal(t, *want.Limit, BoundedLimit(c.Config.Partitions, len(names), load))
	}
	if len(names) == 0 {
		return
	}
	p := peerRing{names, func(name string) (at []uint64) {
		for i := range c.Config.Points {
			at = append(at, FNV1.Sum([]byte(strconv.Itoa(i)+":"+name)))
		}
		return at
	}}
	if want.Distinct > 0 {
		assert.Len(t, slices.CompactFunc(p.circle(), func(a, b Token) bool { return a.At == b.At }), want.Distinct)
		p.names = names[:1]
		assert.Len(t, p.circle(), want.After)
		return
	}
	b, err := NewBounded(p.circle(), FNV1, c.Config.Partitions, len(names), load)
	if want.Error != "" {
		assert.ErrorContains(t, err, want.Error)
		return
	}
	require.NoError(t, err)
	assert.Len(t, b.Owners, c.Config.Partitions)
	loads := map[string]int{}
	var owners []string
	for _, o := range b.Owners {
		owners = append(owners, names[o])
		loads[names[o]]++
		assert.LessOrEqual(t, loads[names[o]], b.Limit)
	}
	if want.Owners != nil {
		assert.Equal(t, want.Owners, owners)
		for name, l := range want.Loads {
			assert.Equal(t, l, loads[name], name)
		}
	}
	if want.Partition != nil {
		partition, owner := b.Locate(FNV1, []byte(c.Input.Key))
		assert.Equal(t, *want.Partition, partition)
		assert.Equal(t, want.Owner, names[owner])
	}
}
