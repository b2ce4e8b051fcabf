package console

import (
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAPICallsWithoutTokenAreUnauthorized(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for _, to := range routes {
		if to.role == NoRole {
			continue
		}
		path := strings.NewReplacer("{entity}", "1", "{id}", "1", "{account}", "x").Replace(to.path)
		r.wantError(r.call(NoRole, to.method, path, "{}"), 401, codeUnauthorized, "log in")
	}
	for header, says := range map[string]string{
		"Bearer wrong":                        "unknown token",
		"Bearer ":                             "unknown token",
		"Bearer " + strings.Repeat("x", 9000): "unknown token",
		"Basic dXNlcjpwYXNz":                  "must be: Bearer TOKEN",
		r.tokens[Admin]:                       "must be: Bearer TOKEN",
	} {
		req := r.request(NoRole, "GET", "/session", "")
		req.Header.Set("Authorization", header)
		r.wantError(r.do(req), 401, codeUnauthorized, says)
	}
	if a := r.call(Viewer, "GET", "/session", ""); a.status != 200 {
		t.Errorf("the right token: %d %s", a.status, a.body)
	}
}

// cookieOf logs in and returns the login cookie.
func (r *harness) cookieOf(token string) *http.Cookie {
	r.t.Helper()
	req := r.request(NoRole, "POST", "/session", `{"token":"`+token+`"}`)
	a := r.do(req)
	if a.status != 200 {
		r.t.Fatalf("login: status %d, response %s", a.status, a.body)
	}
	cookies := (&http.Response{Header: a.header}).Cookies()
	if len(cookies) != 1 {
		r.t.Fatalf("cookies %v", cookies)
	}
	return cookies[0]
}

// callWithCookie calls the API with a cookie and no token.
func (r *harness) callWithCookie(cookie *http.Cookie, method, path, body string) answer {
	r.t.Helper()
	req := r.request(NoRole, method, path, body)
	req.AddCookie(cookie)
	return r.do(req)
}

func TestLoginCookieIsHttpOnlyAndSameSite(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	c := r.cookieOf(r.tokens[Moderator])
	if c.Name != cookieName || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure || c.MaxAge != int(loginLifetime/time.Second) {
		t.Errorf("the cookie is %+v", c)
	}
	if strings.Contains(c.Value, r.tokens[Moderator]) {
		t.Error("the cookie is the token")
	}
	a := r.callWithCookie(c, "GET", "/session", "")
	if a.status != 200 || !strings.Contains(a.body, `"name":"moderator","role":"moderator"`) || strings.Contains(a.body, `"expires":null`) {
		t.Errorf("session: status %d, response %s", a.status, a.body)
	}
	out := r.callWithCookie(c, "DELETE", "/session", "")
	if out.status != 204 || out.body != "" || !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("logging out: %d %q, %v", out.status, out.body, out.header)
	}
	r.wantError(r.callWithCookie(c, "GET", "/session", ""), 401, codeUnauthorized, "log in again")
	if a := r.call(NoRole, "DELETE", "/session", ""); a.status != 204 {
		t.Errorf("logging out twice: %d", a.status)
	}
	c.Value = strings.Repeat("x", 4000)
	r.wantError(r.callWithCookie(c, "GET", "/session", ""), 401, codeUnauthorized, "log in again")
}

func TestConsoleLoginExpiresAfterTwelveHours(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	c := r.cookieOf(r.tokens[Viewer])
	r.clock.advance(loginLifetime - time.Minute)
	if a := r.callWithCookie(c, "GET", "/session", ""); a.status != 200 {
		t.Errorf("a minute before: %d %s", a.status, a.body)
	}
	r.clock.advance(time.Minute)
	r.wantError(r.callWithCookie(c, "GET", "/session", ""), 401, codeExpired, "the login has expired")
	if a := r.call(Viewer, "GET", "/session", ""); a.status != 200 {
		t.Errorf("the token itself never expires: %d", a.status)
	}
}

