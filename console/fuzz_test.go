package console

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// closedListener is a listener without connections.
type closedListener struct{}

func (closedListener) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (closedListener) Close() error              { return nil }
func (closedListener) Addr() net.Addr            { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

// smallWorld returns a world with the given number of nearly empty areas.
func smallWorld(areas int) *sim.World {
	person := sim.Template{Race: "Human", Radius: 1, Playable: true, StartPortal: -1}
	person.Attr[0] = combat.Attribute{Value: 100, Max: 100}
	person.Attr[1] = combat.Attribute{Value: 100, Max: 100}
	w := &sim.World{
		Name: "small", TicksPerSecond: 20,
		Roles: combat.AttributeRoles{Health: 0, Speed: 1, Strength: -1, Energy: -1, Breath: -1, Toughness: -1},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50, SaveEveryMS: 30_000, MaxActors: 5000,
		},
		Templates:     []sim.Template{person},
		NewCharacters: sim.NewCharacterRules{AllowAccounts: true, MaxCharacters: 4, Pet: sim.NoTemplate},
	}
	for i := range areas {
		w.Areas = append(w.Areas, sim.AreaDef{
			Name: string(rune('A' + i)), BlockGrid: terrain.BlockGrid{UnitsPerBlock: 1, Origin: [3]int32{0, 64, 0}},
			Portals: []sim.Portal{{Name: "start", Pos: geom.Vec{X: 50, Z: 2}, Radius: 5, ToArea: sim.NoArea}},
		})
	}
	return w
}

// FuzzAPI sends arbitrary requests to a handler with a real world and a player. No request may cause a panic or a status 5xx,
// and every response has the security headers and, if it is an error, a JSON body.
func FuzzAPI(f *testing.F) {
	for _, to := range routes {
		path := strings.NewReplacer("{entity}", "1", "{id}", "1", "{account}", "ann").Replace(to.path)
		f.Add(to.method, apiBase+path, "area=0", `{"text":"x","token":"x","frozen":true,"areaId":0,"x":1,"y":null,"z":2,"reason":"y","account":"ann"}`, uint8(3))
	}
	f.Add("POST", apiBase+"/players/1/teleport", "", `{"areaId":1,"x":1e5,"y":-0.0,"z":1e-40}`, uint8(2))
	f.Add("POST", apiBase+"/players/1/message", "", `{"text":"\u00fc\ud800"}`, uint8(3))
	f.Add("DELETE", apiBase+"/bans/%C3%BC%2F", "", "", uint8(3))
	f.Add("GET", "/assets/../../etc/passwd", "", "", uint8(0))
	f.Add("CONNECT", "*", "%", "{", uint8(1))
	f.Add("GET", apiBase+"/live", "area=0&rate=3", "", uint8(1))
	r := newHarness(f, closedListener{}, smallWorld(2), nil)
	r.world.Start(context.Background())
	go r.frames.read(r.feed)
	s := r.enter("Ann")
	handler := r.http.Handler
	f.Fuzz(func(t *testing.T, method, path, query, body string, role uint8) {
		raw := method + " " + path + "?" + query + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return
		}
		req.RemoteAddr = "192.0.2.1:7"
		if token := r.tokens[Role(role)]; token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		r.clock.advance(failureWindow) // ends the throttling of wrong tokens
		w := new(recorder)
		handler.ServeHTTP(w, req)
		if w.status >= 500 || w.status < 200 {
			t.Fatalf("request %q: status %d, response %s\n%s", raw, w.status, &w.body, r.log)
		}
		if w.Header().Get("Content-Security-Policy") != contentPolicy {
			t.Fatalf("%q: headers %v", raw, w.Header())
		}
		if w.status >= 400 && !strings.HasPrefix(w.body.String(), `{"error":{"code":"`) {
			t.Fatalf("request %q: status %d, response %q", raw, w.status, &w.body)
		}
		if s.KickMessage() != "" { // the request kicked or banned the player: enter again
			_ = r.Hub.Pardon(context.Background(), "ann")
			if again, err := r.Hub.Enter(context.Background(), s.Login, 0); err == nil {
				s = again
			}
		}
	})
}
