package sim

import (
	"github.com/truestep-io/truestep/sim/reason"
)

// Game is the interface of a game's own rules, which add to those of the world: it executes commands of players, and runs a
// function in each tick. An area calls it inside Step, so it must be as deterministic as Step: no clock, no randomness except
// Hand.Rand, no goroutine, no I/O, no map order. It must have no state of its own either: all that it remembers must be in
// fields, because snapshots, records and replays contain only those. All areas share one Game and call it from several
// goroutines. Package gametest checks these rules.
type Game interface {
	// Command carries out a request of a player in the area. The arguments are within the ranges that the schema
	// declares, and an actor among the arguments is in the area. To refuse the request, call h.Refuse and return.
	Command(h *Hand, who EntityID, c *Command)

	// Tick is called once in each tick of each area, after movement and attacks.
	Tick(h *Hand)
}

// Command is a request of a player that the rules of the game define, such as to buy an item.
type Command struct {
	ID    CommandID          // index of the command in GameSchema.Commands
	Args  [MaxGameArgs]int32 // arguments that are numbers, in steps of GameArg.Step, each at its index in GameCommand.Args
	Actor EntityID           // argument that is an actor; 0 if the command has none
	Text  string             // argument that is a text
}

// hand returns a Hand with which the game reads and changes the area during one call.
func (a *Area) hand() *Hand {
	a.gameHand = Hand{a: a}
	return &a.gameHand
}

// tickGame runs Game.Tick: the rules of the game that run in every tick, without a command.
func (a *Area) tickGame() {
	if a.world.Game != nil {
		a.world.Game.Tick(a.hand())
	}
}

// handleCommand carries out the command of an intent, and emits EventCommand or EventRefused.
func (a *Area) handleCommand(x *actor, in *Intent) {
	c := Command{ID: CommandID(in.SlotA), Actor: in.Target, Text: in.Text}
	if in.Args != nil {
		c.Args = *in.Args
	}
	a.runCommand(x, &c, in.Serial)
}

// runCommand carries out a command of the player x. The client recognizes the event with the result by the number serial, which
// the event contains.
func (a *Area) runCommand(x *actor, c *Command, serial uint32) {
	if a.world.Game == nil || int(c.ID) >= len(a.world.Schema.Commands) {
		a.refuseCommand(x, serial, reason.NoSuchCommand, 0, 0, "")
		return
	}
	if why, asked, allowed := a.checkArgs(c); why != reason.None {
		a.refuseCommand(x, serial, why, asked, allowed, "")
		return
	}
	h := a.hand()
	a.world.Game.Command(h, x.id, c)
	if h.refused {
		a.refuseCommand(x, serial, reason.GameRule, 0, 0, h.refusal)
		return
	}
	a.emit(Event{Kind: EventCommand, Who: x.id, Other: c.Actor, N: int32(c.ID), Value: int32(serial)})
}

// refuseCommand emits the event that a command was refused, with the reason and the values that were asked for and allowed.
func (a *Area) refuseCommand(x *actor, serial uint32, why reason.Reason, asked, allowed float32, text string) {
	a.emit(Event{Kind: EventRefused, Who: x.id, Reason: why, Asked: asked, Allowed: allowed, N: int32(IntentCommand), Value: int32(serial), Text: text})
}

// checkArgs returns the reason why the arguments of a command are refused, or reason.None if they are valid.
func (a *Area) checkArgs(c *Command) (why reason.Reason, asked, allowed float32) {
	args := a.world.Schema.Commands[c.ID].Args
	for i := range args {
		arg := &args[i]
		switch arg.Kind {
		case ArgNumber:
			if v := c.Args[i]; v < arg.Min || v > arg.Max {
				return reason.BadArgument, float32(v), float32(min(max(v, arg.Min), arg.Max))
			}
		case ArgActor:
			if a.find(c.Actor) == nil {
				return reason.TargetGone, 0, 0
			}
		case ArgText:
			if len(c.Text) > MaxGameText {
				return reason.BadArgument, float32(len(c.Text)), MaxGameText
			}
		}
	}
	return reason.None, 0, 0
}

// newFields returns the game fields of a new actor or area with their default values, or nil if its kind has none.
func (w *World) newFields(kind FieldKind) []int32 {
	defs := w.Schema.Fields[kind]
	if len(defs) == 0 {
		return nil
	}
	values := make([]int32, len(defs))
	for i := range defs {
		values[i] = defs[i].Default
	}
	return values
}

