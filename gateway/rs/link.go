package rs

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
	"github.com/truestep-io/truestep/telemetry"
)

// Limits for the input of a client whose player is in the world.
const (
	readTimeout     = 30 * time.Second // time without input after which a connection is closed; clients send a keep-alive every second
	framesPerSecond = 100              // maximum packets per second; chosen as five times the mouse, camera and key packets of a busy player
	frameBurst      = 300              // maximum number of packets that may arrive at once, after a stall of the network
	maxChatLine     = 80               // maximum number of characters of a line in the client's chat box
)

// Ids of the client's interfaces and components for the buttons that the server handles. Source: docs/wire/rs.md, run toggle
// and logout.
const (
	interfaceLogout   = 182 // logout tab
	interfaceOrb      = 750 // run energy orb
	interfaceSettings = 261 // settings tab
	componentRun      = 1   // run button of the orb and of the settings tab
	componentRunOther = 4   // second run button of the orb and of the settings tab
	componentLobby    = 6   // logout tab's button to the lobby
	componentLogin    = 13  // logout tab's button to the login screen
)

// link is one connection of a player. A player has at most one link at a time.
type link struct {
	player     *player
	conn       net.Conn
	out        *clientStream // output to the client
	serial     uint64        // number of the connection, for logs and recordings
	door       *telemetry.DoorMetrics
	frames     *proto.FrameReader // decrypts the input into frames
	newLogin   bool               // the client has logged in anew, not reconnected
	windowMode uint8              // mode of the client's window; used by the worker only

	tokens     float64   // token bucket of the frame rate, in frames
	refilledAt time.Time // time of the last refill of tokens
}

func newLink(c net.Conn, p *player, attempt loginAttempt, door *telemetry.DoorMetrics) *link {
	_ = c.SetDeadline(time.Time{})
	l := &link{
		player: p, conn: c, serial: attempt.identity.Conn, door: door, newLogin: !attempt.reconnect, windowMode: attempt.windowMode, tokens: frameBurst, refilledAt: time.Now(),
		out:    newClientStream(c, p.session.Link(), door.BytesOut.Add),
		frames: proto.NewFrameReader(proto.C2S, attempt.keys.ClientCipher()),
	}
	l.out.frames = proto.NewFrameWriter(proto.S2C, attempt.keys.ServerCipher())
	return l
}

// readPackets processes packets until the connection ends. The parameter rest contains the bytes that arrived together with
// the login request, after it.
func (l *link) readPackets(ctx context.Context, rest []byte) {
	defer func() {
		l.out.abort()
		l.player.w.enqueue(ctx, func() { l.player.detachLink(l) })
	}()
	buf := make([]byte, len(rest), max(2*proto.MaxClientFrame, len(rest)))
	copy(buf, rest)
	for {
		n, err := l.handleFrames(ctx, buf)
		if errors.Is(err, session.ErrLeft) {
			l.discardUntilClosed()
			return
		}
		if err != nil {
			l.door.Bad.With("framing").Inc()
			return
		}
		buf = buf[:copy(buf[:cap(buf)], buf[n:])]
		_ = l.conn.SetReadDeadline(time.Now().Add(readTimeout))
		m, err := l.conn.Read(buf[len(buf):cap(buf)])
		l.door.BytesIn.Add(m)
		l.player.session.Link().BytesIn.Add(uint64(m))
		buf = buf[:len(buf)+m]
		if err != nil && m == 0 {
			return
		}
	}
}

// discardUntilClosed reads and discards input, for at most answerTimeout, until the last bytes to the client are written and the
// connection is closed.
func (l *link) discardUntilClosed() {
	_ = l.conn.SetReadDeadline(time.Now().Add(answerTimeout))
	_, _ = io.CopyN(io.Discard, l.conn, maxDiscardBytes)
}

// handleFrames processes all complete packets at the start of the received bytes b. The result used is their total length in
// bytes.
func (l *link) handleFrames(ctx context.Context, b []byte) (used int, err error) {
	for {
		f, n, err := l.frames.Next(b[used:])
		if err != nil || n == 0 {
			return used, err
		}
		used += n
		l.door.PacketsIn.Inc()
		l.player.session.Link().PacketsIn.Add(1)
		if err := l.throttle(ctx); err != nil {
			return used, err
		}
		if err := l.handlePacket(ctx, f); err != nil {
			return used, err
		}
	}
}

