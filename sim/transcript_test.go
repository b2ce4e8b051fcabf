package sim

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

var update = flag.Bool("update", false, "rewrite the output lines of testdata/transcripts")

// TestEveryTranscriptInTestdataGivesItsExpectedEvents runs the transcripts testdata/transcripts/*.txt. Each shows a rule
// of the package: intents that go in and events that come out. The language is described in
// testdata/transcripts/README.md. To rewrite the output after a change of a rule:
//
//	go test ./sim -run Transcript -update
func TestEveryTranscriptInTestdataGivesItsExpectedEvents(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := runTranscript(t, string(text))
			if err != nil {
				t.Fatalf("%s:%v", file, err)
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compareLines(t, file, string(text), got)
		})
	}
}

// compareLines reports the first line in which two texts differ.
func compareLines(t *testing.T, file, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Fatalf("%s:%d: output differs (run with -update and review the diff)\nwant %s\ngot  %s", file, i+1, a, b)
		}
	}
}

// outputIndent begins every line that the runner writes.
const outputIndent = "    "

// runTranscript executes the commands of a transcript and returns the text with new output lines.
func runTranscript(t *testing.T, text string) (string, error) {
	if !strings.HasPrefix(text, "# Rule: ") {
		return "", fmt.Errorf("1: a transcript begins with \"# Rule: ...\"")
	}
	r := &transcript{t: t, ids: map[string]EntityID{}, names: map[EntityID]string{}, clients: map[EntityID]*predictClient{}, hidden: map[string]bool{"record": true}}
	var out []string
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, outputIndent) {
			continue
		}
		out = append(out, line)
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if err := r.command(words); err != nil {
			return "", fmt.Errorf("%d: %s: %w", i+1, line, err)
		}
		for _, o := range r.output {
			out = append(out, outputIndent+o)
		}
		r.output = r.output[:0]
	}
	if len(r.queued) > 0 {
		return "", fmt.Errorf("intents after the last tick")
	}
	return strings.Join(out, "\n") + "\n", nil
}

// transcript is the state of a run: the areas of a world, the intents of the next tick, and names for actors.
type transcript struct {
	t       *testing.T
	w       *World
	areas   []*Area                     // by AreaID
	frames  []*Frame                    // newest frame of each area, by AreaID
	queued  []Intent                    // intents of the next step, to be sent to the area of their actor
	joining [][]Intent                  // joins of the next step, by AreaID
	ids     map[string]EntityID         // actors, by their name in the transcript
	names   map[EntityID]string         // names in the transcript, by actor
	clients map[EntityID]*predictClient // simulated client of each player under the predict authority, by player
	players EntityID                    // number of players so far
	hidden  map[string]bool             // kinds of event that are not printed
	output  []string
}

func (r *transcript) printf(format string, args ...any) {
	r.output = append(r.output, fmt.Sprintf(format, args...))
}

// transcriptWorlds holds the constructors of the worlds that transcripts name.
var transcriptWorlds = map[string]func(t *testing.T) *World{
	"plain":  func(t *testing.T) *World { return predictWorld() },
	"wall":   func(t *testing.T) *World { return wallIn(t, predictWorld(), block(10, -500, 11, 500)) },
	"riding": func(t *testing.T) *World { return wallIn(t, ridingWorld(), block(-10, -500, -9, 500)) },
	"house":  func(t *testing.T) *World { return wallIn(t, predictWorld(), house()...) },
}

// rule returns a function that sets a number in the rules of the world by its name in transcripts. ok is false for an
// unknown name.
func (r *transcript) rule(name string) (set func(v float64), ok bool) {
	rules := &r.w.Rules
	i32 := func(p *int32) func(float64) { return func(v float64) { *p = int32(v) } }
	f32 := func(p *float32) func(float64) { return func(v float64) { *p = float32(v) } }
	flag := func(p *bool) func(float64) { return func(v float64) { *p = v != 0 } }
	m := map[string]func(float64){
		"respawn-ms": i32(&rules.RespawnDelayMS), "respawn-health": i32(&rules.RespawnHealth),
		"respawn-area":   func(v float64) { rules.RespawnArea = AreaID(v) },
		"respawn-portal": func(v float64) { rules.RespawnPortal = int(v) },
		"portal-lock-ms": i32(&rules.PortalLockMS), "leash": f32(&rules.LeashUnits),
		"regen-ms": i32(&rules.HealthRegenMS), "regen-percent": i32(&rules.HealthRegenPercent),
		"rewind-ms":   i32(&rules.RewindMS),
		"rating-loss": func(v float64) { rules.Combat.RatingLoss = int32(v) },
		"pvp":         flag(&r.w.Areas[0].PvP), "weapon-wear": flag(&rules.Combat.WeaponWear),
		"hit-chance":      func(v float64) { r.w.Projectiles[0].HitChance = int32(v) },
		"friendly-rating": func(v float64) { r.w.Factions[1].Ratings[1] = uint8(v) },
		"seed-claims":     func(v float64) { rules.Claim = move.OriginalClaimPolicy() },
	}
	set, ok = m[name]
	return set, ok
}

