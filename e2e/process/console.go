//go:build linux

package process

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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