// fieldKind returns which game fields an actor has: those of players or those of NPCs.
func (x *actor) fieldKind() FieldKind {
	if x.player {
		return FieldOfPlayer
	}
	return FieldOfNPC
}

// SavedField is the value of a game field that is stored in the record of a player.
type SavedField struct {
	Name  string
	Value int32 // value of the field, in steps of the field's GameField.Step
}

// joinFields returns the game fields of a player that enters the area: those from its last area if it changes areas, otherwise
// those from its record.
func (w *World) joinFields(j *Join) []int32 {
	values := w.newFields(FieldOfPlayer)
	if len(j.Fields) == len(values) && !j.Login {
		copy(values, j.Fields)
	} else {
		w.loadFields(values, j.Character.Fields)
	}
	for i := range values {
		f := &w.Schema.Fields[FieldOfPlayer][i]
		values[i] = min(max(values[i], f.Min), f.Max)
	}
	return values
}

// loadFields copies saved values from a player's record to the player's game fields, except fields that the schema no longer saves.
func (w *World) loadFields(values []int32, saved []SavedField) {
	for i := range values {
		f := &w.Schema.Fields[FieldOfPlayer][i]
		for _, s := range saved {
			if f.Save && s.Name == f.Name {
				values[i] = s.Value
			}
		}
	}
}

// saveFields returns the game fields that are stored in the record of a player. These are (1) the fields that the schema marks
// as saved and whose values differ from the defaults, and (2) the fields of the last record that the schema no longer has, for
// example after an edit of the world file.
func (w *World) saveFields(x *actor) []SavedField {
	var list []SavedField
	defs := w.Schema.Fields[FieldOfPlayer]
	for i := range defs {
		if f := &defs[i]; f.Save && x.fields[i] != f.Default {
			list = append(list, SavedField{f.Name, x.fields[i]})
		}
	}
	for _, s := range x.record.Fields {
		if id, err := w.Schema.Field(FieldOfPlayer, s.Name); err != nil || !defs[id.slot-1].Save {
			list = append(list, s)
		}
	}
	return list
}

// fields reads or writes the values of the game fields of an actor or area. It does not encode the number of values, because the
// world declares the fields.
func (c *codec) fields(w *World, kind FieldKind, p *[]int32) {
	if c.reading {
		*p = w.newFields(kind)
	}
	for i := range *p {
		num(c, &(*p)[i])
		if f := &w.Schema.Fields[kind][i]; (*p)[i] < f.Min || (*p)[i] > f.Max {
			c.fail()
			(*p)[i] = f.Default
		}
	}
}

// savedFields reads or writes the game fields in a character record.
func (c *codec) savedFields(list *[]SavedField) {
	n := c.lengthOf(len(*list), 2) // the shortest field has 2 bytes
	if c.reading {
		*list = nil
		if n > 0 {
			*list = make([]SavedField, n)
		}
	}
	for i := range *list {
		c.str(&(*list)[i].Name)
		num(c, &(*list)[i].Value)
	}
}

// numbers reads or writes a list of integers.
func (c *codec) numbers(list *[]int32) {
	n := c.length(len(*list))
	if c.reading {
		*list = append(resize(*list, 0), make([]int32, n)...)
		if n == 0 && cap(*list) == 0 {
			*list = nil
		}
	}
	for i := range *list {
		num(c, &(*list)[i])
	}
}

// gameArgs reads or writes the numeric arguments of a command or of a game event.
func (c *codec) gameArgs(p **[MaxGameArgs]int32) {
	if c.reading {
		*p = new([MaxGameArgs]int32)
	}
	for i := range *p {
		num(c, &(*p)[i])
	}
}

// hashFields mixes the values of game fields into the hash h.
func hashFields(h hash64, values []int32) hash64 {
	for _, v := range values {
		h = h.with(uint64(uint32(v)))
	}
	return h
}

// frameFields reads or writes the game fields of a frame. When reading, it also sets ActorState.FirstField, the index of the
// actor's first value.
func (c *codec) frameFields(f *Frame, w *World) {
	c.numbers(&f.Fields)
	c.numbers(&f.AreaFields)
	if !c.reading {
		return
	}
	next := 0
	for i := range f.Actors {
		s := &f.Actors[i]
		s.FirstField = int32(next)
		kind := FieldOfNPC
		if s.Is(FlagPlayer) {
			kind = FieldOfPlayer
		}
		next += len(w.Schema.Fields[kind])
	}
	if next != len(f.Fields) || len(f.AreaFields) != len(w.Schema.Fields[FieldOfArea]) {
		c.fail()
	}
}