var transcriptItems = map[string]uint16{"sword": itemSword, "mail": itemMail, "bow": itemBow, "herb": itemHerb, "ring": itemRing}

var transcriptTemplates = map[string]uint16{"wolf": tmplWolf, "deer": tmplDeer, "vendor": tmplVendor, "horse": tmplHorse, "hawk": tmplHawk, "dog": tmplDog, "cow": tmplCow, "boat": tmplBoat, "camel": tmplCamel}

var transcriptSlots = map[string]uint8{"weapon": SlotWeapon, "hat": SlotHat, "chest": SlotChest, "ring": SlotRing, "amulet": SlotAmulet, "bag": SlotBackpack, "bag2": SlotBackpack + 1}

// args parses the words of a command in order. It keeps the first word that is invalid as an error.
type args struct {
	r     *transcript
	words []string
	err   error
}

func (a *args) next() string {
	if len(a.words) == 0 {
		if a.err == nil {
			a.err = fmt.Errorf("a word is missing")
		}
		return ""
	}
	w := a.words[0]
	a.words = a.words[1:]
	return w
}

// option reports whether the next word is w. If so, it skips the word.
func (a *args) option(w string) bool {
	if len(a.words) > 0 && a.words[0] == w {
		a.words = a.words[1:]
		return true
	}
	return false
}

func (a *args) fail(format string, v ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, v...)
	}
}

func (a *args) number() float64 {
	w := a.next()
	v, err := strconv.ParseFloat(w, 64)
	if err != nil {
		a.fail("%q is no number", w)
	}
	return v
}

// vec parses a position of the form x,z or x,y,z.
func (a *args) vec() geom.Vec {
	w := a.next()
	parts := strings.Split(w, ",")
	var n []float32
	for _, p := range parts {
		v, err := strconv.ParseFloat(p, 32)
		if err != nil {
			a.fail("%q is no position", w)
		}
		n = append(n, float32(v))
	}
	switch len(n) {
	case 2:
		return geom.Vec{X: n[0], Z: n[1]}
	case 3:
		return geom.Vec{X: n[0], Y: n[1], Z: n[2]}
	}
	a.fail("%q is no position", w)
	return geom.Vec{}
}

// tile parses an argument of the form x,z.
func (a *args) tile() move.Tile {
	v := a.vec()
	return move.Tile{X: uint16(v.X), Z: uint16(v.Z)}
}

// id returns the id of a named actor. Any other word gives an id that no actor has.
func (a *args) id() EntityID {
	w := a.next()
	if id, ok := a.r.ids[w]; ok {
		return id
	}
	if w == "nobody" {
		return 99
	}
	a.fail("no actor is named %q", w)
	return 0
}

func (a *args) slot() uint8 {
	w := a.next()
	if s, ok := transcriptSlots[w]; ok {
		return s
	}
	n, err := strconv.ParseUint(w, 10, 8)
	if err != nil {
		a.fail("%q is no slot", w)
	}
	return uint8(n)
}

// command executes one line of a transcript.
func (r *transcript) command(words []string) error {
	a := &args{r: r, words: words[1:]}
	verb := words[0]
	if r.w == nil && verb != "world" {
		return fmt.Errorf("a transcript begins with the command world")
	}
	if setup, ok := transcriptSetup[verb]; ok {
		setup(r, a)
	} else if intent, ok := transcriptIntents[verb]; ok {
		in := Intent{Who: a.id()}
		intent(a, &in)
		r.queued = append(r.queued, in)
	} else {
		return fmt.Errorf("unknown command %q", verb)
	}
	if a.err == nil && len(a.words) > 0 {
		a.err = fmt.Errorf("unexpected %q", a.words[0])
	}
	return a.err
}

