package server

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

func TestShownAndWithheldChatIsStoredAndBackedUp(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	say := func(text string) {
		t.Helper()
		if err := p.Submit(sim.Intent{Kind: sim.IntentChat, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	var list []chatlog.Line
	stored := func(n int) {
		t.Helper()
		eventually(t, "the lines are stored", func() bool {
			var err error
			if list, err = s.chat.Search(t.Context(), chatlog.Query{Account: "ann"}); err != nil {
				t.Fatal(err)
			}
			return len(list) == n
		})
	}
	say("hello")
	stored(1) // a line that waits until the hub knows where the player is would be withheld, too
	if _, err := s.hub.Restrict(t.Context(), store.AccessRule{Kind: store.AccessMute, Account: "ann"}); err != nil {
		t.Fatal(err)
	}
	say("unheard")
	stored(2)
	for _, l := range list {
		want := chatlog.Line{ID: l.ID, At: l.At, Channel: chatlog.Area, Area: s.cfg.World.Areas[p.Area()].Name, Account: "ann", Player: "Ann", Door: "test", Text: l.Text}
		if l.Text == "unheard" {
			want.Withheld = chatlog.Muted
		} else {
			want.Pos, want.HasPos = l.Pos, true
		}
		if l != want || time.Since(l.At) > time.Hour {
			t.Errorf("%+v, want %+v", l, want)
		}
	}
	file := filepath.Join(t.TempDir(), "all.backup")
	sum, err := backUp(t.Context(), cfg.DataDir, cfg.StoreConfig, file, sqlite.BackupOptions{Files: BackupFiles(true, true, true)}, nil)
	if err != nil || !strings.Contains(describeBackup(sum), chatlog.FileName) {
		t.Errorf("the backup has %s, %v", describeBackup(sum), err)
	}
	restored := filepath.Join(t.TempDir(), "new")
	if _, _, err := restore(t.Context(), file, restored, cfg.StoreConfig, false); err != nil {
		t.Fatal(err)
	}
	r, err := chatlog.OpenReader(filepath.Join(restored, chatlog.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if list, err := r.Search(t.Context(), chatlog.Query{Words: "hello"}); err != nil || len(list) != 1 {
		t.Errorf("the restored log has %+v, %v", list, err)
	}
}

func TestServerWithChatLogOffDeletesChatOfPreviousRuns(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	if err := p.Submit(sim.Intent{Kind: sim.IntentChat, Text: "goodbye"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the line is stored", func() bool {
		list, err := s.chat.Search(t.Context(), chatlog.Query{})
		return err == nil && len(list) == 1
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var log logbuf.Buffer
	cfg.Log, cfg.ChatRetain = slog.New(slog.NewTextHandler(&log, nil)), 0
	s = start(t, cfg)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := os.Stat(filepath.Join(cfg.DataDir, chatlog.FileName+suffix)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", chatlog.FileName+suffix, err)
		}
	}
	if !strings.Contains(log.String(), "the chat log of an earlier run was deleted") {
		t.Errorf("log %s", log.String())
	}
	if _, err := s.chat.Search(t.Context(), chatlog.Query{}); !errors.Is(err, chatlog.ErrOff) || len(s.Failures()) != 0 {
		t.Errorf("search: %v; failures %v", err, s.Failures())
	}
}

func TestChatSettingsOutOfRangeAreRefused(t *testing.T) {
	for want, c := range map[string]ChatConfig{
		"chat-retain 1s: must be 1m..87600h, such as 30d, or 0 to store no chat": {ChatRetain: time.Second, ChatKeep: 1000},
		"chat-keep 10: must be 1000..10000000":                                   {ChatRetain: time.Hour, ChatKeep: 10},
		"":                                                                       {},
	} {
		var p gateway.Problems
		c.check(&p)
		if err := p.Err(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
}
