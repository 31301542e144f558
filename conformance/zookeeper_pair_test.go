package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fencepost/models/internal/zookeeper"
)

// zkPair is a ZooKeeper server and the model of one, which do the same: below a node of the
// server that is the root of the model.
type zkPair struct {
	t      testing.TB
	port   string
	root   string
	model  zookeeper.Ensemble
	offset int64 // from a zxid of the model to that of the server
	list   []*zkSession
}

// zkSession is a session of both. A closed one has no keeper.
type zkSession struct {
	*keeper
	id zookeeper.SessionID
}

const zkTick = 2 * time.Second

func newZKPair(t testing.TB, p *process, root string) *zkPair {
	t.Helper()
	z := &zkPair{t: t, port: p.port, root: "/" + root}
	z.model.Tick = zkTick
	first := z.dial()
	_, code, err := first.create(z.root, zookeeper.Persistent, "")
	if err != nil || code != 0 {
		t.Fatalf("the root of the schedule: %v %v", code, err)
	}
	z.offset = first.zxid
	z.adopt(first)
	return z
}

func (z *zkPair) dial() *keeper {
	z.t.Helper()
	c, err := dialZooKeeper(z.port, 0, nil, 30*time.Second)
	if err != nil {
		z.t.Fatal(err)
	}
	return c
}

// adopt takes a session of the server into the model, which was opened before.
func (z *zkPair) adopt(c *keeper) {
	before := z.model.Zxid()
	id, _ := z.model.Open(30*time.Second, 0)
	z.offset -= int64(z.model.Zxid() - before)
	z.list = append(z.list, &zkSession{c, id})
}

// open opens a session in both.
func (z *zkPair) open() {
	id, _ := z.model.Open(30*time.Second, 0)
	z.list = append(z.list, &zkSession{z.dial(), id})
}

// end closes the sessions that are left.
func (z *zkPair) end() {
	for _, s := range z.list {
		if s.keeper != nil {
			s.close()
		}
	}
}

// do carries out one step in both, "SESSION OPERATION PATH [ARGUMENT]", and returns what
// each answers: the outcome, then the events that every session has got.
func (z *zkPair) do(step string) (server, model string) {
	z.t.Helper()
	f := strings.Fields(step)
	n, err := strconv.Atoi(f[0])
	if err != nil {
		z.t.Fatal(step)
	}
	for n >= len(z.list) {
		z.open()
	}
	s := z.list[n]
	if s.keeper == nil {
		return "closed", "closed"
	}
	if f[1] == "close" {
		if err := s.close(); err != nil {
			z.t.Fatal(err)
		}
		s.keeper = nil
		z.model.Close(s.id)
		server, model = "closed", "closed"
	} else {
		server, model = z.onServer(s, f[1:]), z.onModel(s, f[1:])
	}
	ofServer, ofModel := z.events(f[1] == "close")
	return server + ofServer, model + ofModel
}

// onServer is a step on the server.
func (z *zkPair) onServer(s *zkSession, f []string) string {
	op, path, arg := f[0], z.serverPath(f[1]), ""
	if len(f) > 2 {
		arg = f[2]
	}
	var m encoder
	var r *decoder
	var code zookeeper.Code
	var err error
	switch op {
	case "delete":
		r, code, err = s.call(opDelete, m.string(path).int(versionOf(arg)))
	case "set":
		r, code, err = s.call(opSetData, m.string(path).buffer([]byte("x")).int(versionOf(arg)))
	case "exists":
		r, code, err = s.call(opExists, m.string(path).bool(arg == "watch"))
	case "get":
		r, code, err = s.call(opGetData, m.string(path).bool(arg == "watch"))
	case "list":
		r, code, err = s.call(opGetChildren, m.string(path).bool(arg == "watch"))
	default:
		name := f[2]
		if strings.HasSuffix(op, "sequential") {
			name = strings.TrimSuffix(name, "*")
		}
		r, code, err = s.create(strings.TrimSuffix(path, "/")+"/"+name, zkModes[op], "x")
	}
	switch {
	case err != nil:
		z.t.Fatal(err)
	case code != zookeeper.OK:
		return fmt.Sprint("error ", code)
	case op == "delete":
		return "ok"
	case op == "get":
		r.buffer()
	case op == "list":
		names := r.strings()
		slices.Sort(names)
		if f[1] == "/" {
			return fmt.Sprint(names) // the root of the model is as old as the model
		}
		return fmt.Sprint(names, " ", r.stat(z.offset, z.owner))
	case zkModes[op] != 0 || op == "persistent":
		return strings.TrimPrefix(r.string(), z.root) + " " + r.stat(z.offset, z.owner)
	}
	return r.stat(z.offset, z.owner)
}

