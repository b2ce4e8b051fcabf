package rs

import (
	"errors"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// handleFrame applies the packet f to the world and sends the answer, if the packet needs one. After PLAYER_INFO it calls the
// behaviour.
func (c *Client) handleFrame(l *link, f proto.Frame) error {
	c.mu.Lock()
	reply, err := c.handlePacket(f, l.lastRead)
	play := c.behaviour
	c.mu.Unlock()
	if err != nil {
		return err
	}
	if reply != nil {
		if err := l.send(reply); err != nil {
			return &LostError{err}
		}
	}
	if f.Op == proto.ServerPlayerInfo && play != nil {
		play.Act(&Player{c: c, now: l.lastRead})
	}
	return nil
}

// handlePacket applies the packet f to the world. The parameter at is the time at which the packet was received. The result reply
// is the packet to send in answer, nil for none. An error ends the connection.
func (c *Client) handlePacket(f proto.Frame, at time.Time) (reply proto.Packet, err error) {
	if f.Op == proto.ServerPlayerInfo {
		c.counts.Infos++
		return nil, c.handlePlayerInfo(f.Body, at)
	}
	c.counts.Packets++
	switch f.Op {
	case proto.ServerTickEnd:
	case proto.ServerRebuildNormal, proto.ServerRebuildRegion:
		return c.handleRebuild(f), nil
	case proto.ServerSendPing:
		c.counts.Pings++
		p, err := proto.ParseSendPing(f.Body)
		if c.countBad(err) {
			return nil, nil
		}
		return proto.SendPingReply(p), nil
	case proto.ServerLogout, proto.ServerLogoutFull:
		return nil, ErrLoggedOut
	case proto.ServerLogoutTransfer:
		p, err := proto.ParseLogoutTransfer(f.Body)
		c.countBad(err)
		return nil, &TransferError{World: p.World, Host: p.Host}
	case proto.ServerMessagePublic, proto.ServerMessageGame:
		c.handleMessage(f)
	default:
		c.handleStatus(f)
	}
	return nil, nil
}

// handleRebuild sets the new map. It returns the packet that confirms the map to the server, or nil if f could not be parsed.
func (c *Client) handleRebuild(f proto.Frame) proto.Packet {
	c.counts.Maps++
	scene, err := parseScene(f.Op, f.Body)
	if c.countBad(err) {
		return nil
	}
	c.world.Scene = scene
	return proto.MapBuildComplete{}
}

// handleMessage adds a chat line, or a message of the server, to the lines of the world.
func (c *Client) handleMessage(f proto.Frame) {
	if f.Op == proto.ServerMessageGame {
		p, err := proto.ParseMessageGame(f.Body)
		if !c.countBad(err) {
			c.counts.Messages++
			c.addLine(LineGame, 0, proto.AppendText(nil, p.Text))
		}
		return
	}
	p, err := proto.ParseMessagePublic(f.Body)
	if c.countBad(err) {
		return
	}
	c.counts.ChatLines++
	c.addLine(LineChat, p.Index, proto.AppendText(nil, p.Text))
}

// addLine adds a line of text in Windows-1252 to the world, and passes it to Config.Line.
func (c *Client) addLine(form TextLineKind, who proto.Index, text []byte) {
	c.world.addLine(form, who, text)
	if c.cfg.Line != nil {
		c.cfg.Line(&c.world, TextLine{c.world.Cycle, form, who, proto.TextString(text)})
	}
}

// handleStatus updates the run energy, the life points and the run setting of the own player. It parses other packets only to
// count those that are malformed.
func (c *Client) handleStatus(f proto.Frame) {
	switch f.Op {
	case proto.ServerUpdateRunEnergy:
		p, err := proto.ParseUpdateRunEnergy(f.Body)
		if !c.countBad(err) {
			c.world.Energy = int(p.Percent)
		}
	case proto.ServerVarbitLarge:
		p, err := proto.ParseVarbitLarge(f.Body)
		if !c.countBad(err) && p.ID == proto.VarbitLifePoints {
			c.world.Life = int(int32(p.Value))
		}
	case proto.ServerVarpSmall:
		p, err := proto.ParseVarpSmall(f.Body)
		if !c.countBad(err) && p.ID == proto.VarpRun {
			c.world.Running = p.Value != 0
		}
	default:
		_, err := proto.Parse(proto.S2C, f.Op, f.Body)
		if errors.Is(err, proto.ErrUnparsed) {
			c.counts.Ignored++
			return
		}
		c.countBad(err)
	}
}

// countBad counts a packet that could not be parsed. The parameter err is the error of the parser; if it is nil, countBad does
// nothing and returns false.
func (c *Client) countBad(err error) bool {
	if err == nil {
		return false
	}
	c.counts.Bad++
	if c.firstParseError == nil {
		c.firstParseError = err
	}
	return true
}

// handlePlayerInfo updates the players of the world from the payload of a PLAYER_INFO packet. The error is a MismatchError: the
// game client could not decode the packet.
func (c *Client) handlePlayerInfo(payload []byte, at time.Time) error {
	if gap, ok := c.cadence.record(at); ok {
		_ = c.gaps.RecordValue(min(int64(gap/HistogramUnit), histogramMax)) // cannot fail: the value is in range
	}
	w := &c.world
	w.Cycle++
	if err := w.players.Apply(payload); err != nil {
		e := newMismatchError(w.Cycle, payload, err)
		if c.mismatch == nil {
			c.mismatch = e
		}
		return e
	}
	changes := w.players.Changes()
	for k := range changes {
		c.countChange(&changes[k])
	}
	if !w.Scene.Contains(w.Tile()) {
		c.counts.OffMap++
	}
	return nil
}

// countChange counts how a player moved, appeared or disappeared in a PLAYER_INFO packet, and its extended info.
func (c *Client) countChange(ch *proto.PlayerChange) {
	switch ch.Kind {
	case proto.ChangeWalk:
		c.counts.Walks++
	case proto.ChangeRun:
		c.counts.Runs++
	case proto.ChangeTeleport:
		c.counts.Teleports++
		if ch.Index == c.world.Self() {
			c.counts.Jumps++
		}
	case proto.ChangeAdd:
		c.counts.Added++
	case proto.ChangeRemove:
		c.counts.Removed++
	case proto.ChangeReplace:
		c.counts.Added++
		c.counts.Removed++
	}
	if ch.Block && c.world.players.Info(ch.Index, &c.info) {
		c.countBlock(ch.Index, &c.info)
	}
}

// countBlock counts the extended info (appearance, hits, chat and more) that a packet carries for one player.
func (c *Client) countBlock(who proto.Index, in *proto.Info) {
	for k := range KindCount {
		if in.Has.Has(proto.InfoKind(k)) {
			c.counts.Blocks[k]++
		}
	}
	if in.Has.Has(proto.KindAppearance) {
		// Appearances are parsed here to count malformed ones, because the decoder of packets does not parse them. ErrNeedsCache
		// does not count: the appearance is valid, but only clients with the game's data files can parse it.
		if _, err := c.world.Appearance(who); !errors.Is(err, proto.ErrNeedsCache) {
			c.countBad(err)
		}
	}
	if in.Has.Has(proto.KindSay) {
		c.counts.Said++
		c.addLine(LineOverhead, who, in.Say)
	}
	if in.Has.Has(proto.KindHits) {
		for _, h := range in.Hits {
			c.recordHit(who, h)
		}
	}
}

func (c *Client) recordHit(who proto.Index, h proto.Hit) {
	*c.world.hits.next() = Hit{Cycle: c.world.Cycle, Who: who, Hit: h}
	if h.Hidden || h.Amount == 0 {
		c.counts.Misses++
		return
	}
	c.counts.Hits++
	c.counts.Damage += uint64(h.Amount)
	if who == c.world.Self() {
		c.counts.DamageTaken += uint64(h.Amount)
	}
}
