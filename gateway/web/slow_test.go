package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/telemetry"
)

// A client that did not read is disconnected because too many control messages wait. When it reads again, it receives the
// messages that were written before, and then the reason.
func TestClientWithFullControlQueueIsDisconnectedWithReason(t *testing.T) {
	door := telemetry.New().Door("web")
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		l := newWSLink(context.Background(), ws, func() {})
		l.closeWait = time.Minute // the client may be slow to read what is in the buffers, behind which the reason waits
		p := &player{g: &Gateway{door: door}, link: l}
		line := &proto.Event{Kind: proto.EventTold, Text: strings.Repeat("x", 2000)}
		for door.Bad.With("slow_reader").Load() == 0 { // send until the buffers of the sockets and then the queue are full
			p.send(line)
		}
		<-l.done
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.CloseNow()
	var last proto.Message
	for {
		_, b, err := ws.Read(ctx)
		if err != nil {
			break
		}
		if last, err = proto.ParseServerMessage(b); err != nil {
			t.Fatal(err)
		}
	}
	if bye, ok := last.(*proto.Bye); !ok || bye.Reason != proto.ByeSlow || !bye.Resume || bye.Text == "" {
		t.Errorf("the last message is %+v, want Bye slow, which allows to resume", last)
	}
	<-ended
}

// Control messages of a frame, such as chat, are queued immediately before its snapshot. They must not prevent the
// snapshot. Only an older snapshot that is still queued prevents it.
func TestQueuedControlMessagesDoNotPreventSnapshot(t *testing.T) {
	q := newSendQueue()
	control := func() { q.add(maxControl, func(b []byte) []byte { return append(b, 1) }) }
	take := func() {
		t.Helper()
		if _, ok := q.next(t.Context()); !ok {
			t.Fatal("nothing is queued")
		}
	}
	ready := func(want bool, when string) {
		t.Helper()
		if q.takesSnapshot() != want {
			t.Errorf("%s: the queue takes a snapshot: %v, want %v", when, !want, want)
		}
	}
	ready(true, "empty")
	control()
	ready(true, "a control message is queued")
	take()
	ready(true, "a control message is being sent")
	q.addSnapshot(maxControl, []byte{2})
	ready(false, "a snapshot is queued")
	take()
	ready(false, "a snapshot is being sent")
	control()
	take()
	ready(true, "the snapshot was sent")
	q.addSnapshot(maxControl, []byte{2})
	q.replace(func(b []byte) []byte { return append(b, 3) })
	ready(true, "the snapshot was replaced")
	q.close()
	ready(false, "closed")
}
