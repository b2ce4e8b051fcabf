package console

import (
	"context"
	"net/http"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
)

// okBody is the response to an action that succeeded.
type okBody struct {
	OK bool `json:"ok"` // always true
}

// runAction runs an action and records it in the audit log, whether it succeeds, fails or panics.
func (k *call) runAction(to *route) (result any, err error) {
	if k.from == "" && !k.actions.allow(&k.caller, to.action, k.clock()) { // a call from another node has passed the limiter of that node
		return nil, errTooManyActions // allow has counted the refusal; flushAudit records the count
	}
	k.entry = journal.OperatorAction{Operator: k.caller.title(), Role: k.caller.role.String(), Action: to.action, Result: errInternal.message}
	defer func() { k.recordEntry(context.WithoutCancel(k.r.Context())) }() // WithoutCancel: the action is recorded even if the client has disconnected
	if k.r.PathValue("entity") != "" {
		if p, err := k.target(); err == nil {
			k.entry.Player, k.entry.Account = p.Name, p.Account
		}
	}
	if err = k.checkRole(to); err == nil {
		result, err = k.run(to)
	}
	k.entry.Result = "ok"
	if err != nil {
		k.entry.Result = toAPIError(err).message
	}
	return result, err
}

// recordEntry records the audit entry of the call. If another node has forwarded the call, the entry names that node.
func (k *call) recordEntry(ctx context.Context) {
	e := k.entry
	if k.from != "" {
		e.Detail = onNode("from node "+k.from, e.Detail)
	}
	k.recordAction(ctx, &e)
}

var errTooManyActions = &apiError{http.StatusTooManyRequests, codeThrottled, "too many actions of this operator: wait a moment"}

// Maximum lengths of texts that operators write, in characters.
const (
	maxMessage = 200 // maximum length of the text of a message or an announcement
	maxReason  = 150 // maximum length of the reason of a ban, mute, kick or stop
)

// message handles POST /players/{entity}/message. It sends a text to one player.
func (k *call) message() (any, error) {
	var body struct {
		Text string `json:"text"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	text, err := parseText("text", body.Text, 1, maxMessage)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = text
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	if err := k.Hub.SendMessage(p.Entity, text); err != nil {
		return nil, err
	}
	k.Chat.Add(chatlog.Line{Channel: chatlog.Message, Area: k.areaName(p.Area), Operator: k.entry.Operator, ToAccount: p.Account, ToPlayer: p.Name, Text: text})
	return okBody{true}, nil
}

// teleport handles POST /players/{entity}/teleport. It moves a living player to a position in an area.
func (k *call) teleport() (any, error) {
	var body struct {
		Area *sim.AreaID `json:"areaId"` // id of the target area
		X    *float32    `json:"x"`      // east, in world units
		Y    *float32    `json:"y"`      // height, in world units; null for the ground
		Z    *float32    `json:"z"`      // north, in world units
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	in, to, err := k.parsePlace(placeBody{body.Area, body.X, body.Y, body.Z})
	if err != nil {
		return nil, err
	}
	k.entry.Detail = "to " + k.placeText(in, to)
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	state, _ := k.frames.player(p.Area, p.Entity)
	if state.Is(sim.FlagDead) {
		return nil, errDead
	}
	return okBody{true}, k.Hub.Teleport(p.Entity, in, to, state.Yaw)
}

// freeze handles POST /players/{entity}/freeze. It freezes a player, who can then only chat, or ends the freeze.
func (k *call) freeze() (any, error) {
	var body struct {
		Frozen *bool `json:"frozen"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	if body.Frozen == nil {
		return nil, badRequest(`"frozen" is missing: true or false`)
	}
	k.entry.Detail = "unfrozen"
	if *body.Frozen {
		k.entry.Detail = "frozen"
	}
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return okBody{true}, k.Hub.Freeze(k.r.Context(), p.Entity, *body.Frozen)
}

// kick handles POST /players/{entity}/kick. It disconnects a player, with a reason that the player is shown.
func (k *call) kick() (any, error) {
	var body struct {
		Reason string `json:"reason"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	why, err := parseText("reason", body.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	k.entry.Detail = why
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return okBody{true}, k.Hub.Kick(p.Entity, why)
}
