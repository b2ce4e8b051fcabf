package console

import (
	"crypto/sha256"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/admission"
)

const (
	cookieName        = "truestep"     // name of the login cookie
	loginLifetime     = 12 * time.Hour // time after which a login ends
	maxLogins         = 1024           // maximum number of stored logins; chosen to be far more than the operators of a server need
	maxLoginsPerToken = 64             // maximum number of logins with one token; the oldest is removed; chosen for a token that a team shares
	maxTokenBytes     = 256            // maximum length of a token in bytes; a longer token is refused without hashing
	maxFailures       = 10             // maximum number of wrong tokens per address in failureWindow; more are throttled
	failureWindow     = time.Minute    // time for which wrong tokens are counted
	maxFailureAddrs   = 4096           // maximum number of addresses in authenticator.failures, which then takes about 400 KB of memory
)

// caller is the operator that sent a request. The zero value is not logged in.
type caller struct {
	name    string // operator's name; empty if not logged in
	role    Role
	runOnly bool              // the token is valid only until the server stops
	expires time.Time         // when the token expires; zero if never
	token   [sha256.Size]byte // SHA-256 of the token
	cookie  [sha256.Size]byte // SHA-256 of the cookie; zero if the request had the token itself
	addr    netip.Addr        // client address for logs and throttling
	local   bool              // the token is that of LocalAccessFile
	via     string            // how the operator acts: viaConsole, viaTerminal or viaAPI; "" if not known
}

// Values of caller.via: the means by which the operator sends requests.
const (
	viaConsole  = "console"  // the page, which logs in by cookie
	viaTerminal = "terminal" // truestep admin
	viaAPI      = "api"      // a program of the operator
)

// Request headers that the command truestep admin sends.
const (
	// ClientHeader has the value "terminal" if a person in a terminal sends the request. Programs do not send the
	// header.
	ClientHeader = "Truestep-Client"
	// OperatorHeader holds the name of the person who sends the request. The server uses the name only with the token of
	// LocalAccessFile, which belongs to no named operator.
	OperatorHeader = "Truestep-Operator"
)

// title returns the operator's name for the audit log: the person and how the person acts, such as "ann (console)".
func (v *caller) title() string {
	if v.via == "" {
		return v.name
	}
	return v.name + " (" + v.via + ")"
}

// authenticator checks tokens and login cookies. It is safe for concurrent use.
type authenticator struct {
	tokens *Tokens
	now    func() time.Time
	secure bool // cookies get the Secure attribute

	mu       sync.Mutex
	logins   map[[sha256.Size]byte]login // logins by SHA-256 of the cookie
	failures map[netip.Addr]failureCount // wrong tokens by client network

	// State of the file of logins (LoginsFile). The mutex mu guards changes, which counts the changes of logins. The mutex
	// saveMu guards the fields after it.
	path         string // path of the file; with "" logins end with the process
	log          *slog.Logger
	changes      uint64
	saveMu       sync.Mutex
	savedChanges uint64    // value of changes when the file was written last
	savedAt      time.Time // when the file was written last
	writeFailing bool      // the last write failed
}

// login is what the server knows of an issued login cookie.
type login struct {
	token   [sha256.Size]byte // SHA-256 of the token with which the operator logged in
	until   time.Time         // time at which the login ends
	name    string            // operator's name
	role    Role              // operator's role at the time of the login
	runOnly bool              // the token was issued for one run of the server and is in no file
}

// failureCount counts the wrong tokens of one client network.
type failureCount struct {
	since time.Time // time of the first counted token
	count int       // number of wrong tokens since then
}

func newAuthenticator(tokens *Tokens, secure bool, now func() time.Time) *authenticator {
	return &authenticator{
		tokens: tokens, secure: secure, now: now,
		logins: map[[sha256.Size]byte]login{}, failures: map[netip.Addr]failureCount{},
	}
}

var (
	errNotLoggedIn     = &apiError{http.StatusUnauthorized, codeUnauthorized, "log in with a token"}
	errWrongToken      = &apiError{http.StatusUnauthorized, codeUnauthorized, "unknown token; create one with truestep token add, or use the one that the server prints when it starts"}
	errUnknownLogin    = &apiError{http.StatusUnauthorized, codeUnauthorized, "the login is no longer known: log in again"}
	errLoginExpired    = &apiError{http.StatusUnauthorized, codeExpired, "the login has expired: log in again"}
	errTokenExpired    = &apiError{http.StatusUnauthorized, codeExpired, "the token has expired: ask for a new one"}
	errTooManyFailures = &apiError{http.StatusTooManyRequests, codeThrottled, "too many wrong tokens from this address: wait a minute"}
)

