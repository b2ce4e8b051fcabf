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
	maxCommandBytes      = 256 // maximum size of a command in bytes
	maxCommandsPerSecond = 40  // maximum number of commands that a client may send per second
	maxPastSteps         = 20  // maximum number of ticks of one step command
)

// Values of pastCommand.Do.
const (
	doSeek  = "seek"  // show another time
	doPlay  = "play"  // start playing, or change the speed
	doPause = "pause" // stop playing
	doStep  = "step"  // stop playing and move some ticks
)

// pastSpeeds are the speeds at which a recording may be played.
var pastSpeeds = [...]float64{0.25, 0.5, 1, 2, 4, 8, 16}

// pastCommand is a message from the client of a map that shows the recorded past.
type pastCommand struct {
	Do    string  `json:"do"`    // one of doSeek, doPlay, doPause and doStep
	At    int64   `json:"at"`    // for doSeek: the time to show, in ms since 1970
	Speed float64 `json:"speed"` // for doPlay: one of pastSpeeds
	Ticks int     `json:"ticks"` // for doStep: number of ticks forward, negative for back
}

// parsePastCommand decodes and checks a command of the client.
func parsePastCommand(b []byte) (c pastCommand, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return pastCommand{}, errors.New("the command is not JSON as docs/console-api.md describes it")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return pastCommand{}, errors.New("the message has data after the JSON command")
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

// pastQueue holds the commands that were received and not executed yet. A new seek removes earlier seeks and steps from the
// queue, because it replaces them.
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
			return "a command must be a text message"
		case err != nil:
			return err.Error()
		case !q.add(c, time.Now()):
			return "the client sent more than 40 commands a second"
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
