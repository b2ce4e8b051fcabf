package bedrock

import (
	"math/rand/v2"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// cheatCase is a cheat and the circumstances in which it is used.
type cheatCase struct {
	name          string
	tamper        *bot.Tamper
	throughPortal bool // the players run east through a portal that leads back; otherwise they run straight south
	isAttacked    bool // the players are attacked from the front repeatedly
	withholds     bool // the cheater withholds its packets for two seconds out of three
	gainsHeight   bool // the cheat tries to gain height
}

// cheatCases returns the cheats of the client library and cheats that need a modified game.
func cheatCases() []cheatCase {
	var all []cheatCase
	for i, name := range bot.CheatNames() {
		tamper, _ := bot.NewCheat(name, rand.New(rand.NewPCG(uint64(i), 1)))
		all = append(all, cheatCase{name: name, tamper: tamper, throughPortal: name == "noteleport", gainsHeight: name == "fly"})
	}
	unanswered, _ := bot.NewCheat("speed", nil)
	unanswered.NoBarriers = true
	return append(all,
		cheatCase{name: "blink", withholds: true, tamper: &bot.Tamper{}},
		cheatCase{name: "hoard", withholds: true, tamper: &bot.Tamper{Rate: 1.5}},
		cheatCase{name: "unmoved", isAttacked: true, tamper: &bot.Tamper{AlterInput: ignoreServer(1)}},
		cheatCase{name: "stubborn", tamper: &bot.Tamper{AlterInput: ignoreServer(1.5)}},
		cheatCase{name: "unanswered", tamper: unanswered},
		cheatCase{name: "unmoved, unanswered", isAttacked: true, tamper: &bot.Tamper{AlterInput: ignoreServer(1), NoBarriers: true}},
		cheatCase{name: "drift", tamper: &bot.Tamper{AlterStep: addDrift}},
		cheatCase{name: "lean", tamper: &bot.Tamper{AlterInput: func(in *move.Input) { in.Pos.Z += 0.45 }}},
	)
}

// ignoreServer returns a cheat that moves the player factor times as fast as allowed, and ignores knockbacks and corrections.
func ignoreServer(factor float32) func(in *move.Input) {
	var own move.Avatar
	var scratch move.Scratch
	return func(in *move.Input) {
		if own == (move.Avatar{}) {
			own = move.NewAvatar(in.Pos)
			own.Vel = in.Delta
		}
		was, claim := own.Pos, *in
		own.Step(&claim, nil, &scratch)
		own.Pos.X += float32((own.Pos.X - was.X) * (factor - 1))
		own.Pos.Z += float32((own.Pos.Z - was.Z) * (factor - 1))
		in.Pos, in.Delta = own.Pos, own.Vel
	}
}

// addDrift is a cheat that lengthens each movement of the player by a distance below the server's tolerance.
func addDrift(before move.Avatar, after *move.Avatar, _ *move.Input) {
	if geom.DistXZ(before.Pos, after.Pos) > 0.05 {
		after.Pos.Z += 0.0048
	}
}

// sprinter is a bot behaviour that sprints as soon as the run has started, with occasional jumps.
type sprinter struct {
	race  *cheatRun
	yaw   float32
	first uint64 // tick of the sprinter's first step
}

func (sp *sprinter) Act(p *bot.Player) bot.Keys {
	if !sp.race.started {
		return bot.Keys{Yaw: sp.yaw}
	}
	if sp.first == 0 {
		sp.first = p.Tick()
	}
	n := p.Tick() - sp.first
	return bot.Keys{Yaw: sp.yaw, Forward: 1, Sprint: n%400 > 20, Jump: n%37 == 36}
}

// lurker is a bot behaviour that walks through the western portal and then stands still.
type lurker struct{}

func (lurker) Act(p *bot.Player) bot.Keys {
	if p.Pos().Z > 200 {
		return bot.Keys{}
	}
	return bot.Keys{Yaw: west, Forward: 1}
}
