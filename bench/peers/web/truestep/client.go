package main

import (
	"fmt"
	"sync"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/webscene"
	"github.com/truestep-io/truestep/proto/web"
)

// client receives the motion of a crowd.
type client struct {
	actors int
	schema web.Schema

	mu     sync.Mutex // guards reader
	reader *web.Reader
}

func newClient(actors int, scene *crowd.Scene) *client {
	c := &client{actors: actors, schema: webscene.SchemaOf(scene)}
	c.reader = web.NewReader(&c.schema)
	return c
}

// state returns the values of all actors that the client knows, as a client of the web door draws them.
func (c *client) state() any {
	c.mu.Lock()
	defer c.mu.Unlock()
	all, values := []int32{}, make([]int32, len(c.schema.Kinds[0].Fields))
	for h := range c.actors {
		if present, _ := c.reader.StateAtNewest(uint16(h), values); present {
			all = append(all, values...)
		}
	}
	return all
}

// play reads messages and snapshots until the connection ends. It acknowledges the snapshots.
func (c *client) play(l link) error {
	hello := []byte{1} // any content, which the server ignores
	if err := l.control(hello); err != nil {
		return err
	}
	for entered := 0; ; {
		b, err := l.receive()
		if err != nil {
			return err
		}
		if len(b) > 0 && b[0]&web.KindSnapshot != 0 {
			if err := c.snapshot(l, b); err != nil {
				return err
			}
			continue
		}
		m, err := web.ParseServerMessage(b)
		if err != nil {
			return err
		}
		e, ok := m.(*web.Enter)
		if !ok {
			return fmt.Errorf("the server sent the message %T instead of *web.Enter", m)
		}
		c.mu.Lock()
		err = c.reader.Enter(e.Handle, e.Kind, e.State)
		c.mu.Unlock()
		if err != nil {
			return err
		}
		if entered++; entered == c.actors {
			if err := l.control(hello); err != nil {
				return err
			}
		}
	}
}

func (c *client) snapshot(l link, b []byte) error {
	c.mu.Lock()
	_, ok, err := c.reader.Read(b, func(uint16, []int32) {})
	ack := web.Ack{ReceivedSnapshots: c.reader.Received()}
	c.mu.Unlock()
	if err != nil || !ok || l.ordered() {
		return err
	}
	return l.datagram(ack.Append(nil))
}
