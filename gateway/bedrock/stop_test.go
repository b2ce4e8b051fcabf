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

// A server that closes says so to everybody, in whatever stage, and saves who was in the world.
func TestAServerThatClosesSaysSo(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{Workers: 2}, func(r *rig) {
		all := []*client{r.stranger("a"), r.stranger("b"), r.stranger("c"), r.enters("d"), r.enters("e")}
		all[1].hello()
		all[2].until("ResourcePacksInfo")
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r.must(r.world.Stop(context.Background()))
		}()
		r.run(time.Second)
		<-ended
		for _, c := range all {
			got := each[proto.Disconnect](c)
			if !c.gone || len(got) != 1 || got[0].Reason != proto.DisconnectServerShutdown || got[0].Message == "" {
				t.Errorf("%s: gone %v, told %v", c.name, c.gone, got)
			}
		}
	})
}

// The last frames wait for whoever reads slowly, longer than one who was taken out waits for the reason.
func TestAServerThatClosesSlowlySaysSo(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.enters("ann")
		defer r.world.Subscribe("slow", 1, area.All).Close() // reads nothing
		r.run(200 * time.Millisecond)
		begun, took := time.Now(), time.Duration(0)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r.must(r.world.Stop(context.Background()))
			took = time.Since(begun)
		}()
		r.run(3 * time.Second)
		<-ended
		if took <= lastWordAfter*time.Millisecond {
			t.Fatalf("it closed in %v", took)
		}
		if got := each[proto.Disconnect](c); !c.gone || len(got) != 1 || got[0].Reason != proto.DisconnectServerShutdown {
			t.Errorf("gone %v, told %v", c.gone, got)
		}
	})
}

// Whoever is put out of the world, by an operator for example, is told.
func TestWhoIsTakenOutIsTold(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.enters("ann")
		r.on(func(w *worker) { connOf(w, c).session.Leave() })
		if text := c.sentAway(); !strings.Contains(text, "taken out") {
			t.Errorf("told %q", text)
		}
	})
}

// The log of keys decodes a capture: one line for each session.
func TestTheKeyLogHasTheKeyOfEachSession(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	bubble(t, twoFields(), Options{KeyLog: &log}, func(r *rig) {
		r.enters("ann")
		r.enters("bob")
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

// Names with the signs that separate its fields do not break the line by which clients find the server; nor do long ones.
func TestTheListOfServersIsAlwaysReadable(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Name = "a;b\nc"
	for _, name := range []string{"", "My;Server\\;", strings.Repeat("\u00e9", 400)} {
		bubble(t, w, Options{Name: name, MaxPlayers: 7}, func(r *rig) {
			r.enters("ann")
			text := string(r.gate.motd())
			f := strings.Split(text, ";")
			if len(text) > 512 || len(f) != 14 || f[0] != "MCPE" || f[2] != "2169" || f[3] != "1.26.45" || f[4] != "1" || f[5] != "7" || f[7] != "abc" || f[13] != "" {
				t.Errorf("%d bytes: %q", len(text), text)
			}
		})
	}
}
