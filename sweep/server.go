package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
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
	for _, file := range []struct{ flag, path string }{{"creds", a.Creds}, {"tls-ca", a.CA}, {"tls-cert", a.Cert}, {"tls-key", a.Key}} {
		if file.path == "" {
			continue
		}
		if _, err := os.Stat(file.path); err != nil {
			return fmt.Errorf("--%s: %w", file.flag, err)
		}
	}
	return nil
}

// checkListen says what is wrong with the address of the embedded server.
func (a *access) checkListen() error {
	host, port, err := net.SplitHostPort(a.listen)
	number, bad := strconv.Atoi(port)
	if err != nil || bad != nil || number < 1 || number > 65535 {
		return fmt.Errorf("--listen: want an address and a port, such as 127.0.0.1:4222, got %q", a.listen)
	}
	if ip := net.ParseIP(host); (ip == nil || !ip.IsLoopback()) && host != "localhost" && a.Token == "" {
		return fmt.Errorf("--listen %s: other machines reach this address: want a --token, or SIMCTL_SWEEP_TOKEN in the environment", a.listen)
	}
	return nil
}

// embed starts a server in this process. Its URL is for workers.
func (a *access) embed(store string) (*server.Server, error) {
	host, port, err := net.SplitHostPort(a.listen)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	o := &server.Options{ServerName: "simctl-sweep", Host: host, Port: number, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true,
		Authorization: a.Token, AuthTimeout: 20, MaxPayload: 32 << 20}
	if a.Cert != "" {
		pair, err := tls.LoadX509KeyPair(a.Cert, a.Key)
		if err != nil {
			return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		o.TLS, o.TLSConfig, o.TLSTimeout = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, 5
	}
	if l, err := net.Listen("tcp", a.listen); err != nil { // the server would only log it
		return nil, fmt.Errorf("--listen: %w", err)
	} else if err := l.Close(); err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			return nil, err
		}
	}
	a.URL = "nats://" + net.JoinHostPort(host, port)
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

// options are those of a connection, which is made again whenever it is lost. One to the server in this
// process needs neither an address nor TLS.
func (a *access) options(own *server.Server) []nats.Option {
	o := []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond),
		nats.Timeout(5 * time.Second), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2)}
	if a.Token != "" {
		o = append(o, nats.Token(a.Token))
	}
	if own != nil {
		return append(o, nats.InProcessServer(own))
	}
	if a.Creds != "" {
		o = append(o, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		o = append(o, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		o = append(o, nats.ClientCert(a.Cert, a.Key))
	}
	return o
}

// connect connects to a server, the embedded one if there is one.
func (a *access) connect(ctx context.Context, own *server.Server) (*nats.Conn, jetstream.JetStream, error) {
	for end := time.Now().Add(a.Wait); ; time.Sleep(200 * time.Millisecond) {
		conn, err := nats.Connect(a.URL, a.options(own)...)
		if err == nil {
			js, err := jetstream.New(conn)
			return conn, js, err
		}
		if !later(err) || ctx.Err() != nil || time.Now().After(end) {
			return nil, nil, a.unreachable(err)
		}
	}
}

// later reports whether a server that is not reached may be soon: it is not there yet, is being killed, or is slow.
func later(err error) bool {
	slow, ok := errors.AsType[net.Error](err)
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || ok && slow.Timeout() ||
		(errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)) && !errors.Is(err, nats.ErrTLS)
}

// unreachable says why a server is not reached, and what is wanted.
func (a *access) unreachable(err error) error {
	authority, host := x509.UnknownAuthorityError{}, x509.HostnameError{}
	alert, ok := errors.AsType[*net.OpError](err)
	rejected := errors.Is(err, nats.ErrTLS) || ok && alert.Op == "remote error"
	switch denied := errors.Is(err, nats.ErrAuthorization); {
	case denied && a.Creds != "":
		return fmt.Errorf("the server at %s refuses --creds %s: want those of a user of an account that it has, before they expire", a.URL, a.Creds)
	case denied && a.Token != "":
		return fmt.Errorf("the server at %s refuses the token: want the one that it was started with", a.URL)
	case denied:
		return fmt.Errorf("the server at %s wants to know who asks: want a --token, or SIMCTL_SWEEP_TOKEN in the environment, or --creds", a.URL)
	case errors.As(err, &authority):
		return fmt.Errorf("the certificate of %s is of an authority that is not known here: want --tls-ca with that authority's: %w", a.URL, err)
	case errors.As(err, &host):
		return fmt.Errorf("the certificate of %s is not for this name: want a --nats URL with a name that it has: %w", a.URL, err)
	case rejected && a.Cert == "":
		return fmt.Errorf("the server at %s wants the certificate of its clients: want --tls-cert and --tls-key: %w", a.URL, err)
	}
	return fmt.Errorf("cannot reach %s: %w", a.URL, err)
}
