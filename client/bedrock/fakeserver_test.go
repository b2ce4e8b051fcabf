package bedrock

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// fakeServer is a minimal server for one player: it performs the login (docs/wire/bedrock.md), sends the terrain, and
// simulates inputs. It is not safe for concurrent use and reports failures in err.
type fakeServer struct {
	version proto.Version
	blocks  *terrain.Blocks
	refuse  proto.PlayStatusCode // status of the answer to the first packet; StatusLoginOK continues the login
	key     *ecdsa.PrivateKey

	name        string // name of the logged-in player
	plain       bool
	sealer      *auth.Sealer
	opener      *auth.Opener
	salt        []byte
	packetOrder []proto.ID // types of received packets in order; PlayerAuthInput is recorded only once
	received    map[proto.ID]proto.Packet
	inputs      int
	player      *authority
	writer      proto.BatchWriter
	err         error
}

func newFakeServer(blocks *terrain.Blocks) *fakeServer {
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	return &fakeServer{
		version: version, blocks: blocks, key: key, err: err, plain: true, salt: []byte("0123456789abcdef"),
		received: map[proto.ID]proto.Packet{}, player: newAuthority(blocks),
	}
}

func (d *fakeServer) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *fakeServer) queue(p proto.Packet) { d.writer.Add(p, d.version) }

// receive handles a message of the client.
func (d *fakeServer) receive(message []byte, send func([]byte)) {
	if len(message) == 0 || message[0] != proto.BatchID {
		d.fail("message %x", message)
		return
	}
	batch, err := append([]byte(nil), message[1:]...), error(nil)
	if d.opener != nil {
		if batch, err = d.opener.Open(batch); err != nil {
			d.fail("%w", err)
			return
		}
	}
	if !d.plain {
		if batch, err = new(proto.Inflater).Decompress(nil, batch, proto.MaxLoginBatch); err != nil {
			d.fail("%w", err)
			return
		}
	}
	if err := proto.EachPacket(batch, proto.MaxBatchPackets, func(b []byte) error { return d.packet(b, send) }); err != nil {
		d.fail("%w", err)
	}
	d.flush(send)
}

// flush sends the queued packets as one batch.
func (d *fakeServer) flush(send func([]byte)) {
	for _, b := range d.player.out {
		d.writer.AddBytes(b)
	}
	d.player.out = nil
	if d.writer.PacketCount() == 0 {
		return
	}
	b := []byte{proto.BatchID}
	if d.plain {
		b = append(b, d.writer.Bytes()...)
	} else {
		b = new(proto.Deflater).Compress(b, d.writer.Bytes(), 256)
	}
	if d.sealer != nil {
		b = d.sealer.Seal(b[:1], b[1:])
	}
	d.writer.Reset()
	send(b)
}

func (d *fakeServer) packet(b []byte, send func([]byte)) error {
	id, _, _, body, err := proto.ParseHeader(b)
	if err != nil {
		return err
	}
	row, ok := proto.Lookup(id)
	if !ok {
		return fmt.Errorf("packet %d: %w", id, proto.ErrUnknownPacket)
	}
	p, err := row.Parse(append([]byte(nil), body...), d.version)
	if err != nil {
		return err
	}
	if d.received[id] == nil || id != proto.IDPlayerAuthInput {
		d.packetOrder = append(d.packetOrder, id)
	}
	d.received[id] = p
	switch p := p.(type) {
	case proto.RequestNetworkSettings:
		d.settings(p, send)
	case proto.Login:
		return d.login(p, send)
	case proto.ClientToServerHandshake:
		d.queue(proto.PlayStatus{Status: proto.StatusLoginOK})
		d.queue(proto.ResourcePacksInfo{})
	case proto.ResourcePackClientResponse:
		if p.Status == proto.PacksDownloaded {
			d.queue(proto.ResourcePackStack{GameVersion: "*"})
		} else {
			d.enterWorld()
		}
	case proto.PlayerAuthInput:
		d.input(&p)
	case proto.NetworkStackLatency:
		d.player.state.AckBarrier(uint32(p.Timestamp))
	}
	return nil
}

func (d *fakeServer) settings(p proto.RequestNetworkSettings, send func([]byte)) {
	if d.refuse != proto.StatusLoginOK {
		d.queue(proto.PlayStatus{Status: d.refuse})
		return
	}
	d.version = p.Protocol
	d.queue(proto.NetworkSettings{Threshold: 256})
	d.flush(send)
	d.plain = false
}

func (d *fakeServer) login(p proto.Login, send func([]byte)) error {
	req, err := auth.ParseConnectionRequest(p.Request)
	if err != nil {
		return err
	}
	who, _, err := auth.VerifyLogin(req, auth.LoginPolicy{}, time.Now().Unix())
	if err != nil {
		return err
	}
	d.name = who.Name
	token, err := auth.NewHandshake(d.key, d.salt)
	if err != nil {
		return err
	}
	d.queue(proto.ServerToClientHandshake{Token: token})
	d.flush(send)
	key, err := auth.SessionKey(d.key, who.Key, d.salt)
	if err != nil {
		return err
	}
	d.sealer, d.opener = auth.NewSealer(key), auth.NewOpener(key)
	return nil
}

// enterWorld sends StartGame and the packets that put the player into the world.
func (d *fakeServer) enterWorld() {
	game := proto.PlainStartGame(d.version)
	game.Runtime, game.Unique, game.Position, game.WorldName = ownID, ownID, vec3(eyeOf(start)), "vale"
	d.queue(game)
	d.queue(proto.ItemRegistry{})
	d.queue(proto.NetworkChunkPublisherUpdate{Center: proto.BlockPos{0, 64, 0}, Radius: 32})
	eachChunk(d.blocks, 2, func(c proto.LevelChunk) { d.queue(c) })
	d.queue(healthUpdate(20))
	d.queue(proto.PlayStatus{Status: proto.StatusSpawn})
}

func healthUpdate(points float32) proto.UpdateAttributes {
	return proto.UpdateAttributes{Runtime: ownID, Attributes: []proto.Attribute{
		{Name: proto.AttributeHealth, Max: 20, Current: points, Default: 20},
	}}
}

func (d *fakeServer) input(p *proto.PlayerAuthInput) {
	d.inputs++
	in := inputOf(p)
	if d.player.policy.Admit(&d.player.state, &in) == reason.None {
		d.player.process(&in)
	}
}

// otherPlayer returns the packet that shows another player, at ground level.
func otherPlayer(id uint64, name string, x, z float32) proto.AddPlayer {
	return proto.AddPlayer{
		Name: name, Runtime: id, Position: proto.Vec3{x, 64, z}, Abilities: proto.PlayerAbilities{Unique: int64(id)},
	}
}
