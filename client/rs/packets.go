package rs

import (
	"errors"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// take does what a frame says, answers it, and lets the behaviour act on it.
func (c *Client) take(l *link, f proto.Frame) error {
	c.mu.Lock()
	reply, err := c.packet(f, l.heard)
	play := c.play
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
		play.Act(&Player{c: c, now: l.heard})
	}
	return nil
}

// packet changes the world as a frame says. reply is to be sent, nil for none. An error is the end of the connection.
func (c *Client) packet(f proto.Frame, at time.Time) (reply proto.Packet, err error) {
	if f.Op == proto.ServerPlayerInfo {
		c.counts.Infos++
		return nil, c.playerInfo(f.Body, at)
	}
	c.counts.Packets++
	switch f.Op {
	case proto.ServerTickEnd:
	case proto.ServerRebuildNormal, proto.ServerRebuildRegion:
		return c.rebuild(f), nil
	case proto.ServerSendPing:
		c.counts.Pings++
		p, err := proto.ParseSendPing(f.Body)
		if c.bad(err) {
			return nil, nil
		}
		return proto.SendPingReply(p), nil
	case proto.ServerLogout, proto.ServerLogoutFull:
		return nil, ErrLoggedOut
	case proto.ServerLogoutTransfer:
		p, err := proto.ParseLogoutTransfer(f.Body)
		c.bad(err)
		return nil, &TransferError{World: p.World, Host: p.Host}
	case proto.ServerMessagePublic, proto.ServerMessageGame:
		c.message(f)
	default:
		c.orbs(f)
	}
	return nil, nil
}

// rebuild takes another map. It is ready at once.
func (c *Client) rebuild(f proto.Frame) proto.Packet {
	c.counts.Maps++
	scene, err := parseScene(f.Op, f.Body)
	if c.bad(err) {
		return nil
	}
	c.world.Scene = scene
	return proto.MapBuildComplete{}
}

// message takes a line of text.
func (c *Client) message(f proto.Frame) {
	if f.Op == proto.ServerMessageGame {
		p, err := proto.ParseMessageGame(f.Body)
		if !c.bad(err) {
			c.counts.Messages++
			c.world.read(FormGame, 0, proto.AppendText(nil, p.Text))
		}
		return
	}
	p, err := proto.ParseMessagePublic(f.Body)
	if c.bad(err) {
		return
	}
	c.counts.ChatLines++
	c.world.read(FormChat, p.Index, proto.AppendText(nil, p.Text))
}

// orbs takes what is told of the own player beside the world, and looks at all the rest.
func (c *Client) orbs(f proto.Frame) {
	switch f.Op {
	case proto.ServerUpdateRunEnergy:
		p, err := proto.ParseUpdateRunEnergy(f.Body)
		if !c.bad(err) {
			c.world.Energy = int(p.Percent)
		}
	case proto.ServerVarbitLarge:
		p, err := proto.ParseVarbitLarge(f.Body)
		if !c.bad(err) && p.ID == proto.VarbitLifePoints {
			c.world.Life = int(int32(p.Value))
		}
	case proto.ServerVarpSmall:
		p, err := proto.ParseVarpSmall(f.Body)
		if !c.bad(err) && p.ID == proto.VarpRun {
			c.world.Running = p.Value != 0
		}
	default:
		_, err := proto.Parse(proto.S2C, f.Op, f.Body)
		if errors.Is(err, proto.ErrUnparsed) {
			c.counts.Ignored++
			return
		}
		c.bad(err)
	}
}

// bad counts a packet that could not be read.
func (c *Client) bad(err error) bool {
	if err == nil {
		return false
	}
	c.counts.Bad++
	if c.firstBad == nil {
		c.firstBad = err
	}
	return true
}

// playerInfo takes a PLAYER_INFO payload. The error is a MismatchError.
func (c *Client) playerInfo(payload []byte, at time.Time) error {
	if gap, ok := c.cadence.beat(at); ok {
		_ = c.gaps.RecordValue(min(int64(gap/HistogramUnit), histogramMost)) // in range, so it is never refused
	}
	w := &c.world
	w.Cycle++
	if err := w.players.Apply(payload); err != nil {
		e := mismatch(w.Cycle, payload, err)
		if c.mismatch == nil {
			c.mismatch = e
		}
		return e
	}
	changes := w.players.Changes()
	for k := range changes {
		c.change(&changes[k])
	}
	if !w.Scene.Holds(w.Tile()) {
		c.counts.OffMap++
	}
	return nil
}

// change counts what a packet said of one player.
func (c *Client) change(ch *proto.Change) {
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
		c.block(ch.Index, &c.info)
	}
}

// block counts what extended info said of one player.
func (c *Client) block(who proto.Index, in *proto.Info) {
	for k := range KindCount {
		if in.Has.Has(proto.Kind(k)) {
			c.counts.Blocks[k]++
		}
	}
	if in.Has.Has(proto.KindAppearance) {
		// The bytes are opaque to the packet, so a client finds out only now. Models need the cache.
		if _, err := c.world.Appearance(who); !errors.Is(err, proto.ErrNeedsCache) {
			c.bad(err)
		}
	}
	if in.Has.Has(proto.KindSay) {
		c.counts.Said++
		c.world.read(FormSaid, who, in.Say)
	}
	if in.Has.Has(proto.KindHits) {
		for _, h := range in.Hits {
			c.hit(who, h)
		}
	}
}

func (c *Client) hit(who proto.Index, h proto.Hit) {
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
