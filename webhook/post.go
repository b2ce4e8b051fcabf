package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	sendTimeout = 10 * time.Second // of one attempt, with connecting and reading the answer
	maxHeader   = 16 << 10         // bytes of the headers of an answer
	maxAnswer   = 4 << 10          // bytes of the body of an answer that are read, so that the connection can be used again
	idleTime    = 30 * time.Second // after which an unused connection is closed
)

// newClient returns a client that verifies certificates by the roots of the system, uses the proxy of HTTPS_PROXY and HTTP_PROXY, and
// follows no redirects: a receiver that moves is an error, not a new receiver.
func newClient() *http.Client {
	return &http.Client{
		Timeout:       sendTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: maxHeader, IdleConnTimeout: idleTime,
		},
	}
}

// refusedError is an answer after which another attempt is of no use.
type refusedError struct{ status int }

// Error names the status.
func (e *refusedError) Error() string {
	if e.status/100 == 3 {
		return statusText(e.status) + "; redirects are not followed: write the new address into url"
	}
	return statusText(e.status)
}

// busyError is an answer after which another attempt makes sense.
type busyError struct {
	status int
	after  time.Duration // pause that the receiver asks for; 0 for none
}

// Error names the status.
func (e *busyError) Error() string { return statusText(e.status) }

func statusText(status int) string {
	return fmt.Sprintf("the receiver answered %d %s", status, http.StatusText(status))
}

// post makes one attempt. Errors are a *refusedError, a *busyError, or of the network; none contains the path of the address, which may be secret.
func post(ctx context.Context, client *http.Client, r *Receiver, e *Event) error {
	body := e.body(r.Format)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address is invalid") // cannot happen after Load
	}
	stamp := formatTimestamp(time.Now())
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "truestep-webhook")
	req.Header.Set(HeaderEvent, string(e.Kind))
	req.Header.Set(HeaderTimestamp, stamp)
	if len(r.secrets) > 0 {
		req.Header.Set(HeaderSignature, Sign(r.secrets, stamp, body))
	}
	res, err := client.Do(req)
	if err != nil {
		if bad, ok := errors.AsType[*url.Error](err); ok {
			err = bad.Err
		}
		return err
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, maxAnswer) // the status decides
	switch status := res.StatusCode; {
	case status/100 == 2:
		return nil
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status/100 == 5:
		seconds, _ := strconv.ParseUint(res.Header.Get("Retry-After"), 10, 16) // a date counts as none
		return &busyError{status, time.Duration(seconds) * time.Second}
	default:
		return &refusedError{status}
	}
}

// Try sends a test event to each receiver once and calls report with the result.
func Try(ctx context.Context, list []Receiver, report func(receiver string, err error)) {
	client := newClient()
	defer client.CloseIdleConnections()
	for i := range list {
		e := Event{
			ID: newID(), Time: time.Now().UTC().Truncate(time.Millisecond), Kind: Test, State: Info, World: "test",
			Text: "this is a test of the webhook " + oneLine(list[i].Name),
		}
		report(list[i].Name, post(ctx, client, &list[i], &e))
	}
}
