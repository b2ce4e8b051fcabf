// Package checker finds contradictions in what the clients of a cluster were shown. A test records events while its clients
// play, such as a chat line or an area change. Check then returns everything that a single server could not have shown:
//
//	h := checker.New(4 * time.Second)
//	h.Enter(now, "Ann", "Camp")
//	h.RecordLine(now, "Ann", "Bob", 7) // Ann was shown Bob's line 7
//	...
//	for _, err := range h.Check() { ... }
//
// It reads nothing else: no state of a server, and no clock.
package checker

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// History holds what clients were shown. Its methods are safe for concurrent use.
type History struct {
	margin time.Duration // see New

	mu                    sync.Mutex
	stays                 map[string][]stay              // stays in areas, by client, oldest first
	said                  map[string][]line              // chat lines that each client has sent
	lines                 map[heard][]line               // chat lines that the listener was shown, by number
	points                map[string]points              // newest experience points of each character
	places                map[string]places              // newest sample of each observer
	apart                 map[observers]map[string]apart // characters that two observers show apart now, by name
	placePairs            int                            // see Places
	absent                map[string]absence             // by client in the world: samples in a row that did not show its character
	stacks                stackMoves
	logins                map[string][]*login // connections by account, in the order in which they were first shown the world
	newest                map[string]uint64   // by area: newest tick that any client was shown
	least                 map[string]uint64   // by area: tick from which on connections that begin now must be shown the area; see RecordOutage
	frames                int                 // see Frames
	visits                map[string][]*visit // connections by account, in the order in which they were made
	updates               int                 // see Updates
	strikes               blows[strike]
	hurts                 blows[hurt]
	healths               map[string][]health // by character: periods of its health, in the order in which its client was shown them
	counts                []Census
	parties               map[string][]membership // by player, oldest first
	partyLists            []partyList
	rides                 map[string]ride     // by client
	pets                  map[sampledArea]int // pets of the newest sample beyond those of the players in it
	company               Company
	found                 []error // contradictions found while recording
	pairs, ownLines       int     // see Lines
	blowPairs, blowPoints int     // see Blows

	file    *bufio.Writer // see WriteEvents; nil for none
	fileErr error         // first error of writing to file
}

// stay is a period in which a client was in one area without interruption. until is zero while the period has not ended.
type stay struct {
	area        string
	from, until time.Time
}

// heard is the key under which the history stores chat lines: the client that was shown them, and the character that said them.
type heard struct{ listener, speaker string }

type line struct {
	number int
	at     time.Time
}

// points is a number of experience points that a client was shown, with the node and the occasion at which the client received
// it.
type points struct {
	number int
	where  string
}

// places is a sample of the areas of all characters, as one observer shows them. A character is normally in one area.
type places struct {
	at      time.Time
	areas   map[string][]string // area names by character
	isFirst bool                // the observer has just started
}

// absence is a number of samples in a row that did not show a character.
type absence struct {
	since   time.Time // time of the first one
	samples int
}

// absentSamples is the least number of samples that must lack a character before it counts as absent: it may be on the way between two
// areas whenever one is taken, but not each time.
const absentSamples = 4

// Census lists every stack of items in the world at one time, so that lost and duplicated items can be found.
type Census struct {
	Label      string         // names the census in errors
	ItemStacks []ItemStack    // all stacks in inventories and on the ground
	Animals    map[string]int // number of animals of each kind that no blow can kill and no client leaves behind
}

// ItemStack is a stack of items. Its size identifies the stack: two stacks of one item never have the same size, unless Common is
// set.
type ItemStack struct {
	Where  string // name of the character that has the stack, or a description of the ground where it lies
	Item   string // name of the kind of item
	Amount int    // number of pieces in the stack
	Common bool   // stacks of this size may exist more than once
}

// New returns an empty history. The parameter margin is how exact the times of events are: a client must be shown a chat line only if
// the client was in the speaker's area from margin before the line until margin after it. So margin must exceed (1) the delay of area
// changes at clients, and (2) the time in which a line reaches all clients. For RecordFrame and RecordUpdate, margin must exceed (3) the time in which a
// node that was stopped finds out that its players play through other nodes; for RecordPlaces, (4) the time by which an observer is behind
// another one, and the interval of its samples.
func New(margin time.Duration) *History {
	return &History{
		margin: margin, stays: map[string][]stay{}, said: map[string][]line{}, lines: map[heard][]line{}, points: map[string]points{}, places: map[string]places{}, apart: map[observers]map[string]apart{}, absent: map[string]absence{}, logins: map[string][]*login{}, newest: map[string]uint64{}, least: map[string]uint64{},
		stacks:  stackMoves{clients: map[string]Stacks{}, shown: map[int]map[string]map[string]bool{}, twice: map[stackPair]time.Time{}},
		strikes: blows[strike]{}, hurts: blows[hurt]{}, healths: map[string][]health{},
		visits:  map[string][]*visit{},
		parties: map[string][]membership{}, rides: map[string]ride{}, pets: map[sampledArea]int{},
	}
}

