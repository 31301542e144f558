package accesslog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// clientsOf are the requests of each client, by its name.
func clientsOf(t *testing.T, text string) (map[string]int, Summary) {
	t.Helper()
	list, s, r := readSome(t, text, Options{})
	clients := map[string]int{}
	for _, q := range list {
		name, _ := r.Name(q.key)
		clients[name]++
	}
	return clients, s
}

// R4: among lines of virtual hosts, one without has its client, or is left out; its client is
// not the dash that follows.
func TestHostsAndVirtualHosts(t *testing.T) {
	plain := strings.Replace(combinedLine, "192.0.2.1 - alice", "client.example - -", 1) + "\n"
	virtual := "www.example.com " + plain
	for _, text := range []string{plain + virtual + virtual, virtual + virtual + plain, virtual + plain + plain} {
		clients, s := clientsOf(t, text)
		assert.Len(t, clients, 1, text)
		assert.EqualValues(t, 3, clients["client.example"]+int(s.Malformed), text)
	}
}

// R5: two requests on one line, of writers that share a file, are not one request.
func TestTwoRequestsOnALine(t *testing.T) {
	envoy := `[2026-03-01T07:00:01.250Z] "GET / HTTP/1.1" 200 - 0 512 1 1 "192.0.2.1" "curl/8" "id" "host" "10.0.0.1:80"`
	for _, line := range []string{combinedLine, envoy} {
		for _, joined := range []string{line + line, line[:len(line)-4] + line, line[:strings.Index(line, "GET")+7] + line} {
			_, s, _ := readSome(t, line+"\n"+joined+"\n", Options{})
			assert.EqualValues(t, 1, s.Used, joined)
			assert.EqualValues(t, 1, s.Malformed, joined)
		}
	}
	quoted := strings.Replace(combinedLine, "curl/8", `a \"[17/May/2015:10:05:03 +0200] \"GET`, 1)
	_, s, _ := readSome(t, quoted+"\n", Options{})
	assert.EqualValues(t, 1, s.Used)
}

// R4: an address of a server, of a host that ships the log, or of a program is not the client.
func TestAddressesOfOthers(t *testing.T) {
	const at = `{"@timestamp":"2026-03-01T07:00:01Z",`
	clients, s := clientsOf(t, at+`"agent":{"ip":"10.0.0.9"},"destination":{"ip":"10.0.0.1"},"host":{"ip":["10.0.0.2"]},"source":{"ip":"192.0.2.1"}}`)
	assert.Equal(t, map[string]int{"192.0.2.1": 1}, clients)
	assert.Equal(t, "@timestamp, source.ip", s.Fields)
	_, err := NewReader(strings.NewReader(at+`"host":{"ip":"10.0.0.1"},"message":"x"}`), Options{})
	assert.ErrorContains(t, err, "no line of 1 is of a known format")
}

// R4: the header of a table that has been joined to another holds for the rows below it, also
// where it is in the sample that the format was found from. A row without a client is left out.
func TestJoinedTables(t *testing.T) {
	const first, second = "time,client,server\n1,a,x\n2,a,x\n", "\ufefftime,server,client\n3,x,a\n4,x,a\n"
	clients, s := clientsOf(t, first+second+first)
	assert.Equal(t, map[string]int{"a": 6}, clients)
	assert.EqualValues(t, 2, s.Malformed)
	for _, last := range []string{"time,server\n3,x\n4,x\n", "time,server,tier\n3,x,y\n4,x,y\n"} {
		clients, s = clientsOf(t, first+last)
		assert.Equal(t, map[string]int{"a": 2}, clients, last)
		assert.EqualValues(t, 3, s.Malformed, last)
	}
	clients, s = clientsOf(t, "time,client\n1,a\n2,\n3,-\n")
	assert.Equal(t, map[string]int{"a": 1}, clients)
	assert.Equal(t, "it has no client", s.Problems[0].Reason)
}
