package bedrock

import (
	"fmt"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// handleSettings handles NetworkSettings: it enables compression and sends the login.
func (s *Session) handleSettings(p proto.NetworkSettings) error {
	if s.stage != stageSettings {
		return nil
	}
	s.noCompressor, s.threshold = false, int(p.Threshold)
	s.stage = stageHandshake
	request, err := auth.SelfSignedLogin{Name: s.opt.Name, Key: s.opt.Key, Now: time.Now().Unix(), Chain: s.opt.ChainLogin}.Append(nil)
	if err != nil {
		return fmt.Errorf("create the login request: %w", err)
	}
	s.queuePacket(proto.Login{Protocol: s.opt.Version, Request: request})
	return nil
}

// startEncryption processes the server's handshake: it derives the session key and queues the answer, which is the first
// encrypted packet.
func (s *Session) startEncryption(p proto.ServerToClientHandshake) error {
	if s.stage != stageHandshake {
		return nil
	}
	server, salt, err := auth.ParseHandshake(p.Token)
	if err != nil {
		return fmt.Errorf("%w: parse the token in ServerToClientHandshake: %w", ErrServer, err)
	}
	key, err := auth.SessionKey(s.opt.Key, server, salt)
	if err != nil {
		return fmt.Errorf("%w: derive the session key from the public key in ServerToClientHandshake: %w", ErrServer, err)
	}
	s.sealer, s.opener = auth.NewSealer(key), auth.NewOpener(key)
	s.queuePacket(proto.ClientToServerHandshake{})
	return nil
}

// handleStatus processes a PlayStatus packet, by which the server accepts the login, ends the loading screen or refuses the
// login.
func (s *Session) handleStatus(p proto.PlayStatus) error {
	switch p.Status {
	case proto.StatusLoginOK:
		if s.stage == stageHandshake {
			s.stage = stagePacks
			s.queuePacket(proto.ClientCacheStatus{})
		}
	case proto.StatusSpawn:
		if s.stage == stageStart {
			s.stage = stagePlay
			s.queuePacket(proto.SetLocalPlayerAsInitialized{Runtime: s.world.Self.RuntimeID})
		}
	case proto.StatusServerFull:
		return ErrFull
	default:
		return fmt.Errorf("%w: the answer to the login is PlayStatus %d, %v", ErrVersion, p.Status, p.Status)
	}
	return nil
}

// respondPacks answers the server's list of resource packs with a status. The client downloads no packs.
func (s *Session) respondPacks(status proto.PackStatus) {
	if s.stage == stagePacks {
		s.queuePacket(proto.ResourcePackClientResponse{Status: status, Name: status.Name()})
	}
}

// startGame places the player at the position in the packet and numbers the client's ticks from the server's tick on. It
// ignores the packet unless the login is at the step of the resource packs.
func (s *Session) startGame(p proto.StartGame) error {
	if s.stage != stagePacks {
		return nil
	}
	if !p.BlockNetworkIDsAreHashes {
		return fmt.Errorf("%w: StartGame.BlockNetworkIDsAreHashes is false, but this client knows blocks only by their hashes", ErrServer)
	}
	if p.Tick < 0 {
		p.Tick = 0
	}
	feet := feetOf(vec(p.Position))
	s.predict = NewPredictor(feet, uint64(p.Tick), int(p.RewindHistory), s.opt.Tamper)
	s.predict.Ground().Cache = s.opt.Chunks
	s.predict.setRotation(p.Rotation[0], p.Rotation[1])
	s.world.enter(&p)
	s.stage = stageStart
	s.queuePacket(proto.RequestChunkRadius{Radius: s.opt.Radius, Max: uint8(min(s.opt.Radius, maxRadius))})
	return nil
}

// setRotation sets the player's initial view direction.
func (p *Predictor) setRotation(pitch, yaw float32) {
	a := p.history.State()
	a.Pitch, a.Yaw, a.HeadYaw = pitch, yaw, yaw
	p.history.Reset(p.history.Tick(), a)
	p.keys = keys.InputBuilder{}
	p.keys.Remember(Keys{Pitch: pitch, Yaw: yaw})
}
