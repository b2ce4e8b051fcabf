package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/truestep-io/truestep/server"
)

// healthCmd asks a running server whether it is ready for players. It is meant for scripts, and for containers without a shell.
type healthCmd struct {
	Metrics string        `help:"Address of the server's metrics: HOST:PORT." default:"127.0.0.1:9180"`
	Timeout time.Duration `help:"How long to wait for the answer." default:"3s"`
}

// Help returns the text that is printed below the flags of the command.
func (healthCmd) Help() string { return helpText("health") }

// Run prints the failures that the server reports. The exit status is 1 if the server is not ready.
func (c *healthCmd) Run(to std) error {
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	h, err := askHealth(ctx, "http://"+c.Metrics+"/readyz")
	if err != nil {
		return fmt.Errorf("no Truestep server answers on %s: %w; name the address of the server's metrics with --metrics HOST:PORT", c.Metrics, err)
	}
	for _, text := range h.Problems {
		fmt.Fprintln(to.out, "not ready: "+text)
	}
	for _, text := range h.Failures {
		fmt.Fprintln(to.out, "failure: "+text)
	}
	if !h.Ready {
		return exitStatus(1)
	}
	fmt.Fprintln(to.out, "ready")
	return nil
}

func askHealth(ctx context.Context, url string) (h server.Health, err error) {
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
