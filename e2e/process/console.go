//go:build linux

package process

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const answerLimit = 10 * time.Second // timeout of a request to the console

// Get sends a GET request for /api/v1/ + call to the server's console, and decodes the JSON body of the response into to.
func (s *Server) Get(ctx context.Context, call string, to any) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Console+"/api/v1/"+call, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("console of %s: GET /api/v1/%s is answered with status %s", s.Name, call, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(to)
}

// Metrics returns the server's metrics by name with labels, such as truestep_players{area="0"}. Addresses must have an address for the
// flag metrics.
func (s *Server) Metrics(ctx context.Context) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addresses["metrics"]+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("metrics of %s: the request is answered with status %s", s.Name, resp.Status)
	}
	values := map[string]float64{}
	in := bufio.NewScanner(resp.Body)
	for in.Scan() {
		if i := strings.LastIndexByte(in.Text(), ' '); i > 0 && in.Text()[0] != '#' {
			if v, err := strconv.ParseFloat(in.Text()[i+1:], 64); err == nil {
				values[in.Text()[:i]] = v
			}
		}
	}
	return values, in.Err()
}
