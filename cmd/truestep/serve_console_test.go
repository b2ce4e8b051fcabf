package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway"
)

var consoleAddress = regexp.MustCompile(`^(https?://127\.0\.0\.1:\d+)/#token=([\w-]{43})$`)

// consoleOf returns the console's address and the token of this run from the start screen.
func consoleOf(t *testing.T, lines []string) (url, token string) {
	t.Helper()
	m := consoleAddress.FindStringSubmatch(field(t, lines, "console", 1))
	if m == nil {
		t.Fatalf("the console's row is %q", field(t, lines, "console", 1))
	}
	return m[1], m[2]
}

// asks calls the console's API.
func asks(t *testing.T, c *http.Client, url, token string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestServePrintsConsoleAddressWithToken(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--no-status", "--console", "127.0.0.1:0")
	url, token := consoleOf(t, p.until("ready"))
	if status, body := asks(t, http.DefaultClient, url+"/api/v1/session", token); status != 200 || !strings.Contains(body, `"role":"admin"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := asks(t, http.DefaultClient, url+"/", ""); status != 200 || !strings.Contains(body, "<!doctype html>") {
		t.Errorf("the page: %d %s", status, body)
	}

	// A token that is added while the server runs is accepted; after its revocation it is refused.
	data := filepath.Join(p.cmd.Dir, gateway.DefaultDataDir)
	_, added, errs := truestep("token", "add", "Bo", "--role", "viewer", "--data-dir", data)
	added = strings.TrimSpace(added)
	if added == "" {
		t.Fatal(errs)
	}
	eventually(t, "the new token is accepted", func() bool {
		status, _ := asks(t, http.DefaultClient, url+"/api/v1/overview", added)
		return status == 200
	})
	header := http.Header{"Authorization": {"Bearer " + token}}
	live, _, err := websocket.Dial(t.Context(), url+"/api/v1/live?area=0", &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	defer live.CloseNow()
	live.SetReadLimit(1 << 20)
	for {
		kind, b, err := live.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary {
			if f, err := console.ParseLive(b, nil); err != nil || len(f.Actors) == 0 {
				t.Errorf("%+v, %v", f, err)
			}
			break
		}
	}
	if code, _, errs := truestep("token", "revoke", "Bo", "--data-dir", data); code != 0 {
		t.Fatal(errs)
	}
	eventually(t, "the revoked token is refused", func() bool {
		status, _ := asks(t, http.DefaultClient, url+"/api/v1/overview", added)
		return status == 401 || status == 429
	})
	p.signal(syscall.SIGTERM) // a live map is still open, and its client does not read
	if code, _, took := p.end(); code != 0 || took > stopsWithin {
		t.Errorf("exit status %d after %v\n%s", code, took, &p.errs)
	}
	if strings.Contains(p.errs.String(), token) {
		t.Error("the token is in the log")
	}
}

// After a kill and a restart with the same data folder, a login is still valid and a logout is not undone.
func TestConsoleLoginSurvivesKilledServer(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start := func() (p *process, url, token string) {
		p = launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--no-status", "--console", "127.0.0.1:0", "--data-dir", data)
		url, token = consoleOf(t, p.until("ready"))
		return p, url, token
	}
	ask := func(method, url, body string, cookie *http.Cookie) *http.Response {
		req, err := http.NewRequest(method, url+"/api/v1/session", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if cookie != nil {
			req.AddCookie(cookie)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res
	}
	p, url, token := start()
	login := func() *http.Cookie {
		res := ask("POST", url, `{"token":"`+token+`"}`, nil)
		if len(res.Cookies()) != 1 {
			t.Fatalf("status %d, cookies %v", res.StatusCode, res.Cookies())
		}
		return res.Cookies()[0]
	}
	stays, leaves := login(), login()
	ask("DELETE", url, "", leaves)
	p.cmd.Process.Kill()
	p.cmd.Wait()

	p, url, _ = start()
	for who, c := range map[string]struct {
		cookie *http.Cookie
		want   int
	}{"logged in": {stays, 200}, "logged out": {leaves, 401}} {
		if got := ask("GET", url, "", c.cookie).StatusCode; got != c.want {
			t.Errorf("%s: %d, want %d", who, got, c.want)
		}
	}
	if got := ask("POST", url, `{"token":"`+token+`"}`, nil).StatusCode; got != 401 {
		t.Errorf("the token of the previous run: %d", got)
	}
	p.signal(syscall.SIGTERM)
	if code, _, _ := p.end(); code != 0 {
		t.Errorf("exit status %d\n%s", code, &p.errs)
	}
}

func TestServeWithConsoleOffOpensNoConsole(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--no-status", "--console", "off")
	lines := p.until("ready")
	p.signal(os.Interrupt)
	if code, _, _ := p.end(); code != 0 || field(t, lines, "console", 1) != "off" {
		t.Errorf("exit status %d, %q", code, lines)
	}
}

func TestServeConsoleErrorsNameFlagToChange(t *testing.T) {
	here(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	write(t, "empty.pem", "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--console", at}, "console: cannot listen on " + at + ": bind: address already in use; another program may have the port: choose another address with --console HOST:PORT, or off"},
		{[]string{"--console", "8080"}, "console: cannot listen on 8080: missing port in address; choose another address"},
		{[]string{"--console", ":0"}, "console: :0 is reachable from other machines, and tokens would be sent unencrypted: give a certificate"},
		{[]string{"--console", "0.0.0.0:0"}, "console: 0.0.0.0:0 is reachable from other machines"},
		{[]string{"--console", "127.0.0.1:0", "--console-cert", "empty.pem"}, "console-cert and console-key belong together"},
		{[]string{"--console", "127.0.0.1:0", "--console-cert", "no.pem", "--console-key", "no.pem"}, "read console certificate: open no.pem: no such file or directory; give PEM files with --console-cert FILE --console-key FILE"},
		{[]string{"--console", "127.0.0.1:0", "--console-cert", "empty.pem", "--console-key", "empty.pem"}, "read console certificate: tls: failed to find any PEM data"},
		{[]string{"--console", "off", "--console-cert", "a", "--console-key", "b"}, "console-cert is for the console: give it an address"},
	} {
		refused(t, append([]string{"--rcce", "off", "--metrics", "off"}, c.args...), c.want)
	}
	if err := os.Remove("empty.pem"); err != nil {
		t.Fatal(err)
	}
	isEmpty(t, ".")

	if err := os.Mkdir("data", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join("data", console.TokensFile), "{")
	refused(t, []string{"--rcce", "off", "--metrics", "off", "--console", "127.0.0.1:0", "--data-dir", "data"},
		"open the console's tokens: data/operators.json: the file of operators is not valid: unexpected EOF; repair the file, or move it away")
}

// certificate writes a certificate for loopback and its key.
func certificate(t *testing.T, dir string) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	b, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: b})))
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return cert, key, pool
}

func TestConsoleWithCertificateServesHTTPSOnAllInterfaces(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t, t.TempDir())
	p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--no-status",
		"--console", "0.0.0.0:0", "--console-cert", cert, "--console-key", key)
	lines := p.until("ready")
	url, token := consoleOf(t, lines)
	if shown := strings.Join(lines, "\n"); !strings.Contains(shown, "operator's console, on all interfaces") {
		t.Errorf("the start screen does not say that the console is open to all interfaces:\n%s", shown)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	defer client.CloseIdleConnections()
	if status, body := asks(t, client, url+"/api/v1/session", token); status != 200 || !strings.HasPrefix(url, "https://") {
		t.Errorf("%s: %d %s", url, status, body)
	}
	header := http.Header{"Authorization": {"Bearer " + token}}
	live, _, err := websocket.Dial(t.Context(), url+"/api/v1/live?area=0", &websocket.DialOptions{HTTPHeader: header, HTTPClient: &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	live.CloseNow()
	p.signal(syscall.SIGTERM)
	if code, _, took := p.end(); code != 0 || took > stopsWithin {
		t.Errorf("exit status %d after %v\n%s", code, took, &p.errs)
	}
}

func TestConsoleInsecureFlagServesHTTPOnAllInterfaces(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--no-status",
		"--console", "0.0.0.0:0", "--console-insecure")
	url, token := consoleOf(t, p.until("ready"))
	if status, body := asks(t, http.DefaultClient, url+"/api/v1/session", token); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	p.signal(os.Interrupt)
	if p.end(); !strings.Contains(p.errs.String(), "tokens are sent unencrypted") || strings.Contains(p.errs.String(), token) {
		t.Errorf("the log is\n%s", &p.errs)
	}
}
