package rs_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
)

var homeTile = proto.Tile{X: 3222, Z: 3218}

func TestLoginSendsCredentialsAndEntersGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		c, p := s.enterGame(7, s.config("Ada"), homeTile)
		if p.login.Build != proto.Revision || p.login.Reconnect || p.details.Username != "Ada" || p.secret.Password != "secret" {
			t.Errorf("login %+v, details %+v, secret %+v", p.login, p.details, p.secret)
		}
		c.Inspect(func(w *rs.World) {
			if w.Self() != 7 || w.Tile() != homeTile || w.LocalCount() != 1 || w.Welcome.MapOwner != "us" || w.Cycle != 0 {
				t.Errorf("own index %d at %v, %d local players, welcome %+v", w.Self(), w.Tile(), w.LocalCount(), w.Welcome)
			}
			if want := (rs.MapBounds{X: 3168, Z: 3168, Tiles: 104}); w.Scene != want || !w.Scene.Contains(homeTile) || w.Scene.Contains(proto.Tile{X: 3272, Z: 3218}) {
				t.Errorf("map %+v, want %+v", w.Scene, want)
			}
		})
	})
}

// After each cycle every client has the server's tiles, appearances, facing, hits and chat.
func TestClientWorldMatchesServerScene(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		a, _ := s.enterGame(1, s.config("Ada"), homeTile)
		b, _ := s.enterGame(2, s.config("Bob"), proto.Tile{X: 3230, Z: 3210})
		s.add(900, "Goblin", proto.Tile{X: 3223, Z: 3219})
		seenA, seenB := notifyCycles(a), notifyCycles(b)
		s.cycle()
		s.scene.Move(2, proto.Tile{X: 3229, Z: 3211}, proto.MoveWalk)
		s.scene.Move(900, proto.Tile{X: 3225, Z: 3219}, proto.MoveWalk)
		s.scene.SetInfo(900, &proto.Info{
			Has:  proto.InfoKindsOf(proto.KindHits, proto.KindSay),
			Hits: []proto.Hit{{Type: 3, Amount: 12, HP: 200}, {Type: 8}}, Say: []byte("ouch"),
		})
		s.scene.SetFacing(2, 900)
		s.cycle()
		seenA.wait(t, 2)
		seenB.wait(t, 2)
		for _, c := range []*rs.Client{a, b} {
			c.Inspect(func(w *rs.World) {
				for row := range proto.Index(2048) {
					got, ok := w.Local(row)
					if want := s.scene.ID(int(row)) != 0; ok != want || ok && got != s.scene.Tile(int(row)) {
						t.Errorf("client %d: row %d at %v %v, want %v", w.Self(), row, got, ok, s.scene.Tile(int(row)))
					}
				}
				if i, ok := w.FindByName("Goblin"); !ok || i != 900 {
					t.Errorf("index of the goblin: %d, found %v", i, ok)
				}
				if !w.IsFacing(2, 900) || w.IsFacing(1, 900) {
					t.Errorf("facing of player 2: %+v", w.State(2))
				}
				hits := w.Hits()
				if len(hits) != 2 || hits[0].Who != 900 || hits[0].Amount != 12 || hits[0].Cycle != 2 {
					t.Errorf("hits %v", hits)
				}
				if lines := w.Lines(); len(lines) != 1 || lines[0] != (rs.TextLine{Cycle: 2, Kind: rs.LineOverhead, Who: 900, Text: "ouch"}) {
					t.Errorf("chat lines %+v", lines)
				}
				n := 0
				for range w.Locals() {
					n++
				}
				if n != 3 || w.LocalCount() != 3 {
					t.Errorf("%d local players iterated, LocalCount %d", n, w.LocalCount())
				}
			})
		}
		n := a.Stats(nil)
		if n.Infos != 2 || n.Hits != 1 || n.Misses != 1 || n.Damage != 12 || n.DamageTaken != 0 || n.Said != 1 ||
			n.Added != 2 || n.Walks != 1 || n.Runs != 1 || n.Blocks[proto.KindAppearance] != 3 || n.Bad != 0 || n.OffMap != 0 {
			t.Errorf("counters %+v", n)
		}
	})
}

