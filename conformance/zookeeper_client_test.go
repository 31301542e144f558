package conformance

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fencepost/models/internal/zookeeper"
)

var zookeeperJar = flag.String("zookeeper", "/usr/share/java/zookeeper.jar", "zookeeper.jar")

// startZooKeeper starts a server of its own, with a tick, and an interval between two looks
// for empty containers.
func startZooKeeper(t testing.TB, name string, tick, containers time.Duration) *process {
	t.Helper()
	if _, err := os.Stat(*zookeeperJar); err != nil || !executable("java") {
		t.Fatalf("no ZooKeeper server %q, or no java: install them (Debian, Ubuntu: apt-get install zookeeper default-jre-headless), or name the jar with -zookeeper", *zookeeperJar)
	}
	return start(t, name, func(dir, port string) *exec.Cmd {
		data := filepath.Join(dir, "data")
		config := fmt.Sprintf("tickTime=%d\ndataDir=%s\nclientPort=%s\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n", tick.Milliseconds(), data, port)
		file := filepath.Join(dir, "zoo.cfg")
		if err := os.MkdirAll(data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		return exec.Command("java", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
			fmt.Sprintf("-Dznode.container.checkIntervalMs=%d", containers.Milliseconds()),
			"-cp", *zookeeperJar, "org.apache.zookeeper.server.ZooKeeperServerMain", file)
	}, func(port string) error {
		c, err := dialWithin(time.Second, port, 0, nil, 30*time.Second) // it may accept a connection before it serves it
		if err != nil {
			return err
		}
		return c.close()
	})
}

// keeper is a session with a ZooKeeper server, on one connection. It sends no pings of its
// own.
//
// Source: zookeeper.jute and ZooKeeper Programmer's Guide, "ZooKeeper Sessions".
type keeper struct {
	conn     net.Conn
	id       int64
	password []byte
	timeout  time.Duration // granted; 0: the session has expired
	xid      int32
	zxid     int64 // of the latest reply
	events   []string
}

// The operations, by their numbers in the protocol.
const (
	opCreate          = 15 // create2, which returns a Stat
	opDelete          = 2
	opExists          = 3
	opGetData         = 4
	opSetData         = 5
	opGetChildren     = 12 // getChildren2
	opPing            = 11
	opCreateContainer = 19
	opCloseSession    = -11
)

// dialZooKeeper opens a session, or takes one over on another connection.
func dialZooKeeper(port string, id int64, password []byte, timeout time.Duration) (*keeper, error) {
	return dialWithin(20*time.Second, port, id, password, timeout)
}

func dialWithin(limit time.Duration, port string, id int64, password []byte, timeout time.Duration) (*keeper, error) {
	conn, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second)
	if err != nil {
		return nil, err
	}
	if password == nil {
		password = make([]byte, 16)
	}
	c := &keeper{conn: conn}
	var m encoder
	m.int(0).long(0).int(int32(timeout.Milliseconds())).long(id).buffer(password).bool(false)
	conn.SetDeadline(time.Now().Add(limit))
	_, err = conn.Write(m.frame())
	r := &decoder{}
	if err == nil {
		r, err = c.read()
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	r.int()
	c.timeout, c.id, c.password = time.Duration(r.int())*time.Millisecond, r.long(), r.buffer()
	return c, nil
}

func (c *keeper) read() (*decoder, error) {
	var length [4]byte
	if _, err := io.ReadFull(c.conn, length[:]); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err := io.ReadFull(c.conn, body)
	return &decoder{body}, err
}

// call sends a request and returns its reply. Events of watches that come before it are
// kept.
func (c *keeper) call(op int32, m *encoder) (*decoder, zookeeper.Code, error) {
	c.xid++
	xid := c.xid
	if op == opPing {
		xid = -2
	}
	var request encoder
	request.int(xid).int(op)
	request.bytes = append(request.bytes, m.bytes...)
	c.conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := c.conn.Write(request.frame()); err != nil {
		return nil, 0, err
	}
	for {
		r, err := c.read()
		if err != nil {
			return nil, 0, err
		}
		got := r.int()
		zxid, code := r.long(), r.int()
		if got == -1 {
			c.event(r)
			continue
		}
		if got != xid {
			return nil, 0, fmt.Errorf("the reply to request %d, expected %d", got, xid)
		}
		c.zxid = zxid
		return r, zookeeper.Code(code), nil
	}
}

func (c *keeper) event(r *decoder) {
	what := zookeeper.EventType(r.int())
	r.int() // the state of the connection
	c.events = append(c.events, eventText(what, r.string()))
}

// ping returns once everything that the server has sent before is read.
func (c *keeper) ping() error {
	_, _, err := c.call(opPing, &encoder{})
	return err
}

// wait reads the next event.
func (c *keeper) wait(t testing.TB) string {
	t.Helper()
	for len(c.events) == 0 {
		c.conn.SetDeadline(time.Now().Add(20 * time.Second))
		r, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		if r.int() == -1 {
			r.long()
			r.int()
			c.event(r)
		}
	}
	e := c.events[0]
	c.events = c.events[1:]
	return e
}

// close ends the session. hangUp ends the connection only.
func (c *keeper) close() error {
	_, _, err := c.call(opCloseSession, &encoder{})
	c.conn.Close()
	return err
}

func (c *keeper) hangUp() { c.conn.Close() }

func eventText(what zookeeper.EventType, path string) string {
	return fmt.Sprintf("event %d %s", what, path)
}

// create makes a node with the access list that allows everything, and returns its path.
func (c *keeper) create(path string, mode zookeeper.Mode, data string) (*decoder, zookeeper.Code, error) {
	op := int32(opCreate)
	if mode == zookeeper.Container {
		op = opCreateContainer
	}
	flags := map[zookeeper.Mode]int32{zookeeper.Persistent: 0, zookeeper.Ephemeral: 1, zookeeper.PersistentSequential: 2,
		zookeeper.EphemeralSequential: 3, zookeeper.Container: 4}[mode]
	var m encoder
	m.string(path).buffer([]byte(data)).int(1).int(31).string("world").string("anyone").int(flags)
	return c.call(op, &m)
}

// encoder writes jute.
type encoder struct{ bytes []byte }

func (e *encoder) int(n int32) *encoder {
	e.bytes = binary.BigEndian.AppendUint32(e.bytes, uint32(n))
	return e
}

func (e *encoder) long(n int64) *encoder {
	e.bytes = binary.BigEndian.AppendUint64(e.bytes, uint64(n))
	return e
}

func (e *encoder) bool(b bool) *encoder {
	e.bytes = append(e.bytes, 0)
	if b {
		e.bytes[len(e.bytes)-1] = 1
	}
	return e
}

func (e *encoder) buffer(b []byte) *encoder {
	e.int(int32(len(b)))
	e.bytes = append(e.bytes, b...)
	return e
}

func (e *encoder) string(s string) *encoder { return e.buffer([]byte(s)) }

func (e *encoder) frame() []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(e.bytes))), e.bytes...)
}

