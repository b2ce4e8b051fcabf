package checker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A history file has one JSON object in each line. The first line is a header: the version of the format and the margin of New in
// nanoseconds. Each further line is a call of a method of History, in the order of the calls.
type header struct {
	Version int           `json:"history"`
	Margin  time.Duration `json:"margin"`
}

const fileVersion = 1

// Kinds of events, one for each method of History that records something.
const (
	eventEnter      = "enter"
	eventLeave      = "leave"
	eventSaid       = "said"
	eventLine       = "line"
	eventExperience = "experience"
	eventPlaces     = "places"
	eventForget     = "forget"
	eventStacks     = "stacks"
	eventFrame      = "frame"
	eventUpdate     = "update"
	eventOutage     = "outage"
	eventHit        = "hit"
	eventHealth     = "health"
	eventCensus     = "census"
	eventMember     = "member"
	eventParty      = "party"
	eventRide       = "ride"
	eventPets       = "pets"
)

// event is a line of a history file. The fields that its kind does not use are left out.
type event struct {
	Kind   string              `json:"event"`
	At     *time.Time          `json:"at,omitempty"`
	Client string              `json:"client,omitempty"` // name of the client, character, account or observer of the event
	Other  string              `json:"other,omitempty"`  // name of the speaker, the occasion, the connection, the party or the kind of mount
	Area   string              `json:"area,omitempty"`
	Number int                 `json:"number,omitempty"` // number of a chat line or connection, of points, deaths or pets
	Tick   uint64              `json:"tick,omitempty"`
	Names  []string            `json:"names,omitempty"` // party members, or players with a pet
	Areas  map[string][]string `json:"areas,omitempty"`
	Gone   Stacks              `json:"gone,omitempty"`   // stacks that are no longer shown
	Stacks Stacks              `json:"stacks,omitempty"` // stacks that are shown now
	Blow   *Blow               `json:"blow,omitempty"`
	Census *Census             `json:"census,omitempty"`
}

// WriteEvents makes the history write every later event to w, from which Read makes an equal history. It must be called before the first
// event. Stop must be called at the end.
func (h *History) WriteEvents(w io.Writer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.file = bufio.NewWriterSize(w, 1<<16)
	h.encode(header{fileVersion, h.margin})
}

// Stop ends the writing that WriteEvents has begun: it writes buffered events, and returns the first error of all writes, as each later
// call does. Later events are not written.
func (h *History) Stop() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file != nil {
		h.fileErr = errors.Join(h.fileErr, h.file.Flush())
		h.file = nil
	}
	return h.fileErr
}

// write writes an event, if the history has a writer. The caller holds h.mu during this call and its change of the history, so that
// events are written in the order in which they change the history.
func (h *History) write(e event) {
	if h.file != nil {
		h.encode(e)
	}
}

func (h *History) encode(v any) {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = h.file.Write(append(b, '\n'))
	}
	if err != nil && h.fileErr == nil {
		h.fileErr = fmt.Errorf("write the history: %w", err)
	}
}

// Read returns the history in a file that WriteEvents has written, and the number of its events.
func Read(r io.Reader) (h *History, events int, err error) {
	lines := json.NewDecoder(r)
	var head header
	if err := lines.Decode(&head); err != nil || head.Version == 0 {
		return nil, 0, errors.Join(errors.New("the file is not a history: its first line has no version"), err)
	}
	if head.Version != fileVersion {
		return nil, 0, fmt.Errorf("the history has version %d, and this program reads version %d", head.Version, fileVersion)
	}
	h = New(head.Margin)
	for {
		var e event
		if err := lines.Decode(&e); errors.Is(err, io.EOF) {
			return h, events, nil
		} else if err != nil {
			return nil, events, fmt.Errorf("line %d: %w", events+2, err)
		}
		if err := h.play(&e); err != nil {
			return nil, events, fmt.Errorf("line %d: %w", events+2, err)
		}
		events++
	}
}

// play records an event of a file.
func (h *History) play(e *event) error {
	var at time.Time
	if e.At != nil {
		at = *e.At
	}
	switch timed := e.Kind != eventExperience && e.Kind != eventForget && e.Kind != eventCensus; {
	case timed && e.At == nil:
		return fmt.Errorf("event %q has no time", e.Kind)
	case e.Kind == eventHit && e.Blow == nil || e.Kind == eventCensus && e.Census == nil:
		return fmt.Errorf("event %q lacks its content", e.Kind)
	}
	switch e.Kind {
	case eventEnter:
		h.Enter(at, e.Client, e.Area)
	case eventLeave:
		h.Leave(at, e.Client)
	case eventSaid:
		h.RecordSaid(at, e.Client, e.Number)
	case eventOutage:
		h.RecordOutage(at)
	case eventLine:
		h.RecordLine(at, e.Client, e.Other, e.Number)
	case eventExperience:
		h.RecordExperience(e.Client, e.Other, e.Number)
	case eventPlaces:
		h.RecordPlaces(at, e.Client, e.Areas)
	case eventStacks:
		h.playStacks(at, e.Client, e.Gone, e.Stacks)
	case eventForget:
		h.Forget(e.Client)
	case eventFrame:
		h.RecordFrame(at, e.Client, e.Other, e.Area, e.Tick)
	case eventUpdate:
		h.RecordUpdate(at, e.Client, e.Other, e.Number)
	case eventHit:
		h.RecordBlow(at, e.Client, *e.Blow)
	case eventHealth:
		h.RecordHealth(at, e.Client, e.Number)
	case eventCensus:
		h.RecordCensus(*e.Census)
	case eventMember:
		h.JoinParty(at, e.Client, e.Other)
	case eventParty:
		h.RecordParty(at, e.Client, e.Area, e.Names)
	case eventRide:
		h.RecordRide(at, e.Client, e.Area, e.Other, e.Number)
	case eventPets:
		h.RecordPets(at, e.Client, e.Area, e.Tick, e.Names, e.Number)
	default:
		return fmt.Errorf("unknown event %q", e.Kind)
	}
	return nil
}