// transcriptSetup lists the commands that submit no intent.
var transcriptSetup map[string]func(r *transcript, a *args)

func init() {
	transcriptSetup = map[string]func(r *transcript, a *args){
		"world": (*transcript).openWorld, "rule": (*transcript).setRule, "join": (*transcript).join, "npc": (*transcript).addNPC,
		"give": (*transcript).give, "set": (*transcript).set, "roll": (*transcript).roll, "tick": (*transcript).tick,
		"until": (*transcript).until, "show": (*transcript).show, "hide": (*transcript).hide, "place": (*transcript).place,
		"reload": (*transcript).reload, "pet": (*transcript).addPet,
		"lose": (*transcript).loseJoins, "resend": (*transcript).resendOutboxes, "settle": (*transcript).settle, "outbox": (*transcript).showOutboxes,
	}
}

func (r *transcript) openWorld(a *args) {
	build := transcriptWorlds[a.next()]
	if build == nil || r.w != nil {
		a.fail("no such world, or a second one")
		return
	}
	r.w = build(r.t)
	for i := range r.w.Areas {
		r.areas = append(r.areas, NewArea(r.w, AreaID(i), 1))
		r.frames = append(r.frames, &Frame{})
		r.joining = append(r.joining, nil)
	}
}

func (r *transcript) setRule(a *args) {
	name := a.next()
	if set, ok := r.rule(name); ok {
		set(a.number())
	} else {
		a.fail("no rule is named %q", name)
	}
}

// hide excludes events of the named kinds from the output.
func (r *transcript) hide(a *args) {
	for len(a.words) > 0 {
		r.hidden[a.next()] = true
	}
}

// join submits the login of a player with the next tick.
func (r *transcript) join(a *args) {
	name := a.next()
	auth, ok := map[string]move.Authority{"claim": move.ByClaim, "path": move.ByPath, "predict": move.ByInput}[a.next()]
	if !ok || !a.option("at") {
		a.fail("want: join NAME claim|path|predict at X,Z")
		return
	}
	r.players++
	in := joinAt(r.w, r.players, a.vec())
	c := in.Join.Character
	c.Name = name
	in.Join.Authority = auth
	if a.option("tile") {
		in.Join.Pos = r.w.Areas[0].Tiles.Centre(a.tile())
	}
	r.name(name, r.players)
	r.joining[0] = append(r.joining[0], in)
}

func (r *transcript) name(name string, id EntityID) {
	r.ids[name], r.names[id] = id, name
}

// addNPC adds an NPC to the first area, outside any tick. Its combat delay is over, so it may attack immediately.
func (r *transcript) addNPC(a *args) {
	name := a.next()
	template, ok := transcriptTemplates[a.next()]
	if !ok || !a.option("at") {
		a.fail("want: npc NAME TEMPLATE at X,Z")
		return
	}
	y := npc(r.areas[0], template, a.vec())
	y.lastAttackMS = -1_000_000
	r.name(name, y.id)
}

// addPet gives a player a pet, outside any tick. The pet may attack immediately.
func (r *transcript) addPet(a *args) {
	name := a.next()
	area, x := r.actor(a)
	template, ok := transcriptTemplates[a.next()]
	if !ok {
		a.fail("want: pet NAME PLAYER TEMPLATE")
		return
	}
	s := &stage{t: r.t, w: r.w, a: area}
	r.name(name, s.pet(x, template))
}

// actor parses the name of an actor and returns its area and the actor.
func (r *transcript) actor(a *args) (*Area, *actor) {
	id := a.id()
	for _, area := range r.areas {
		if x := area.find(id); x != nil {
			return area, x
		}
	}
	a.fail("it is in no area")
	return r.areas[0], &actor{tmpl: &Template{}, authority: claimAuthority{}, record: &Character{}}
}

func (r *transcript) give(a *args) {
	area, x := r.actor(a)
	item, ok := transcriptItems[a.next()]
	if !ok || !a.option("in") {
		a.fail("want: give ACTOR ITEM in SLOT [AMOUNT]")
		return
	}
	slot, n := a.slot(), 1.0
	if len(a.words) > 0 {
		n = a.number()
	}
	x.inv[slot] = ItemStack{Item: item, Amount: uint16(n), Health: 100}
	area.updateEquipment(x)
}

