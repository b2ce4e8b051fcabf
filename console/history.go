package console

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/history"
)

const (
	maxHistoryNames = 64      // maximum number of names in one query
	maxHistoryCells = 200_000 // maximum number of values in one response
)

// historyBody is the response of GET /history. It has a time series for each requested figure, such as the number of players.
// Each series has Points values. A value is null for an interval in which the server did not run.
type historyBody struct {
	From     int64           `json:"from"`     // start of the first interval, in ms since 1970
	StepMS   int64           `json:"stepMs"`   // length of an interval, in ms
	Points   int             `json:"points"`   // number of intervals
	Figures  []historyFigure `json:"figures"`  // time series that match the query
	Restarts []int64         `json:"restarts"` // times at which the server was started, in ms since 1970
}

// historyFigure is one time series, such as the number of players.
type historyFigure struct {
	Name   string     `json:"name"`   // name of the figure, such as "players.peak"
	Kind   string     `json:"kind"`   // how the samples of an interval became one value: "mean", "max" or "sum"
	Values []*float64 `json:"values"` // one value per interval, oldest first
}

var historyKinds = map[history.Kind]string{history.Mean: "mean", history.Max: "max", history.Sum: "sum"}

// showHistory handles GET /history. It returns time series that reach back up to a year.
func (k *call) showHistory() (any, error) {
	ask, err := k.parseQuery("from", "to", "names")
	if err != nil {
		return nil, err
	}
	if k.History == nil {
		return nil, notFound("this server stores no time series, because history-retain is off")
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
	r := k.History.Query(from, to, now, func(c history.Series) bool {
		if !matchesName(c.Name, names) || (kept+1)*history.MaxPoints > maxHistoryCells {
			return false
		}
		kept++
		return true
	})
	b := historyBody{From: r.From.UnixMilli(), StepMS: r.Step.Milliseconds(), Points: r.Points, Figures: []historyFigure{}, Restarts: []int64{}}
	for i, c := range r.Series {
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

// matchesName reports whether an element of the list selects the name. An element selects the name that is equal to it. An
// element with * at its end, such as "players*", selects all names that begin with the part before the *.
func matchesName(name string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		prefix, many := strings.CutSuffix(p, "*")
		return p == name || many && strings.HasPrefix(name, prefix)
	})
}