func TestEachClientMethodSendsItsRequestPacket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		c, p := s.enterGame(1, s.config("Ada"), homeTile)
		for _, err := range []error{
			c.Walk(3200, 3201, true), c.Attack(900), c.Say("hail"), c.Command("run"), c.Face(3202, 3203), c.Say(strings.Repeat("x", 200)),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		p.expect(proto.MoveGameClick{X: 3200, Z: 3201, Ctrl: true})
		p.expect(proto.OpPlayer{Option: 1, Index: 900})
		p.expect(proto.MessagePublicRequest{Text: "hail"})
		p.expect(proto.ClientCheat{Command: "run"})
		p.expect(proto.FaceSquare{X: 3202, Z: 3203})
		p.expect(proto.MessagePublicRequest{Text: strings.Repeat("x", proto.MaxChatLength)})
		if n := c.Stats(nil); n.Clicks != 1 || n.Attacks != 1 || n.Lines != 2 || n.Commands != 1 {
			t.Errorf("counters %+v", n)
		}
	})
}

func TestStatusChatAndMapPacketsUpdateClientWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		cfg, read := s.config("Ada"), []rs.TextLine(nil)
		cfg.Line = func(_ *rs.World, l rs.TextLine) { read = append(read, l) }
		c, p := s.enterGame(1, cfg, homeTile)
		seen := notifyCycles(c)
		p.send(proto.UpdateRunEnergy{Percent: 73})
		p.send(proto.VarbitLarge{ID: proto.VarbitLifePoints, Value: 990})
		p.send(proto.VarpSmall{ID: proto.VarpRun, Value: 1})
		p.send(proto.MessageGame{Text: "Welcome."})
		p.send(proto.MessagePublic{Index: 1, Text: "hail"})
		p.send(proto.SendPing{A: 5, B: 6})
		p.send(proto.RebuildNormalAround(3300, 3218, proto.Area104, true))
		s.cycle()
		seen.wait(t, 1)
		p.expect(proto.SendPingReply{A: 5, B: 6})
		p.expect(proto.MapBuildComplete{})
		c.Inspect(func(w *rs.World) {
			if w.Energy != 73 || w.Life != 990 || !w.Running || w.Scene.X != 3248 {
				t.Errorf("world %+v", *w)
			}
			lines := w.Lines()
			if len(lines) != 2 || lines[0].Text != "Welcome." || lines[1] != (rs.TextLine{Kind: rs.LineChat, Who: 1, Text: "hail"}) {
				t.Errorf("chat lines %+v", lines)
			}
			if !slices.Equal(read, lines) {
				t.Errorf("Config.Line was called with %+v, want %+v", read, lines)
			}
		})
		// The new map does not contain the own player. The client counts this as an error of the server.
		if n := c.Stats(nil); n.OffMap != 1 || n.Maps != 2 || n.Pings != 1 || n.Messages != 1 || n.ChatLines != 1 {
			t.Errorf("counters %+v", n)
		}
	})
}

func TestRefusedLoginReturnsCodeAndReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		for _, c := range []struct {
			answer proto.Response
			want   string
		}{
			{proto.Response{Code: proto.ResponseCredentials}, "login: login refused with code 3: unknown name or wrong password"},
			{proto.Response{Code: proto.ResponseHop, Body: []byte{9}}, "login: login refused with code 21: the player just left another world; the byte is the number of seconds to wait (09)"},
			{proto.Response{Code: 99}, "login: login refused with code 99"},
			{proto.Response{Code: proto.ResponseReconnect, Body: make([]byte, proto.PlacementSize)}, "login: login refused with code 15"},
		} {
			d := dial(t, s.config("Ada"))
			s.accept().sendBytes(c.answer.Append(nil))
			<-d.done
			refused, ok := errors.AsType[*rs.RefusedError](d.err)
			if !ok || refused.Code != c.answer.Code || !strings.HasPrefix(d.err.Error(), c.want) {
				t.Errorf("Dial: %v, want %s", d.err, c.want)
			}
		}
	})
}

