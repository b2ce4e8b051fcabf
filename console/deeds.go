package console

import (
	"context"
	"fmt"
	"net/http"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// done is the answer of an action.
type done struct {
	OK bool `json:"ok"`
}

// act runs a call that does something, and notes it whatever comes of it, also if it breaks.
func (k *call) act(to *route) (result any, err error) {
	if !k.deeds.take(&k.who, to.action, k.clock()) {
		return nil, errManyDeeds // counted: second notes how many there were
	}
	k.deed = journal.OperatorAction{Operator: k.who.name, Role: k.who.role.String(), Action: to.action, Result: errInternal.message}
	defer func() { k.noteDeed(context.WithoutCancel(k.r.Context()), &k.deed) }() // also if whoever asked has gone
	if k.r.PathValue("entity") != "" {
		if p, err := k.target(); err == nil {
			k.deed.Player, k.deed.Account = shown(p.Name), shown(p.Account)
		}
	}
	if err = k.allowed(to); err == nil {
		result, err = to.run(k)
	}
	k.deed.Result = "ok"
	if err != nil {
		k.deed.Result = asAPI(err).message
	}
	return result, err
}

var errManyDeeds = &apiError{http.StatusTooManyRequests, codeThrottled, "too many actions at once: wait a moment"}

// Longest texts of operators, in letters. The hub puts a word before a message.
const (
	maxMessage = 200
	maxReason  = 150
)

// message is POST /players/{entity}/message.
func (k *call) message() (any, error) {
	var body struct {
		Text string `json:"text"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	text, err := kept("text", body.Text, 1, maxMessage)
	if err != nil {
		return nil, err
	}
	k.deed.Detail = shown(text)
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return done{true}, k.Hub.Tell(p.Entity, text)
}

// teleport is POST /players/{entity}/teleport.
func (k *call) teleport() (any, error) {
	var body struct {
		Area *sim.AreaID `json:"areaId"`
		X    *float32    `json:"x"`
		Y    *float32    `json:"y"`
		Z    *float32    `json:"z"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	if body.Area == nil || body.X == nil || body.Z == nil {
		return nil, badRequest(`"areaId", "x" and "z" are needed; "y" may be null for the ground`)
	}
	def := k.World.Def()
	if *body.Area < 0 || int(*body.Area) >= len(def.Areas) {
		return nil, badRequest(`"areaId": there is no area %d`, *body.Area)
	}
	to := geom.Vec{X: *body.X, Z: *body.Z}
	if body.Y != nil {
		to.Y = *body.Y
	}
	for _, v := range [...]float32{to.X, to.Y, to.Z} {
		if move.ClampWorldCoord(v) != v {
			return nil, badRequest("a position lies within %d units of the origin", move.WorldLimit)
		}
	}
	if body.Y == nil {
		to.Y = move.ClampWorldCoord(groundAt(&def.Areas[*body.Area], to.X, to.Z))
	}
	k.deed.Detail = fmt.Sprintf("to %s at %.1f %.1f %.1f", k.areaName(*body.Area), to.X, to.Y, to.Z)
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	state, _ := k.watch.player(p.Area, p.Entity)
	if state.Is(sim.FlagDead) {
		return nil, errDead
	}
	return done{true}, k.Hub.Place(p.Entity, *body.Area, to, state.Yaw)
}

// freeze is POST /players/{entity}/freeze.
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
	k.deed.Detail = "thawed"
	if *body.Frozen {
		k.deed.Detail = "frozen"
	}
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return done{true}, k.Hub.Freeze(k.r.Context(), p.Entity, *body.Frozen)
}

// kick is POST /players/{entity}/kick.
func (k *call) kick() (any, error) {
	var body struct {
		Reason string `json:"reason"`
	}
	if err := readBody(k.w, k.r, &body); err != nil {
		return nil, err
	}
	why, err := kept("reason", body.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	k.deed.Detail = shown(why)
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	return done{true}, k.Hub.Kick(p.Entity, why)
}