// authenticate returns the caller of a request, identified by the token in its header or by its login cookie.
func (d *authenticator) authenticate(r *http.Request) (caller, error) {
	addr := requestAddr(r)
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return caller{addr: addr}, &apiError{http.StatusUnauthorized, codeUnauthorized, "the Authorization header must be: Bearer TOKEN"}
		}
		v, err := d.authenticateToken(strings.TrimSpace(token), addr)
		v.via = viaAPI
		if r.Header.Get(ClientHeader) == viaTerminal {
			v.via = viaTerminal
		}
		if name := r.Header.Get(OperatorHeader); err == nil && v.local && checkName(name) == nil {
			v.name = name
		}
		return v, err
	}
	cookie, err := r.Cookie(cookieName)
	if err != nil || cookie.Value == "" {
		return caller{addr: addr}, errNotLoggedIn
	}
	return d.authenticateCookie(cookie.Value, addr)
}

// authenticateToken returns the operator with that token. Wrong tokens are counted per address. A valid token is accepted
// even from a throttled address, because operators may share that address with an attacker. This is safe, because a token
// of 256 random bits cannot be guessed.
func (d *authenticator) authenticateToken(token string, addr netip.Addr) (caller, error) {
	var err error = errWrongToken
	throttled := d.throttled(addr)
	if token != "" && len(token) <= maxTokenBytes {
		v := caller{token: sha256.Sum256([]byte(token)), addr: addr}
		find := d.tokens.find
		if throttled {
			find = d.tokens.findKnown // wrong tokens must not make the server reread the file of operators
		}
		if err = d.loadOperatorWith(find, &v); err == nil {
			return v, nil
		}
	}
	if throttled {
		return caller{addr: addr}, errTooManyFailures
	}
	d.countFailure(addr)
	return caller{addr: addr}, err
}

// loadOperator looks up the operator with v.token, and sets the name, role and expiry of v.
func (d *authenticator) loadOperator(v *caller) error { return d.loadOperatorWith(d.tokens.find, v) }

// loadOperatorWith does the same as loadOperator, but looks up the operator by the function find, which is Tokens.find or
// Tokens.findKnown.
func (d *authenticator) loadOperatorWith(find func([sha256.Size]byte, time.Time) (Operator, bool), v *caller) error {
	now := d.now()
	o, ok := find(v.token, now)
	switch {
	case !ok:
		return errWrongToken
	case o.Expired(now):
		return errTokenExpired
	}
	v.name, v.role, v.runOnly, v.expires, v.local = o.Name, o.Role, o.runOnly, o.Expires, o.local
	return nil
}

// authenticateCookie returns the caller of a login cookie. Errors: errUnknownLogin, errLoginExpired, errTokenExpired.
func (d *authenticator) authenticateCookie(value string, addr netip.Addr) (caller, error) {
	nobody := caller{addr: addr}
	if len(value) > maxTokenBytes {
		return nobody, errUnknownLogin
	}
	v := caller{cookie: sha256.Sum256([]byte(value)), addr: addr, via: viaConsole}
	if err := d.loadLogin(&v); err != nil {
		return nobody, err
	}
	return v, nil
}

// loadLogin looks up the login with v.cookie, and sets the fields of v. If the token of the login was revoked or now has another
// role, loadLogin removes the login.
func (d *authenticator) loadLogin(v *caller) error {
	d.mu.Lock()
	l, ok := d.logins[v.cookie]
	d.mu.Unlock()
	if !ok {
		return errUnknownLogin
	}
	v.token, v.name, v.role, v.runOnly = l.token, l.name, l.role, l.runOnly
	if !l.runOnly {
		err := d.loadOperator(v)
		if err == errWrongToken || err == nil && v.role != l.role {
			if d.tokens.Err() == nil { // an unreadable file does not remove logins, because it may be temporary
				d.removeLogin(v.cookie)
			}
			return errUnknownLogin
		}
		if err != nil {
			return err
		}
	}
	if !d.now().Before(l.until) {
		return errLoginExpired
	}
	if v.expires.IsZero() || l.until.Before(v.expires) {
		v.expires = l.until
	}
	return nil
}