// A queue position and an advert precede the answer; the client reports the end of the advert.
func TestLoginWaitsWhileServerReportsQueueOrAdvert(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		d := dial(t, s.config("Ada"))
		p := s.accept()
		p.sendBytes(proto.Response{Code: proto.ResponseQueue, Body: []byte{0, 3}}.Append(nil))
		p.sendBytes(proto.Response{Code: proto.ResponseAdvert}.Append(nil))
		cipher := p.secret.Keys.ClientCipher()
		var over [1]byte
		if _, err := io.ReadFull(p.conn, over[:]); err != nil || over[0]-uint8(cipher.NextWord()) != proto.RequestAdvertOver {
			t.Fatalf("login after queue and advert: %v, %v", over, err)
		}
		p.in = proto.NewFrameReader(proto.C2S, cipher)
		s.add(1, "Ada", homeTile)
		s.welcome(p, 1)
		d.wait(t)
		p.expect(proto.MapBuildComplete{})
		p.expect(windowStatus)
	})
}

func TestDialReturnsErrAnswerForInvalidLoginAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		for name, answer := range map[string][]byte{
			"welcome":   {byte(proto.ResponseOK), 2, 0, 0},
			"placement": {byte(proto.ResponseReconnect), 0, 9},
		} {
			d := dial(t, s.config("Ada"))
			s.accept().sendBytes(answer)
			<-d.done
			if !errors.Is(d.err, rs.ErrAnswer) {
				t.Errorf("%s: Dial: %v", name, d.err)
			}
		}
		d := dial(t, s.config("Ada"))
		p := s.accept()
		p.sendBytes(proto.Response{Code: proto.ResponseOK, Body: proto.Welcome{Index: 1}.Append(nil)}.Append(nil))
		p.sendFrame(proto.ServerRebuildNormal, make([]byte, proto.PlacementSize))
		<-d.done
		if !errors.Is(d.err, rs.ErrAnswer) {
			t.Errorf("first map without its fields: %v", d.err)
		}
		d = dial(t, s.config("Ada"))
		s.accept().conn.Close()
		<-d.done
		if _, ok := errors.AsType[*rs.LostError](d.err); !ok {
			t.Errorf("connection closed without an answer: %v", d.err)
		}
	})
}

func TestDialRequiresAddressKeyAndUser(t *testing.T) {
	whole := rs.Config{Addr: "127.0.0.1:1", Key: &key().PublicKey, User: "Ada", Password: "secret"}
	for name, strip := range map[string]func(*rs.Config){
		"address":  func(c *rs.Config) { c.Addr = "" },
		"key":      func(c *rs.Config) { c.Key = nil },
		"user":     func(c *rs.Config) { c.User = "" },
		"password": func(c *rs.Config) { c.Password = "" },
	} {
		c := whole
		strip(&c)
		if _, err := rs.Dial(t.Context(), c); !errors.Is(err, rs.ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDialStopsWhenContextIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := rs.Dial(ctx, s.config("Ada"))
			done <- err
		}()
		s.accept() // the server does not answer
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A PLAYER_INFO packet that the original client could not decode ends the connection. The error contains the bit at which
// decoding failed, and the packet's payload.
func TestInvalidPlayerInfoPacketEndsConnectionAndErrorContainsBit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		c, p := s.enterGame(1, s.config("Ada"), homeTile)
		seen := notifyCycles(c)
		s.cycle()
		seen.wait(t, 1)
		p.sendFrame(proto.ServerPlayerInfo, []byte{0b0_01_00001, 0, 0}) // a run of two idle local players, although the client has only one
		err := waitDone(t, c)
		bad, ok := errors.AsType[*rs.MismatchError](err)
		if !ok || bad.Cycle != 2 || bad.Bit != 8 || !errors.Is(err, proto.ErrNSN0) || len(bad.Payload) != 3 || c.Mismatch() != bad {
			t.Errorf("client ended with %+v", err)
		}
		if !strings.Contains(err.Error(), "PLAYER_INFO packet 2 (3 bytes): pass 1, index 1, bit 8: nsn0") {
			t.Error(err)
		}
	})
}

// An unknown opcode means that the ciphers are out of step; a reconnect would not help.
func TestUnknownOpcodeEndsConnectionWithoutReconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		cfg := s.config("Ada")
		cfg.Reconnect = true
		c, p := s.enterGame(1, cfg, homeTile)
		cipher := p.secret.Keys.ServerCipher()
		cipher.NextWord() // skip the random word that masks the opcode of the first map
		p.sendBytes([]byte{128 + 3 + uint8(cipher.NextWord()), 232 + uint8(cipher.NextWord())})
		if err := waitDone(t, c); !errors.Is(err, proto.ErrOpcode) || c.FirstParseError() != err || !strings.Contains(err.Error(), "opcode 1000") {
			t.Error(err)
		}
	})
}

func TestUnparsablePacketsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		c, p := s.enterGame(1, s.config("Ada"), homeTile)
		seen := notifyCycles(c)
		p.sendFrame(proto.ServerUpdateStat, []byte{0, 0xff, 0, 0, 0, 0}) // skill 127 does not exist
		p.sendFrame(proto.ServerMessagePublic, []byte{0})
		p.sendFrame(proto.ServerNPCInfo, []byte{0})
		s.scene.SetInfo(1, &proto.Info{Has: proto.InfoKindsOf(proto.KindAppearance), Appearance: []byte{1, 2, 3}})
		s.cycle()
		seen.wait(t, 1)
		if n := c.Stats(nil); n.Bad != 3 || n.Ignored != 1 || c.FirstParseError() == nil || !strings.Contains(c.FirstParseError().Error(), "UPDATE_STAT") {
			t.Errorf("%d bad, %d ignored packets, first error %v", n.Bad, n.Ignored, c.FirstParseError())
		}
	})
}

func TestLogoutSendsClickOnLogoutButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		c, p := s.enterGame(1, s.config("Ada"), homeTile)
		done := make(chan error, 1)
		go func() { done <- c.Logout(context.Background()) }()
		p.expect(proto.IfButton{Option: 1, Component: proto.ComponentOf(182, 13), Object: proto.None, Sub: proto.None})
		p.send(proto.LogoutFull{})
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := c.Walk(1, 1, false); !errors.Is(err, rs.ErrOffline) {
			t.Error(err)
		}
	})
}

func TestErrReturnsReasonWhyClientEnded(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(c *rs.Client, p *peer)
		want func(error) bool
	}{
		"logged out": {func(_ *rs.Client, p *peer) { p.send(proto.Logout{}) }, func(err error) bool { return errors.Is(err, rs.ErrLoggedOut) }},
		"transfer": {func(_ *rs.Client, p *peer) { p.send(proto.LogoutTransfer{World: 3, Host: "w3"}) }, func(err error) bool {
			e, ok := errors.AsType[*rs.TransferError](err)
			return ok && *e == rs.TransferError{World: 3, Host: "w3"}
		}},
		"lost": {func(_ *rs.Client, p *peer) { _ = p.conn.(*netsim.StreamConn).CloseWrite() }, func(err error) bool {
			_, ok := errors.AsType[*rs.LostError](err)
			return ok && errors.Is(err, io.EOF)
		}},
		"killed": {func(c *rs.Client, _ *peer) { c.Kill() }, func(err error) bool { return errors.Is(err, rs.ErrKilled) }},
		"closed": {func(c *rs.Client, _ *peer) { c.Close(); c.Close() }, func(err error) bool { return errors.Is(err, rs.ErrClosed) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := listen(t)
				client, p := s.enterGame(1, s.config("Ada"), homeTile)
				c.do(client, p)
				if err := waitDone(t, client); !c.want(err) {
					t.Error(err)
				}
			})
		})
	}
}

// acceptReconnect accepts a new connection, by which the client of the connection old resumes its session, and answers with the
// positions of all players.
func (s *server) acceptReconnect(old *peer) *peer {
	s.t.Helper()
	p := s.accept()
	if !p.login.Reconnect {
		s.t.Fatal("login without the reconnect flag")
	}
	p.viewer = old.viewer
	p.viewer.Reset(s.scene)
	for i := range s.peers {
		if s.peers[i] == old {
			s.peers[i] = p
		}
	}
	p.sendBytes(proto.Response{Code: proto.ResponseReconnect, Body: p.viewer.AppendPlacement(nil, s.scene)}.Append(nil))
	return p
}

