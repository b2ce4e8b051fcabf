package main

import (
	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
)

// newDoors are the doors of this program, in the order in which it shows them. A new door is added here.
func newDoors() []gateway.Door {
	return []gateway.Door{rcce.NewDoor(), rs.NewDoor(), bedrock.NewDoor()}
}

// doorFlags are the settings of every door, which each door declares itself.
type doorFlags struct {
	kong.Plugins
	list []gateway.Door
}

// newDoorFlags lets the command line fill the settings of doors.
func newDoorFlags(list []gateway.Door) doorFlags {
	f := doorFlags{list: list}
	for _, d := range list {
		f.Plugins = append(f.Plugins, d.Settings())
	}
	return f
}

func (f *doorFlags) doors() []gateway.Door { return f.list }