// set changes a value of an actor outside any tick.
func (r *transcript) set(a *args) {
	area, x := r.actor(a)
	what, v := a.next(), a.number()
	switch what {
	case "health":
		x.attr[attrHealth].Value = int32(v)
	case "energy":
		x.attr[attrEnergy].Value = int32(v)
	case "breath":
		x.attr[attrBreath].Value = int32(v)
	case "speed":
		x.attr[attrSpeed].Value = int32(v)
	case "rested": // sets lastAttackMS so that the actor may attack immediately
		x.lastAttackMS = area.ms() - int64(v)
	case "weapon-health":
		x.inv[SlotWeapon].Health = uint8(v)
		area.updateEquipment(x)
	case "rating": // sets the actor's rating toward all players
		x.ratings[r.w.Template(tmplHuman).Faction] = uint8(v)
	default:
		a.fail("no value is named %q", what)
	}
}

// place moves an actor to a position directly, without the rules of movement.
func (r *transcript) place(a *args) {
	_, x := r.actor(a)
	x.place(a.vec(), x.yaw)
}

// roll advances the random stream of the first area until the next attack hits, misses or is critical, as the word says.
func (r *transcript) roll(a *args) {
	want, ok := map[string]func(*rng.Stream) bool{"hit": plainHit, "miss": misses, "critical": criticalHit}[a.next()]
	if !ok {
		a.fail("want: roll hit|miss|critical")
		return
	}
	for next := *r.areas[0].rng; !want(&next); next = *r.areas[0].rng {
		r.areas[0].rng.Uint32()
	}
}

func plainHit(s *rng.Stream) bool { return hits(s) && s.Between(-5, 5) > -6 && s.Between(1, 10) > 1 }
func criticalHit(s *rng.Stream) bool {
	return hits(s) && s.Between(-5, 5) > -6 && s.Between(1, 10) == 1
}

// reload replaces every area by one restored from the area's snapshot.
func (r *transcript) reload(a *args) {
	for i, area := range r.areas {
		again, err := Restore(r.w, area.Snapshot(nil))
		if err != nil {
			a.fail("%v", err)
			return
		}
		r.areas[i] = again
	}
}

// loseJoins discards the joins from other areas that the next tick would admit, as a crash would.
func (r *transcript) loseJoins(*args) { clear(r.joining) }

// resendOutboxes submits with the next tick the joins of all players whose arrival is not settled.
func (r *transcript) resendOutboxes(*args) {
	for _, area := range r.areas {
		area.Outbox(func(to AreaID, who EntityID, j *Join) {
			r.joining[to] = append(r.joining[to], Intent{Kind: IntentJoin, Who: who, Join: j})
		})
	}
}

// settle reports to every area, with the next tick, which of its players have arrived in other areas.
func (r *transcript) settle(*args) {
	for _, from := range r.areas {
		for _, to := range r.areas {
			if n := to.Arrived(from.id); n > 0 {
				r.joining[from.id] = append(r.joining[from.id], Intent{Kind: IntentSettle, To: to.id, Seq: n})
			}
		}
	}
}

// showOutboxes prints the players whose arrival is not settled, with their numbers.
func (r *transcript) showOutboxes(*args) {
	for _, area := range r.areas {
		area.Outbox(func(to AreaID, who EntityID, j *Join) {
			r.printf("%s to %s: %d %s", area.def.Name, r.w.Areas[to].Name, j.Seq, r.who(who))
		})
	}
	if len(r.output) == 0 {
		r.printf("nobody")
	}
}

// tick runs the given number of ticks of all areas and prints their events. Queued intents are executed in the first
// tick.
func (r *transcript) tick(a *args) {
	n := 1.0
	if len(a.words) > 0 {
		n = a.number()
	}
	for range int(n) {
		r.step()
	}
}

// until runs ticks until an event of that kind is printed, for at most 1000 s.
func (r *transcript) until(a *args) {
	kind := a.next()
	for range 20_000 {
		if slices.Contains(r.step(), kind) {
			return
		}
	}
	a.fail("no such event within 1000 s")
}

