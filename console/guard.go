package console

import (
	"net"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/telemetry"
)

// contentPolicy is the Content-Security-Policy of every response: the page may load resources from this server only.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// setSecurityHeaders sets the headers of every response, error responses included.
func setSecurityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store") // handlers of cacheable responses override it
}

var (
	errForeignHost   = &apiError{http.StatusForbidden, codeForbidden, "this console answers to localhost and loopback addresses only"}
	errForeignOrigin = &apiError{http.StatusForbidden, codeForbidden, "the request comes from another site's page"}
)

// guard wraps all handlers: it sets security headers, checks the Host and Origin headers, and recovers from panics.
func (c *Console) guard(next http.Handler) http.Handler {
	var crossOrigin http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(w.Header())
		if socket, ok := r.Context().Value(connKey{}).(net.Conn); ok {
			if g := limitedConnOf(socket); g != nil {
				g.Place.MarkRequestReceived()
			}
		}
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				c.log.Error("console: an HTTP handler panicked", telemetry.FieldPanic, p, telemetry.FieldStack, string(debug.Stack()))
				writeError(w, errInternal)
			}
		}()
		switch {
		case c.loopback && !c.Proxied && !admission.IsLoopbackHost(r.Host):
			writeError(w, errForeignHost) // prevents DNS rebinding, in which a foreign name resolves to this machine
		case crossOrigin.Check(r) != nil:
			writeError(w, errForeignOrigin)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// sameOrigin reports whether a request comes (1) from a page of this server or (2) from no page at all. The console checks this
// itself, because browsers do not enforce the same-origin policy for WebSockets.
func (c *Console) sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	plain, encrypted := strings.EqualFold(origin, "http://"+r.Host), strings.EqualFold(origin, "https://"+r.Host)
	if r.TLS != nil {
		return encrypted
	}
	return plain || encrypted && c.Proxied
}
