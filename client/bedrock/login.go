package bedrock

import (
	"fmt"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// settings begins the compression and sends the login.
func (s *Session) settings(p proto.NetworkSettings) error {
	if s.stage != stageSettings {
		return nil
	}
	s.plain, s.threshold = false, int(p.Threshold)
	s.stage = stageHandshake
	request, err := auth.SelfSigned{Name: s.opt.Name, Key: s.opt.Key, Now: time.Now().Unix(), Chain: s.opt.OldLogin}.Append(nil)
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	s.queue(proto.Login{Protocol: s.opt.Version, Request: request})
	return nil
}

// handshake begins the encryption. The answer is the first encrypted batch.
func (s *Session) handshake(p proto.ServerToClientHandshake) error {
	if s.stage != stageHandshake {
		return nil
	}
	server, salt, err := auth.ParseHandshake(p.Token)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	key, err := auth.SessionKey(s.opt.Key, server, salt)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	s.sealer, s.opener = auth.NewSealer(key), auth.NewOpener(key)
	s.queue(proto.ClientToServerHandshake{})
	return nil
}

// status goes on with the login, or ends it.
func (s *Session) status(p proto.PlayStatus) error {
	switch p.Status {
	case proto.StatusLoginOK:
		if s.stage == stageHandshake {
			s.stage = stagePacks
			s.queue(proto.ClientCacheStatus{})
		}
	case proto.StatusSpawn:
		if s.stage == stageStart {
			s.stage = stagePlay
			s.queue(proto.SetLocalPlayerAsInitialized{Runtime: s.world.Self.RuntimeID})
		}
	case proto.StatusServerFull:
		return ErrFull
	default:
		return fmt.Errorf("%w: status %d", ErrVersion, p.Status)
	}
	return nil
}

// packs answers that there is nothing to download.
func (s *Session) packs(status proto.PackStatus) {
	if s.stage == stagePacks {
		s.queue(proto.ResourcePackClientResponse{Status: status, Name: status.Name()})
	}
}

// startGame puts the player into the world. Its ticks go on from the server's.
func (s *Session) startGame(p proto.StartGame) error {
	if s.stage != stagePacks {
		return nil
	}
	if !p.BlockNetworkIDsAreHashes {
		return fmt.Errorf("%w: it names blocks by its own numbers", ErrServer)
	}
	if p.Tick < 0 {
		p.Tick = 0
	}
	feet := feetOf(vec(p.Position))
	s.predict = NewPredictor(feet, uint64(p.Tick), int(p.RewindHistory), s.opt.Tamper)
	s.predict.Ground().Cache = s.opt.Chunks
	s.predict.face(p.Rotation[0], p.Rotation[1])
	s.world.enter(&p)
	s.stage = stageStart
	s.queue(proto.RequestChunkRadius{Radius: s.opt.Radius, Max: uint8(min(s.opt.Radius, mostRadius))})
	return nil
}

// face turns the player where the server says that it looks at first.
func (p *Predictor) face(pitch, yaw float32) {
	a := p.history.State()
	a.Pitch, a.Yaw, a.HeadYaw = pitch, yaw, yaw
	p.history.Reset(p.history.Tick(), a)
	p.hands = hands{was: Keys{Pitch: pitch, Yaw: yaw}}
}
