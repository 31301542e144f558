//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
)

// operator signs accounts, of which a server knows those in accounts.
type operator struct {
	t        *testing.T
	keys     nkeys.KeyPair
	accounts *server.MemAccResolver
}

func newOperator(t *testing.T) *operator {
	keys, err := nkeys.CreateOperator()
	require.NoError(t, err)
	return &operator{t, keys, &server.MemAccResolver{}}
}

func public(t *testing.T, k nkeys.KeyPair, err error) (nkeys.KeyPair, string) {
	require.NoError(t, err)
	name, err := k.PublicKey()
	require.NoError(t, err)
	return k, name
}

// account makes one that may store so many bytes, and a user of it that expires at an instant, 0 if never.
func (o *operator) account(store, expires int64) (name, creds string) {
	k, err := nkeys.CreateAccount()
	keys, name := public(o.t, k, err)
	claims := jwt.NewAccountClaims(name)
	if store != 0 {
		claims.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: store, Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	}
	signed, err := claims.Encode(o.keys)
	require.NoError(o.t, err)
	require.NoError(o.t, o.accounts.Store(name, signed))

	k, err = nkeys.CreateUser()
	user, userName := public(o.t, k, err)
	userClaims := jwt.NewUserClaims(userName)
	userClaims.Expires = expires
	signed, err = userClaims.Encode(keys)
	require.NoError(o.t, err)
	seed, err := user.Seed()
	require.NoError(o.t, err)
	text, err := jwt.FormatUserConfig(signed, seed)
	require.NoError(o.t, err)
	creds = filepath.Join(o.t.TempDir(), "user.creds")
	require.NoError(o.t, os.WriteFile(creds, text, 0o600))
	return name, creds
}

// server starts one that asks for users of the operator's accounts.
func (o *operator) server() (url string) {
	_, name := public(o.t, o.keys, nil)
	claims := jwt.NewOperatorClaims(name)
	_, err := claims.Encode(o.keys)
	require.NoError(o.t, err)
	system, _ := o.account(0, 0)
	return serverOf(o.t, func(options *server.Options) {
		options.TrustedOperators, options.AccountResolver, options.SystemAccount = []*jwt.OperatorClaims{claims}, o.accounts, system
	})
}

// TestCredentials: a sweep with the credentials of a user of the server, and what is said of others.
func TestCredentials(t *testing.T) {
	o := newOperator(t)
	_, mine := o.account(jwt.NoLimit, 0)
	_, noStore := o.account(0, 0)
	_, expired := o.account(jwt.NoLimit, time.Now().Add(-time.Hour).Unix())
	_, stranger := newOperator(t).account(jwt.NoLimit, 0)
	empty := filepath.Join(t.TempDir(), "empty.creds")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	url := o.server()
	for _, c := range []struct {
		creds []string
		code  int
		want  string
	}{
		{nil, 1, "wants to know who asks: want a --token, or SIMCTL_SWEEP_TOKEN in the environment, or --creds"},
		{[]string{"--creds", stranger}, 1, "refuses --creds " + stranger + ": want those of a user of an account that it has, before they expire"},
		{[]string{"--creds", expired}, 1, "refuses --creds " + expired + ": want those of a user"},
		{[]string{"--creds", empty}, 1, "refuses --creds " + empty + ": want those of a user"},
		{[]string{"--creds", "nowhere"}, 2, "--creds: stat nowhere: no such file or directory"},
		{[]string{"--token", "secret"}, 1, "refuses the token: want the one that it was started with"},
		{[]string{"--creds", noStore, "--wait", "300ms"}, 1, "has no JetStream that answers: start it with -js, or enable it for the account"},
		{[]string{"--creds", mine, "--wait", "300ms"}, 0, `has no sweep named "sweep"`},
	} {
		refuses(t, append([]string{"work", "--nats", url}, c.creds...), c.code, c.want)
	}
	serve := sweep(t, append(serveArgs(t, "", "--nats", url, "--creds", mine, "--batches", "4"), swept...)...)
	sweep(t, "work", "--nats", url, "--creds", mine, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// refuses runs a command that says why it cannot do what it is to do, and prints nothing.
func refuses(t *testing.T, args []string, code int, want string) {
	t.Run(want, func(t *testing.T) {
		p := sweep(t, args...)
		p.ends(t, code)
		require.Contains(t, p.stderr.String(), want)
		require.NotContains(t, p.stderr.String(), "goroutine")
		require.Empty(t, p.stdout.String())
	})
}

// TestAConnectionThatIsDroppedIsTriedAgain: a server may be about to start, or be killed meanwhile.
func TestAConnectionThatIsDroppedIsTriedAgain(t *testing.T) {
	for name, linger := range map[string]int{"closed": -1, "reset": 0} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			work := sweep(t, "work", "--nats", "nats://"+l.Addr().String(), "--wait", "2s")
			dropped, err := l.Accept()
			require.NoError(t, err)
			require.NoError(t, dropped.(*net.TCPConn).SetLinger(linger))
			require.NoError(t, dropped.Close())
			require.NoError(t, l.Close())
			serverOf(t, func(o *server.Options) { o.Port = l.Addr().(*net.TCPAddr).Port })
			work.ends(t, 0)
			require.Contains(t, work.stderr.String(), `has no sweep named "sweep"`)
		})
	}
}

