package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestMetricsEndpointOnLoopbackRefusesRequestsWithForeignHostHeader(t *testing.T) {
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	for _, c := range []struct {
		at, host string
		want     int
	}{
		{"127.0.0.1:9180", "127.0.0.1:9180", 200},
		{"127.0.0.1:9180", "localhost:9180", 200},
		{"[::1]:9180", "[::1]:9180", 200},
		{"127.0.0.1:9180", "attacker.example:9180", 403},
		{"127.0.0.1:9180", "127.0.0.1.attacker.example", 403},
		{"127.0.0.1:9180", "", 403},
		{"192.0.2.1:9180", "metrics.example", 200}, // --metrics makes it reachable from other machines, so every Host is accepted
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/metrics", nil)
		r.Host = c.host
		refuseForeignHosts(netip.MustParseAddrPort(c.at), ok).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("at %s, Host %q: status %d, want %d", c.at, c.host, w.Code, c.want)
		}
	}
}

func TestFileDescriptorsAreDividedBetweenGatewaysConsoleAndMetrics(t *testing.T) {
	for limit, want := range map[int]descriptors{
		20_000: {doors: 20_000 - 1024 - 1024 - reservedDescriptors, console: 1024, metrics: 1024},
		1024:   {doors: 1024 - 128 - 64 - reservedDescriptors, console: 128, metrics: 64},
		256:    {doors: 1, console: 32, metrics: 16},
	} {
		if got := divideDescriptors(limit); got != want {
			t.Errorf("limit %d: %+v, want %+v", limit, got, want)
		}
	}
	if n, ok := maxOpenFiles(); ok && n < 64 {
		t.Errorf("the limit of open files is %d", n)
	}
}
