package server

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/content"
)

// watchedOutput is a writer that a test can read while WatchWorld writes to it.
type watchedOutput struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *watchedOutput) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

// take returns what was written since the last call.
func (o *watchedOutput) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.b.Reset()
	return o.b.String()
}

func TestWatchedWorldFileIsCheckedAgainAfterEachChange(t *testing.T) {
	file := filepath.Join(t.TempDir(), "world.toml")
	text := string(content.DefaultTOML())
	saves := 0
	save := func(text string) {
		t.Helper()
		writeText(t, file, text)
		saves++
		at := time.Unix(1_700_000_000+int64(saves), 0) // another time than before, whatever the file system's resolution is
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	save(text)
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var out watchedOutput
		done := make(chan error, 1)
		go func() { done <- WatchWorld(ctx, &out, file, "", false) }()
		expect := func(what string, want ...string) {
			t.Helper()
			time.Sleep(5 * watchEvery)
			synctest.Wait()
			got := out.take()
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s: no %q in\n%s", what, w, got)
				}
			}
			if len(want) == 0 && got != "" {
				t.Errorf("%s: printed\n%s", what, got)
			}
		}
		expect("start", `"Truestep Vale" is good`, "waiting for changes")
		expect("no change")
		save(strings.Replace(text, "delay = 1.0", "delay = 1.5", 1))
		expect("another delay", "is good", "rules.Combat.DelayMS: 1500, was 1000", "1 change: truestep admin reload makes a server take them up")
		save(strings.Replace(text, "max_actors = 2000", "max_actors = 1000", 1))
		expect("what needs a restart", "needs a restart: the maximum of actors per area: doors lay out", "a server takes them up when it is stopped")
		save(strings.Replace(text, "delay = 1.0", "delay = true", 1))
		expect("a mistake", "refused", "world.toml:", "delay")
		save(text)
		expect("back again", "rules.MaxActors: 2000, was 1000")
		save(text + "# a comment\n")
		expect("a comment", "no change that a server would notice")
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if err := WatchWorld(t.Context(), new(watchedOutput), file+".missing", "", false); err == nil {
		t.Error("a missing world is watched")
	}
}