// step runs one tick of all areas and returns the kinds of the events that occurred.
func (r *transcript) step() (kinds []string) {
	for i, area := range r.areas {
		ins := append([]Intent(nil), r.joining[i]...)
		r.joining[i] = nil
		for _, in := range r.queued {
			if r.areaOf(in.Who) == i || r.areaOf(in.Who) < 0 && i == 0 {
				ins = append(ins, in)
			}
		}
		for j := range ins {
			ins[j].AtMS = int64(area.now+1) * 1000 / int64(r.w.TicksPerSecond)
		}
		r.frames[i] = area.Step(ins)
	}
	r.queued = r.queued[:0]
	for i, f := range r.frames {
		for j := range f.Events {
			e := &f.Events[j]
			name := e.Kind.String()
			kinds = append(kinds, name)
			if e.Kind == EventJoined && r.names[e.Who] == "" {
				r.name(fmt.Sprintf("%s%d", strings.ToLower(f.Find(e.Who).Body.Name), len(r.names)), e.Who)
			}
			if !r.hidden[name] {
				r.print(i, f.Tick, e)
			}
			if e.Kind == EventDeparted {
				r.joining[e.To] = append(r.joining[e.To], Intent{Kind: IntentJoin, Who: e.Who, Join: e.Join})
			}
		}
	}
	return kinds
}

// areaOf returns the index of the area in which an actor is, or -1 if it is in none.
func (r *transcript) areaOf(id EntityID) int {
	return slices.IndexFunc(r.areas, func(a *Area) bool { return a.find(id) != nil })
}

// show prints the state of an actor in the last frame of its area.
func (r *transcript) show(a *args) {
	id := a.id()
	for i, f := range r.frames {
		s := f.Find(id)
		if s == nil {
			continue
		}
		line := fmt.Sprintf("%s in %s at %s health %d", r.who(id), r.w.Areas[i].Name, pos(s.Pos), s.Health)
		if s.DestX != s.Pos.X || s.DestZ != s.Pos.Z {
			line += fmt.Sprintf(" to %s,%s", num2(s.DestX), num2(s.DestZ))
		}
		line += " " + [...]string{"standing", "walking", "running", "sneaking", "swimming", "flying"}[s.Motion.Mode]
		if s.Is(FlagOnTiles) {
			line += fmt.Sprintf(" tile %d,%d", s.Tile.X, s.Tile.Z)
		}
		if s.Is(FlagDead) {
			line += " dead"
		}
		if s.Is(FlagFrozen) {
			line += " frozen"
		}
		if s.Target != 0 {
			line += " fights " + r.who(s.Target)
		}
		if s.Mount != 0 {
			line += " rides " + r.who(s.Mount)
		}
		if s.Party != 0 {
			line += " in a party"
		}
		if s.Is(FlagPlayer) {
			for slot, item := range r.areas[i].find(id).inv {
				if !item.Empty() {
					line += fmt.Sprintf(" %d:%dx%s", slot, item.Amount, r.w.Item(item.Item).Name)
				}
			}
		}
		r.printf("%s", line)
		return
	}
	r.printf("%s is in no area", r.who(id))
}

func (r *transcript) who(id EntityID) string {
	if n := r.names[id]; n != "" {
		return n
	}
	return fmt.Sprintf("#%d", id)
}