// Changes of the file of operators, and the expiry of tokens, take effect while the server runs.
func TestChangedOperatorsFileIsReadWithoutRestart(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	file := filepath.Join(r.dir, TokensFile)
	token, err := AddOperator(file, "ann", Viewer, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	r.clock.advance(recheckInterval)
	c := r.cookieOf(token)
	if a := r.callWithCookie(c, "GET", "/session", ""); a.status != 200 || !strings.Contains(a.body, `"ann"`) {
		t.Errorf("session: status %d, response %s", a.status, a.body)
	}
	r.clock.advance(time.Hour)
	r.wantError(r.callWithCookie(c, "GET", "/session", ""), 401, codeExpired, "expired")
	r.tokens[NoRole+100] = token
	r.wantError(r.call(NoRole+100, "GET", "/session", ""), 401, codeExpired, "the token has expired")

	token, err = AddOperator(file, "bo", Viewer, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.clock.advance(recheckInterval)
	c = r.cookieOf(token)
	if err := RevokeOperator(file, "bo"); err != nil {
		t.Fatal(err)
	}
	r.clock.advance(recheckInterval)
	r.wantError(r.callWithCookie(c, "GET", "/session", ""), 401, codeUnauthorized, "log in again")
	r.tokens[NoRole+100] = token
	r.wantError(r.call(NoRole+100, "GET", "/session", ""), 401, codeUnauthorized, "unknown token")

	// While the file cannot be parsed, none of the operators in it may log in.
	token, err = AddOperator(file, "cy", Viewer, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.clock.advance(recheckInterval)
	c = r.cookieOf(token)
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.clock.advance(recheckInterval)
	r.wantError(r.callWithCookie(c, "GET", "/session", ""), 401, codeUnauthorized, "log in again")
	if a := r.call(Admin, "GET", "/session", ""); a.status != 200 || r.Tokens.Err() == nil {
		t.Errorf("the token of this run: %d, %v", a.status, r.Tokens.Err())
	}
	r.eventually("the error is logged", func() bool { return strings.Contains(r.log.String(), "cannot read the file of operators") })
}

func TestWrongTokensAreThrottledAndValidTokenIsAccepted(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	r.clock.freeze()
	c := r.cookieOf(r.tokens[Viewer])
	for range maxFailures {
		r.wantError(r.call(NoRole, "POST", "/session", `{"token":"guess"}`), 401, codeUnauthorized, "unknown token")
	}
	a := r.call(NoRole, "POST", "/session", `{"token":"guess"}`)
	r.wantError(a, 429, codeThrottled, "wait a minute")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After header")
	}
	if a := r.call(Viewer, "GET", "/session", ""); a.status != 200 {
		t.Errorf("another operator behind the same address: %d %s", a.status, a.body)
	}
	if a := r.call(NoRole, "POST", "/session", `{"token":"`+r.tokens[Viewer]+`"}`); a.status != 200 {
		t.Errorf("its login: %d %s", a.status, a.body)
	}
	if a := r.callWithCookie(c, "GET", "/session", ""); a.status != 200 {
		t.Errorf("a caller that is logged in already: %d", a.status)
	}
	r.clock.advance(failureWindow)
	r.wantError(r.call(NoRole, "POST", "/session", `{"token":"guess"}`), 401, codeUnauthorized, "unknown token")
}

func TestNumberOfLoginsAndOfFailedLoginAddressesIsBounded(t *testing.T) {
	t.Parallel()
	clock := new(testClock)
	tokens, err := OpenTokens(filepath.Join(t.TempDir(), TokensFile))
	if err != nil {
		t.Fatal(err)
	}
	d := newAuthenticator(tokens, false, clock.now)
	token := tokens.Issue("ann", Viewer)
	for range maxLogins + 50 {
		if _, _, err := d.logIn(token, requestAddr(&http.Request{RemoteAddr: "192.0.2.1:5"})); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Second)
	}
	for i := range maxFailureAddrs + 50 {
		var a [4]byte
		a[1], a[2], a[3] = byte(i>>16), byte(i>>8), byte(i)
		d.countFailure(addrFrom(a))
	}
	if len(d.logins) > maxLogins || len(d.failures) > maxFailureAddrs {
		t.Errorf("%d logins, %d addresses", len(d.logins), len(d.failures))
	}
	clock.advance(3 * loginLifetime)
	if _, _, err := d.logIn(token, addrFrom([4]byte{9, 9, 9, 9})); err != nil || len(d.logins) != 1 {
		t.Errorf("%d logins after a day, %v", len(d.logins), err)
	}
}

func TestTokensAreNeverLoggedOrReturned(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	c := r.cookieOf(r.tokens[Admin])
	var all strings.Builder
	for _, path := range []string{"/session", "/world", "/overview", "/players", "/series", "/bans", "/audit", "/corrections"} {
		all.WriteString(r.callWithCookie(c, "GET", path, "").body)
	}
	r.call(NoRole, "POST", "/session", `{"token":"SECRETGUESS"}`)
	r.call(Admin, "POST", "/players/99/kick", `{"reason":"x"}`)
	all.WriteString(r.log.String())
	for _, secret := range []string{r.tokens[Admin], c.Value, "SECRETGUESS"} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%q is readable", secret)
		}
	}
	if !strings.Contains(r.log.String(), "a login was refused") {
		t.Errorf("a refused login is not logged:\n%s", r.log)
	}
}

// Refused tokens are logged whether they are in a header or in a login request, at a bounded rate over all addresses.
func TestRefusedTokensAreLoggedAtBoundedRate(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	const line = "a login was refused"
	req := r.request(NoRole, "GET", "/overview", "")
	req.Header.Set("Authorization", "Bearer guess")
	r.do(req)
	if n := strings.Count(r.log.String(), line); n != 1 {
		t.Errorf("a wrong token in a call is logged %d times", n)
	}
	for range 1000 {
		r.logRefusedLogin(netip.MustParseAddr("192.0.2.1"), errWrongToken)
	}
	if n := strings.Count(r.log.String(), line); n < 20 || n > 200 {
		t.Errorf("1001 refused logins are %d lines of the log", n)
	}
}

