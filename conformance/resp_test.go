package conformance

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// client is a connection to Redis that speaks its protocol, RESP 2.
//
// Source: Redis documentation, "Redis serialization protocol specification".
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(port string) (*client, error) {
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		return nil, err
	}
	return &client{c, bufio.NewReader(c)}, nil
}

// send writes commands in one piece.
func (c *client) send(commands ...[]string) error {
	var b strings.Builder
	for _, args := range commands {
		fmt.Fprintf(&b, "*%d\r\n", len(args))
		for _, a := range args {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
		}
	}
	_, err := io.WriteString(c.conn, b.String())
	return err
}

// receive is one answer as text: "nil", an integer, the text itself, a list in brackets,
// or what the server says is wrong after "error ".
func (c *client) receive() (string, error) {
	line, err := c.in.ReadString('\n')
	if err != nil {
		return "", err
	}
	kind, rest := line[0], strings.TrimSuffix(line[1:], "\r\n")
	switch kind {
	case '+', ':':
		return rest, nil
	case '-':
		return "error " + rest, nil
	}
	n, err := strconv.Atoi(rest)
	switch {
	case err != nil:
		return "", fmt.Errorf("an answer that begins with %q", line)
	case n < 0:
		return "nil", nil
	case kind == '$':
		text := make([]byte, n+2)
		_, err := io.ReadFull(c.in, text)
		return string(text[:n]), err
	}
	list := make([]string, n)
	for i := range list {
		if list[i], err = c.receive(); err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(list, " ") + "]", nil
}

// do is one command and its answer; a connection that is lost is an answer too.
func (c *client) do(args ...string) string {
	if err := c.send(args); err != nil {
		return err.Error()
	}
	answer, err := c.receive()
	if err != nil {
		return err.Error()
	}
	return answer
}
