package server

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/leaktest"
)

// brokenDoor is a door whose Bind succeeds and whose Open fails.
type brokenDoor struct{ bound, closed bool }

var errBroken = errors.New("no key")

func (d *brokenDoor) Name() string  { return "broken" }
func (d *brokenDoor) Settings() any { return new(struct{}) }
func (d *brokenDoor) Check() error  { return nil }
func (d *brokenDoor) Bind(h *gateway.Host) error {
	d.bound = h.World == nil && h.Hub == nil
	return nil
}
func (d *brokenDoor) Addr() netip.AddrPort                       { return netip.MustParseAddrPort("127.0.0.1:1") }
func (d *brokenDoor) Open(*gateway.Host) error                   { return errBroken }
func (d *brokenDoor) Describe(*gateway.Host) gateway.Description { return gateway.Description{} }
func (d *brokenDoor) Run(context.Context) error                  { return nil }
func (d *brokenDoor) Close() error                               { d.closed = true; return nil }

func TestFailedStartOfProtocolGatewayLeavesNoGoroutine(t *testing.T) {
	defer leaktest.VerifyNone(t, goleak.IgnoreCurrent())
	door := new(brokenDoor)
	cfg := quietConfig(t)
	cfg.Doors = []gateway.Door{door}
	if _, err := Start(t.Context(), cfg); !errors.Is(err, errBroken) || !door.closed {
		t.Errorf("Start returned %v, door closed: %v", err, door.closed)
	}
	if !door.bound {
		t.Error("Bind was given a world or hub, which do not exist yet")
	}
}
