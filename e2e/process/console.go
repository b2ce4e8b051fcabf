//go:build linux

package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const answerLimit = 10 * time.Second // timeout of a request to the console

// Get sends a GET request for /api/v1/ + call to the server's console, and decodes the JSON body of the response into to.
func (s *Server) Get(ctx context.Context, call string, to any) error {
	return s.Call(ctx, http.MethodGet, call, nil, to)
}

// StatusError is the error of Call for a response with another status than 200.
type StatusError struct {
	Status int    // status of the response
	what   string // the request and the response, in words
}

func (e *StatusError) Error() string { return e.what }

// Call sends a request for /api/v1/ + call to the server's console as an administrator. The body is encoded as JSON; nil for none. The JSON
// body of the response is decoded into to, if to is not nil.
func (s *Server) Call(ctx context.Context, method, call string, body, to any) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.Console+"/api/v1/"+call, content)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.Token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<12))
		return &StatusError{resp.StatusCode, fmt.Sprintf("console of %s: %s /api/v1/%s is answered with status %s: %s", s.Name, method, call, resp.Status, why)}
	}
	if to == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(to)
}
