package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
)

// forwarded is an HTTP transport that adds the headers of a proxy to requests.
type forwarded struct {
	next   http.RoundTripper
	header string
}

func (f forwarded) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Forwarded-For", f.header)
	return f.next.RoundTrip(r)
}

// askTicket requests a ticket with a given header X-Forwarded-For.
func askTicket(t *testing.T, h *netsim.Host, header, body string) (status int, ws, wt, problem string) {
	t.Helper()
	c := http.Client{Transport: forwarded{&http.Transport{DialContext: h.Dial, DisableKeepAlives: true}, header}}
	a, err := c.Post("http://127.0.0.1:8090/play/v1/ticket", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var answer struct {
		WS, Error string
		WT        struct{ URL string }
	}
	if b, err := io.ReadAll(a.Body); err != nil || json.Unmarshal(b, &answer) != nil {
		t.Fatalf("%s, %v", b, err)
	}
	return a.StatusCode, answer.WS, answer.WT.URL, answer.Error
}

func TestProxiedRequestIsAttributedToBrowserAddress(t *testing.T) {
	t.Parallel()
	public := &url.URL{Scheme: "https", Host: "game.example"}
	withServer(t, web.Options{Public: public}, netsim.Impairment{}, func(r *rig) {
		const account = `{"name": "Ann", "secret": "` + secret + `", "create": true}`
		_, proxy := r.options("", true)
		for _, header := range []string{"203.0.113.7", "198.51.100.1, 203.0.113.7", "2001:db8::7"} {
			status, ws, wt, problem := askTicket(t, proxy, header, account)
			if status != http.StatusOK || ws != "wss://game.example/play/v1/ws" || wt != "https://game.example:8090/play/v1/wt" {
				t.Errorf("for %s: %d, %s, %s, %s", header, status, ws, wt, problem)
			}
		}
		if status, ws, _, _ := askTicket(t, proxy, "unknown", account); status != http.StatusOK || ws != "ws://127.0.0.1:8090/play/v1/ws" {
			t.Errorf("a request of the server's own machine: %d, %s", status, ws)
		}
		// The header X-Forwarded-For has no effect in requests from other machines.
		if status, _, _, problem := askTicket(t, r.network.Host("10.0.0.9"), "127.0.0.1", account); status != http.StatusForbidden || !strings.Contains(problem, "only over HTTPS") {
			t.Errorf("a request of another machine: %d, %s", status, problem)
		}
		x := r.newRaw()
		ticket := x.ticket()
		if err := x.dial(http.Header{"X-Forwarded-For": {"203.0.113.7"}}); err != nil {
			t.Fatal(err)
		}
		x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: ticket}))
		if !x.until(func(m proto.Message) bool { _, ok := m.(*proto.Welcome); return ok }) {
			t.Fatal("no Welcome")
		}
		if list := r.hub.Players(); len(list) != 1 || list[0].Addr.String() != "203.0.113.7" {
			t.Errorf("players %+v", list)
		}
		_ = x.ws.CloseNow()
	})
}

func TestSecretThroughProxyWithoutHTTPSIsRefused(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{Public: &url.URL{Scheme: "http", Host: "game.example"}}, netsim.Impairment{}, func(r *rig) {
		_, proxy := r.options("", true)
		if status, _, _, problem := askTicket(t, proxy, "203.0.113.7", `{"name": "Ann", "secret": "`+secret+`"}`); status != http.StatusForbidden || !strings.Contains(problem, "only over HTTPS") {
			t.Errorf("%d, %s", status, problem)
		}
	})
}
