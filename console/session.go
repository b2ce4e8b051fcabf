package console

import (
	"net/netip"
	"strings"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// timestamp is a time that JSON encodes as RFC 3339 with milliseconds, in UTC.
type timestamp time.Time

// MarshalText returns the time as RFC 3339 with milliseconds, in UTC.
func (t timestamp) MarshalText() ([]byte, error) { return []byte(formatTime(time.Time(t))), nil }

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// UnmarshalText parses any time in RFC 3339.
func (t *timestamp) UnmarshalText(b []byte) error {
	at, err := time.Parse(time.RFC3339Nano, string(b))
	*t = timestamp(at)
	return err
}

// timestampOrNull returns t, or nil for the zero time.
func timestampOrNull(t time.Time) *timestamp {
	if t.IsZero() {
		return nil
	}
	s := timestamp(t)
	return &s
}

// sessionBody is the response of GET /session: the caller and the server.
type sessionBody struct {
	Name    string     `json:"name"`    // name of the operator
	Role    string     `json:"role"`    // role of the operator, such as "moderator"
	Expires *timestamp `json:"expires"` // time at which the login or token expires; null if never
	Server  serverBody `json:"server"`  // server that the console belongs to
}

// serverBody describes the server in the response of GET /session.
type serverBody struct {
	Version   string    `json:"version"`   // version of the server program
	World     string    `json:"world"`     // name of the world
	StartedAt timestamp `json:"startedAt"` // start time, which identifies the run of the server
	TickRate  int       `json:"tickRate"`  // ticks per second
}

// session handles GET /session. It describes the caller and the server.
func (k *call) session() (any, error) { return k.sessionOf(&k.caller), nil }

func (c *Console) sessionOf(v *caller) sessionBody {
	def := c.World.Def()
	return sessionBody{
		Name: v.name, Role: v.role.String(), Expires: timestampOrNull(v.expires),
		Server: serverBody{Version: c.Version, World: def.Name, StartedAt: timestamp(c.started), TickRate: def.TicksPerSecond},
	}
}

// logIn handles POST /session. It exchanges a token for a login cookie.
func (k *call) logIn() (any, error) {
	var body struct {
		Token string `json:"token"`
	}
	addr := requestAddr(k.r)
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	if body.Token == "" {
		return nil, badRequest(`"token" is missing`)
	}
	v, cookie, err := k.auth.logIn(body.Token, addr)
	if err != nil {
		if err != errTooManyFailures {
			k.logRefusedLogin(addr, err)
		}
		return nil, err
	}
	// Behind a TLS proxy the console serves plain HTTP. Only the Origin of the page then shows that the browser uses HTTPS.
	cookie.Secure = cookie.Secure || strings.HasPrefix(k.r.Header.Get("Origin"), "https://")
	k.setCookie(cookie)
	k.log.Info("console: operator logged in", fieldOperator, v.name, fieldRole, v.role.String(), fieldAddr, addr)
	return k.sessionOf(&v), nil
}

// logRefusedLogin logs a refused login. The number of such log lines is limited, for all addresses together.
func (c *Console) logRefusedLogin(addr netip.Addr, err error) {
	if leftOut, ok := c.notices.Allow(c.now()); ok {
		c.log.Warn("console: a login was refused", fieldAddr, addr, fieldWhy, err.Error(), telemetry.FieldLeftOut, leftOut)
	}
}

// logOut handles DELETE /session. It succeeds even if the caller is not logged in.
func (k *call) logOut() (any, error) {
	k.setCookie(k.auth.logOut(k.r))
	return noContent{}, nil
}
