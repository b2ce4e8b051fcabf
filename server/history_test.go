package server

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/history"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

func TestHistoryContainsCounterIncreasesAndPlayersByProtocolAndArea(t *testing.T) {
	cfg := Default()
	cfg.DataDir, cfg.World, cfg.Log = t.TempDir(), content.DefaultWorld(), slog.New(slog.DiscardHandler)
	s := &Server{cfg: cfg, log: cfg.Log, metrics: telemetry.New()}
	for _, d := range cfg.Doors {
		s.doors = append(s.doors, &runningDoor{Door: d})
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.history.open(s, noon)
	m := s.metrics
	m.Logins.With("ok").Add(100) // these logins precede the first sample, so it must not count them
	stats := []area.AreaStats{{Players: 2, TickP50: time.Millisecond, TickP99: 3 * time.Millisecond, Overruns: 7, Held: map[string]uint64{"too_fast": 5}}, {Players: 1, TickP99: 9 * time.Millisecond}}
	s.history.last = countFigures(stats, m)

	m.Logins.With("ok").Add(3)
	m.Logins.With("wrong_password").Add(4)
	m.Logins.With("banned").Inc()
	m.Door("web").BytesOut.Add(5000)
	stats[0].Overruns, stats[0].Held = 9, map[string]uint64{"too_fast": 6, "blocked": 2}
	players := []session.Player{{Door: "web"}, {Door: "web"}, {Door: "rs"}}
	at := noon.Add(20 * time.Second)
	s.history.sample(at, stats, players, m)
	s.history.sample(at.Add(historyEvery), stats, nil, m)
	if err := s.history.close(); err != nil {
		t.Fatal(err)
	}

	again := history.Open(history.Options{Path: filepath.Join(cfg.DataDir, history.FileName), Retain: history.MaxRetain, Start: at, Log: cfg.Log})
	defer again.Close()
	now := at.Add(time.Minute)
	r := again.Query(noon, now, now, func(history.Series) bool { return true })
	got := map[string]float64{}
	for i, c := range r.Series {
		got[c.Name] = r.Values[i][2]
	}
	for name, want := range map[string]float64{
		"players": 3, "players.peak": 3, "players.door.web": 2, "players.door.rs": 1, "players.door.rcce": 0,
		"players.area.Truestep Vale": 2, "players.area.Windmoor": 1, "tick.p50": 0.001, "tick.p99": 0.009, "ticks.late": 2,
		"logins.ok": 3, "logins.failed": 5, "bytes.out": 500, "corrections.suspicious": 1, "corrections.unusual": 2, "corrections.harmless": 0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s: %v (%v), want %v", name, v, ok, want)
		}
	}
	if got["memory"] < 1<<20 {
		t.Errorf("%v bytes of memory", got["memory"])
	}
}

func TestHistoryRetainSettingAcceptsDurationInRangeOrOff(t *testing.T) {
	for text, good := range map[string]bool{"off": true, "30d": true, "366d": true, "1h": true, "59m": false, "400d": false, "": true, "ever": false} {
		cfg := Default()
		cfg.HistoryRetain = text
		if err := cfg.Check(); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