// zkModes are the ways to create a node.
var zkModes = map[string]zookeeper.Mode{"persistent": zookeeper.Persistent, "ephemeral": zookeeper.Ephemeral, "container": zookeeper.Container,
	"persistent-sequential": zookeeper.PersistentSequential, "ephemeral-sequential": zookeeper.EphemeralSequential}

func versionOf(arg string) int32 {
	if arg == "" {
		return zookeeper.AnyVersion
	}
	n, _ := strconv.Atoi(arg)
	return int32(n)
}

func (z *zkPair) serverPath(path string) string { return strings.TrimSuffix(z.root+path, "/") }

// owner is the name of a session, by its number at the server.
func (z *zkPair) owner(id int64) string {
	if id == 0 {
		return ""
	}
	for i, s := range z.list {
		if s.keeper != nil && s.keeper.id == id {
			return fmt.Sprint("of ", i)
		}
	}
	return "of another"
}

// onModel is a step on the model.
func (z *zkPair) onModel(s *zkSession, f []string) string {
	op, path, arg := f[0], modelPath(f[1]), ""
	if len(f) > 2 {
		arg = f[2]
	}
	var watcher zookeeper.SessionID
	if arg == "watch" {
		watcher = s.id
	}
	var node zookeeper.Znode
	var code zookeeper.Code
	switch op {
	case "delete":
		if code = z.model.Delete(path, versionOf(arg)); code == zookeeper.OK {
			return "ok"
		}
	case "set":
		if _, code = z.model.SetData(path, 1, versionOf(arg)); code == zookeeper.OK {
			node, _ = z.model.Get(path, 0)
		}
	case "exists":
		node, code = z.model.Exists(path, watcher)
	case "get":
		node, code = z.model.Get(path, watcher)
	case "list":
		var names []zookeeper.Name
		if names, code = z.model.Children(path, watcher, nil); code == zookeeper.OK {
			node, _ = z.model.Get(path, 0)
			list := make([]string, len(names))
			for i, n := range names {
				list[i] = n.String()
			}
			slices.Sort(list)
			if path == zookeeper.Root {
				return fmt.Sprint(list)
			}
			return fmt.Sprint(list, " ", z.modelStat(&node))
		}
	default:
		if node, code = z.model.Create(s.id, path, nameOf(arg).Label, zkModes[op], 1); code == zookeeper.OK {
			return node.Path.String() + " " + z.modelStat(&node)
		}
	}
	if code != zookeeper.OK {
		return fmt.Sprint("error ", code)
	}
	return z.modelStat(&node)
}

func (z *zkPair) modelStat(n *zookeeper.Znode) string {
	s := n.Stat()
	owner := ""
	if s.EphemeralOwner != 0 {
		owner = fmt.Sprint("of ", slices.IndexFunc(z.list, func(x *zkSession) bool { return x.id == s.EphemeralOwner }))
	}
	return statText(int64(s.Czxid), int64(s.Mzxid), int64(s.Pzxid), s.Version, s.Cversion, s.NumChildren, owner)
}

// nameOf is the name that a path or a step writes: node-7, lock-0000000001, _c_..-lock-..., or
// lock-* for a node that is to get a suffix.
func nameOf(text string) (n zookeeper.Name) {
	prefix, suffix, sequential := strings.Cut(text, "lock-")
	if !sequential {
		n.Label, _ = strconv.ParseUint(strings.TrimPrefix(text, "node-"), 10, 64)
		return n
	}
	n.Sequential = true
	n.Label, _ = strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(prefix, "_c_"), "-"), 16, 64)
	sequence, _ := strconv.ParseInt(suffix, 10, 32)
	n.Sequence = int32(sequence)
	return n
}

func modelPath(text string) (p zookeeper.Path) {
	for _, part := range strings.Split(strings.Trim(text, "/"), "/") {
		if part != "" {
			p = p.Join(nameOf(part))
		}
	}
	return p
}

// events are what each session has been told since the last step. A session that ends
// deletes its nodes in no certain order.
func (z *zkPair) events(sorted bool) (server, model string) {
	z.t.Helper()
	told := make([][]string, len(z.list))
	z.model.Drain(func(e zookeeper.Event) {
		i := slices.IndexFunc(z.list, func(s *zkSession) bool { return s.id == e.Session })
		told[i] = append(told[i], eventText(e.Type, z.serverPath(e.Path.String())))
	})
	for i, s := range z.list {
		if s.keeper == nil {
			continue
		}
		if err := s.ping(); err != nil {
			z.t.Fatal(err)
		}
		if sorted {
			slices.Sort(s.events)
			slices.Sort(told[i])
		}
		server, model = server+eventsText(i, s.events), model+eventsText(i, told[i])
		s.events = nil
	}
	return server, model
}

func eventsText(session int, events []string) string {
	if len(events) == 0 {
		return ""
	}
	return fmt.Sprint("; ", session, ": ", strings.Join(events, ", "))
}
