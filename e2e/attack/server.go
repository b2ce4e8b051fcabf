//go:build linux

package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/e2e/process"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/geom"
)

// targets are the addresses of a server, each as HOST:PORT, and the keys and tokens that clients need. The process of the
// attackers receives them as JSON.
type targets struct {
	Rcce, Rs, Bedrock string // addresses of these doors
	Web               string // address of the web door
	Metrics, Console  string // addresses of the metrics and of the console
	Scheme            string // scheme of the console: http or https
	Token             string // access token of the console's first operator
	PublicKey         string // text of rs-public.txt

	key *proto.PublicKey // parsed PublicKey
}

// parseKey decodes the server's public key from its text t.PublicKey to t.key.
func (t *targets) parseKey() (err error) {
	t.key, err = rs.ParsePublicKey([]byte(t.PublicKey))
	return err
}

// testServer is `truestep serve` as a child process, and the addresses at which it listens.
type testServer struct {
	targets
	process process.Server
}

// startServer starts a server with the data folder dir. Its doors, console and metrics listen at free ports of host. If
// startServer returns an error, it also returns the server, so that the caller can read its output; the server may then not be
// running.
func startServer(ctx context.Context, bin, dir, host string, args ...string) (*testServer, error) {
	at := net.JoinHostPort(host, "0")
	s := &testServer{process: process.Server{
		Name: "the server", Bin: bin, DataDir: dir,
		Addresses: map[string]string{"rcce": at, "rs": at, "bedrock": at, "metrics": at, "web": at},
	}}
	p := &s.process
	if err := p.Start(ctx, append([]string{"--console", at}, args...)...); err != nil {
		return s, err
	}
	console, err := url.Parse(p.Console)
	if err != nil {
		return s, err
	}
	key, err := os.ReadFile(filepath.Join(dir, "rs-public.txt"))
	if err != nil {
		return s, err
	}
	s.targets = targets{
		Rcce: p.Addresses["rcce"], Rs: p.Addresses["rs"], Bedrock: p.Addresses["bedrock"], Web: p.Addresses["web"], Metrics: p.Addresses["metrics"],
		Console: console.Host, Scheme: console.Scheme, Token: p.Token, PublicKey: string(key),
	}
	return s, s.parseKey()
}

// cpu returns the CPU time that the process has used, 0 if that cannot be read.
func (s *testServer) cpu() time.Duration {
	used, _ := s.process.CPUTime()
	return used
}

// ticks converts a CPU time from a file in /proc, a number of units of 1/100 s, to a duration.
func ticks(s string) time.Duration {
	n, _ := strconv.Atoi(s)
	return time.Duration(n) * 10 * time.Millisecond
}

// busyTime returns the CPU time that all programs of the machine have used.
func busyTime() (sum time.Duration) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, s := range strings.Fields(line) { // cpu, user, nice, system, idle, iowait, irq, softirq, steal
		if i > 0 && i <= 8 && i != 4 && i != 5 {
			sum += ticks(s)
		}
	}
	return sum
}

// counters returns the values of some of the server's metrics: those whose names begin with truestep_ and then one of the
// prefixes. The keys of the map are the names without truestep_. The map is empty if the metrics cannot be read.
func (s *testServer) counters(ctx context.Context, prefixes ...string) map[string]float64 {
	counts := map[string]float64{}
	resp, err := s.get(ctx, serverAddr(), "http://"+s.Metrics+"/metrics", "")
	if err != nil {
		return counts
	}
	defer resp.Body.Close()
	for in := bufio.NewScanner(resp.Body); in.Scan(); {
		i := strings.LastIndexByte(in.Text(), ' ')
		if i < 0 {
			continue
		}
		name, n := in.Text()[:i], 0.0
		if n, err = strconv.ParseFloat(in.Text()[i+1:], 64); err != nil {
			continue
		}
		for _, p := range prefixes {
			if short, ok := strings.CutPrefix(name, "truestep_"); ok && strings.HasPrefix(short, p) {
				counts[short] = n
			}
		}
	}
	return counts
}

