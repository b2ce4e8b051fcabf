package rs_test

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/rs"
)

// A server of revision 667 sends two cycles to one client. The rows of the scene are the players' indices.
func Example() {
	scene := rs.NewScene(rs.Profile667)
	scene.Add(1, 1001, rs.Tile{X: 3200, Z: 3200}) // row, id of the avatar, tile
	scene.Add(2, 1002, rs.Tile{X: 3205, Z: 3210})

	viewer := rs.NewViewer(scene, 1) // one for each client
	client, _ := rs.NewPlayerInfoDecoder(rs.Profile667, 1, viewer.AppendPlacement(nil, scene))

	var enc rs.PlayerInfoEncoder // one for each goroutine
	sees := rs.NewRowSet(scene.RowCount())
	sees.Add(2) // rows that viewer 1 shall see, usually selected by distance
	for range 2 {
		scene.SetInfo(2, &rs.Info{Has: rs.InfoKindsOf(rs.KindSay), Say: []byte("hello")})
		scene.Prepare()
		packet, err := enc.Encode(nil, scene, viewer, sees, rs.PacketLimits{})
		viewer.Commit() // the packet is now in the client's stream
		scene.Advance()

		err2 := client.Apply(packet) // the client side, for tests
		at, _ := client.Local(2)
		fmt.Printf("%x %v %v %v\n", packet, at, err, err2)
		scene.Move(2, rs.Tile{X: 3206, Z: 3210}, rs.MoveWalk)
	}
	// Output:
	// 009c323214abff80804068656c6c6f00 {3205 3210 0} <nil> <nil>
	// 1b007ff0804068656c6c6f00 {3206 3210 0} <nil> <nil>
}
