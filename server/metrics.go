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

// metricsServer serves Prometheus metrics and profiles over HTTP. The zero value serves nothing.
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
			s.log.Error("metrics endpoint stopped serving; the game continues", telemetry.FieldErr, err)
		}
	})
}

func (m *metricsServer) close() error {
	if m.http == nil {
		return nil
	}
	return m.http.Close()
}

// release closes the metrics socket if serve has not been called.
func (m *metricsServer) release() error {
	if m.listener == nil {
		return nil
	}
	return m.listener.Close()
}

// MetricsAddr returns the address of the metrics endpoint, or the zero value if it is off.
func (s *Server) MetricsAddr() netip.AddrPort { return gateway.TCPAddr(s.metricsServer.listener) }
