package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

func TestReplayShowsSelectedTimeOfTapeInReadOnlyConsole(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	data := t.TempDir()
	var first, last time.Time
	synctest.Test(t, func(t *testing.T) { first, last = recordTape(t, data, 120) })
	from, to := first.Add(time.Second), first.Add(3*time.Second)
	c := ReplayTape{Area: "Truestep Vale", From: from.Format(time.RFC3339Nano), To: to.Format(time.RFC3339Nano)}
	s, err := c.Open(data, WorldConfig{}, last)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, printed := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.ServeConsole(ctx, printed, "127.0.0.1:0", slog.New(slog.DiscardHandler))
		printed.Close()
	}()
	b := make([]byte, 1000)
	n, err := out.Read(b)
	url := regexp.MustCompile(`^Truestep Vale from .* to .*: (http://127\.0\.0\.1:\d+)/#token=(\S+)\n`).FindStringSubmatch(string(b[:n]))
	if err != nil || url == nil {
		t.Fatalf("%q, %v", b[:n], err)
	}
	go io.Copy(io.Discard, out)
	header := http.Header{"Authorization": {"Bearer " + url[2]}}
	call := func(method, path string, into any) int {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, method, url[1]+"/api/v1"+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatal(path, err)
		}
		return answer.StatusCode
	}
	var world struct {
		Live  *bool
		Areas []struct{ ID int }
	}
	if code := call("GET", "/world", &world); code != 200 || world.Live == nil || *world.Live || len(world.Areas) != 1 || world.Areas[0].ID != 0 {
		t.Errorf("world: %d, %+v", code, world)
	}
	var recorded struct {
		Recording bool
		Spans     []struct{ From, To time.Time }
	}
	if code := call("GET", "/tape?area=0", &recorded); code != 200 || !recorded.Recording || len(recorded.Spans) != 1 || !recorded.Spans[0].From.Equal(from) || !recorded.Spans[0].To.Equal(to) {
		t.Errorf("tape: %d, %+v, want %v to %v", code, recorded, from, to)
	}
	var refused struct {
		Error struct{ Code, Message string }
	}
	for _, path := range []string{"GET /live?area=0", "POST /players/1/kick", "POST /bans"} {
		method, path, _ := strings.Cut(path, " ")
		if code := call(method, path, &refused); code != 404 || !strings.Contains(refused.Error.Message, "there is no live world") {
			t.Errorf("%s: %d, %+v", path, code, refused)
		}
	}
	if code := call("GET", "/tape?area=1", &refused); code != 404 {
		t.Errorf("another area: %d, %+v", code, refused)
	}
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url[1], "http")+"/api/v1/past?area=0&at=1", &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	var state struct {
		Type string
		At   int64
		Tick int
	}
	for state.Type != "state" {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageText {
			if err := json.Unmarshal(b, &state); err != nil {
				t.Fatal(err)
			}
		}
	}
	if state.Tick != 21 || state.At != from.UnixMilli() {
		t.Errorf("before the stretch: %+v, want tick 21 at %d", state, from.UnixMilli())
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if rest, err := os.ReadDir(os.TempDir()); err != nil || len(rest) > 0 {
		t.Errorf("left behind: %v, %v", rest, err)
	}
}

func TestReplayConsoleIsServedOnLoopbackOnly(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0": "other machines could reach the console", "nonsense": "choose another address, such as 127.0.0.1:8081",
	} {
		if l, err := listenLoopback(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", address, l, err)
		}
	}
}
