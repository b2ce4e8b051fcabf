package rs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/logbuf"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

func TestStartScreenCommandForTestClientHasOnlyNonDefaultFlags(t *testing.T) {
	for _, c := range []struct {
		at, dataDir string
		want        []string
	}{
		{"[::]:43594", gateway.DefaultDataDir, nil},
		{"127.0.0.1:40257", "/srv/data", []string{"--addr 127.0.0.1:40257", "--public-key /srv/data/rs-public.txt"}},
	} {
		if got := tryCommand(netip.MustParseAddrPort(c.at), c.dataDir).Flags; !slices.Equal(got, c.want) {
			t.Errorf("%s, %s: %q, want %q", c.at, c.dataDir, got, c.want)
		}
	}
}

func TestDoorSaysHowToFixWrongSettings(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	data, left := t.TempDir(), 100
	h := &gateway.Host{World: area.NewWorld(valeWithoutNPCs(), area.Options{}), Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New(), DataDir: data, Descriptors: &left}
	for want, set := range map[string]func(*Door){
		"rs-max-conns 0: must be 1..65536":                                               func(d *Door) { d.RsMaxConns = 0 },
		`rs-js5-upstream "host": address host: missing port in address; write HOST:PORT`: func(d *Door) { d.RsJs5Upstream = "host" },
		`rs: address "127.0.0.1": missing port in address; give it as host:port`:         func(d *Door) { d.Rs = "127.0.0.1" },
		"address already in use; another program may have the port":                      func(d *Door) { d.Rs = taken.Addr().String() },
		"no such file or directory; set --rs-map-keys to a JSON file":                    func(d *Door) { d.RsMapKeys = filepath.Join(data, "missing") },
		"rs-record: mkdir ": func(d *Door) { d.RsRecord = filepath.Join(data, KeyFile, "sub") },
		"":                  func(d *Door) { d.RsMaxConns, d.RsJs5Upstream = 70, "127.0.0.1:1" },
		"off":               func(d *Door) { d.Rs = gateway.Off },
	} {
		d := NewDoor()
		d.Rs = "127.0.0.1:0"
		set(d)
		err := d.Check()
		if err == nil {
			err = d.Bind(h)
		}
		if err == nil && d.Addr().IsValid() {
			err = d.Open(h)
		} else if err == nil {
			err = errors.New(d.Rs)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if left != 0 { // each of the 70 connections may need a second one, to the cache server
		t.Errorf("%d of 100 descriptors are left, want none", left)
	}
}

func TestFailedLoginIsAnsweredByItsCause(t *testing.T) {
	var lines logbuf.Buffer
	g := &Gateway{door: telemetry.New().Door("rs"), log: slog.New(slog.NewTextHandler(&lines, nil))}
	for _, c := range []struct {
		err  error
		code proto.ResponseCode
		bad  string // counter of rejected packets, if any
	}{
		{session.ErrUnavailable, proto.ResponseBusy, "store_unavailable"}, {session.ErrOverloaded, proto.ResponseBusy, "overload"},
		{context.DeadlineExceeded, proto.ResponseBusy, "overload"}, {session.ErrNoLead, proto.ResponseBusy, "no_leader"}, {session.ErrBusy, proto.ResponseOnline, ""}, {session.ErrOnline, proto.ResponseOnline, ""},
		{session.ErrClosed, proto.ResponseUpdating, ""}, {session.ErrTemplate, proto.ResponseRejected, ""}, {errors.New("disk"), proto.ResponseIncomplete, ""},
	} {
		before := uint64(0)
		if c.bad != "" {
			before = g.door.Bad.With(c.bad).Load()
		}
		if code := g.responseFor(fmt.Errorf("login: %w", c.err)); code != c.code || c.bad != "" && g.door.Bad.With(c.bad).Load() != before+1 {
			t.Errorf("%v: answered %d, want %d counted as %q", c.err, code, c.code, c.bad)
		}
	}
	if n := lines.Count(""); n != 1 || lines.Count("disk") != 1 {
		t.Errorf("want only the internal error in the log:\n%s", lines.String())
	}
}
