package console

import (
	"crypto/sha256"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/session"
)

const (
	cookieName   = "truestep"
	loginLasts   = 12 * time.Hour
	maxLogins    = 1024 // at once   guess: far more than people look at one server
	maxLoginsOf  = 64   // of one token   guess: a page on each device of a team that shares it; the oldest goes first
	maxToken     = 256  // bytes of a token that is worth hashing
	failsAllowed = 10   // wrong tokens of an address in failWindow, then throttled
	failWindow   = time.Minute
	maxFailing   = 4096 // addresses that are remembered   guess: some 400 KB
)

// visitor is who asks. The zero value is nobody.
type visitor struct {
	name    string
	role    Role
	run     bool              // by a token of one run of the server
	expires time.Time         // zero: never
	token   [sha256.Size]byte // hash
	cookie  [sha256.Size]byte // hash of the cookie; zero: the token came with the request
	addr    netip.Addr        // for logs and throttling
}

// doorkeeper knows who is logged in. Safe for any goroutine.
type doorkeeper struct {
	tokens *Tokens
	now    func() time.Time
	secure bool // cookies go over TLS only

	mu     sync.Mutex
	logins map[[sha256.Size]byte]login // by the hash of the cookie
	fails  map[netip.Addr]failing

	// The file of logins. changes is how often logins changed, under mu; what follows saving is under that.
	path    string // "": logins end with the server
	log     *slog.Logger
	changes uint64
	saving  sync.Mutex
	saved   uint64    // the changes that are in the file
	wrote   time.Time // when it was written last
	failing bool      // it could not be
}

// login is a cookie that was given out.
type login struct {
	token [sha256.Size]byte
	until time.Time
	name  string
	role  Role // of the token when it was shown
	run   bool // the token is or was one of a run, which no file has
}

// failing is how often an address came with a wrong token since a time.
type failing struct {
	since time.Time
	count int
}

func newDoorkeeper(tokens *Tokens, secure bool, now func() time.Time) *doorkeeper {
	return &doorkeeper{
		tokens: tokens, secure: secure, now: now,
		logins: map[[sha256.Size]byte]login{}, fails: map[netip.Addr]failing{},
	}
}

var (
	errNotLoggedIn  = &apiError{http.StatusUnauthorized, codeUnauthorized, "log in with a token"}
	errWrongToken   = &apiError{http.StatusUnauthorized, codeUnauthorized, "nobody has this token; truestep token add makes one, and the server prints one when it starts"}
	errLoginOver    = &apiError{http.StatusUnauthorized, codeUnauthorized, "the login is not known any more: log in again"}
	errLoginExpired = &apiError{http.StatusUnauthorized, codeExpired, "the login has expired: log in again"}
	errTokenExpired = &apiError{http.StatusUnauthorized, codeExpired, "the token has expired: ask for a new one"}
	errManyLogins   = &apiError{http.StatusTooManyRequests, codeThrottled, "too many wrong tokens from this address: wait a minute"}
)

// identify finds out who asks: by a token in the request, or by the cookie of a login.
func (d *doorkeeper) identify(r *http.Request) (visitor, error) {
	addr := addrOf(r)
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return visitor{addr: addr}, &apiError{http.StatusUnauthorized, codeUnauthorized, "the Authorization header must be: Bearer TOKEN"}
		}
		return d.byToken(strings.TrimSpace(token), addr)
	}
	cookie, err := r.Cookie(cookieName)
	if err != nil || cookie.Value == "" {
		return visitor{addr: addr}, errNotLoggedIn
	}
	return d.byCookie(cookie.Value, addr)
}

// byToken is who has the token. Wrong ones are counted against the address.
func (d *doorkeeper) byToken(token string, addr netip.Addr) (visitor, error) {
	nobody := visitor{addr: addr}
	if d.throttled(addr) {
		return nobody, errManyLogins
	}
	if token == "" || len(token) > maxToken {
		d.failed(addr)
		return nobody, errWrongToken
	}
	v := visitor{token: sha256.Sum256([]byte(token)), addr: addr}
	if err := d.fill(&v); err != nil {
		d.failed(addr)
		return nobody, err
	}
	return v, nil
}

// fill reads from the tokens who v is, by v.token.
func (d *doorkeeper) fill(v *visitor) error {
	now := d.now()
	o, ok := d.tokens.find(v.token, now)
	switch {
	case !ok:
		return errWrongToken
	case o.Expired(now):
		return errTokenExpired
	}
	v.name, v.role, v.run, v.expires = o.Name, o.Role, o.run, o.Expires
	return nil
}