// throttle limits the packets of the client by a token bucket. If the bucket is empty, throttle waits for a token, and no further
// input of the client is read meanwhile.
func (l *link) throttle(ctx context.Context) error {
	now := time.Now()
	l.tokens = min(l.tokens+now.Sub(l.refilledAt).Seconds()*framesPerSecond, frameBurst)
	l.refilledAt = now
	l.tokens--
	if l.tokens >= 0 {
		return nil
	}
	l.door.Bad.With("throttled").Inc()
	wait := time.NewTimer(time.Duration(-l.tokens / framesPerSecond * float64(time.Second)))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// handlePacket converts a packet to an intent. It ignores packets that this gateway does not use. A packet with a malformed body
// is counted and dropped; the connection stays open, because the packet's length is valid and later packets can be decoded.
func (l *link) handlePacket(ctx context.Context, f proto.Frame) error {
	p, err := proto.Parse(proto.C2S, f.Op, f.Body)
	switch {
	case errors.Is(err, proto.ErrUnparsed):
		return nil
	case err != nil:
		l.door.Bad.With("malformed").Inc()
		return nil
	}
	switch p := p.(type) {
	case proto.MoveGameClick:
		l.handleWalk(p)
	case proto.MoveMinimapClick:
		l.handleWalk(p.MoveGameClick)
	case proto.OpPlayer:
		l.player.w.enqueue(ctx, func() { l.player.handleOption(p) })
	case proto.MessagePublicRequest:
		l.handleChat(ctx, p.Text)
	case proto.ClientCheat:
		return l.handleConsole(ctx, p.Command)
	case proto.FaceSquare:
		l.submit(sim.Intent{Kind: sim.IntentFace, Tile: terrain.Tile{X: p.X, Z: p.Z}})
	case proto.WindowStatus:
		l.player.w.enqueue(ctx, func() { l.player.setWindowMode(l, p.Mode) })
	case proto.IfButton:
		return l.handleButton(ctx, p)
	}
	return nil
}

func (l *link) handleWalk(p proto.MoveGameClick) {
	in := sim.Intent{Kind: sim.IntentPath, Tile: terrain.Tile{X: p.X, Z: p.Z}}
	if p.Ctrl {
		in.Amount = 1
	}
	l.submit(in)
}

// submit passes an intent to the area. If the session's rate limit is exceeded, the intent is counted and dropped.
func (l *link) submit(in sim.Intent) { l.player.submit(in) }

// handleButton processes a click on a button of the client's interfaces.
func (l *link) handleButton(ctx context.Context, p proto.IfButton) error {
	if p.Option != 1 {
		return nil
	}
	switch number := p.Component.Number(); p.Component.Interface() {
	case interfaceLogout:
		if number == componentLobby || number == componentLogin {
			return l.logOut(ctx)
		}
	case interfaceOrb, interfaceSettings:
		if number == componentRun || number == componentRunOther {
			l.player.w.enqueue(ctx, func() { l.player.setRunning(!l.player.running) })
		}
	}
	return nil
}

// logOut logs the player out immediately.
func (l *link) logOut(ctx context.Context) error {
	l.player.w.enqueue(ctx, func() {
		if l.player.link == l {
			l.player.logOut()
		}
	})
	return session.ErrLeft
}

// handleChat processes a chat line. A line that begins with / is a command; any other line is sent to all players of the
// area.
func (l *link) handleChat(ctx context.Context, text string) {
	text = cleanChat(text)
	switch {
	case text == "":
	case text[0] == '/':
		l.runCommand(ctx, text[1:])
	default:
		l.submit(sim.Intent{Kind: sim.IntentChat, Text: text})
	}
}

// handleConsole processes a command that the player has entered in the client's console, or as a chat line that begins with
// "::".
func (l *link) handleConsole(ctx context.Context, text string) error {
	if text = cleanChat(text); strings.EqualFold(text, "logout") {
		return l.logOut(ctx)
	}
	l.runCommand(ctx, text)
	return nil
}

const helpText = "Commands: ::run, ::walk, ::logout, /invite NAME, /accept, /leave, /help"

// runCommand executes a chat command, which is given without the leading "/" or "::".
func (l *link) runCommand(ctx context.Context, text string) {
	word, rest, _ := strings.Cut(text, " ")
	switch strings.ToLower(word) {
	case "run":
		l.player.w.enqueue(ctx, func() { l.player.setRunning(true) })
	case "walk":
		l.player.w.enqueue(ctx, func() { l.player.setRunning(false) })
	case "invite":
		l.submit(sim.Intent{Kind: sim.IntentInviteParty, Text: strings.TrimSpace(rest)})
	case "accept":
		l.submit(sim.Intent{Kind: sim.IntentAcceptInvite})
	case "leave":
		l.submit(sim.Intent{Kind: sim.IntentLeaveParty})
	default:
		world := l.player.w.g.world.Def()
		if in, ok := gateway.TypedCommand(world, text); ok && !strings.EqualFold(word, "help") {
			l.submit(in)
			return
		}
		l.player.w.enqueue(ctx, func() { l.player.queueText(gateway.HelpText(world, helpText)) })
	}
}

// cleanChat prepares a chat line: it removes control characters, replaces characters that Windows-1252 does not contain by
// '?', and truncates the line to the length of the client's chat box.
func cleanChat(text string) string { return strings.TrimSpace(chatText(text)) }
