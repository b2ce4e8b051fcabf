package console

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/sim"
)

// announcedBody is the response of POST /announce.
type announcedBody struct {
	OK      bool     `json:"ok"`
	Told    int      `json:"told"`    // number of players that were sent the text
	Missing []string `json:"missing"` // nodes that have not answered, whose players may not have been sent the text; empty without a cluster
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
	if k.from != "" { // the asking node adds up the players of all nodes and stores the line of chat
		return announcedBody{true, told, []string{}}, nil
	}
	others, missing := k.announceElsewhere(body.Area, text)
	told += others
	if len(missing) > 0 {
		k.entry.Detail = onAllNodes(missing, k.entry.Detail)
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
	var sum atomic.Int64
	missing = k.askOthers(func(node string) error {
		result, err := k.resultOn(node, forwardedCall{Method: http.MethodPost, Path: "/announce", Body: encodeBody(map[string]string{"text": text, "area": in})})
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