// num2 formats a number with at most two decimals.
func num2(v float32) string {
	s := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(float64(v), 'f', 2, 32), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func pos(v geom.Vec) string { return num2(v.X) + "," + num2(v.Y) + "," + num2(v.Z) }

var statNames = map[int32]string{attrHealth: "health", attrEnergy: "energy", attrBreath: "breath", attrSpeed: "speed"}

// print writes one event: the tick, the area unless it is the first, the kind, the actor, and the fields that the kind
// sets.
func (r *transcript) print(area int, tick Tick, e *Event) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ", tick)
	if area > 0 {
		fmt.Fprintf(&b, "%s: ", r.w.Areas[area].Name)
	}
	b.WriteString(e.Kind.String())
	if e.Who != 0 {
		b.WriteString(" " + r.who(e.Who))
	}
	if e.Other != 0 {
		b.WriteString(" " + r.who(e.Other))
	}
	if e.Reason != reason.None {
		b.WriteString(" " + e.Reason.String())
	}
	if e.Asked != 0 || e.Allowed != 0 {
		fmt.Fprintf(&b, " asked %s allowed %s", num2(e.Asked), num2(e.Allowed))
	}
	if e.AgoMS != 0 {
		fmt.Fprintf(&b, " judged at %s, %d ms ago, now at %s", pos(e.Pos), e.AgoMS, pos(e.From))
	}
	switch e.Kind {
	case EventJoined:
		fmt.Fprintf(&b, " at %s", pos(e.Pos))
	case EventHeld, EventCorrected:
		fmt.Fprintf(&b, " at %s claimed %s", pos(e.Pos), pos(e.From))
	case EventRespawned, EventPlaced, EventTeleported:
		fmt.Fprintf(&b, " at %s yaw %s", pos(e.Pos), num2(e.Yaw))
	case EventAttacked:
		fmt.Fprintf(&b, " %d", e.N)
		if e.Ranged {
			b.WriteString(" ranged")
		}
	case EventStat:
		fmt.Fprintf(&b, " %s %d", statNames[e.N], e.Value)
	case EventXP:
		fmt.Fprintf(&b, " %d", e.Value)
	case EventChat, EventMessage:
		fmt.Fprintf(&b, " %q", e.Text)
	case EventDropped, EventPickedUp:
		fmt.Fprintf(&b, " item %d: %dx%s at %s", e.Ground.Handle, e.Ground.Stack.Amount, r.w.Item(e.Ground.Stack.Item).Name, pos(e.Ground.Pos))
	case EventDeparted:
		fmt.Fprintf(&b, " to %s health %d", r.w.Areas[e.To].Name, e.Join.Health)
		if e.Join.Mount != nil {
			b.WriteString(" mounted")
		}
		if len(e.Join.Pets) > 0 {
			fmt.Fprintf(&b, " pets %d", len(e.Join.Pets))
		}
	case EventLeft:
		fmt.Fprintf(&b, " record in %s at %s health %d", e.Record.Area, pos(e.Record.Pos), e.Record.Attr[attrHealth].Value)
	case EventParty:
		if e.Party == 0 {
			b.WriteString(" none")
		}
	case EventItemDamaged:
		fmt.Fprintf(&b, " slot %d health %d", e.N, e.Value)
	case EventOrderDone:
		fmt.Fprintf(&b, " order %d", e.N)
	}
	if w := e.Rewind; w != nil {
		fmt.Fprintf(&b, " client tick %d", w.Tick)
		if w.Serial != 0 {
			fmt.Fprintf(&b, " barrier %d", w.Serial)
		}
		if e.Kind == EventKnockback {
			fmt.Fprintf(&b, " velocity %s", pos(w.State.Vel))
		}
	}
	r.output = append(r.output, b.String())
}

// client returns the honest client of a player under the predict authority.
func (r *transcript) client(a *args, id EntityID) *predictClient {
	if k := r.clients[id]; k != nil {
		return k
	}
	for _, area := range r.areas {
		if x := area.find(id); x != nil {
			if p, ok := x.authority.(*predictAuthority); ok {
				r.clients[id] = &predictClient{x: x, avatar: p.Avatar, tick: 100}
				return r.clients[id]
			}
		}
	}
	a.fail("it does not predict")
	return &predictClient{x: &actor{}}
}

