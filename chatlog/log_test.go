package chatlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/telemetry"
)

// harness is a chat log that receives its frames from the test instead of an area.
type harness struct {
	*Log
	t        *testing.T
	path     string
	metrics  *telemetry.Metrics
	speakers map[sim.EntityID]Speaker
}

func newHarness(t *testing.T, set func(*Options)) *harness {
	t.Helper()
	h := &harness{t: t, path: filepath.Join(t.TempDir(), FileName), metrics: telemetry.New(), speakers: map[sim.EntityID]Speaker{}}
	h.open(set)
	return h
}

func (h *harness) open(set func(*Options)) {
	h.t.Helper()
	o := Options{
		Path: h.path, Log: slog.New(slog.DiscardHandler), Metrics: h.metrics,
		Identify: func(id sim.EntityID) (Speaker, bool) { s, ok := h.speakers[id]; return s, ok },
	}
	if set != nil {
		set(&o)
	}
	var err error
	if h.Log, err = Open(o); err != nil {
		h.t.Fatal(err)
	}
	h.areas = []string{"Vale", "Moor"}
	h.t.Cleanup(func() { h.Close(context.Background()) })
}

// frame passes a frame of an area to the log.
func (h *harness) frame(in sim.AreaID, actors []sim.ActorState, events ...sim.Event) {
	h.readFrame(area.Published{Frame: &sim.Frame{Tick: 1, Area: in, Actors: actors, Events: events}})
}

// flush waits, in virtual time, until all queued lines are written.
func (h *harness) flush() {
	time.Sleep(3 * writeInterval)
	synctest.Wait()
}

func (h *harness) search(q Query) (texts []string) {
	h.t.Helper()
	list, err := h.Search(h.t.Context(), q)
	if err != nil {
		h.t.Fatal(err)
	}
	for i := range list {
		texts = append(texts, list[i].Text)
	}
	return texts
}

// expect fails the test if the texts of the lines that a query finds are not want.
func (h *harness) expect(q Query, want ...string) {
	h.t.Helper()
	if got := h.search(q); !slices.Equal(got, want) {
		h.t.Errorf("%+v: %q, want %q", q, got, want)
	}
}

func (h *harness) count(result string) uint64 { return h.metrics.ChatLog.With(result).Load() }

// onDisk reports whether the bytes of a text are in the database file of the log or its write-ahead log.
func (h *harness) onDisk(text string) bool {
	found := false
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(h.path + suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			h.t.Fatal(err)
		}
		found = found || bytes.Contains(b, []byte(text))
	}
	return found
}

func TestChatInFramesIsStoredWithSpeakerAndArea(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.speakers[7] = Speaker{"ann@x", "Ann", "rs"}
		ann := sim.ActorState{ID: 7, Flags: sim.FlagPlayer, Pos: geom.Vec{X: 1.5, Y: 2, Z: -3}}
		wolf := sim.ActorState{ID: 9, Pos: geom.Vec{X: 4}}
		h.frame(1, []sim.ActorState{ann, wolf}, sim.Event{Kind: sim.EventJoined, Who: 7, N: 1},
			sim.Event{Kind: sim.EventChat, Who: 7, Text: "hello moor"}, sim.Event{Kind: sim.EventChat, Who: 9, Text: "grr"})
		delete(h.speakers, 7) // the speaker leaves the world before the log reads its last line
		h.frame(1, nil, sim.Event{Kind: sim.EventChat, Who: 7, Text: "bye\xff"})
		h.flush()
		list, err := h.Search(t.Context(), Query{})
		if err != nil || len(list) != 2 {
			t.Fatalf("%+v, %v; want two lines, none of the wolf", list, err)
		}
		for i, want := range []Line{
			{ID: 2, Channel: Area, Area: "Moor", Account: "ann@x", Player: "Ann", Door: "rs", Text: "bye"},
			{ID: 1, Channel: Area, Area: "Moor", Account: "ann@x", Player: "Ann", Door: "rs", Text: "hello moor", Pos: ann.Pos, HasPos: true},
		} {
			if want.At = time.Now().UTC().Add(-3 * writeInterval); list[i] != want {
				t.Errorf("line %d is %+v, want %+v", i, list[i], want)
			}
		}
		time.Sleep(2*forgetAfter + time.Minute)
		synctest.Wait()
		h.frame(1, nil, sim.Event{Kind: sim.EventChat, Who: 7, Text: "long gone"})
		h.flush()
		h.expect(Query{}, "bye", "hello moor")
	})
}

func TestSearchFiltersByWordsAccountAreaAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		start := time.Now()
		for _, l := range []Line{
			{Channel: Area, Area: "Vale", Account: "ann", Player: "Ännchen", Text: "Selling a Sword of ice, cheap"},
			{Channel: Area, Area: "Moor", Account: "bob", Player: "Bob", Text: "swordfish! for SALE"},
			{Channel: Area, Area: "Vale", Account: "bob", Player: "Bob", Text: "noise", Withheld: Muted},
			{Channel: Announcement, Operator: "Zoe", Told: 3, Text: "Grüße an alle"},
			{Channel: Message, Area: "Vale", Operator: "Zoe", ToAccount: "ANN", ToPlayer: "Ännchen", Text: "please be kind"},
		} {
			h.Add(l)
			h.flush()
			time.Sleep(time.Minute)
		}
		sword, fish, noise, all, kind := "Selling a Sword of ice, cheap", "swordfish! for SALE", "noise", "Grüße an alle", "please be kind"
		yes, no := true, false
		h.expect(Query{}, kind, all, noise, fish, sword)
		h.expect(Query{Words: "sword"}, fish, sword)
		h.expect(Query{Words: "SWORD ice"}, sword)
		h.expect(Query{Words: `"of ice"`}, sword)
		h.expect(Query{Words: `"ice of"`})
		h.expect(Query{Words: "GRUSSE"})
		h.expect(Query{Words: "grüße"}, all)
		h.expect(Query{Words: "an OR alle"})       // "OR" must be searched as a word
		h.expect(Query{Words: `NOT" -a* {text}:`}) // operators of SQLite, which must have no effect
		h.expect(Query{Account: "Ann"}, kind, sword)
		h.expect(Query{Who: "BOB"}, noise, fish)
		h.expect(Query{Who: "Ännchen"}, kind, sword)
		h.expect(Query{Area: "Moor"}, fish)
		h.expect(Query{Channel: Announcement}, all)
		h.expect(Query{Withheld: &yes}, noise)
		h.expect(Query{Withheld: &no, Account: "bob"}, fish)
		h.expect(Query{Since: start.Add(time.Minute), Until: start.Add(3 * time.Minute)}, noise, fish)
		h.expect(Query{Limit: 2}, kind, all)
		h.expect(Query{Limit: 2, Before: 4}, noise, fish)
		if _, err := h.Search(t.Context(), Query{Words: " -!? "}); !errors.Is(err, ErrNoWord) {
			t.Errorf("a search without a word: %v", err)
		}
	})
}

func TestChatLinesOlderThanRetentionAreErasedFromFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, func(o *Options) { o.Retain = time.Hour })
		for i := range 600 { // more lines than one DELETE statement deletes
			h.Add(Line{Channel: Area, Account: "ann", Text: fmt.Sprintf("quagmire%d", i)})
		}
		h.flush()
		time.Sleep(59 * time.Minute)
		h.Add(Line{Channel: Area, Account: "ann", Text: "zanzibar"})
		h.flush()
		if n := len(h.search(Query{Limit: MaxLimit})); n != 601 || !h.onDisk("quagmire") || !h.onDisk("zanzibar") {
			t.Fatalf("%d lines before the end of the retention", n)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		h.expect(Query{}, "zanzibar")
		if h.onDisk("quagmire") {
			t.Error("the file still has texts of deleted lines")
		}
		h.expect(Query{Words: "quagmire1"})
	})
}

func TestShorterRetentionDeletesOldLinesImmediately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.Add(Line{Channel: Area, Account: "ann", Text: "quagmire"})
		time.Sleep(2 * time.Hour)
		h.Add(Line{Channel: Area, Account: "ann", Text: "new"})
		h.flush()
		h.SetBounds(time.Hour, 1000)
		h.flush()
		h.expect(Query{}, "new")
		if h.Retain() != time.Hour || h.onDisk("quagmire") {
			t.Errorf("lines are kept for %v", h.Retain())
		}
	})
}

