package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/internal/duration"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

// announcedBody is the response of POST /announce.
type announcedBody struct {
	OK      bool     `json:"ok"`
	Told    int      `json:"told"`    // number of players that were sent the text
	Missing []string `json:"missing"` // nodes of the cluster whose players were not sent it, as far as is known; empty without a cluster
}

// announce handles POST /announce. It shows a text to all players, or to the players in one area. In a cluster every node shows it to
// its own players.
func (k *call) announce() (any, error) {
	var body struct {
		Text string `json:"text"`
		Area string `json:"area"` // name or id of the area whose players are told; empty for all players
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	text, err := parseText("text", body.Text, 1, maxMessage)
	if err != nil {
		return nil, err
	}
	in := sim.NoArea
	k.entry.Detail = "to everybody: " + text
	if body.Area != "" {
		if in, err = k.findArea("area", body.Area); err != nil {
			return nil, err
		}
		k.entry.Detail = "to " + k.areaName(in) + ": " + text
	}
	told, err := k.Hub.Announce(in, text)
	if err != nil {
		return nil, err
	}
	if k.from != "" { // the node that asks adds up the players and stores the line
		return announcedBody{true, told, []string{}}, nil
	}
	others, missing := k.announceElsewhere(body.Area, text)
	told += others
	if len(missing) > 0 {
		k.entry.Detail = "not on node " + strings.Join(missing, ", ") + ": " + k.entry.Detail
	}
	k.Chat.Add(chatlog.Line{Channel: chatlog.Announcement, Area: k.areaName(in), Operator: k.entry.Operator, Told: told, Text: text})
	return announcedBody{true, told, missing}, nil
}

// announceElsewhere has the other nodes of the cluster announce a text. It returns the number of their players that were sent it, and
// the nodes that have not answered.
func (k *call) announceElsewhere(in, text string) (told int, missing []string) {
	if k.Cluster == nil {
		return 0, []string{}
	}
	body, err := json.Marshal(map[string]string{"text": text, "area": in})
	if err != nil {
		panic(err) // cannot happen: these are strings
	}
	var sum atomic.Int64
	missing = k.askOthers(func(node string) error {
		a, err := k.askNode(k.r.Context(), node, forwardedCall{Method: http.MethodPost, Path: "/announce", Body: string(body)})
		if err != nil {
			return err
		}
		result, err := a.result()
		if err != nil {
			return err
		}
		var there announcedBody
		err = json.Unmarshal(result, &there)
		sum.Add(int64(there.Told))
		return err
	})
	return int(sum.Load()), missing
}

// stopBody describes a planned stop or restart.
type stopBody struct {
	Restart bool      `json:"restart"` // the server is to be started again; false for a stop
	At      timestamp `json:"at"`      // time at which the server stops
	Reason  string    `json:"reason"`  // text that the players are shown; may be empty
	By      string    `json:"by"`      // operator who planned it, such as "ann (console)"
}

// plannedStop handles GET /stop. It returns the planned stop or restart, or null if there is none.
func (k *call) plannedStop() (any, error) {
	var body struct {
		Planned *stopBody `json:"planned"`
	}
	if p, ok := k.Hub.PlannedStop(); ok {
		body.Planned = &stopBody{p.Restart, timestamp(p.At), p.Reason, p.By}
	}
	return body, nil
}

// stop handles POST /stop. It plans a stop of the server.
func (k *call) stop() (any, error) { return k.planStop(false) }

// restart handles POST /restart. It plans a restart of the server.
func (k *call) restart() (any, error) { return k.planStop(true) }

// planStop plans a stop of the server, or a restart if the parameter restart is true. The new plan replaces an earlier
// one.
func (k *call) planStop(restart bool) (any, error) {
	var body struct {
		In     string `json:"in"` // period until the stop, such as "5m"; empty for at once
		Reason string `json:"reason"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	why, err := parseText("reason", body.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	in := time.Duration(0)
	if text := strings.TrimSpace(body.In); text != "" {
		if in, err = duration.Parse(text); err != nil {
			return nil, badRequest(`"in": %v`, err)
		}
	}
	if in < 0 || in > session.MaxStopDelay {
		return nil, badRequest(`"in" must be between 0s and %s`, duration.Format(session.MaxStopDelay))
	}
	k.entry.Detail = strings.TrimSuffix(fmt.Sprintf("in %s: %s", duration.Format(in), why), ": ")
	p, err := k.Hub.PlanStop(session.PlannedStop{Restart: restart, Reason: why, By: k.entry.Operator}, in)
	return struct {
		OK bool      `json:"ok"`
		At timestamp `json:"at"`
	}{true, timestamp(p.At)}, err
}

// cancelStop handles DELETE /stop. It cancels the planned stop or restart.
func (k *call) cancelStop() (any, error) {
	if !k.Hub.CancelStop() {
		return nil, notFound("no stop and no restart is planned")
	}
	return okBody{true}, nil
}
