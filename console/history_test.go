package console

import (
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/history"
)

func TestMetricsHistoryResponseShowsGapsAndServerRestarts(t *testing.T) {
	t.Parallel()
	begin := time.Now().Add(-2 * time.Hour).Truncate(time.Minute)
	store := history.Open(history.Options{
		Path: filepath.Join(t.TempDir(), history.FileName), Retain: history.MaxRetain, Start: begin,
		Series: []history.Series{{Name: "players", Kind: history.Mean}, {Name: "players.area.Vale", Kind: history.Mean}, {Name: "logins.ok", Kind: history.Sum}},
	})
	t.Cleanup(func() { store.Close() })
	store.Add(begin, []float64{4, 3, 1})
	store.Add(begin.Add(30*time.Second), []float64{6, math.NaN(), 1})
	r := start(t, func(o *Options) { o.History = store })
	b := get[historyBody](r, Viewer, "/history?names=players*&from="+itoa(begin.Add(-time.Hour).UnixMilli()))
	if b.StepMS != 60_000 || len(b.Figures) != 2 || len(b.Figures[0].Values) != b.Points || len(b.Restarts) != 1 || b.Restarts[0] != begin.UnixMilli() {
		t.Fatalf("step %d, %d figures, %d points, restarts %v", b.StepMS, len(b.Figures), b.Points, b.Restarts)
	}
	at := (begin.UnixMilli() - b.From) / b.StepMS
	if v := b.Figures[0].Values; v[at] == nil || *v[at] != 5 || v[at-1] != nil || v[at+1] != nil || b.Figures[0].Kind != "mean" {
		t.Errorf("around the only samples: %v", v[at-1:at+2])
	}
	if v := b.Figures[1].Values[at]; v == nil || *v != 3 {
		t.Errorf("a figure that a sample lacks: %v", v)
	}
	for path, says := range map[string]string{
		"/history?from=9999999999999":                "must not be after",
		"/history?from=soon":                         "must be a time",
		"/history?step=1":                            "unknown parameter",
		"/history?names=" + strings.Repeat("a,", 99): "at most 64",
	} {
		r.wantError(r.call(Viewer, "GET", path, ""), http.StatusBadRequest, codeBadRequest, says)
	}
	r.wantError(r.call(NoRole, "GET", "/history", ""), http.StatusUnauthorized, codeUnauthorized, "")
}

func TestMetricsHistoryRequestReturnsNotFoundWhenHistoryIsOff(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	r.wantError(r.call(Viewer, "GET", "/history", ""), http.StatusNotFound, codeNotFound, "history-retain")
}