func TestFullChatLogDropsOldestLinesOfBusiestAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, func(o *Options) { o.Keep = 100 })
		for i := range 10 {
			h.Add(Line{Channel: Area, Account: "ann", Text: fmt.Sprint("a", i)})
		}
		for i := range 500 {
			h.Add(Line{Channel: Area, Account: "flood", Text: fmt.Sprint("f", i)})
		}
		h.flush()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if list := h.search(Query{Account: "flood", Limit: MaxLimit}); len(list) != 90 || list[0] != "f499" || list[89] != "f410" {
			t.Errorf("%d lines of the flood: %q", len(list), list)
		}
		if n := len(h.search(Query{Account: "ann"})); n != 10 {
			t.Errorf("%d lines of the other account, want 10", n)
		}
	})
}

func TestForgetDeletesChatLinesAndNameOfAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.Add(Line{Channel: Area, Account: "ann", Player: "Ann", Text: "xylophone"})
		h.Add(Line{Channel: Area, Account: "bob", Player: "Bob", Text: "hello"})
		h.Add(Line{Channel: Message, Operator: "Zoe", ToAccount: "ann", ToPlayer: "Annabella", Text: "stop it"})
		h.flush()
		h.Add(Line{Channel: Area, Account: "Ann", Player: "Ann", Text: "still queued"})
		list, err := h.Person(t.Context(), "Ann")
		if err != nil || len(list) != 2 || list[0].Text != "stop it" || list[1].Text != "xylophone" {
			t.Errorf("the person's lines: %+v, %v", list, err)
		}
		if n, err := h.Forget(t.Context(), "ANN"); err != nil || n != 3 {
			t.Errorf("%d lines deleted or changed, %v; want 3", n, err)
		}
		h.flush()
		h.expect(Query{}, "stop it", "hello")
		h.expect(Query{Who: "ann"})
		h.expect(Query{Who: removedName}, "stop it")
		if h.onDisk("xylophone") || h.onDisk("Annabella") || h.onDisk("still queued") {
			t.Error("the file still has texts of the account")
		}
		if n, err := h.Forget(t.Context(), "ann"); err != nil || n != 0 {
			t.Errorf("a second time: %d lines, %v", n, err)
		}
	})
}

func TestMergeOfAccountsMovesChatLinesToOtherAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.Add(Line{Channel: Area, Account: "ann", Player: "Ann", Text: "one"})
		h.Add(Line{Channel: Message, Operator: "Zoe", ToAccount: "ANN", ToPlayer: "Ann", Text: "two"})
		h.flush()
		h.Add(Line{Channel: Area, Account: "Ann", Player: "Ann", Text: "queued"})
		if n, err := h.Rename(t.Context(), "Ann", "bob"); err != nil || n != 3 {
			t.Fatalf("%d lines renamed, %v; want 3", n, err)
		}
		h.expect(Query{Account: "ann"})
		h.expect(Query{Account: "bob"}, "queued", "two", "one")
		if n, err := h.Forget(t.Context(), "bob"); err != nil || n != 3 || h.writer.rows.Total() != 1 {
			t.Errorf("%d lines deleted or changed, %v, %d counted", n, err, h.writer.rows.Total())
		}
	})
}

func TestNumberOfStoredLinesThatNoPlayerReceivedIsLimitedPerAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		for range 1000 {
			h.Add(Line{Channel: Area, Account: "flood", Text: "buy", Withheld: RateLimit})
		}
		h.Add(Line{Channel: Area, Account: "bob", Text: "a slow one", Withheld: AreaLimit})
		h.Add(Line{Channel: Area, Account: "flood", Text: "shown"})
		h.flush()
		if n := len(h.search(Query{Account: "flood"})); n != withheldBurst+1 || h.count("skipped") != 1000-withheldBurst {
			t.Errorf("%d lines are stored and %d skipped", n, h.count("skipped"))
		}
		h.expect(Query{Account: "bob"}, "a slow one")
		time.Sleep(2 * time.Minute)
		h.Add(Line{Channel: Area, Account: "flood", Text: "later", Withheld: RateLimit})
		h.flush()
		h.expect(Query{Account: "flood", Limit: 2}, "later", "shown")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if h.mu.Lock(); len(h.withheld) != 0 {
			t.Errorf("%d budgets remain", len(h.withheld))
		}
		h.mu.Unlock()
	})
}

func TestChatQueueIsBoundedWhileFileCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.writing.Lock()
		if err := h.writer.db.Close(); err != nil {
			t.Fatal(err)
		}
		h.writing.Unlock()
		for range maxQueue + 10 {
			h.Add(Line{Channel: Area, Account: "ann", Text: "lost"})
		}
		h.flush()
		if f := h.Failure(); f == nil || h.count("lost") != 10 || h.queued() != maxQueue {
			t.Errorf("failure %v, %d lost, %d queued", f, h.count("lost"), h.queued())
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := h.Close(ctx); err == nil || !strings.Contains(err.Error(), "8192 lines of chat could not be written") {
			t.Errorf("close: %v", err)
		}
	})
}

func TestNilChatLogIgnoresAllCalls(t *testing.T) {
	var l *Log
	l.Add(Line{Text: "x"})
	l.Watch(nil)
	if _, err := l.Search(t.Context(), Query{}); !errors.Is(err, ErrOff) {
		t.Errorf("search: %v", err)
	}
	if list, err := l.Person(t.Context(), "ann"); err != nil || len(list) != 0 {
		t.Errorf("person: %v, %v", list, err)
	}
	if n, err := l.Forget(t.Context(), "ann"); err != nil || n != 0 {
		t.Errorf("forget: %d, %v", n, err)
	}
	if err := errors.Join(l.Close(t.Context())); err != nil || l.Failure() != nil {
		t.Error(err, l.Failure())
	}
}

func TestDamagedChatFileIsRenamedAndDeletedAfterRetention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), FileName)
		if err := os.WriteFile(path, bytes.Repeat([]byte("no database"), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		other := filepath.Join(filepath.Dir(path), "chat.sqlite.txt")
		if err := os.WriteFile(other, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		h := &harness{t: t, path: path, metrics: telemetry.New(), speakers: map[sim.EntityID]Speaker{}}
		h.open(func(o *Options) { o.Retain = 3 * time.Hour })
		aside, _ := filepath.Glob(path + ".*.damaged")
		if len(aside) != 1 {
			t.Fatalf("set aside: %v", aside)
		}
		h.Add(Line{Channel: Area, Account: "ann", Text: "new"})
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if _, err := os.Stat(aside[0]); err != nil {
			t.Errorf("before the end of the retention: %v", err)
		}
		h.expect(Query{}, "new")
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if _, err := os.Stat(aside[0]); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("after it: %v", err)
		}
		if err := h.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if existed, err := Remove(path); err != nil || !existed {
			t.Errorf("removed: %t, %v", existed, err)
		}
		left, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(other) {
			t.Errorf("left in the folder: %v, %v", left, err)
		}
		if existed, err := Remove(path); err != nil || existed {
			t.Errorf("a second time: %t, %v", existed, err)
		}
	})
}

// SQLite's full-text search has operators of its own. A search text never acts as such an operator and never causes an SQLite
// error.
func FuzzSearchForAnyText(f *testing.F) {
	for _, s := range []string{"sword", `"of ice`, "a* OR b", "NEAR(a b)", "\x00", "é\u0301", "\u0301", "^x", "日本語 テスト", "-", `""""`, "text : a", "\xff\xfe"} {
		f.Add(s)
	}
	path := filepath.Join(f.TempDir(), FileName)
	l, err := Open(Options{Path: path, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { l.Close(context.Background()) })
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return
		}
		if _, err := l.Search(t.Context(), Query{Words: text}); err != nil && !errors.Is(err, ErrNoWord) {
			t.Fatalf("%q (%q): %v", text, matchOf(text), err)
		}
	})
}
