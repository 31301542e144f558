package clients

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// redisServer is the model's Redis with enough of its protocol for redsync.
type redisServer struct {
	j     *journal
	delay time.Duration // one way; that of each server differs a little, so that no two requests are at one instant
	mute  bool          // it gets no request that is sent in the first second after the warm-up
	db    redis.DB[string]
	names map[string]int64 // values, which are random, by number: the model's are numbers
}

// dial is a connection that is served until it is closed.
func (s *redisServer) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	go s.serve(there)
	return here, nil
}

func (s *redisServer) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		args, err := command(in)
		if err != nil {
			return
		}
		if at := s.j.at() - warmUp; s.mute && 0 <= at && at < muteFor {
			continue
		}
		time.Sleep(s.delay)
		reply := s.do(args)
		time.Sleep(s.delay)
		if _, err := io.WriteString(conn, reply); err != nil {
			return
		}
	}
}

// command reads an array of bulk strings.
func command(in *bufio.Reader) ([]string, error) {
	n, err := length(in, '*')
	if err != nil {
		return nil, err
	}
	args := make([]string, n)
	for i := range args {
		size, err := length(in, '$')
		if err != nil {
			return nil, err
		}
		text := make([]byte, size+2)
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, err
		}
		args[i] = string(text[:size])
	}
	return args, nil
}

func length(in *bufio.Reader, kind byte) (int, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if line[0] != kind {
		return 0, fmt.Errorf("want %c, got %q", kind, line)
	}
	return strconv.Atoi(strings.TrimSpace(line[1:]))
}

// do is one command. Its clock is that of the bubble.
func (s *redisServer) do(args []string) string {
	now := sim.Wall(s.j.at())
	switch name := strings.ToLower(args[0]); {
	case name == "ping":
		return "+PONG\r\n"
	case name == "set" && len(args) == 6 && args[5] == "nx":
		return s.setNX(now, args)
	case name == "evalsha" && len(args) == 5:
		return s.deleteIf(now, args[3], s.number(args[4]))
	}
	return "-ERR unknown command '" + args[0] + "'\r\n" // to HELLO too: the client goes on with RESP 2
}

// units are how the client writes an expiry: whole seconds as such.
var units = map[string]time.Duration{"ex": time.Second, "px": time.Millisecond}

// setNX is SET key value EX|PX expiry NX.
func (s *redisServer) setNX(now sim.Wall, args []string) string {
	n, err := strconv.Atoi(args[4])
	if err != nil || units[args[3]] == 0 {
		return "-ERR syntax error\r\n"
	}
	ok, err := s.db.SetNX(now, args[1], s.number(args[2]), time.Duration(n)*units[args[3]])
	s.j.note("set %v %v", ok, err)
	switch {
	case err != nil:
		return "-" + err.Error() + "\r\n"
	case !ok:
		return "$-1\r\n"
	}
	return "+OK\r\n"
}

// deleteIf is redsync's script that compares and deletes.
func (s *redisServer) deleteIf(now sim.Wall, key string, value int64) string {
	had, there, _ := s.db.Get(now, key)
	s.j.note("delete %v", there && had == value)
	switch {
	case !there:
		return ":-1\r\n"
	case had != value:
		return ":0\r\n"
	}
	s.db.Del(now, key)
	return ":1\r\n"
}

func (s *redisServer) number(value string) int64 {
	if _, ok := s.names[value]; !ok {
		s.names[value] = int64(len(s.names) + 1)
	}
	return s.names[value]
}
