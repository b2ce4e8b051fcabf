package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// HealthCheck is the command "truestep health", which asks a running server whether it is ready for players. It is meant for
// scripts, and for containers without a shell.
type HealthCheck struct {
	Metrics string        `help:"Address of the server's metrics: HOST:PORT." default:"127.0.0.1:9180"`
	Timeout time.Duration `help:"How long to wait for each answer." default:"3s"`
	Wait    time.Duration `help:"Ask again until the server is ready, at most for this time, such as 30s; 0 asks once." default:"0s" placeholder:"TIME"`
}

// healthRetry is the pause before a server that was not ready is asked again.
const healthRetry = 250 * time.Millisecond

// Probe asks the server until it is ready or c.Wait has passed, and prints its last answer to out: "ready", or one line for each
// problem and failure. It reports whether the server is ready. The error is not nil if no server answered last.
func (c *HealthCheck) Probe(ctx context.Context, out io.Writer) (ready bool, err error) {
	var h Health
	for until := time.Now().Add(c.Wait); ; time.Sleep(min(healthRetry, max(time.Until(until), 0))) {
		h, err = c.probeOnce(ctx)
		if err == nil && h.Ready || !time.Now().Before(until) {
			break
		}
	}
	if err != nil {
		return false, fmt.Errorf("no Truestep server answers on %s: %w; name the address of the server's metrics with --metrics HOST:PORT", c.Metrics, err)
	}
	for _, text := range h.Problems {
		fmt.Fprintln(out, "not ready: "+text)
	}
	for _, text := range h.Failures {
		fmt.Fprintln(out, "failure: "+text)
	}
	if h.Ready {
		fmt.Fprintln(out, "ready")
	}
	return h.Ready, nil
}

func (c *HealthCheck) probeOnce(ctx context.Context) (h Health, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	url := "http://" + c.Metrics + "/readyz"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return h, err
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return h, err
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK && a.StatusCode != http.StatusServiceUnavailable {
		return h, fmt.Errorf("GET %s returned the status %s, must be 200 or 503", url, a.Status)
	}
	return h, json.NewDecoder(io.LimitReader(a.Body, 1<<20)).Decode(&h)
}
