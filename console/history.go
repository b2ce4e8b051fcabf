package console

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/history"
)

const (
	maxHistoryNames = 64 // maximum number of names in one query
	maxHistoryCells = 200_000
)

// historyBody is the response of GET /history. It has a column for each figure, with Points values. A value is null for a time
// at which the server did not run.
type historyBody struct {
	From     int64           `json:"from"`   // begin of the first interval, in ms since 1970
	StepMS   int64           `json:"stepMs"` // length of an interval
	Points   int             `json:"points"`
	Figures  []historyFigure `json:"figures"`
	Restarts []int64         `json:"restarts"` // starts of the server, in ms since 1970
}

type historyFigure struct {
	Name   string     `json:"name"`
	Kind   string     `json:"kind"` // mean, max or sum of the samples of an interval
	Values []*float64 `json:"values"`
}

var historyKinds = map[history.Kind]string{history.Mean: "mean", history.Max: "max", history.Sum: "sum"}

// showHistory handles GET /history. It returns figures of up to a year.
func (k *call) showHistory() (any, error) {
	ask, err := k.parseQuery("from", "to", "names")
	if err != nil {
		return nil, err
	}
	if k.History == nil {
		return nil, notFound("this server keeps no figures: start it without history-retain off")
	}
	from, err := parseTime(ask, "from")
	if err != nil {
		return nil, err
	}
	to, err := parseTime(ask, "to")
	if err != nil {
		return nil, err
	}
	now := k.clock()
	if to.IsZero() || to.After(now) {
		to = now
	}
	if from.IsZero() {
		from = to.Add(-time.Hour)
	}
	if from.After(to) {
		return nil, badRequest("\"from\" must not be after \"to\"")
	}
	names := []string{"*"}
	if ask.Has("names") {
		names = strings.Split(ask.Get("names"), ",")
	}
	if len(names) > maxHistoryNames {
		return nil, badRequest("\"names\" has %d names; at most %d are allowed", len(names), maxHistoryNames)
	}
	kept := 0
	r := k.History.Query(from, to, now, func(c history.Column) bool {
		if !matchesName(c.Name, names) || (kept+1)*history.MaxPoints > maxHistoryCells {
			return false
		}
		kept++
		return true
	})
	b := historyBody{From: r.From.UnixMilli(), StepMS: r.Step.Milliseconds(), Points: r.Points, Figures: []historyFigure{}, Restarts: []int64{}}
	for i, c := range r.Columns {
		f := historyFigure{Name: c.Name, Kind: historyKinds[c.Kind], Values: make([]*float64, r.Points)}
		for j := range r.Values[i] {
			if v := &r.Values[i][j]; !math.IsNaN(*v) {
				f.Values[j] = v
			}
		}
		b.Figures = append(b.Figures, f)
	}
	for _, at := range r.Restarts {
		b.Restarts = append(b.Restarts, at.UnixMilli())
	}
	return b, nil
}

// matchesName reports whether a name is one of list, in which a name that ends in * stands for all that begin with the rest.
func matchesName(name string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		prefix, many := strings.CutSuffix(p, "*")
		return p == name || many && strings.HasPrefix(name, prefix)
	})
}
