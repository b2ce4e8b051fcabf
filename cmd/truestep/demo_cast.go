package main

import (
	"fmt"
	"strings"
)

// demoRole is what a bot of the demo is there for.
type demoRole uint8

const (
	demoHunter    demoRole = iota // strolls about the place where everybody begins and fights what may be fought there
	demoGladiator                 // seeks the nearest area in which players fight each other, and fights them
	demoCheat                     // a hunter that now and then is where it cannot be
	demoTraveller                 // sees the world, through one portal after the other
)

// demoSuffix ends the accounts of bots, so that everybody knows them and no player needs such a name. Xbox has no name
// with an underscore, and no client of the other doors logs in to an account whose password it does not have.
const demoSuffix = "_Bot"

// demoDoor is whom the demo sends through one door.
type demoDoor struct {
	name  string
	names []string   // at most 7 letters, so that suffix and number fit into the 12 of the rs door
	roles []demoRole // the bots take them in turns
}

// demoDoors are the casts. Cheats are where a client says where it is; at the rs door it says only where it goes.
var demoDoors = []demoDoor{
	{"rcce", []string{"Rowan", "Maren", "Laggy", "Tobin", "Edda", "Falk", "Ghost", "Hanno"},
		[]demoRole{demoHunter, demoGladiator, demoCheat, demoTraveller}},
	{"rs", []string{"Wilma", "Bruno", "Hilda", "Oskar", "Greta", "Jory", "Kuno", "Lotte"},
		[]demoRole{demoHunter, demoGladiator, demoTraveller, demoGladiator}},
	{"bedrock", []string{"Ivy", "Finn", "Cheater", "Nora", "Quinn", "Pip", "Speedy", "Una"},
		[]demoRole{demoHunter, demoGladiator, demoCheat, demoTraveller}},
}

// mostDemoBots is how many bots a door gets: their names have one digit.
const mostDemoBots = 50

// account is the name of bot i. retry tells how many names like it turned out to be somebody else's.
func (d *demoDoor) account(i, retry int) string {
	n := i/len(d.names) + 1 + retry*(mostDemoBots/len(d.names)+1)
	name := d.names[i%len(d.names)]
	if n == 1 {
		return name + demoSuffix
	}
	return fmt.Sprintf("%s%d%s", name[:min(len(name), rsNameMost-len(demoSuffix)-len(fmt.Sprint(n)))], n, demoSuffix)
}

func (d *demoDoor) role(i int) demoRole { return d.roles[i%len(d.roles)] }

// isDemoBot tells whether a name, as any door shows it, is that of a bot.
func isDemoBot(name string) bool {
	return strings.HasSuffix(strings.ReplaceAll(name, " ", "_"), demoSuffix)
}

// What they say when they have nothing to say.
var (
	demoLines = []string{
		"Lovely weather for it.",
		"Has anybody seen my hen?",
		"I walk by clicks, she runs by keys, and we still meet at the fountain.",
		"The miller wants a word with whoever took his ladder.",
		"Mind the ice behind the green.",
		"Anybody up for the Ring later?",
		"I could swear that rat grinned at me.",
		"They say there is a console from which one sees us all.",
	}
	demoLinesOf = map[demoRole][]string{
		demoHunter:    {"One rat less.", "These rats get bolder every day.", "Is that one yours or mine?", "Need to sharpen this."},
		demoGladiator: {"Who is next?", "Good fight!", "To the Ring!", "I nearly had you.", "Again!"},
		demoCheat:     {"Why was I pulled back?", "That was the line, I swear.", "I was over there a moment ago.", "Ask the console, it knows why."},
		demoTraveller: {"The road goes on.", "Anybody for Windmoor?", "Back in a moment.", "The lake is quiet today."},
	}
	demoGreetings = []string{"Hello, %s!", "Welcome, %s.", "Good to see you, %s.", "%s! Stay a while."}
)