// journalEntry holds the fields that this test needs of an entry of the journal, as the console sends it.
type journalEntry struct {
	Player, Verdict, Reason, Unit string
	Asked, Allowed                float64 // the two values that the rule compared, such as a distance and its limit, in Unit
	Times                         int     // number of equal events that the entry stands for
	LateMS                        int     // how far the area was behind its schedule, ms
}

// String returns the entry as one line of the report.
func (e *journalEntry) String() string {
	text := fmt.Sprintf("%s %s %s", e.Player, e.Verdict, e.Reason)
	if e.Unit != "" {
		text += fmt.Sprintf(" (%.3g of %.3g %s)", e.Asked, e.Allowed, e.Unit)
	}
	if e.Times > 1 {
		text += fmt.Sprintf(" %d times", e.Times)
	}
	if e.LateMS > 0 {
		text += fmt.Sprintf(", server late by %d ms", e.LateMS)
	}
	return text
}

// corrections returns the journal's entries since the given time about movements that were held or corrected, at most the newest
// 500.
func (s *testServer) corrections(ctx context.Context, since time.Time) ([]journalEntry, error) {
	query := url.Values{"since": {since.UTC().Format(time.RFC3339Nano)}, "verdict": {"held,corrected"}, "limit": {"500"}}
	resp, err := s.get(ctx, serverAddr(), s.Scheme+"://"+s.Console+"/api/v1/corrections?"+query.Encode(), "")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the console answers GET /api/v1/corrections with status %s", resp.Status)
	}
	var body struct{ Entries []journalEntry }
	err = json.NewDecoder(resp.Body).Decode(&body)
	return body.Entries, err
}

// get requests a URL of the server on a new connection from the client address from. The parameter host is the Host header; ""
// for the host of the URL.
func (t *targets) get(ctx context.Context, from, url, host string) (*http.Response, error) {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: dialFrom(from, 0), TLSClientConfig: trusting}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if host != "" {
		req.Host = host
	}
	req.Header.Set("Authorization", "Bearer "+t.Token)
	return (&http.Client{Transport: transport}).Do(req)
}

// trusting is a TLS configuration that accepts the self-signed certificate of writeCertificate.
var trusting = &tls.Config{InsecureSkipVerify: true}

// overviewURL returns the URL of the console's overview, which an operator's browser requests every few seconds.
func (t *targets) overviewURL() string { return t.Scheme + "://" + t.Console + "/api/v1/overview" }

// ask requests a URL as an operator or a collector of metrics does, and reads the complete response.
func (t *targets) ask(ctx context.Context, from, url string) error {
	resp, err := t.get(ctx, from, url, "")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is answered with status %s", url, resp.Status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// writeCertificate writes a self-signed certificate and its key to a folder, and returns the flags of `truestep serve` that
// make the console use them.
func writeCertificate(dir string) ([]string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.ParseIP(serverAddr())}}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	certFile, keyFile := filepath.Join(dir, "console-cert.pem"), filepath.Join(dir, "console-key.pem")
	err = errors.Join(
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	return []string{"--console-cert", certFile, "--console-key", keyFile}, err
}

// posOf returns the position of a player in the world as the console shows it, in units; nil while the player changes areas. A player that
// is not in the world is an error.
func (s *testServer) posOf(ctx context.Context, name string) (*geom.Vec, error) {
	var list struct {
		Players []struct {
			Entity uint64 // id
			Name   string
		}
	}
	if err := s.process.Get(ctx, "players", &list); err != nil {
		return nil, err
	}
	for _, p := range list.Players {
		if p.Name == name {
			var detail struct{ Pos *geom.Vec }
			err := s.process.Get(ctx, fmt.Sprint("players/", p.Entity), &detail)
			return detail.Pos, err
		}
	}
	return nil, fmt.Errorf("no player %s is in the world", name)
}
