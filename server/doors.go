package server

import (
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
)

// Doors returns a new, closed door with default settings for every protocol, in the order in which programs list them.
// This is the only list of all doors.
func Doors() []gateway.Door {
	return []gateway.Door{rcce.NewDoor(), rs.NewDoor(), bedrock.NewDoor(), web.NewDoor()}
}

// OnlyWeb configures a server for web players only: it replaces the doors by the web door at addr, HOST:PORT, and turns the
// console and the metrics off. It does nothing if addr is "".
func (c *Config) OnlyWeb(addr string) {
	if addr == "" {
		return
	}
	d := web.NewDoor()
	d.Web = addr
	c.Doors, c.Console, c.Metrics = []gateway.Door{d}, gateway.Off, gateway.Off
}
