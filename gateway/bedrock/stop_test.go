package bedrock

import (
	"bytes"
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// A server that stops sends the reason to clients in every stage, disconnects them, and saves the players.
func TestServerStopDisconnectsClientsInEveryLoginStage(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Workers: 2}, func(srv *testServer) {
		all := []*client{srv.connect("a"), srv.connect("b"), srv.connect("c"), srv.join("d"), srv.join("e")}
		all[1].sendHello()
		all[2].loginUntil("ResourcePacksInfo")
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			srv.must(srv.world.Stop(context.Background()))
		}()
		srv.advance(time.Second)
		<-ended
		for _, c := range all {
			got := packetsOf[proto.Disconnect](c)
			if !c.closed || len(got) != 1 || got[0].Reason != proto.DisconnectServerShutdown || got[0].Message == "" {
				t.Errorf("%s: closed %v, received %v", c.name, c.closed, got)
			}
		}
	})
}

// Clients are told that the server stops, even if a slow subscriber delays the last frames beyond farewellDelay.
func TestClientsReadShutdownReasonEvenIfServerStopsSlowly(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.join("ann")
		defer srv.world.Subscribe("slow", 1, area.All).Close() // a subscriber that reads no frames
		srv.advance(200 * time.Millisecond)
		begun, took := time.Now(), time.Duration(0)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			srv.must(srv.world.Stop(context.Background()))
			took = time.Since(begun)
		}()
		srv.advance(3 * time.Second)
		<-ended
		if took <= farewellDelay*time.Millisecond {
			t.Fatalf("the server stopped after %v, too fast for this test", took)
		}
		if got := packetsOf[proto.Disconnect](c); !c.closed || len(got) != 1 || got[0].Reason != proto.DisconnectServerShutdown {
			t.Errorf("closed %v, received %v", c.closed, got)
		}
	})
}

// A client whose player was removed from the world is sent the reason and disconnected.
func TestClientIsDisconnectedWithReasonWhenItsPlayerIsRemoved(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.join("ann")
		srv.onWorker(func(w *worker) { connOf(w, c).session.Leave() })
		if text := c.waitDisconnect(); !strings.Contains(text, "removed from the world") {
			t.Errorf("received %q", text)
		}
	})
}

// The key log has one line per session. The key in that line decrypts the captured batches of the session.
func TestKeyLogContainsEncryptionKeyOfEverySession(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	withServer(t, twoFields(), Options{KeyLog: &log}, func(srv *testServer) {
		srv.join("ann")
		srv.join("bob")
	})
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	for _, l := range lines {
		f := strings.Fields(l)
		if len(f) != 3 || f[0] != "BEDROCK" || !strings.HasPrefix(f[1], "127.0.0.1:") {
			t.Fatalf("%q", l)
		}
		if key, err := hex.DecodeString(f[2]); err != nil || len(key) != 32 {
			t.Errorf("%q: %v", l, err)
		}
	}
}

// A server name that is too long or contains semicolons, which separate fields, does not corrupt the server list entry.
func TestServerListEntryIsValidForAnyServerName(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Name = "a;b\nc"
	for _, name := range []string{"", "My;Server\\;", strings.Repeat("\u00e9", 400)} {
		withServer(t, w, Options{Name: name, MaxPlayers: 7}, func(srv *testServer) {
			srv.join("ann")
			text := string(srv.gateway.motd())
			f := strings.Split(text, ";")
			if len(text) > 512 || len(f) != 14 || f[0] != "MCPE" || f[2] != "2169" || f[3] != "1.26.45" || f[4] != "1" || f[5] != "7" || f[7] != "abc" || f[13] != "" {
				t.Errorf("%d bytes: %q", len(text), text)
			}
		})
	}
}
