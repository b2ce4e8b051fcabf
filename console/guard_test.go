package console

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *Options) {
		o.Page = fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "assets/app-1.js": {Data: []byte("x")}}
	})
	for path, status := range map[string]int{
		"/": 200, "/assets/app-1.js": 200, "/nope": 404, "/assets/": 404, "/../index.html": 307, "/assets//app-1.js": 307,
		apiBase + "/session": 401, apiBase + "/nope": 404, apiBase: 404, "/api/": 404, apiBase + "/live?area=0": 401, apiBase + "/players/x/kick": 405,
	} {
		req, err := http.NewRequest("GET", r.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.URL.Opaque = path // sends the path unescaped
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != status {
			t.Errorf("GET %s: status %d, want %d", path, res.StatusCode, status)
		}
		for header, want := range map[string]string{
			"Content-Security-Policy": contentPolicy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := res.Header.Get(header); got != want {
				t.Errorf("%s: %s is %q", path, header, got)
			}
		}
		if got := res.Header.Get("Cache-Control"); strings.HasPrefix(path, apiBase) && got != "no-store" {
			t.Errorf("%s: cacheable by browsers: %q", path, got)
		}
		if got := res.Header.Get("WWW-Authenticate"); (status == 401) != strings.HasPrefix(got, "Bearer ") {
			t.Errorf("%s: %d with WWW-Authenticate %q", path, status, got)
		}
	}
}

func TestForeignHostHeaderIsRefusedOnLoopback(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	port := r.Listener.Addr().String()[strings.LastIndex(r.Listener.Addr().String(), ":"):]
	for host, ok := range map[string]bool{
		"127.0.0.1" + port: true, "localhost" + port: true, "LOCALHOST": true, "[::1]" + port: true, "127.9.9.9": true,
		"evil.example" + port: false, "127.0.0.1.evil.example": false, "localhost.evil.example": false, "192.0.2.1": false, "0.0.0.0": false, "localhost.": false,
	} {
		for _, path := range []string{"/session", "/live?area=0"} {
			req := r.request(Viewer, "GET", path, "")
			req.Host = host
			a := r.do(req)
			if ok == (a.code == codeForbidden) {
				t.Errorf("host %s, path %s: status %d, response %s", host, path, a.status, a.body)
			}
		}
	}
}

func TestCrossOriginRequestIsRefused(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	c := r.cookieOf(r.tokens[Admin])
	for _, header := range []map[string]string{
		{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
		{"Origin": "http://127.0.0.1:1"},
	} {
		for _, to := range []struct{ method, path, body string }{
			{"POST", "/session", `{"token":"x"}`}, {"DELETE", "/session", ""}, {"POST", "/bans", `{"account":"ann"}`},
			{"DELETE", "/bans/ann", ""}, {"POST", "/players/1/kick", `{}`}, {"GET", "/live?area=0", ""},
		} {
			req := r.request(NoRole, to.method, to.path, to.body)
			req.AddCookie(c)
			for k, v := range header {
				req.Header.Set(k, v)
			}
			r.wantError(r.do(req), 403, codeForbidden, "another site")
		}
	}
	own := r.request(NoRole, "DELETE", "/session", "")
	own.Header.Set("Origin", r.url)
	own.Header.Set("Sec-Fetch-Site", "same-origin")
	if a := r.do(own); a.status != 204 {
		t.Errorf("a request of the console's own page was refused: %d %s", a.status, a.body)
	}
	if a := r.call(Admin, "GET", "/audit", ""); strings.Contains(a.body, `"ban"`) {
		t.Errorf("an unauthenticated attempt is in the audit: %s", a.body)
	}
}

// Behind a TLS proxy, requests name the proxy's host and pages are loaded over HTTPS.
func TestProxiedConsoleAcceptsProxyHost(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *Options) { o.Proxied = true })
	req := r.request(Viewer, "GET", "/live?area=0", "")
	req.Host = "game.example"
	req.Header.Set("Origin", "https://game.example")
	r.wantError(r.do(req), 400, codeBadRequest, "WebSocket")
	req.Header.Set("Origin", "https://evil.example")
	r.wantError(r.do(req), 403, codeForbidden, "another site")
	own := r.request(NoRole, "DELETE", "/session", "")
	own.Host = "game.example"
	own.Header.Set("Origin", "https://game.example")
	if a := r.do(own); a.status != 204 {
		t.Errorf("status %d, response %s", a.status, a.body)
	}
	for origin, secure := range map[string]bool{"https://game.example": true, "http://game.example": false, "": false} {
		login := r.request(NoRole, "POST", "/session", `{"token":"`+r.tokens[Viewer]+`"}`)
		login.Host = "game.example"
		if login.Header.Set("Origin", origin); origin == "" {
			login.Header.Del("Origin")
		}
		if a := r.do(login); a.status != 200 || strings.Contains(a.header.Get("Set-Cookie"), "Secure") != secure {
			t.Errorf("from %q: %d, %q", origin, a.status, a.header.Get("Set-Cookie"))
		}
	}
}

