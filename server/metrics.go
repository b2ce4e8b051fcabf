package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// metricsServer serves Prometheus metrics, health checks and profiles over HTTP. The zero value serves nothing.
type metricsServer struct {
	listener net.Listener // nil if metrics are off
	http     *http.Server // nil until serve is called
}

func (m *metricsServer) bind(cfg *Config) error {
	if !cfg.hasMetrics() {
		return nil
	}
	l, err := cfg.Sockets.Listen(cfg.Metrics)
	if err != nil {
		return gateway.ListenError("metrics", cfg.Metrics, err)
	}
	m.listener = l
	return nil
}

func (m *metricsServer) serve(s *Server) {
	if m.listener == nil {
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics.Handler())
	mux.HandleFunc("GET /healthz", answerHealthy)
	mux.HandleFunc("GET /readyz", s.answerReady)
	s.health.start(s.world)
	if s.cfg.MetricsProfiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	mux.Handle("GET /{$}", http.RedirectHandler("/metrics", http.StatusFound))
	m.http = &http.Server{
		Handler: keepPlace(refuseForeignHosts(s.MetricsAddr(), mux)), ConnContext: rememberConn,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
	}
	conns := maxMetricsConns
	if s.descriptors != nil {
		conns = s.descriptors.metrics
	}
	limited := &admission.Listener{Listener: m.listener, Places: admission.NewPlaces("metrics", metricsLimits(conns), s.hub.Gate())}
	s.tasks.Go(func() {
		if err := m.http.Serve(limited); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("metrics endpoint stopped serving; the game continues", telemetry.FieldErr, err)
		}
	})
}

// maxMetricsConns is the maximum number of connections to the metrics endpoint. The value is chosen, not measured: 30
// programs that collect metrics behind one address, and as many in each of 30 other networks.
const maxMetricsConns = 1024

// metricsLimits returns the limits of connections to the metrics endpoint. The endpoint has no login, so each connection counts
// as one that waits for a login. Connections that have sent a request are displaced last. The limits per address and per network
// apply while at least half of all connections are in use.
func metricsLimits(conns int) admission.PlaceLimits {
	return admission.PlaceLimits{Connections: conns, Waiting: conns, WaitingPerAddr: min(conns/2, 64), WaitingPerNetwork: min(conns/2, 128)}
}

// metricsConnKey is the context key under which a request's connection is stored.
type metricsConnKey struct{}

func rememberConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, metricsConnKey{}, c)
}

// keepPlace wraps a handler so that a connection that has sent a request is displaced last when the limit of connections is
// reached. It marks the connection as one that has sent a request, and its address as known.
func keepPlace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(metricsConnKey{}).(*admission.Conn); ok {
			c.Place.MarkRequestReceived()
			c.Place.MarkAddrKnown()
		}
		next.ServeHTTP(w, r)
	})
}

// refuseForeignHosts refuses requests whose Host header does not name this machine, if the metrics endpoint is on a
// loopback address. Otherwise a web page whose host name resolves to that address could read the metrics (DNS
// rebinding).
func refuseForeignHosts(at netip.AddrPort, next http.Handler) http.Handler {
	if !at.Addr().Unmap().IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !admission.IsLoopbackHost(r.Host) {
			http.Error(w, "metrics on a loopback address answer to localhost and loopback addresses only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (m *metricsServer) close() error {
	if m.http == nil {
		return nil
	}
	return m.http.Close()
}

// release closes the metrics socket if the start of the server has failed before serve was called.
func (m *metricsServer) release() error {
	if m.listener == nil {
		return nil
	}
	return m.listener.Close()
}

// MetricsAddr returns the address of the metrics endpoint, or the zero value if it is off.
func (s *Server) MetricsAddr() netip.AddrPort { return gateway.TCPAddr(s.metricsServer.listener) }