// decoder reads jute.
type decoder struct{ bytes []byte }

func (d *decoder) take(n int) []byte {
	b := d.bytes[:n]
	d.bytes = d.bytes[n:]
	return b
}

func (d *decoder) int() int32 { return int32(binary.BigEndian.Uint32(d.take(4))) }

func (d *decoder) long() int64 { return int64(binary.BigEndian.Uint64(d.take(8))) }

func (d *decoder) buffer() []byte {
	n := d.int()
	if n < 0 {
		return nil
	}
	return d.take(int(n))
}

func (d *decoder) string() string { return string(d.buffer()) }

func (d *decoder) strings() (list []string) {
	for range d.int() {
		list = append(list, d.string())
	}
	return list
}

// stat is a Stat as text: zxids after an offset, owners by their names.
func (d *decoder) stat(offset int64, owner func(int64) string) string {
	czxid, mzxid := d.long(), d.long()
	d.take(16) // ctime, mtime
	version, cversion := d.int(), d.int()
	d.int() // aversion
	ephemeral := d.long()
	d.int() // dataLength
	children, pzxid := d.int(), d.long()
	return statText(czxid-offset, mzxid-offset, pzxid-offset, version, cversion, children, owner(ephemeral))
}

func statText(czxid, mzxid, pzxid int64, version, cversion, children int32, owner string) string {
	return strings.TrimSpace(fmt.Sprintf("czxid %d mzxid %d pzxid %d version %d cversion %d children %d %s", czxid, mzxid, pzxid, version, cversion, children, owner))
}