// Enter records that a client is shown an area. It does nothing if the client is there already.
func (h *History) Enter(at time.Time, client, area string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.stays[client]
	stays := len(list) > 0 && list[len(list)-1].until.IsZero()
	if stays && list[len(list)-1].area == area {
		return
	}
	h.write(event{Kind: eventEnter, At: &at, Client: client, Area: area})
	if stays {
		list[len(list)-1].until = at
	}
	h.stays[client] = append(list, stay{area: area, from: at})
}

// Leave records that a client has left the world or lost its connection. Until its next Enter it may miss chat lines.
func (h *History) Leave(at time.Time, client string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventLeave, At: &at, Client: client})
	delete(h.rides, client)
	delete(h.absent, client)
	if len(h.stacks.clients[client]) > 0 {
		h.recordStacks(at, client, Stacks{})
	}
	if list := h.stays[client]; len(list) > 0 && list[len(list)-1].until.IsZero() {
		list[len(list)-1].until = at
	}
}

// RecordSaid records that a client has sent a chat line of its character, with the next number of this character.
func (h *History) RecordSaid(at time.Time, client string, number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventSaid, At: &at, Client: client, Number: number})
	h.said[client] = append(h.said[client], line{number, at})
}

// RecordLine records that a client was shown a chat line of the character speaker. The lines of each character are numbered; the
// parameter number is that of this line. The speaker may be the client's own character.
func (h *History) RecordLine(at time.Time, client, speaker string, number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventLine, At: &at, Client: client, Other: speaker, Number: number})
	key := heard{client, speaker}
	list := h.lines[key]
	i, twice := findLine(list, number)
	if twice {
		h.fail("client %s was shown chat line %d of %s twice, %v apart", client, number, speaker, at.Sub(list[i].at).Round(time.Millisecond))
		return
	}
	if i < len(list) {
		h.fail("client %s was shown chat line %d of %s after the later line %d", client, number, speaker, list[len(list)-1].number)
	}
	h.lines[key] = slices.Insert(list, i, line{number, at})
}

// findLine returns the index at which a list that is sorted by number has, or would have, the line with a number.
func findLine(list []line, number int) (i int, found bool) {
	return slices.BinarySearchFunc(list, number, func(l line, number int) int { return l.number - number })
}

// RecordExperience records the experience points of a character that its client was shown. The parameter where names the node and the
// occasion, for errors.
func (h *History) RecordExperience(character, where string, number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventExperience, Client: character, Other: where, Number: number})
	if was, ok := h.points[character]; ok && number < was.number {
		h.fail("%s was shown %d experience points (%s), fewer than the %d before (%s)", character, number, where, was.number, was.where)
	}
	h.points[character] = points{number, where}
}

// RecordPlaces records a sample of an observer, such as the live map of a node: the areas in which it shows each character. It is a
// contradiction if a character is in the same two areas in two samples in a row. In a single sample a character may be in two areas
// during a change, because the frames of two areas are not simultaneous. In the next sample it may be in one of these and a third
// one, if it has changed areas again. The first sample of an observer is not compared with the second one: its copies of the areas catch
// up after its start, and are of different times until then. It is also a contradiction if
// the samples of all observers lack the character of a client that is in the world for longer than the margin, or if two observers show a
// character for longer than the margin in areas that have nothing in common, or only one of them shows it, while it stays in an area at one
// of them: an observer that is behind by less than the margin shows it there before that time is over. The time begins with the
// second sample of each observer and ends with the newest that both have, so an observer that is forgotten or not sampled does not count.
func (h *History) RecordPlaces(at time.Time, observer string, areas map[string][]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventPlaces, At: &at, Client: observer, Areas: areas})
	before, known := h.places[observer]
	for _, who := range slices.Sorted(maps.Keys(areas)) {
		if both := common(areas[who], before.areas[who]); len(both) > 1 && !before.isFirst {
			h.fail("%s shows %s in %d areas at once in two samples in a row, %v apart: %v", observer, who, len(both), at.Sub(before.at).Round(time.Millisecond), both)
		}
	}
	h.places[observer] = places{at, areas, !known}
	h.comparePlaces(observer)
	for _, who := range slices.Sorted(maps.Keys(h.stays)) {
		if list := h.stays[who]; len(areas[who]) > 0 || !list[len(list)-1].until.IsZero() {
			delete(h.absent, who)
			continue
		}
		gone := h.absent[who]
		if gone.samples++; gone.samples == 1 {
			gone.since = at
		}
		if d := at.Sub(gone.since); d > h.margin && gone.samples >= absentSamples {
			h.fail("no observer shows %s in any area for %v, although its client is in the world; the last sample is that of %s", who, d.Round(time.Millisecond), observer)
			gone = absence{}
		}
		h.absent[who] = gone
	}
}

