package demo

import (
	"context"
	"fmt"
	"strings"
)

// role determines what a bot does in the world.
type role uint8

const (
	hunter    role = iota // strolls around the start position and fights hostile NPCs there
	gladiator             // goes to the nearest area in which players may fight each other, and attacks players there
	cheater               // a hunter that sometimes claims impossible movement
	traveller             // travels from area to area through portals
	rider                 // strolls, and rides nearby horses and boats
)

// NameSuffix is the end of the account names of bots. Players do not have such names by accident: an Xbox gamertag contains
// no underscore, and the other doors require the account's password.
const NameSuffix = "_Bot"

// maxNameLength is the maximum length in characters of a name on the login screen of RuneScape clients.
const maxNameLength = 12

// protocol defines the names and roles of the bots at one door.
type protocol struct {
	name          string
	accountPrefix string                                  // prefix that this door puts before account names
	names         []string                                // first parts of the bots' names, at most 7 letters each, so that suffix and number fit into maxNameLength
	roles         []role                                  // roles of the bots, which are assigned in turn
	play          func(ctx context.Context, b *bot) error // plays one session
}

// protocols are the doors at which bots can play. Bots cheat only at doors whose clients send positions. RuneScape clients
// send only the tiles and actors that their player clicks.
var protocols = []protocol{
	{"rcce", "", []string{"Rowan", "Maren", "Laggy", "Tobin", "Edda", "Falk", "Ghost", "Hanno"},
		[]role{hunter, gladiator, cheater, traveller}, playRCCE},
	{"rs", "", []string{"Wilma", "Bruno", "Hilda", "Oskar", "Greta", "Jory", "Kuno", "Lotte"},
		[]role{hunter, gladiator, traveller, gladiator}, playRS},
	{"bedrock", "bedrock:", []string{"Ivy", "Finn", "Cheater", "Nora", "Quinn", "Pip", "Speedy", "Una"},
		[]role{hunter, rider, cheater, traveller, gladiator, hunter, cheater, gladiator}, playBedrock},
	{"web", "", []string{"Willow", "Basil", "Clover", "Jasper", "Hazel", "Otto", "Linnea", "Arno"},
		[]role{hunter, gladiator, traveller, hunter}, playWeb},
}

// protocolNamed returns the protocol with the given name, or nil if there is none.
func protocolNamed(name string) *protocol {
	for i := range protocols {
		if protocols[i].name == name {
			return &protocols[i]
		}
	}
	return nil
}

// account returns the account name of bot i. The parameter renames says how many other names the bot has tried, because they were
// taken. Each value gives another name.
func (p *protocol) account(i, renames int) string {
	n := i/len(p.names) + 1 + renames*(MaxBotsPerDoor/len(p.names)+1)
	name := p.names[i%len(p.names)]
	if n == 1 {
		return name + NameSuffix
	}
	return fmt.Sprintf("%s%d%s", name[:min(len(name), maxNameLength-len(NameSuffix)-len(fmt.Sprint(n)))], n, NameSuffix)
}

func (p *protocol) role(i int) role { return p.roles[i%len(p.roles)] }

// isBotName reports whether a name is that of a bot. RuneScape clients display an underscore as a space.
func isBotName(name string) bool {
	return strings.HasSuffix(strings.ReplaceAll(name, " ", "_"), NameSuffix)
}

// What bots say: chat lines of all bots, chat lines by role, and greetings for players that a bot sees for the first time.
var (
	smallTalk = []string{
		"Lovely weather for it.",
		"Has anybody seen my hen?",
		"I walk by clicks, she runs by keys, and we still meet at the fountain.",
		"The miller wants a word with whoever took his ladder.",
		"Mind the ice behind the green.",
		"Anybody up for the Ring later?",
		"I could swear that rat grinned at me.",
		"They say there is a console from which one sees us all.",
	}
	roleTalk = map[role][]string{
		hunter:    {"One rat less.", "These rats get bolder every day.", "Is that one yours or mine?", "Need to sharpen this."},
		gladiator: {"Who is next?", "Good fight!", "To the Ring!", "I nearly had you.", "Again!"},
		cheater:   {"Why was I pulled back?", "That was the line, I swear.", "I was over there a moment ago.", "Ask the console, it knows why."},
		rider:     {"Easy, easy.", "She knows the way home.", "Whose boat is this?", "Anybody for a race to the pond?"},
		traveller: {"The road goes on.", "Anybody for Windmoor?", "Back in a moment.", "The lake is quiet today."},
	}
	greetings = []string{"Hello, %s!", "Welcome, %s.", "Good to see you, %s.", "%s! Stay a while."}
)
