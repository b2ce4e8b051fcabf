package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// metricsServer serves Prometheus metrics and profiles over HTTP. The zero value is off.
type metricsServer struct {
	listener net.Listener // nil: off
	http     *http.Server // nil: not served yet
}

func (m *metricsServer) bind(cfg *Config) error {
	if !cfg.hasMetrics() {
		return nil
	}
	l, err := cfg.Sockets.Listen(cfg.Metrics)
	if err != nil {
		return fmt.Errorf("metrics: cannot listen on %s: %w; choose another address with --metrics HOST:PORT, or off", cfg.Metrics, gateway.ShortError(err))
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
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.Handle("GET /{$}", http.RedirectHandler("/metrics", http.StatusFound))
	m.http = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	s.tasks.Go(func() {
		if err := m.http.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("metrics are no longer served; the game continues", telemetry.FieldErr, err)
		}
	})
}

func (m *metricsServer) close() error {
	if m.http == nil {
		return nil
	}
	return m.http.Close()
}

// release closes the socket of a server that has not begun to serve.
func (m *metricsServer) release() error {
	if m.listener == nil {
		return nil
	}
	return m.listener.Close()
}

// MetricsAddr is where metrics are served; the zero value if they are not.
func (s *Server) MetricsAddr() netip.AddrPort { return gateway.TCPAddr(s.metricsServer.listener) }