func (d *doorkeeper) byCookie(value string, addr netip.Addr) (visitor, error) {
	nobody := visitor{addr: addr}
	if len(value) > maxToken {
		return nobody, errLoginOver
	}
	v := visitor{cookie: sha256.Sum256([]byte(value)), addr: addr}
	if err := d.resume(&v); err != nil {
		return nobody, err
	}
	return v, nil
}

// resume reads from the logins who v is, by v.cookie. A login whose token was revoked or has another role is over for
// good.
func (d *doorkeeper) resume(v *visitor) error {
	d.mu.Lock()
	l, ok := d.logins[v.cookie]
	d.mu.Unlock()
	if !ok {
		return errLoginOver
	}
	v.token, v.name, v.role, v.run = l.token, l.name, l.role, l.run
	if !l.run {
		err := d.fill(v)
		if err == errWrongToken || err == nil && v.role != l.role {
			if d.tokens.Err() == nil { // else the file is only being mended
				d.end(v.cookie)
			}
			return errLoginOver
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

// still tells whether v may go on, for connections that stay.
func (d *doorkeeper) still(v *visitor) bool {
	again := visitor{token: v.token, cookie: v.cookie}
	look := d.fill
	if v.cookie != [sha256.Size]byte{} {
		look = d.resume
	}
	return look(&again) == nil && again.role >= v.role
}

// enter logs somebody in and returns his cookie.
func (d *doorkeeper) enter(token string, addr netip.Addr) (visitor, *http.Cookie, error) {
	v, err := d.byToken(token, addr)
	if err != nil {
		return v, nil, err
	}
	value, hash := newToken()
	l := login{token: v.token, until: d.now().Add(loginLasts), name: v.name, role: v.role, run: v.run}
	if !v.expires.IsZero() && v.expires.Before(l.until) {
		l.until = v.expires
	}
	v.cookie, v.expires = hash, l.until
	d.mu.Lock()
	d.tidy(v.token)
	d.logins[hash] = l
	d.changes++
	d.mu.Unlock()
	d.save()
	return v, d.cookie(value, int(loginLasts/time.Second)), nil
}

// tidy makes room for a login with that token. Whoever has most makes room, so that nobody can log others out by logging
// in again and again. It needs the lock.
func (d *doorkeeper) tidy(token [sha256.Size]byte) {
	now := d.now()
	of := map[[sha256.Size]byte]int{}
	for hash, l := range d.logins {
		if forgotten(&l, now) {
			delete(d.logins, hash)
			continue
		}
		of[l.token]++
	}
	if of[token] < maxLoginsOf {
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

// end ends a login, and tells whether there was one.
func (d *doorkeeper) end(cookie [sha256.Size]byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.logins[cookie]; !ok {
		return false
	}
	delete(d.logins, cookie)
	d.changes++
	return true
}

// leave ends the login of a cookie, so that it does not come back with another run of the server either, and returns the
// cookie that makes a browser forget it.
func (d *doorkeeper) leave(r *http.Request) *http.Cookie {
	if cookie, err := r.Cookie(cookieName); err == nil && len(cookie.Value) <= maxToken {
		if d.end(sha256.Sum256([]byte(cookie.Value))) {
			d.save()
		}
	}
	return d.cookie("", -1)
}

func (d *doorkeeper) cookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: d.secure, SameSite: http.SameSiteStrictMode,
	}
}

// throttled tells whether the address has tried too often.
func (d *doorkeeper) throttled(addr netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, ok := d.fails[addr]
	return ok && f.count >= failsAllowed && d.now().Sub(f.since) < failWindow
}

func (d *doorkeeper) failed(addr netip.Addr) {
	now := d.now()
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.fails[addr]
	if f.count == 0 || now.Sub(f.since) >= failWindow {
		f = failing{since: now}
	}
	f.count++
	if len(d.fails) >= maxFailing {
		for a, f := range d.fails {
			if now.Sub(f.since) >= failWindow {
				delete(d.fails, a)
			}
		}
		if len(d.fails) >= maxFailing {
			clear(d.fails) // a flood of addresses: nobody can remember all of them
		}
	}
	d.fails[addr] = f
}

// addrOf is the address that asks.
func addrOf(r *http.Request) netip.Addr { return customer(r.RemoteAddr) }

// customer is the address of HOST:PORT; of IPv6 the network that one customer usually has.
func customer(remote string) netip.Addr {
	p, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return session.Network(p.Addr())
}
