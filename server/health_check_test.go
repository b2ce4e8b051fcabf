package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answers starts a server that answers requests for /readyz with the given answers in order, and then always with the last
// one. A nil answer closes the connection, as if no server listened.
func answers(t *testing.T, given ...*Health) (address string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := given[0]
		if len(given) > 1 {
			given = given[1:]
		}
		if h == nil {
			panic(http.ErrAbortHandler)
		}
		if !h.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(h)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func TestHealthCheckWaitsUntilServerIsReady(t *testing.T) {
	late := &Health{Problems: []string{"the door rs is closed"}}
	ready := &Health{Ready: true, Failures: []string{"no database"}}
	for _, c := range []struct {
		name   string
		wait   time.Duration
		given  []*Health
		ready  bool
		out    string
		failed bool
	}{
		{"asks once", 0, []*Health{late, ready}, false, "not ready: the door rs is closed\n", false},
		{"asks until ready", time.Minute, []*Health{nil, late, ready}, true, "failure: no database\nready\n", false},
		{"gives up", time.Millisecond, []*Health{late}, false, "not ready: the door rs is closed\n", false},
		{"nobody answers", time.Millisecond, []*Health{nil}, false, "", true},
	} {
		check := HealthCheck{Metrics: answers(t, c.given...), Timeout: time.Minute, Wait: c.wait}
		var out strings.Builder
		got, err := check.Probe(t.Context(), &out)
		if got != c.ready || out.String() != c.out || (err != nil) != c.failed {
			t.Errorf("%s: ready %v, %v, printed %q; want %v and %q", c.name, got, err, out.String(), c.ready, c.out)
		}
	}
}