func TestReconnectingClientResumesItsSession(t *testing.T) {
	for name, byItself := range map[string]bool{"manual": false, "automatic": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := listen(t)
				cfg := s.config("Ada")
				cfg.Reconnect = byItself
				c, p := s.enterGame(1, cfg, homeTile)
				s.add(2, "Bob", proto.Tile{X: 3220, Z: 3218})
				seen := notifyCycles(c)
				s.cycle()
				seen.wait(t, 1)
				done := make(chan error, 1)
				if byItself {
					c.Kill()
					done <- nil
				} else {
					go func() { done <- c.Reconnect(context.Background()) }()
				}
				again := s.acceptReconnect(p)
				if again.secret.Keys == p.secret.Keys {
					t.Error("both connections use the same keys")
				}
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				again.expect(windowStatus)
				s.scene.Move(2, proto.Tile{X: 3221, Z: 3219}, proto.MoveWalk)
				s.cycle()
				seen.wait(t, 2)
				c.Inspect(func(w *rs.World) {
					if at, ok := w.Local(2); !ok || at != s.scene.Tile(2) || w.Tile() != homeTile {
						t.Errorf("Bob is at %v %v, own player at %v", at, ok, w.Tile())
					}
					if i, ok := w.FindByName("Bob"); i != 2 || !ok {
						t.Error("appearance lost by the reconnect")
					}
				})
				if n := c.Stats(nil); n.Reconnects != 1 || n.Infos != 2 || n.Missed != 0 {
					t.Errorf("counters %+v", n)
				}
				if c.Err() != nil {
					t.Error(c.Err())
				}
			})
		})
	}
}

func TestRefusedReconnectEndsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		cfg := s.config("Ada")
		cfg.Reconnect = true
		c, _ := s.enterGame(1, cfg, homeTile)
		c.Kill()
		s.accept().sendBytes([]byte{byte(proto.ResponseSession)})
		err := waitDone(t, c)
		if refused, ok := errors.AsType[*rs.RefusedError](err); !ok || refused.Code != proto.ResponseSession || !errors.Is(err, rs.ErrKilled) {
			t.Error(err)
		}
	})
}

func TestCloseStopsAutomaticReconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listen(t)
		cfg := s.config("Ada")
		cfg.Reconnect = true
		c, _ := s.enterGame(1, cfg, homeTile)
		c.Kill()
		s.accept() // the server does not answer
		c.Close()
		if err := c.Err(); !errors.Is(err, rs.ErrClosed) {
			t.Error(err)
		}
		if err := c.Reconnect(t.Context()); !errors.Is(err, rs.ErrClosed) {
			t.Error(err)
		}
	})
}

// newPipeClient returns a client in the game over a net.Pipe, for tests with synctest.
func newPipeClient(t *testing.T) (*rs.Client, *peer) {
	t.Helper()
	near, far := net.Pipe()
	s := &server{t: t, scene: proto.NewScene(proto.Profile667), rows: proto.NewRowSet(proto.MaxIndex + 1)}
	cfg := rs.Config{Addr: "pipe", Key: &key().PublicKey, User: "Ada", Password: "secret"}
	cfg.Dial = func(context.Context, string, string) (net.Conn, error) { return near, nil }
	d := dial(t, cfg)
	p := readLogin(t, far)
	s.add(1, "Ada", homeTile)
	s.welcome(p, 1)
	p.expect(proto.MapBuildComplete{})
	p.expect(windowStatus)
	return d.wait(t), p
}

// An idle client sends NO_TIMEOUT once a second and closes the connection after 15 s without data.
func TestIdleClientSendsKeepAlivesUntilReadTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPipeClient(t)
		started := time.Now()
		for i := range 3 {
			if _, got := p.frame(); got != (proto.NoTimeout{}) {
				t.Errorf("the client sent %#v", got)
			}
			if at := time.Since(started); at != time.Duration(i+1)*time.Second {
				t.Errorf("NO_TIMEOUT %d after %v", i, at)
			}
		}
		go io.Copy(io.Discard, p.conn)
		<-c.Done()
		if at := time.Since(started); !errors.Is(c.Err(), rs.ErrSilent) || at != 15*time.Second {
			t.Errorf("client ended with %v after %v", c.Err(), at)
		}
	})
}

// A write that blocks for ten seconds ends the connection.
func TestWriteTimeoutEndsConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newPipeClient(t)
		started := time.Now()
		if err := c.Walk(1, 1, false); !errors.Is(err, os.ErrDeadlineExceeded) { // the write blocks until its deadline, because a pipe has no buffer
			t.Error(err)
		}
		if at := time.Since(started); at != 10*time.Second {
			t.Errorf("write failed after %v, want 10 s", at)
		}
		<-c.Done()
		if _, ok := errors.AsType[*rs.LostError](c.Err()); !ok {
			t.Error(c.Err())
		}
	})
}