// Forget discards the last sample of an observer. The observer's next sample is then not compared with an earlier one, and the times
// in which it differs from other observers, and in which characters are absent, begin anew.
func (h *History) Forget(observer string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventForget, Client: observer})
	delete(h.places, observer)
	maps.DeleteFunc(h.apart, func(pair observers, _ map[string]apart) bool { return slices.Contains(pair[:], observer) })
	clear(h.absent) // the observers that are left may be too few for their areas to go on
}

// RecordCensus records a census. No item may be dropped or picked up while the census is taken.
func (h *History) RecordCensus(c Census) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventCensus, Census: &c})
	h.counts = append(h.counts, c)
}

// fail records a contradiction. The caller holds h.mu.
func (h *History) fail(format string, args ...any) {
	h.found = append(h.found, fmt.Errorf(format, args...))
}

// Lines returns two counts of the last Check. The first is how often it expected a client to be shown a chat line of another client's
// character; a line that several clients had to be shown counts once for each of them. The second is how often it expected a client to be
// shown a line that it had sent.
func (h *History) Lines() (others, own int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pairs, h.ownLines
}

// Check returns an error for each contradiction in the history.
func (h *History) Check() []error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Concat(h.found, h.lost(), h.miscounted(), h.miscountedAnimals(), h.unstruck(), h.unhurt(), h.unaccompanied(), h.doubled())
}

// lost returns an error for each chat line that a client has sent and was not shown, and for each that the client of its speaker was shown,
// but another client in the same area was not.
// The caller holds h.mu.
func (h *History) lost() (errs []error) {
	h.pairs, h.ownLines = 0, 0
	for _, speaker := range slices.Sorted(maps.Keys(h.said)) {
		for _, said := range h.said[speaker] {
			area, ok := h.areaAround(speaker, said.at)
			if !ok {
				continue
			}
			h.ownLines++
			if _, was := findLine(h.lines[heard{speaker, speaker}], said.number); !was {
				errs = append(errs, fmt.Errorf("client %s was not shown chat line %d, which it had sent while it was in %s", speaker, said.number, area))
			}
		}
	}
	speakers := slices.DeleteFunc(slices.Collect(maps.Keys(h.lines)), func(k heard) bool { return k.listener != k.speaker })
	slices.SortFunc(speakers, func(a, b heard) int { return cmp.Compare(a.speaker, b.speaker) })
	listeners := slices.Sorted(maps.Keys(h.stays))
	for _, own := range speakers {
		for _, said := range h.lines[own] {
			area, ok := h.areaAround(own.speaker, said.at)
			if !ok {
				continue
			}
			for _, listener := range listeners {
				if there, ok := h.areaAround(listener, said.at); listener == own.speaker || !ok || there != area {
					continue
				}
				h.pairs++
				if _, was := findLine(h.lines[heard{listener, own.speaker}], said.number); !was {
					errs = append(errs, fmt.Errorf("client %s was not shown chat line %d of %s, although both were in %s", listener, said.number, own.speaker, area))
				}
			}
		}
	}
	return errs
}

// areaAround returns the area in which a client was around the time at: during the whole time that begins h.margin before at and
// ends h.margin after it. ok is false if the client was not in one area all that time. The caller holds h.mu.
func (h *History) areaAround(client string, at time.Time) (area string, ok bool) {
	list, begin := h.stays[client], at.Add(-h.margin)
	after, _ := slices.BinarySearchFunc(list, begin, func(s stay, begin time.Time) int { // index of the first stay that began later
		if s.from.After(begin) {
			return 1
		}
		return -1
	})
	if after == 0 {
		return "", false
	}
	s := &list[after-1]
	return s.area, s.until.IsZero() || !s.until.Before(at.Add(h.margin))
}

// miscounted returns an error for each stack that a census contains twice, and for each item whose number of pieces differs
// from that in the first census. The caller holds h.mu.
func (h *History) miscounted() (errs []error) {
	type kind struct {
		item   string
		amount int
	}
	var first map[string]int
	for i, c := range h.counts {
		seen, total := map[kind]string{}, map[string]int{}
		for _, s := range c.ItemStacks {
			total[s.Item] += s.Amount
			if s.Common {
				continue
			}
			k := kind{s.Item, s.Amount}
			if where, ok := seen[k]; ok {
				errs = append(errs, fmt.Errorf("%s: the stack of %d %s, which exists once, is in two places: %s and %s", c.Label, s.Amount, s.Item, where, s.Where))
			}
			seen[k] = s.Where
		}
		if i == 0 {
			first = total
			continue
		}
		for _, item := range slices.Sorted(maps.Keys(first)) {
			if total[item] != first[item] {
				errs = append(errs, fmt.Errorf("%s: the world has %d pieces of %s, but had %d at the first count: items were lost or duplicated", c.Label, total[item], item, first[item]))
			}
		}
	}
	return errs
}
