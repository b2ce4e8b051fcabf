package console

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/telemetry"
)

// done is the answer of an action.
type done struct {
	OK bool `json:"ok"`
}

const noteWithin = 5 * time.Second // for writing down a deed, also when whoever asked has gone

// act runs a call that does something, and notes it whatever comes of it.
func (k *call) act(to *route) (any, error) {
	if !k.deeds.take(k.who.name, k.clock()) {
		return nil, errManyDeeds // not noted: a flood must not wash out what was
	}
	k.deed = journal.Deed{Operator: k.who.name, Role: k.who.role.String(), Action: to.action}
	if k.r.PathValue("entity") != "" {
		if p, err := k.target(); err == nil {
			k.deed.Player, k.deed.Account = shown(p.Name), shown(p.Account)
		}
	}
	err := k.allowed(to)
	var result any
	if err == nil {
		result, err = to.run(k)
	}
	k.deed.Result = "ok"
	if err != nil {
		k.deed.Result = asAPI(err).message
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(k.r.Context()), noteWithin)
	defer cancel()
	if noteErr := k.Journal.Note(ctx, k.deed); noteErr != nil {
		k.log.Error("console: a deed could not be noted", fieldOperator, k.deed.Operator, fieldAction, k.deed.Action,
			"player", k.deed.Player, telemetry.FieldAccount, k.deed.Account, "detail", k.deed.Detail, "result", k.deed.Result,
			telemetry.FieldErr, noteErr)
	}
	k.log.Info("console: "+k.deed.Action, fieldOperator, k.deed.Operator, "player", k.deed.Player,
		telemetry.FieldAccount, k.deed.Account, "result", k.deed.Result)
	return result, err
}

var errManyDeeds = &apiError{http.StatusTooManyRequests, codeThrottled, "too many actions at once: wait a moment"}

// pace lets each operator do so much at once, and then so much a second.
type pace struct {
	mu   sync.Mutex
	left map[string]credit
}

type credit struct {
	left float64
	at   time.Time
}

const (
	deedsAtOnce    = 30  // guess: an operator who freezes a crowd
	deedsPerSecond = 5.0 // guess
)

func (p *pace) take(name string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.left[name]
	if !ok {
		c = credit{deedsAtOnce, now}
	}
	c.left = min(deedsAtOnce, c.left+max(now.Sub(c.at).Seconds(), 0)*deedsPerSecond)
	c.at = now
	granted := c.left >= 1
	if granted {
		c.left--
	}
	if p.left == nil || len(p.left) > 2*maxOperators { // names that were revoked since
		p.left = map[string]credit{}
	}
	p.left[name] = c
	return granted
}

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
	} else {
		to.Y = groundAt(&def.Areas[*body.Area], to.X, to.Z)
	}
	for _, v := range [...]float32{to.X, to.Y, to.Z} {
		if move.ClampWorldCoord(v) != v {
			return nil, badRequest("a position lies within %d units of the origin", move.WorldLimit)
		}
	}
	k.deed.Detail = fmt.Sprintf("to %s at %.1f %.1f %.1f", k.areaName(*body.Area), to.X, to.Y, to.Z)
	p, err := k.target()
	if err != nil {
		return nil, err
	}
	state, _ := k.watch.player(p.Area, p.Entity)
	if state.Is(sim.FlagDead) {
		return nil, &apiError{http.StatusConflict, codeConflict, "the dead stay where they fell: wait until the player lives again"}
	}
	return done{true}, k.Hub.Place(p.Entity, *body.Area, to, state.Yaw)
}

// groundAt is the highest place of an area on which one can stand at x, z.
func groundAt(a *sim.AreaDef, x, z float32) float32 {
	if a.BlockGrid.Check() != nil {
		return 0
	}
	at := a.BlockGrid.ToBlocks(geom.Vec{X: x, Z: z})
	top, ok := a.Blocks.Below(at.X, at.Z, highestBlock)
	if !ok {
		return a.BlockGrid.Height
	}
	at.Y = top
	return a.BlockGrid.ToWorld(at).Y
}

// highestBlock is above every block.
const highestBlock = 320

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
	return done{true}, k.Hub.Freeze(p.Entity, *body.Frozen)
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