// certificate makes one of its own authority, for a host, and its key.
func certificate(t *testing.T, host string) (cert, key string) {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(k)
	require.NoError(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	return cert, key
}

// TestTLS: a sweep whose own server has a certificate, also one that is not of the coordinator's name for itself, and what
// is said of a certificate that is of no known authority, or of another name.
func TestTLS(t *testing.T) {
	cert, key := certificate(t, "localhost")
	port := freePort(t)
	serve := sweep(t, append(serveArgs(t, "", "--listen", fmt.Sprintf("127.0.0.1:%d", port), "--tls-cert", cert, "--tls-key", key, "--batches", "4"), swept...)...)
	byName, byAddress := fmt.Sprintf("nats://localhost:%d", port), fmt.Sprintf("nats://127.0.0.1:%d", port)
	refuses(t, []string{"work", "--nats", byName}, 1, "is of an authority that is not known here: want --tls-ca with that authority's: ")
	refuses(t, []string{"work", "--nats", byAddress, "--tls-ca", cert}, 1, "is not for this name: want a --nats URL with a name that it has: ")
	refuses(t, []string{"work", "--nats", byName, "--tls-ca", key}, 1, "failed to parse root certificate from \""+key)
	refuses(t, []string{"work", "--nats", byName, "--tls-ca", "nowhere"}, 2, "--tls-ca: stat nowhere: ")
	sweep(t, "work", "--nats", byName, "--tls-ca", cert, "--jobs", "1")
	serve.ends(t, found)
	require.Equal(t, oneMachine(t, swept), serve.stdout.String())
}

// TestTLSOfAServerThatIsThere, which asks for the certificate of each client.
func TestTLSOfAServerThatIsThere(t *testing.T) {
	cert, key := certificate(t, "127.0.0.1")
	pair, err := tls.LoadX509KeyPair(cert, key)
	require.NoError(t, err)
	text, err := os.ReadFile(cert)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(text))
	url := serverOf(t, func(o *server.Options) {
		o.TLS, o.TLSVerify, o.TLSTimeout = true, true, 5
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12}
	})
	serverURL := strings.Replace(url, "nats://", "tls://", 1)
	refuses(t, []string{"work", "--nats", serverURL}, 1, "is of an authority that is not known here: want --tls-ca")
	refuses(t, []string{"work", "--nats", serverURL, "--tls-ca", cert, "--wait", "300ms"}, 1, "wants the certificate of its clients: want --tls-cert and --tls-key")
	refuses(t, []string{"work", "--nats", serverURL, "--tls-ca", cert, "--tls-cert", cert, "--tls-key", key, "--wait", "300ms"}, 0, `has no sweep named "sweep"`)
}
