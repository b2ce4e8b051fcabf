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
	sendTimeout = 10 * time.Second // timeout of one attempt, including the connection and the response
	maxHeader   = 16 << 10         // maximum size of the headers of a response in bytes
	maxAnswer   = 4 << 10          // bytes of the response body that are read, so that the connection can be reused
	idleTime    = 30 * time.Second // time after which an unused connection is closed
)

// newClient returns a client that verifies certificates with the system's root certificates, uses the proxy set in
// HTTPS_PROXY or HTTP_PROXY, and does not follow redirects: a receiver that has moved is an error that the operator
// must see.
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

// refusedError is a response status after which a retry is useless, such as 404.
type refusedError struct{ status int }

// Error returns the response status as text.
func (e *refusedError) Error() string {
	if e.status/100 == 3 {
		return statusText(e.status) + "; redirects are not followed: set url to the new address"
	}
	return statusText(e.status)
}

// busyError is a response status after which a later attempt may succeed, such as 503, and the time to wait until then.
type busyError struct {
	status int
	after  time.Duration // pause that the receiver asked for with Retry-After; 0 for none
}

// Error returns the response status as text.
func (e *busyError) Error() string { return statusText(e.status) }

func statusText(status int) string {
	return fmt.Sprintf("the receiver answered %d %s", status, http.StatusText(status))
}

// post makes one attempt to send an event. The error is a *refusedError, a *busyError or a network error. It never
// contains the path of the receiver's URL, which may be secret.
func post(ctx context.Context, client *http.Client, r *Receiver, e *Event) error {
	body := e.body(r.Format)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(body))
	if err != nil {
		return errors.New("webhook: the url of the receiver is invalid") // cannot happen after Load
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
	_, _ = io.CopyN(io.Discard, res.Body, maxAnswer) // the body is ignored
	switch status := res.StatusCode; {
	case status/100 == 2:
		return nil
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status/100 == 5:
		seconds, _ := strconv.ParseUint(res.Header.Get("Retry-After"), 10, 16) // a Retry-After that is a date is ignored
		return &busyError{status, time.Duration(seconds) * time.Second}
	default:
		return &refusedError{status}
	}
}

// Try sends a test event to each receiver once. For each one, it calls report with the receiver's name and an error, which is nil
// if the receiver has accepted the event.
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
