package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Limits of the commands of a map that shows the past.
const (
	maxCommandBytes      = 256
	maxCommandsPerSecond = 40
	maxPastSteps         = 20 // maximum number of ticks of one step command
)

// Values of pastCommand.Do.
const (
	doSeek  = "seek"
	doPlay  = "play"
	doPause = "pause"
	doStep  = "step"
)

// pastSpeeds are the speeds at which a recording may be played.
var pastSpeeds = [...]float64{0.25, 0.5, 1, 2, 4, 8, 16}

// pastCommand is a message of the client of a map that shows the past.
type pastCommand struct {
	Do    string  `json:"do"`
	At    int64   `json:"at"`    // of doSeek: time in ms since 1970
	Speed float64 `json:"speed"` // of doPlay: one of pastSpeeds
	Ticks int     `json:"ticks"` // of doStep: ticks to go forward, or back if below 0
}

// parsePastCommand decodes a command.
func parsePastCommand(b []byte) (c pastCommand, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return pastCommand{}, errors.New("the command is not JSON as docs/console-api.md describes it")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return pastCommand{}, errors.New("something follows the command")
	}
	switch {
	case c.Do == doSeek && (c.At < 0 || c.At > maxUnixMS):
		return pastCommand{}, errors.New(`"at" must be a time in ms since 1970`)
	case c.Do == doPlay && !slices.Contains(pastSpeeds[:], c.Speed):
		return pastCommand{}, errors.New(`"speed" must be 0.25, 0.5, 1, 2, 4, 8 or 16`)
	case c.Do == doStep && (c.Ticks == 0 || c.Ticks < -maxPastSteps || c.Ticks > maxPastSteps):
		return pastCommand{}, errors.New(`"ticks" must be -20..20 and not 0`)
	case !slices.Contains([]string{doSeek, doPlay, doPause, doStep}, c.Do):
		return pastCommand{}, errors.New(`"do" must be seek, play, pause or step`)
	}
	return c, nil
}

// pastQueue holds the received commands that have not been executed. Of several waiting seeks it keeps only the newest.
type pastQueue struct {
	wake chan struct{} // capacity 1: holds a value if a command is queued

	mu    sync.Mutex
	list  []pastCommand
	limit secondLimit
}

func newPastQueue() *pastQueue { return &pastQueue{wake: make(chan struct{}, 1)} }

// read queues the commands of a client until its connection ends. It returns why the client must be disconnected, or "" if its
// connection has ended.
func (q *pastQueue) read(ctx context.Context, conn *websocket.Conn) (why string) {
	for {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			return ""
		}
		c, err := parsePastCommand(b)
		switch {
		case kind != websocket.MessageText:
			return "commands are text messages"
		case err != nil:
			return err.Error()
		case !q.add(c, time.Now()):
			return "more than 40 commands a second"
		}
	}
}

// add queues a command. It returns false if the client has sent too many.
func (q *pastQueue) add(c pastCommand, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.limit.allow(now.Unix(), maxCommandsPerSecond) {
		return false
	}
	if c.Do == doSeek { // the seek replaces waiting seeks and steps
		q.list = slices.DeleteFunc(q.list, func(o pastCommand) bool { return o.Do == doSeek || o.Do == doStep })
	}
	q.list = append(q.list, c)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return true
}

// next removes and returns the oldest command.
func (q *pastQueue) next() (c pastCommand, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return pastCommand{}, false
	}
	c = q.list[0]
	q.list = slices.Delete(q.list, 0, 1)
	return c, true
}
