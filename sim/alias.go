package sim

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Anonymizer replaces every text that comes from a player in snapshots and intents, so that a recording can be shared without
// personal data. It replaces each name of a character or pet, and each tag, by an alias that is always the same. It replaces a
// line of chat, an operator's message or an action bar slot by a word that names the kind of text. Names that the world gives
// to NPCs are kept.
//
// Only two rules depend on a text: the party invitation, which finds a player by name, and the typed commands of a game.
// Different names get different aliases, so invitations still find the same players. In a world without a game, an area
// therefore steps with aliases as it does with the original names: only the texts and hashes of its frames differ.
type Anonymizer struct {
	world   *World
	names   map[string]string // aliases by original name in lower case; "" until the name is first replaced
	words   []string          // first word of the aliases of players, pets and tags, in this order
	count   int               // number of aliases given so far
	replace bool              // true: texts are replaced; false: original names are only collected
}

// aliasWords lists alternative sets of words with which the aliases of players, pets and tags begin. NewAnonymizer uses the first
// set in which no word contains an original name.
var aliasWords = [][]string{{"Player", "Pet", "Tag"}, {"Somebody", "Animal", "Group"}, {"Human", "Beast", "Badge"}, {"Xx", "Yy", "Zz"}}

const (
	aliasPlayer = iota
	aliasPet
	aliasTag
)

// NewAnonymizer returns an Anonymizer that has an alias for each name in a snapshot, which may be empty, and in the intents of the
// ticks after the snapshot.
func NewAnonymizer(w *World, snapshot []byte, ticks [][]Intent) (*Anonymizer, error) {
	n := &Anonymizer{world: w, names: map[string]string{}}
	if len(snapshot) > 0 {
		if _, err := n.Snapshot(snapshot); err != nil {
			return nil, err
		}
	}
	for _, intents := range ticks {
		n.Intents(intents)
	}
	for _, words := range aliasWords {
		if n.words = words; !n.occursIn(words) {
			break
		}
	}
	n.replace = true
	return n, nil
}

// occursIn reports whether one of the words contains an original name of three bytes or more, ignoring case.
func (n *Anonymizer) occursIn(words []string) bool {
	for _, name := range n.Names() {
		if len(name) > 2 && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(foldName(w), name) }) {
			return true
		}
	}
	return false
}

// Names returns the original names of characters and pets, and the original tags, that occur in the snapshot and the
// intents given to NewAnonymizer, sorted and in lower case.
func (n *Anonymizer) Names() []string { return slices.Sorted(maps.Keys(n.names)) }

// Snapshot returns an anonymized copy of a snapshot: every text that comes from a player is replaced, names by their
// aliases.
func (n *Anonymizer) Snapshot(snapshot []byte) ([]byte, error) {
	a, err := Restore(n.world, snapshot)
	if err != nil {
		return nil, err
	}
	for _, x := range a.actors {
		if x.player {
			n.name(&x.name, aliasPlayer)
			n.name(&x.tag, aliasTag)
			x.record = n.character(x.record)
		} else if x.name != x.tmpl.Race {
			n.name(&x.name, aliasPet)
		}
	}
	for i := range a.outboxes {
		for j := range a.outboxes[i].waiting {
			d := &a.outboxes[i].waiting[j]
			d.join = n.join(d.join)
		}
	}
	return a.Snapshot(nil), nil
}

// Intents returns an anonymized copy of the intents of a tick: every text that comes from a player is replaced, names by
// their aliases. The argument is not changed.
func (n *Anonymizer) Intents(intents []Intent) []Intent {
	intents = slices.Clone(intents)
	for i := range intents {
		in := &intents[i]
		switch in.Kind {
		case IntentInviteParty:
			n.name(&in.Text, aliasPlayer)
		case IntentActionBar:
			n.text(&in.Text, "slot")
		case IntentMessage:
			n.text(&in.Text, "message")
		default:
			n.text(&in.Text, "chat")
		}
		if in.Join != nil {
			in.Join = n.join(in.Join)
		}
	}
	return intents
}

func (n *Anonymizer) join(j *Join) *Join {
	c := *j
	if c.Character != nil {
		c.Character = n.character(c.Character)
	}
	c.Pets = n.pets(c.Pets)
	if c.Mount != nil {
		c.Mount = &n.pets([]Pet{*c.Mount})[0]
	}
	return &c
}

func (n *Anonymizer) character(p *Character) *Character {
	c := *p
	n.name(&c.Name, aliasPlayer)
	n.name(&c.Tag, aliasTag)
	c.Pets = n.pets(c.Pets)
	for i := range c.ActionBar {
		n.text(&c.ActionBar[i], "slot")
	}
	return &c
}

func (n *Anonymizer) pets(list []Pet) []Pet {
	list = slices.Clone(list)
	for i := range list {
		if t := n.world.Template(list[i].Template); t == nil || list[i].Name != t.Race {
			n.name(&list[i].Name, aliasPet)
		}
	}
	return list
}

// name replaces *p by its alias, unless *p is empty. The alias consists of the word n.words[word] and a number. The parameter
// word is 0 for the name of a player, 1 for that of a pet and 2 for a tag.
func (n *Anonymizer) name(p *string, word int) {
	if *p == "" {
		return
	}
	folded := foldName(*p)
	alias := n.names[folded]
	if n.replace {
		if alias == "" {
			n.count++
			alias = n.words[word] + " " + strconv.Itoa(n.count)
		}
		*p = alias
	}
	n.names[folded] = alias
}

func (n *Anonymizer) text(p *string, word string) {
	if n.replace && *p != "" {
		*p = word
	}
}

// foldName returns a name with its ASCII letters in lower case. Names that EqualFold considers equal have the same result.
func foldName(name string) string {
	b := []byte(name)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// SameFrameButTexts reports whether two frames have equal actors, events and items. It ignores texts and everything that
// contains or depends on texts: names, tags, records, joins and hashes.
func SameFrameButTexts(f, g *Frame) bool {
	return f.Area == g.Area && f.Tick == g.Tick && f.Weather == g.Weather && slices.EqualFunc(f.Ground, g.Ground, sameGroundItem) &&
		slices.Equal(f.Avatars, g.Avatars) && slices.Equal(f.Vehicles, g.Vehicles) &&
		slices.EqualFunc(f.Actors, g.Actors, sameActorButTexts) && slices.EqualFunc(f.Events, g.Events, sameEventButTexts)
}

func sameActorButTexts(a, b ActorState) bool {
	p, q := *a.Body, *b.Body
	p.Name, p.Tag, p.Version = q.Name, q.Tag, q.Version
	a.Body, b.Body = nil, nil
	return p == q && a == b
}

func sameEventButTexts(a, b Event) bool {
	if (a.Rewind == nil) != (b.Rewind == nil) || a.Rewind != nil && *a.Rewind != *b.Rewind {
		return false
	}
	if (a.Projectile == nil) != (b.Projectile == nil) || (a.Join == nil) != (b.Join == nil) || (a.Record == nil) != (b.Record == nil) {
		return false
	}
	if !sameGroundItem(a.Ground, b.Ground) {
		return false
	}
	for _, e := range []*Event{&a, &b} {
		e.Text, e.Ground, e.Rewind, e.Projectile, e.Join, e.Record = "", GroundItem{}, nil, nil, nil, nil
	}
	return a == b
}

func sameGroundItem(a, b GroundItem) bool {
	if p, q := a.Stack.Attr, b.Stack.Attr; (p == nil) != (q == nil) || p != nil && *p != *q {
		return false
	}
	a.Stack.Attr, b.Stack.Attr = nil, nil
	return a == b
}
