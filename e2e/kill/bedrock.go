//go:build linux

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

// chunks caches the chunks of the world that clients have received. All Bedrock clients of the test share it.
var chunks bedrock.ChunkCache

// bedrockPlayer is a Bedrock client. The client predicts its own position, and the server tells it only corrections. So the
// position of the player on the server is known only from what other clients receive (see test.placeAsSeen).
type bedrockPlayer struct {
	crowd  *crowd
	number int
	key    *ecdsa.PrivateKey

	client *bedrock.Client
	end    context.CancelFunc
	over   chan error // result of Play

	fight  bedrock.Fight
	wander bedrock.Wander
	trip   play.Trip
	home   *truth.Area // the player wanders around the middle of this area; nil before the first tick
}

func (p *bedrockPlayer) name() string { return fmt.Sprintf("Be%04d", p.number) }

func (p *bedrockPlayer) join(ctx context.Context) (err error) {
	if p.key == nil {
		if p.key, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader); err != nil {
			return err
		}
	}
	p.trip, p.home = play.Trip{}, nil
	c, err := bedrock.Dial(ctx, p.crowd.server.Addresses["bedrock"], bedrock.Options{
		Name: p.name(), Key: p.key, Chunks: &chunks, Seed: p.crowd.seedOf(2, p.number),
	})
	if err != nil {
		return err
	}
	p.client = c
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	go func(over chan<- error) { over <- c.Play(playing, p) }(p.over)
	return nil
}

func (p *bedrockPlayer) cut() {
	if p.client != nil {
		p.end()
		p.over <- <-p.over
		go p.client.Close() // the killed server does not answer, so Close waits for a second
	}
}

func (p *bedrockPlayer) playing() error { return play.Err(p.client != nil, p.over) }

func (p *bedrockPlayer) shown() (s shown) {
	if p.client == nil {
		return s
	}
	p.client.Inspect(func(k *bedrock.Session) {
		self := &k.World().Self
		s.area, s.pos = p.crowd.world.AtBlock(k.Predictor().State().Pos)
		s.health, s.dead = -1, self.Dead
		if self.MaxHealth > 0 {
			s.health = float64(self.Health / self.MaxHealth)
		}
	})
	return s
}

// updates returns the number of packets, because the client is shown no position while no other actor moves.
func (p *bedrockPlayer) updates() uint64 {
	if p.client == nil {
		return 0
	}
	return p.client.Stats(nil).Packets
}

// Act implements bedrock.Behaviour. It walks to other areas, fights and wanders. It is not called while the player is dead.
func (p *bedrockPlayer) Act(a *bedrock.Player) bedrock.Keys {
	area, _ := p.crowd.world.AtBlock(a.Pos())
	if area == nil || p.crowd.holding.Load() {
		return bedrock.Keys{}
	}
	if area != p.home {
		p.home = area
		middle := area.BlockGrid().ToBlocks(geom.Vec{})
		p.wander = bedrock.Wander{Home: &middle, Radius: 18}
		p.fight = bedrock.Fight{AttackPlayers: area.PvP, SearchRadius: 12, Idle: p.wander}
	}
	if goal, ok := p.trip.GoalIn(area, tripPause, time.Now(), a.Rand()); ok {
		return a.KeysToward(area.BlockGrid().ToBlocks(goal))
	}
	if p.number%3 == 0 {
		return p.wander.Act(a)
	}
	return p.fight.Act(a)
}
