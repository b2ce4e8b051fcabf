package journal

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Bounds of what waits for the disk, for all players together.
const (
	maxQueue = 4096 // entries                guess: 60 players who are refused all the time, for a minute
	maxNotes = 8192 // events around entries  guess: twice as many
)

// note is an event around an entry, on its way into the file.
type note struct {
	at      time.Time
	tick    sim.Tick
	area    sim.AreaID
	entity  sim.EntityID
	account string
	kind    string
	text    string
}

// enter puts an entry into the queue, or lets the last of its kind stand for it, too.
func (j *Journal) enter(v *visit, e *Entry) {
	i := v.find(e.Verdict, e.Reason)
	v.counts[i].N++
	if last := v.items[i]; last != nil && !j.begins(v, last, e) {
		last.absorb(e)
		j.await(last)
		return
	} else if last == nil {
		v.share.take(e.At, burst, perSecond) // the first of a kind is always granted: there are few kinds
	}
	if len(j.queue) >= maxQueue {
		j.lost++
		return
	}
	e.ID = j.nextID
	j.nextID++
	v.items[i] = &item{entry: *e, visit: v}
	j.await(v.items[i])
}

// begins tells whether an entry stands for itself rather than the last of its kind for it.
func (j *Journal) begins(v *visit, last *item, e *Entry) bool {
	age := e.At.Sub(last.entry.First)
	switch {
	case age < window && last.entry.AreaID == e.AreaID, len(j.queue) >= maxQueue:
		return false
	case age >= longWindow:
		return true
	}
	return v.waiting < queued && v.share.take(e.At, burst, perSecond)
}

// await puts an item into the queue unless it is there. One that changed always finds room: there are not more of them
// than players times reasons.
func (j *Journal) await(it *item) {
	if it.queued {
		return
	}
	it.queued = true
	it.visit.waiting++
	j.queue = append(j.queue, it)
}

// note remembers a moment, and stores it if an entry was made a moment ago.
func (j *Journal) note(v *visit, m moment) {
	if m.kind == wasHurried {
		if m.at.Sub(v.hurried) < stanceWindow {
			return
		}
		v.hurried = m.at
	}
	v.push(m)
	if m.at.Before(v.until) {
		j.keep(v)
	}
}

// surround stores what happened shortly before an entry, and what will happen after it.
func (j *Journal) surround(v *visit, now time.Time) {
	v.until = now.Add(Nearby)
	j.keep(v)
}

// keep stores the moments of a visit that are recent and not stored yet, as far as its share goes.
func (j *Journal) keep(v *visit) {
	for n := max(v.kept, v.total-ringSize); n < v.total; n++ {
		m := &v.ring[n%ringSize]
		if v.until.Sub(m.at) <= 2*Nearby && v.notes.take(v.seen, noteBurst, notePerSecond) {
			j.queueNote(m, v.id, v.who.Account)
		}
	}
	v.kept = v.total
}

func (j *Journal) queueNote(m *moment, id sim.EntityID, account string) {
	if len(j.notes) >= maxNotes {
		j.lostNotes++
		return
	}
	j.notes = append(j.notes, note{m.at, m.tick, m.area, id, account, kinds[m.kind], m.sentence(j.opt.Text)})
}
