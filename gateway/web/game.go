package web

import (
	"slices"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// gameLayout lists the fields that the world's game declares for players, NPCs and areas, in the order in which messages contain
// them. Fast fields change often, so snapshots contain their values. Slow fields are in other messages. The elements are indices
// in sim.GameSchema.Fields.
type gameLayout struct {
	fast, slow [sim.NumFieldKinds][]int
	slowParty  bool // at least one rarely changing field is sent to party members only
}

// newGameLayout returns the layout for a world's game, and a schema for clients. The schema describes the same fields, and
// the game's commands and events.
func newGameLayout(s *sim.GameSchema) (l gameLayout, schema proto.Schema) {
	schema = proto.BuiltinSchema()
	for kind := range s.Fields {
		for i := range s.Fields[kind] {
			f := &s.Fields[kind][i]
			switch {
			case f.To == sim.ToNobody:
			case f.Slow:
				l.slow[kind] = append(l.slow[kind], i)
				l.slowParty = l.slowParty || f.To == sim.ToParty
				if kind == int(sim.FieldOfArea) {
					schema.Area = append(schema.Area, schemaField(f))
				} else {
					schema.Kinds[kind].Slow = append(schema.Kinds[kind].Slow, schemaField(f))
				}
			default:
				l.fast[kind] = append(l.fast[kind], i)
				schema.Kinds[kind].Fields = append(slices.Clone(schema.Kinds[kind].Fields), schemaField(f))
			}
		}
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		schema.Commands = append(schema.Commands, proto.Command{Name: c.Name, Help: c.Help, Args: schemaArgs(c.Args)})
	}
	for i := range s.Events {
		schema.Events = append(schema.Events, proto.Command{Name: s.Events[i].Name, Args: schemaArgs(s.Events[i].Args)})
	}
	return l, schema
}

// Schema returns the description of a world's game for clients of this door: its fields, commands and events.
func Schema(w *sim.World) proto.Schema {
	_, schema := newGameLayout(&w.Schema)
	return schema
}

func schemaField(f *sim.GameField) proto.SchemaField {
	to := [...]string{sim.ToAll: "", sim.ToParty: "party", sim.ToSelf: "self"}[f.To]
	return proto.SchemaField{Name: f.Name, Derived: f.Linear, Step: f.Step, Min: f.Min, Max: f.Max, Words: f.Words, To: to, Hidden: f.Default}
}

func schemaArgs(args []sim.GameArg) (list []proto.CommandArg) {
	types := [...]proto.CommandArgType{sim.ArgNumber: proto.ArgNumber, sim.ArgActor: proto.ArgActor, sim.ArgText: proto.ArgText}
	for i := range args {
		a := &args[i]
		list = append(list, proto.CommandArg{Name: a.Name, Type: types[a.Kind], Min: a.Min, Max: a.Max, Step: a.Step, Words: a.Words})
	}
	return list
}

// fieldKind returns the kind of game fields that the actor has: those of players or those of NPCs.
func (av *actorView) fieldKind() sim.FieldKind {
	if av.player {
		return sim.FieldOfPlayer
	}
	return sim.FieldOfNPC
}

// syncFields copies the values of the game's fields from a frame, and keeps the previous values for syncGame, which compares
// both. It must be called before syncGame.
func (s *scene) syncFields(f *sim.Frame) {
	s.fields, s.oldFields = append(s.oldFields[:0], f.Fields...), s.fields
	if !slices.Equal(s.areaFields, f.AreaFields) || s.areaTick == 0 {
		s.areaFields, s.areaTick = append(s.areaFields[:0], f.AreaFields...), f.Tick
	}
}

// syncGame updates the game's part of an actor's view: the index at which its values in scene.fields begin, its party, and
// the tick of the last change of values that snapshots do not contain.
func (av *actorView) syncGame(s *scene, f *sim.Frame, a *sim.ActorState) {
	l := &s.w.g.layout
	old := av.firstField
	av.firstField, av.player = int(a.FirstField), a.Is(sim.FlagPlayer)
	changed := l.slowParty && av.party != a.Party
	av.party = a.Party
	if av.entered < f.Tick {
		for _, i := range l.slow[av.fieldKind()] {
			changed = changed || s.fields[av.firstField+i] != s.oldFields[old+i]
		}
	}
	if changed {
		av.bodyTick = f.Tick
	}
}

// mayKnow reports whether the client p may be sent a value of the actor av. The parameter "to" says who may know the value:
// everyone, the actor's party, or only the actor's own player.
func (p *player) mayKnow(to sim.Audience, av *actorView) bool {
	switch to {
	case sim.ToAll:
		return true
	case sim.ToParty:
		return av.id == p.session.Entity || av.party != 0 && av.party == p.party
	case sim.ToSelf:
		return av.id == p.session.Entity
	}
	return false
}

// appendFields appends the values of the actor's fields with the given indices to list. If the client p may not know a value, it
// appends the default of the field instead.
func (p *player) appendFields(list []int32, av *actorView, indices []int) []int32 {
	defs := p.g.world.Def().Schema.Fields[av.fieldKind()]
	for _, i := range indices {
		v := defs[i].Default
		if p.mayKnow(defs[i].To, av) {
			v = p.scene.fields[av.firstField+i]
		}
		list = append(list, v)
	}
	return list
}

// valuesOf returns the values of an actor that snapshots contain: those of the built-in fields, then those of the game's fast
// fields (see gameLayout). The slice is valid until the next call.
func (p *player) valuesOf(av *actorView) []int32 {
	fast := p.g.layout.fast[av.fieldKind()]
	if len(fast) == 0 {
		return av.state[:]
	}
	s := p.scene
	s.values = p.appendFields(append(s.values[:0], av.state[:]...), av, fast)
	return s.values
}

// sendAreaFields sends a client the values of the game's fields for areas, if one has changed since the client was last sent
// them.
func (s *scene) sendAreaFields(p *player) {
	slow := s.w.g.layout.slow[sim.FieldOfArea]
	if len(slow) == 0 || p.areaTick >= s.areaTick {
		return
	}
	p.areaTick = s.areaTick
	m := &proto.AreaFields{}
	for _, i := range slow {
		m.Values = append(m.Values, s.areaFields[i])
	}
	p.send(m)
}

// sendGameEvent sends an event of the game's rules to the client of p if that may know it.
func (s *scene) sendGameEvent(f *sim.Frame, e *sim.Event, p *player) {
	def := &s.w.g.world.Def().Schema.Events[e.N]
	m := &proto.GameEvent{Tick: uint32(f.Tick), Event: uint8(e.N), Who: p.handles.handle(e.Who), Other: p.handles.handle(e.Other), Text: cleanText(e.Text)}
	seen := e.Who == 0 || m.Who != proto.NoHandle || m.Other != proto.NoHandle
	if def.To != sim.ToAll {
		who := s.find(e.Who)
		seen = who != nil && p.mayKnow(def.To, who)
	}
	if !seen {
		return
	}
	m.Args = make([]int32, len(def.Args))
	if e.Args != nil {
		copy(m.Args, e.Args[:])
	}
	p.send(m)
}

// command submits a command of the game to the area, which reports the result in an event. The client names the command by its
// number. If the number is unknown or the arguments are wrong, the command is refused at once.
func (p *player) command(a *proto.Act) {
	schema := &p.g.world.Def().Schema
	if int(a.Command) >= len(schema.Commands) {
		p.answer(a.Number, reason.NoSuchCommand, 0, 0)
		return
	}
	args := schema.Commands[a.Command].Args
	if len(a.Args) != len(args) {
		p.answer(a.Number, reason.BadArgument, float32(len(a.Args)), float32(len(args)))
		return
	}
	in := sim.Intent{Kind: sim.IntentCommand, SlotA: a.Command, Serial: uint32(a.Number), Args: new([sim.MaxGameArgs]int32)}
	copy(in.Args[:], a.Args)
	for i := range args {
		switch args[i].Kind {
		case sim.ArgActor:
			if in.Target = p.handles.entity(a.Handle); in.Target == 0 {
				p.refuseTarget(a)
				return
			}
		case sim.ArgText:
			in.Text = cleanText(a.Text)
		}
	}
	p.submitCommand(a.Number, in)
}

// typedCommand submits a command that a player has typed in the chat after a slash. The parameter line is the text after the
// slash.
func (p *player) typedCommand(a *proto.Act, line string) {
	in, ok := gateway.TypedCommand(p.g.world.Def(), line)
	if !ok {
		p.answer(a.Number, reason.NoSuchCommand, 0, 0)
		return
	}
	in.Serial = uint32(a.Number)
	p.submitCommand(a.Number, in)
}

func (p *player) submitCommand(number uint16, in sim.Intent) {
	if len(p.pending) >= maxPending || !p.submit(in) {
		p.answer(number, reason.TooMuch, 0, 0)
		return
	}
	p.pending = append(p.pending, pendingAct{number: number, since: p.scene.tick})
}

// settleCommand sends the client the result of one of its commands. The parameter "e" is the event that contains the result.
func (p *player) settleCommand(e *sim.Event) {
	i := slices.IndexFunc(p.pending, func(a pendingAct) bool { return a.target == 0 && uint32(a.number) == uint32(e.Value) })
	if i < 0 {
		return
	}
	p.sendAnswer(&proto.Answer{Number: p.pending[i].number, Reason: uint8(e.Reason), Asked: e.Asked, Allowed: e.Allowed, Text: cleanText(e.Text)})
	p.pending = slices.Delete(p.pending, i, i+1)
}