// transcriptIntents lists the commands that submit an intent with the next tick. They are called after the actor has been
// parsed.
var transcriptIntents = map[string]func(a *args, in *Intent){
	"claim": func(a *args, in *Intent) { // claim ann at 10,10 [to 20,10] [running] [backward]
		in.Kind = IntentClaim
		if !a.option("at") {
			a.fail("want: claim ACTOR at X,Z")
		}
		at := a.vec()
		in.Claim = move.Claim{X: at.X, Y: at.Y, Z: at.Z, DestX: at.X, DestZ: at.Z}
		if a.option("to") {
			to := a.vec()
			in.Claim.DestX, in.Claim.DestZ = to.X, to.Z
		}
		in.Claim.Running, in.Claim.Backward = a.option("running"), a.option("backward")
	},
	"warp_ack": func(a *args, in *Intent) { in.Kind = IntentWarpAck },
	"path": func(a *args, in *Intent) { // path ann 3205,3200 [invert]
		in.Kind, in.Tile = IntentPath, a.tile()
		if a.option("invert") {
			in.Amount = 1
		}
	},
	"gait": func(a *args, in *Intent) { // gait ann walk|run
		in.Kind = IntentGait
		if !a.option("walk") && a.option("run") {
			in.Amount = 1
		}
	},
	"face":   func(a *args, in *Intent) { in.Kind, in.Tile = IntentFace, a.tile() },
	"pursue": func(a *args, in *Intent) { in.Kind, in.Target = IntentPursue, a.id() },
	"input": func(a *args, in *Intent) { // input ann forward|still [skip N] [rewound] [off X,Z] [ack]
		k := a.r.client(a, in.Who)
		forward := float32(0)
		switch w := a.next(); w {
		case "forward":
			forward = 1
		case "still":
		default:
			a.fail("want: input ACTOR forward|still")
		}
		if a.option("skip") {
			k.tick += uint64(a.number())
		}
		if a.option("rewound") { // the client continues from the server's state, as after a rewind
			i := a.r.areaOf(in.Who)
			k.avatar = predictOf(a.r.areas[i].find(in.Who)).Avatar
		}
		made := k.next(forward)
		if a.option("off") {
			by := a.vec()
			made.Input.Pos.X += by.X
			made.Input.Pos.Z += by.Z
		}
		if a.option("ack") {
			made.Input.Flags |= move.InputHandledTeleport
		}
		made.Who = in.Who
		*in = made
	},
	"barrier_ack": func(a *args, in *Intent) { in.Kind, in.Serial = IntentBarrierAck, uint32(a.number()) },
	"use_item":    func(a *args, in *Intent) { in.Kind, in.Amount = IntentUseItem, 1 },
	"respawn":     func(a *args, in *Intent) { in.Kind = IntentRespawn },
	"attack": func(a *args, in *Intent) { // attack ann bob [seen TICKS]: the client drew bob so many ticks before the end of the next tick
		in.Kind, in.Target = IntentAttack, a.id()
		if a.option("seen") {
			i := a.r.areaOf(in.Who)
			in.Seen = uint64(float64(a.r.areas[i].now+1)*256 - a.number()*256)
		}
	},
	"chat":     func(a *args, in *Intent) { in.Kind, in.Text = IntentChat, a.text() },
	"jump":     func(a *args, in *Intent) { in.Kind = IntentJump },
	"interact": func(a *args, in *Intent) { in.Kind, in.Target = IntentInteract, a.id() },
	"dismount": func(a *args, in *Intent) { in.Kind = IntentDismount },
	"swap": func(a *args, in *Intent) { // swap ann SLOT SLOT [AMOUNT]
		in.Kind, in.SlotA, in.SlotB = IntentSwap, a.slot(), a.slot()
		in.Amount = a.amount()
	},
	"stack": func(a *args, in *Intent) {
		in.Kind, in.SlotA, in.SlotB = IntentStack, a.slot(), a.slot()
		in.Amount = a.amount()
	},
	"drop": func(a *args, in *Intent) {
		in.Kind, in.SlotA = IntentDrop, a.slot()
		in.Amount = max(a.amount(), 1)
	},
	"pick_up": func(a *args, in *Intent) { // pick_up bob HANDLE in SLOT
		in.Kind, in.Ground = IntentPickUp, uint32(a.number())
		a.option("in")
		in.SlotA = a.slot()
	},
	"invite_party":  func(a *args, in *Intent) { in.Kind, in.Text = IntentInviteParty, a.next() },
	"accept_invite": func(a *args, in *Intent) { in.Kind = IntentAcceptInvite },
	"leave_party":   func(a *args, in *Intent) { in.Kind = IntentLeaveParty },
	"logout":        func(a *args, in *Intent) { in.Kind = IntentLeave },
	"message":       func(a *args, in *Intent) { in.Kind, in.Serial, in.Text = IntentMessage, 1, a.text() },
	"freeze":        func(a *args, in *Intent) { in.Kind, in.Serial, in.Amount = IntentFreeze, 2, 1 },
	"unfreeze":      func(a *args, in *Intent) { in.Kind, in.Serial = IntentFreeze, 3 },
	"teleport": func(a *args, in *Intent) { // teleport ann to AREA at X,Z
		in.Kind, in.Serial = IntentTeleport, 4
		a.option("to")
		in.To = a.r.w.AreaNamed(a.next())
		a.option("at")
		in.Join = &Join{Portal: -1, Pos: a.vec()}
	},
}

// text returns the rest of the line as one text.
func (a *args) text() string {
	s := strings.Join(a.words, " ")
	a.words = nil
	return s
}

// amount parses an optional number; it returns 0 if there is none.
func (a *args) amount() uint16 {
	if len(a.words) == 0 {
		return 0
	}
	return uint16(a.number())
}
