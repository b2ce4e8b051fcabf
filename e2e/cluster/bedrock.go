//go:build linux

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

// chunks caches the chunks of the world that clients have received. All Bedrock clients of the test share it.
var chunks bedrock.ChunkCache

// bedrockPlayer is a Bedrock client.
type bedrockPlayer struct {
	common
	key *ecdsa.PrivateKey

	client atomic.Pointer[bedrock.Client]
	end    context.CancelFunc
	over   chan error // result of Play
	fight  bedrock.Fight
	around *truth.Area // the idle player wanders around the middle of this area; nil before the first tick
}

func (p *bedrockPlayer) join(ctx context.Context, n *node) (err error) {
	if p.key == nil {
		if p.key, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader); err != nil {
			return err
		}
	}
	p.node, p.trip, p.around = n, play.Trip{}, nil
	newest := p.connects()
	c, err := bedrock.Dial(ctx, n.Addresses["bedrock"], bedrock.Options{
		Name: p.name, Key: p.key, Chunks: &chunks, Seed: p.seed, Chat: func(_, text string) {
			if newest() {
				p.listen(text)
			}
		},
	})
	if err != nil {
		return err
	}
	p.client.Store(c)
	p.shows(func() uint64 { return c.Stats(nil).Updates })
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	go func(over chan<- error) { over <- c.Play(playing, p) }(p.over)
	return nil
}

func (p *bedrockPlayer) cut() {
	if p.client.Load() != nil {
		p.end()
		p.over <- <-p.over
		go p.client.Load().Close() // a killed server does not answer, so Close waits for a second
	}
}

func (p *bedrockPlayer) abandon() *staleConn {
	p.end()
	p.over <- <-p.over
	p.joins.Add(1)
	c := p.client.Load()
	return newStale(p, func(ctx context.Context) error {
		defer func() { go c.Close() }()
		return c.Play(ctx, nil)
	})
}

func (*bedrockPlayer) door() string { return "Bedrock" }

func (*bedrockPlayer) logout() func() { return nil }

func (p *bedrockPlayer) playing() error { return play.Err(p.client.Load() != nil, p.over) }

func (p *bedrockPlayer) shown() (s shown) {
	if p.client.Load() == nil {
		return s
	}
	p.client.Load().Inspect(func(k *bedrock.Session) {
		s.area, s.pos = p.crowd.world.AtBlock(k.Predictor().State().Pos)
		s.dead = k.World().Self.Dead
	})
	return s
}

func (p *bedrockPlayer) corrections() (c corrections) {
	if p.client.Load() != nil {
		p.client.Load().Inspect(func(k *bedrock.Session) {
			n := k.Predictor().Counts()
			c = corrections{n.Unexpected, n.MaxUnexpected}
		})
	}
	return c
}

// Act implements bedrock.Behaviour. It says chat lines, and walks to other areas, fights and wanders. It is not called while the
// player is dead.
func (p *bedrockPlayer) Act(a *bedrock.Player) bedrock.Keys {
	area, _ := p.crowd.world.AtBlock(a.Pos())
	if area == nil || p.still() {
		return bedrock.Keys{}
	}
	if text, ok := p.lineDue(time.Now(), a.Rand()); ok {
		a.Say(text)
	}
	if area != p.around {
		p.around = area
		middle := area.BlockGrid().ToBlocks(geom.Vec{})
		p.fight = bedrock.Fight{Exclude: func(a *bedrock.Actor) bool { return isAnimal(a.Name) }, SearchRadius: 12, Idle: bedrock.Wander{Home: &middle, Radius: 12}}
	}
	if goal, ok := p.goalIn(area, time.Now(), a.Rand()); ok {
		return a.KeysToward(area.BlockGrid().ToBlocks(goal))
	}
	return p.fight.Act(a)
}
