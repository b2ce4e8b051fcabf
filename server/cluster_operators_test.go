package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// askConsole sends a request to the console of a server, as its administrator. It returns the status and the body.
func askConsole(t *testing.T, s *Server, method, path, body string) (int, []byte) {
	t.Helper()
	base, token, _ := strings.Cut(s.ConsoleURL(), "/#token=")
	r, err := http.NewRequestWithContext(t.Context(), method, base+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, b
}

// askAboutPlayer sends a request about a player who is in the world through another node. It sends the request again as long as the console
// answers that it has no connection to that node, because then the node has not got the request.
func askAboutPlayer(t *testing.T, s *Server, method, path, body string) (status int, answer []byte) {
	t.Helper()
	eventually(t, "node "+s.cluster.name+" has a connection to the node of the player", func() bool {
		status, answer = askConsole(t, s, method, path, body)
		return status != http.StatusConflict || !strings.Contains(string(answer), cluster.ErrUnreachable.Error())
	})
	return status, answer
}

// listedPlayer is a row of GET /players.
type listedPlayer struct {
	Entity              uint64
	Name, Account, Node string
}

// playersIn returns the players that the console of a server lists.
func playersIn(t *testing.T, s *Server) (list []listedPlayer) {
	t.Helper()
	status, b := askConsole(t, s, "GET", "/players", "")
	var body struct{ Players []listedPlayer }
	if err := json.Unmarshal(b, &body); err != nil || status != 200 {
		t.Fatalf("GET /players: %d %s", status, b)
	}
	return body.Players
}

// claimFarAway makes a player claim a position that it cannot have reached. The server keeps the previous position (a hold).
func claimFarAway(t *testing.T, s *session.Session) {
	t.Helper()
	at := s.Character.Pos
	for _, in := range []sim.Intent{
		{Kind: sim.IntentWarpAck}, // acknowledges the position at which the player has entered
		{Kind: sim.IntentClaim, Claim: move.Claim{X: at.X + 5000, Y: at.Y, Z: at.Z, DestX: at.X, DestZ: at.Z}},
	} {
		if err := s.Submit(in); err != nil {
			t.Fatal(err)
		}
	}
}

// The test also checks the events of suspects and the tape of the console, because it is expensive to start three nodes again.
func TestOperatorOfOneNodeKicksPlayerOfOtherNode(t *testing.T) {
	nodes := startCluster(t, nil)
	ann := join(t, nodes[1])
	eventually(t, "every node lists the player", func() bool {
		for _, s := range nodes {
			if list := playersIn(t, s); len(list) != 1 || list[0] != (listedPlayer{uint64(ann.Entity), "Ann", "ann", "b"}) {
				return false
			}
		}
		return true
	})
	claimFarAway(t, ann)
	for i, s := range nodes {
		eventually(t, "the hold is in the journal of every node", func() bool {
			list, err := s.journal.Entries(t.Context(), journal.Query{})
			if err != nil {
				t.Fatal(err)
			}
			if len(list) > 0 && s.cluster.reports(&list[0]) != (i == 1) {
				t.Errorf("node %d sends events about %+v", i, list[0])
			}
			return len(list) > 0
		})
	}
	for _, s := range nodes {
		if status, b := askConsole(t, s, "GET", "/tape?area=0", ""); status != 200 || !strings.Contains(string(b), `"recording":true`) || strings.Count(string(b), `"reloaded"`) != 1 {
			t.Errorf("tape: %d %s; want one period", status, b)
		}
	}
	path := fmt.Sprintf("/players/%d", ann.Entity)
	if status, b := askAboutPlayer(t, nodes[0], "GET", path, ""); status != 200 || !strings.Contains(string(b), `"account":"ann"`) {
		t.Errorf("detail: %d %s", status, b)
	}
	if status, b := askAboutPlayer(t, nodes[2], "POST", path+"/message", `{"text":"hello"}`); status != 200 {
		t.Errorf("message: %d %s", status, b)
	}
	if status, b := askAboutPlayer(t, nodes[0], "POST", path+"/kick", `{"reason":"spam"}`); status != 200 {
		t.Errorf("kick: %d %s", status, b)
	}
	<-ann.Ended()
	if text := ann.KickMessage(); text != "You were sent away: spam" {
		t.Errorf("the player is told %q", text)
	}
	for i, want := range map[int]string{0: `"player":"Ann","account":"ann","detail":"node b: spam","result":"ok"`, 1: `"player":"Ann","account":"ann","detail":"from node a: spam","result":"ok"`} {
		if _, b := askConsole(t, nodes[i], "GET", "/audit", ""); !strings.Contains(string(b), want) {
			t.Errorf("the audit of node %d is %s", i, b)
		}
	}
	if err := nodes[1].Close(); err != nil {
		t.Error(err)
	}
	if status, b := askConsole(t, nodes[0], "POST", "/cluster/drain", `{"node":"b"}`); status != 409 || !strings.Contains(string(b), "node b") {
		t.Errorf("drain of a closed node: %d %s", status, b)
	}
}