func TestWrongHTTPMethodIsRefusedWithAllowHeader(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for path, allow := range map[string]string{
		"/session": "GET, POST, DELETE", "/world": "GET", "/players/1/kick": "POST", "/bans": "GET, POST", "/bans/ann": "DELETE",
	} {
		for _, method := range []string{"PUT", "PATCH", "OPTIONS", "BREW"} {
			a := r.call(Admin, method, path, "")
			r.wantError(a, 405, codeBadRequest, "the method must be")
			if a.header.Get("Allow") != allow {
				t.Errorf("%s %s: Allow is %q, want %q", method, path, a.header.Get("Allow"), allow)
			}
		}
	}
	req, _ := http.NewRequest("POST", r.url+"/", nil)
	r.wantError(r.do(req), 405, codeBadRequest, "GET")
	req = r.request(Viewer, "HEAD", "/world", "")
	if a := r.do(req); a.status != 200 || a.body != "" {
		t.Errorf("HEAD: %d %q", a.status, a.body)
	}
}

func TestConsolePageIsCompressedAndCacheable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("let a = 1;\n", 1000)
	r := start(t, func(o *Options) {
		o.Page = fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "assets/app-1.js": {Data: []byte(long)}}
	})
	get := func(path string, header ...string) answer {
		req, _ := http.NewRequest("GET", r.url+path, nil)
		req.Header.Set("Accept-Encoding", "identity")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		return r.do(req)
	}
	a := get("/assets/app-1.js")
	if a.body != long || a.header.Get("Content-Type") != "text/javascript; charset=utf-8" || !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
		t.Errorf("%d bytes, %v", len(a.body), a.header)
	}
	z := get("/assets/app-1.js", "Accept-Encoding", "br;q=1.0, gzip;q=0.8")
	if z.header.Get("Content-Encoding") != "gzip" || len(z.body) > len(long)/5 {
		t.Errorf("%d bytes, %v", len(z.body), z.header)
	}
	if no := get("/assets/app-1.js", "Accept-Encoding", "gzip;q=0"); no.header.Get("Content-Encoding") != "" {
		t.Error("gzip was sent although it is not accepted")
	}
	index := get("/")
	if index.body != "<!doctype html>" || index.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("the index page is %q with header %v", index.body, index.header)
	}
	if again := get("/index.html", "If-None-Match", index.header.Get("ETag")); again.status != 304 || again.body != "" {
		t.Errorf("the second request: status %d, response %q", again.status, again.body)
	}
}

func TestConsoleWebPageWithoutIndexFileIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := loadAssets(fstest.MapFS{"app.js": {}}); err == nil || !strings.Contains(err.Error(), "index.html") {
		t.Errorf("files without an index page: error %v", err)
	}
	if all, err := loadAssets(embeddedPage()); err != nil || len(all) == 0 {
		t.Errorf("the embedded page: %d files, %v", len(all), err)
	}
}

// selfSigned returns a self-signed certificate for loopback.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestConsoleOverTLSUsesSecureCookiesAndHTTP2(t *testing.T) {
	t.Parallel()
	pair, pool := selfSigned(t)
	r := start(t, func(o *Options) {
		o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	})
	r.url = "https://" + r.Listener.Addr().String()
	client := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	defer client.CloseIdleConnections()
	res, err := client.RoundTrip(r.request(NoRole, "POST", "/session", `{"token":"`+r.tokens[Viewer]+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 || res.ProtoMajor != 2 || len(res.Cookies()) != 1 || !res.Cookies()[0].Secure {
		t.Errorf("status %s, protocol %s, cookies %v", res.Status, res.Proto, res.Cookies())
	}
	plain, err := http.Get("http://" + r.Listener.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	plain.Body.Close()
	if plain.StatusCode != 400 {
		t.Errorf("plain HTTP on the same port: %s", plain.Status)
	}
}

// A panic of a handler causes an internal error response and a log line with the stack.
func TestHandlerPanicReturnsInternalError(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	broken := r.guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") }))
	w := new(recorder)
	req := r.request(Viewer, "GET", "/session", "")
	broken.ServeHTTP(w, req)
	if w.status != 500 || !strings.Contains(w.body.String(), codeInternal) || strings.Contains(w.body.String(), "broken") {
		t.Errorf("status %d, response %s", w.status, &w.body)
	}
	if !strings.Contains(r.log.String(), "an HTTP handler panicked") {
		t.Errorf("the log is %s", r.log)
	}
	if err := r.Journal.Reader.Close(); err != nil { // makes further reads of the journal fail
		t.Fatal(err)
	}
	r.wantError(r.call(Viewer, "GET", "/corrections", ""), 500, codeInternal, "see the server's log")
	if !strings.Contains(r.log.String(), "an API call returned an internal error") {
		t.Errorf("the error is not logged:\n%s", r.log)
	}
}

// recorder records the response of a handler.
type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (w *recorder) Header() http.Header {
	if w.header == nil {
		w.header = http.Header{}
	}
	return w.header
}
func (w *recorder) WriteHeader(status int) { w.status = status }
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = 200
	}
	return w.body.Write(b)
}
