package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/pflag"
)

// access is how a NATS server is reached.
type access struct {
	URL                string
	Token              string
	Creds              string
	CA, Cert, Key      string
	Name               string // of the sweep, if a server has several
	Wait               time.Duration
	defaultURL, listen string
}

func (a *access) define(f *pflag.FlagSet) {
	f.StringVar(&a.URL, "nats", a.defaultURL, "the `URL` of the NATS server, or of several, with commas between")
	f.StringVar(&a.Token, "token", os.Getenv("SIMCTL_SWEEP_TOKEN"), "the token of the server; in the environment it is SIMCTL_SWEEP_TOKEN, which others on the machine do not see")
	f.StringVar(&a.Creds, "creds", "", "a `FILE` with credentials of a NATS user")
	f.StringVar(&a.CA, "tls-ca", "", "a `FILE` with the certificates of authorities that the server is trusted by")
	f.StringVar(&a.Cert, "tls-cert", "", "a `FILE` with a certificate, of the client or the embedded server")
	f.StringVar(&a.Key, "tls-key", "", "a `FILE` with its key")
	f.StringVar(&a.Name, "name", "sweep", "of the sweep, where a server has several")
	f.DurationVar(&a.Wait, "wait", time.Minute, "for how long a server that cannot be reached is tried")
	f.Lookup("token").DefValue = ""
}

// check says what is wrong with the flags.
func (a *access) check() error {
	for _, r := range a.Name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return fmt.Errorf("--name: want letters, digits, - and _, got %q", a.Name)
		}
	}
	switch {
	case a.Name == "":
		return errors.New("--name: it is empty")
	case (a.Cert == "") != (a.Key == ""):
		return errors.New("--tls-cert and --tls-key: want both, or neither")
	case a.Wait <= 0:
		return fmt.Errorf("--wait: want more than 0, such as 1m, got %v", a.Wait)
	}
	return nil
}

// embed starts a server in this process.
func (a *access) embed(store string) (*server.Server, error) {
	host, port, err := net.SplitHostPort(a.listen)
	number, bad := strconv.Atoi(port)
	if err != nil || bad != nil || number < 1 || number > 65535 {
		return nil, usage(fmt.Errorf("--listen: want an address and a port, such as 127.0.0.1:4222, got %q", a.listen))
	}
	if ip := net.ParseIP(host); (ip == nil || !ip.IsLoopback()) && host != "localhost" && a.Token == "" {
		return nil, usage(fmt.Errorf("--listen %s: other machines reach this address: want a --token, or SIMCTL_SWEEP_TOKEN in the environment", a.listen))
	}
	o := &server.Options{ServerName: "simctl-sweep", Host: host, Port: number, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true,
		Authorization: a.Token, MaxPayload: 32 << 20}
	a.URL = "nats://" + net.JoinHostPort(host, port)
	if a.Cert != "" {
		pair, err := tls.LoadX509KeyPair(a.Cert, a.Key)
		if err != nil {
			return nil, usage(fmt.Errorf("--tls-cert: %w", err))
		}
		o.TLS, o.TLSConfig, o.TLSTimeout = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, 5
		a.Cert, a.Key = "", ""
	}
	if l, err := net.Listen("tcp", a.listen); err != nil { // the server would only log it
		return nil, fmt.Errorf("--listen: %w", err)
	} else if err := l.Close(); err != nil {
		return nil, err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return nil, fmt.Errorf("the embedded server at %s does not start", a.listen)
	}
	return s, nil
}

// connect connects, and keeps at it whenever the connection is lost.
func (a *access) connect(ctx context.Context) (*nats.Conn, jetstream.JetStream, error) {
	o := []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond),
		nats.Timeout(5 * time.Second), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2)}
	for _, with := range []struct {
		given  bool
		option func() nats.Option
	}{
		{a.Token != "", func() nats.Option { return nats.Token(a.Token) }},
		{a.Creds != "", func() nats.Option { return nats.UserCredentials(a.Creds) }},
		{a.CA != "", func() nats.Option { return nats.RootCAs(a.CA) }},
		{a.Cert != "", func() nats.Option { return nats.ClientCert(a.Cert, a.Key) }},
	} {
		if with.given {
			o = append(o, with.option())
		}
	}
	var conn *nats.Conn
	var err error
	for end := time.Now().Add(a.Wait); ; time.Sleep(200 * time.Millisecond) {
		if conn, err = nats.Connect(a.URL, o...); err == nil {
			break
		}
		if errors.Is(err, nats.ErrAuthorization) || ctx.Err() != nil || time.Now().After(end) || !errors.Is(err, nats.ErrNoServers) && !errors.Is(err, nats.ErrTimeout) {
			return nil, nil, fmt.Errorf("cannot reach %s: %w", a.URL, err)
		}
	}
	js, err := jetstream.New(conn)
	return conn, js, err
}