// stillValid reports whether v is still logged in with at least the same role. Connections that stay open for long, such as those
// of live maps, call it regularly.
func (d *authenticator) stillValid(v *caller) bool {
	again := caller{token: v.token, cookie: v.cookie}
	look := d.loadOperator
	if v.cookie != [sha256.Size]byte{} {
		look = d.loadLogin
	}
	return look(&again) == nil && again.role >= v.role
}

// logIn checks a token, creates a login, and returns the caller and the login cookie.
func (d *authenticator) logIn(token string, addr netip.Addr) (caller, *http.Cookie, error) {
	v, err := d.authenticateToken(token, addr)
	if err != nil {
		return v, nil, err
	}
	value, hash := generateToken()
	l := login{token: v.token, until: d.now().Add(loginLifetime), name: v.name, role: v.role, runOnly: v.runOnly}
	if !v.expires.IsZero() && v.expires.Before(l.until) {
		l.until = v.expires
	}
	v.cookie, v.expires = hash, l.until
	d.mu.Lock()
	d.makeRoom(v.token)
	d.logins[hash] = l
	d.changes++
	d.mu.Unlock()
	d.save()
	return v, d.cookie(value, int(loginLifetime/time.Second)), nil
}

// makeRoom makes space for a new login with the given token. It removes logins that ended long ago. It removes one more login in
// two cases: (1) The token has as many logins as it may have. Then its oldest one is removed. (2) The table is full. Then the
// oldest login of the token with the most logins is removed, so that repeated logins of one operator do not log out others. The
// caller holds the lock.
func (d *authenticator) makeRoom(token [sha256.Size]byte) {
	now := d.now()
	of := map[[sha256.Size]byte]int{}
	for hash, l := range d.logins {
		if longExpired(&l, now) {
			delete(d.logins, hash)
			continue
		}
		of[l.token]++
	}
	if of[token] < maxLoginsPerToken {
		if len(d.logins) < maxLogins {
			return
		}
		for t, n := range of {
			if n > of[token] {
				token = t
			}
		}
	}
	var oldest [sha256.Size]byte
	var until time.Time
	for hash, l := range d.logins {
		if l.token == token && (until.IsZero() || l.until.Before(until)) {
			oldest, until = hash, l.until
		}
	}
	delete(d.logins, oldest)
}

// removeLogin removes a login and reports whether it existed.
func (d *authenticator) removeLogin(cookie [sha256.Size]byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.logins[cookie]; !ok {
		return false
	}
	delete(d.logins, cookie)
	d.changes++
	return true
}

// logOut removes, in memory and in the file, the login to which the cookie of the request belongs. It returns a cookie
// that makes the browser delete the login cookie.
func (d *authenticator) logOut(r *http.Request) *http.Cookie {
	if cookie, err := r.Cookie(cookieName); err == nil && len(cookie.Value) <= maxTokenBytes {
		if d.removeLogin(sha256.Sum256([]byte(cookie.Value))) {
			d.save()
		}
	}
	return d.cookie("", -1)
}

func (d *authenticator) cookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: d.secure, SameSite: http.SameSiteStrictMode,
	}
}

// throttled reports whether the address has sent too many wrong tokens.
func (d *authenticator) throttled(addr netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, ok := d.failures[addr]
	return ok && f.count >= maxFailures && d.now().Sub(f.since) < failureWindow
}

// countFailure counts a wrong token that came from addr.
func (d *authenticator) countFailure(addr netip.Addr) {
	now := d.now()
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.failures[addr]
	if f.count == 0 || now.Sub(f.since) >= failureWindow {
		f = failureCount{since: now}
	}
	f.count++
	if len(d.failures) >= maxFailureAddrs {
		for a, f := range d.failures {
			if now.Sub(f.since) >= failureWindow {
				delete(d.failures, a)
			}
		}
		if len(d.failures) >= maxFailureAddrs {
			clear(d.failures) // too many addresses have sent wrong tokens: reset all counts to bound memory
		}
	}
	d.failures[addr] = f
}

// requestAddr returns the client address of a request, or its /64 network for IPv6.
func requestAddr(r *http.Request) netip.Addr { return clientNetwork(r.RemoteAddr) }

// clientNetwork returns the IP address in a text HOST:PORT. An IPv6 address is reduced to its /64, which usually
// belongs to one client.
func clientNetwork(remote string) netip.Addr {
	p, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return admission.AddrOf(p.Addr())
}