func TestIPv6NetworkIsThrottledAsOneAddress(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"192.0.2.1:40000":              "192.0.2.1",
		"[::ffff:192.0.2.1]:40000":     "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:40000": "2001:db8:1:2::",
		"[fe80::1%eth0]:1":             "fe80::",
		"@":                            "invalid IP",
	} {
		if got := requestAddr(&http.Request{RemoteAddr: remote}).String(); got != want {
			t.Errorf("the address of %s is %s, want %s", remote, got, want)
		}
	}
}

func TestExcessLoginsOfOperatorDoNotEvictLoginsOfOthers(t *testing.T) {
	t.Parallel()
	clock := new(testClock)
	tokens, err := OpenTokens(filepath.Join(t.TempDir(), TokensFile))
	if err != nil {
		t.Fatal(err)
	}
	d := newAuthenticator(tokens, false, clock.now)
	addr := addrFrom([4]byte{192, 0, 2, 1})
	login := func(token string) *http.Cookie {
		_, c, err := d.logIn(token, addr)
		if err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Second)
		return c
	}
	in := func(c *http.Cookie) bool { _, err := d.authenticateCookie(c.Value, addr); return err == nil }
	admin, viewer := tokens.Issue("ann", Admin), tokens.Issue("eve", Viewer)
	first := login(admin)
	var hers []*http.Cookie
	for range maxLoginsPerToken + 10 {
		hers = append(hers, login(viewer))
	}
	if !in(first) || in(hers[9]) || !in(hers[10]) || !in(hers[len(hers)-1]) {
		t.Errorf("ann %v, eve's first %v, %v, the last of hers %v", in(first), in(hers[9]), in(hers[10]), in(hers[len(hers)-1]))
	}
	// If the table of logins is full, the oldest login of the token with the most logins is removed.
	for i := 0; len(d.logins) < maxLogins; i++ {
		login(tokens.Issue(itoa(int64(i)), Viewer))
	}
	last := login(tokens.Issue("last", Viewer))
	if len(d.logins) != maxLogins || !in(first) || !in(last) || in(hers[10]) || !in(hers[11]) {
		t.Errorf("%d logins, ann %v, the last %v, eve's %v, %v", len(d.logins), in(first), in(last), in(hers[10]), in(hers[11]))
	}
}

// stillValid returns false after a logout, after the end of the login, once the token is revoked, and when the role of the
// operator becomes lower. Each live map calls it.
func TestAccessBecomesInvalidAfterLogoutExpiryRevocationOrLowerRole(t *testing.T) {
	t.Parallel()
	clock := new(testClock)
	clock.freeze()
	file := filepath.Join(t.TempDir(), TokensFile)
	for _, name := range []string{"ann", "bo"} {
		if _, err := AddOperator(file, name, Viewer, 0); err != nil {
			t.Fatal(err)
		}
	}
	token, err := AddOperator(file, "cy", Moderator, 0)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := OpenTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	d := newAuthenticator(tokens, false, clock.now)
	addr := addrFrom([4]byte{192, 0, 2, 1})
	byToken, err := d.authenticateToken(token, addr)
	if err != nil {
		t.Fatal(err)
	}
	byCookie, cookie, err := d.logIn(token, addr)
	if err != nil {
		t.Fatal(err)
	}
	if !d.stillValid(&byToken) || !d.stillValid(&byCookie) {
		t.Error("token and login are refused although both are valid")
	}
	d.logOut(&http.Request{Header: http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}}})
	if !d.stillValid(&byToken) || d.stillValid(&byCookie) {
		t.Error("after logging out the login is valid or the token is not")
	}
	if byCookie, _, err = d.logIn(token, addr); err != nil {
		t.Fatal(err)
	}
	clock.advance(loginLifetime)
	if !d.stillValid(&byToken) || d.stillValid(&byCookie) {
		t.Error("the login is valid after twelve hours, or the token is not")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	change := func(from, to string) {
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(b), from, to)), 0o600); err != nil {
			t.Fatal(err)
		}
		clock.advance(recheckInterval)
	}
	if change("moderator", "admin"); !d.stillValid(&byToken) {
		t.Error("the connection is invalid after its operator got a greater role")
	}
	if change("moderator", "viewer"); d.stillValid(&byToken) {
		t.Error("the connection is valid after its operator got a smaller role")
	}
	if change("cy", "cy"); !d.stillValid(&byToken) {
		t.Error("the connection is invalid although the role is as before")
	}
	if err := RevokeOperator(file, "cy"); err != nil {
		t.Fatal(err)
	}
	if clock.advance(recheckInterval); d.stillValid(&byToken) {
		t.Error("the connection is valid although the token is revoked")
	}
}
