package swarm

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/oracle"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestSwarmRunInterruptedDuringLoginsReturnsReport(t *testing.T) {
	for _, p := range []Protocol{
		RCCE{Config: Config{Server: "127.0.0.1:9", Clients: 3, Ramp: 0.001}},
		RS{Config: Config{Server: "127.0.0.1:9", Clients: 3, Ramp: 0.001}},
		Bedrock{Config: Config{Server: "127.0.0.1:9", Clients: 3, Ramp: 0.001}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r, err := Run(ctx, p)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if c := r.common(); c.Asked != 3 || c.Joined != 0 {
			t.Errorf("%T: %+v", p, c)
		}
	}
}

func TestSwarmReportIsNotOKIfLoginsFailOrPacketsAreUnreadable(t *testing.T) {
	for _, c := range []struct {
		name  string
		r     Report
		lossy bool
		want  bool
	}{
		{"all joined", &RCCEReport{Common: Common{Joined: 2}}, false, true},
		{"none joined", &RCCEReport{Common: Common{Failed: 2}}, true, false},
		{"one failed", &RCCEReport{Common: Common{Joined: 1, Failed: 1}}, false, false},
		{"one dropped", &RCCEReport{Common: Common{Joined: 2, Dropped: 1}}, false, false},
		{"one dropped by a lossy network", &RCCEReport{Common: Common{Joined: 2, Dropped: 1}}, true, true},
		{"unreadable packet", &RCCEReport{Common: Common{Joined: 2, Unreadable: 1}}, true, false},
		{"rs: one dropped", &RSReport{Common: Common{Joined: 2, Dropped: 1}}, true, false},
		{"rs: mismatch", &RSReport{Common: Common{Joined: 2}, Mismatched: 1}, false, false},
		{"bedrock: cheater dropped", &BedrockReport{Common: Common{Joined: 2, Dropped: 1}, CheatsDropped: 1}, false, true},
		{"bedrock: false correction", &BedrockReport{Common: Common{Joined: 2}, False: 1}, true, false},
	} {
		if got := c.r.OK(c.lossy); got != c.want {
			t.Errorf("%s: OK is %v", c.name, got)
		}
	}
}

func TestSwarmReportsMinimumMedianAndMaximumOfPlayersInSight(t *testing.T) {
	for _, c := range []struct {
		samples []int // number of samples for each number of players in sight
		want    RSSight
	}{
		{[]int{}, RSSight{}},
		{[]int{0, 0, 5}, RSSight{2, 2, 2}},
		{[]int{0, 1, 1, 1}, RSSight{1, 2, 3}},
		{[]int{0, 10, 0, 1}, RSSight{1, 1, 3}},
		{[]int{0, 1, 0, 10}, RSSight{1, 3, 3}},
	} {
		if got := rsSightOf(c.samples); got != c.want {
			t.Errorf("%v: %+v", c.samples, got)
		}
	}
}

const worldJSON = `{"tickRate": 20, "doors": [
	{"name": "rcce", "cycleMs": 200, "bands": [{"radius": 500, "radii": [500], "everyMs": 200}, {"radius": 1000, "radii": [1000], "everyMs": 400}]},
	{"name": "rs", "cycleMs": 600, "bands": [{"radius": 108.5, "everyMs": 600}]},
	{"name": "bedrock", "cycleMs": 100, "bands": [{"radius": 168, "everyMs": 100}, {"radius": 336, "everyMs": 200}]}],
	"areas": [{"id": 0, "name": "Vale", "portals": [{"name": "Gate", "x": 9, "y": 2, "z": 9, "to": 0}, {"name": "Green", "x": 1, "y": 2, "z": 3, "to": null}],
	"solids": [{"min": {"x": 10, "y": 0, "z": -5}, "max": {"x": 20, "y": 9, "z": 5}}],
	"tiles": {"unitsPerTile": 7, "baseX": 3222, "baseZ": 3218, "plane": 0},
	"blocks": {"unitsPerBlock": 3.5, "origin": {"x": 0, "y": 64, "z": 0}, "height": 2}}]}`

func TestConsoleResponseAboutWorldIsDecodedIntoGridsAndProtocolDelays(t *testing.T) {
	w := new(consoleWorld)
	if err := json.Unmarshal([]byte(worldJSON), w); err != nil {
		t.Fatal(err)
	}
	a, home := w.home()
	if home != (geom.Vec{X: 1, Y: 2, Z: 3}) || a.tiles() != (terrain.TileGrid{UnitsPerTile: 7, BaseX: 3222, BaseZ: 3218}) ||
		a.blocks() != (terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}, Height: 2}) {
		t.Errorf("%v, %+v", home, a)
	}
	o := newOracle(w, oracle.NewTruth(1, 20, truthKept), time.Second)
	if got := delayText(o.Protocol("bedrock")); got != "100 ms up to 168 units, 200 ms up to 336 units" {
		t.Errorf("delays of bedrock: %q", got)
	}
	if p := o.Protocol("rcce"); p.CycleMS != 200 || len(p.Bands) != 2 || p.Bands[1].EveryMS != 400 {
		t.Errorf("delays of rcce: %+v", p)
	}
}

func TestCorrectionsForUnexpectedReasonsCountAsFalseCorrections(t *testing.T) {
	r := &MixedReport{Protocols: []ProtocolReport{{"rcce", &RCCEReport{Snaps: 1}}, {"bedrock", &BedrockReport{False: 2}}}}
	r.addCorrections([]journalEntry{
		{Door: "rcce", Verdict: "held", Reason: "too_fast", Times: 3}, {Door: "rcce", Verdict: "held", Reason: "warping", Times: 9},
		{Door: "rcce", Verdict: "held", Reason: "too_fast"}, {Door: "rs", Verdict: "held", Reason: "no_path"},
		{Door: "bedrock", Verdict: "corrected", Reason: "mispredicted"}, {Door: "rs", Verdict: "refused", Reason: "out_of_range", Times: 7},
	})
	if r.False != 4+1+2 || len(r.Corrections) != 5 || r.Corrections[1].Reason != "warping" && r.Corrections[2].Reason != "warping" {
		t.Errorf("%d false: %+v", r.False, r.Corrections)
	}
}

func TestJSONReportOfMixedSwarmHasOneObjectPerProtocol(t *testing.T) {
	r := &MixedReport{Asked: 3, Protocols: []ProtocolReport{{"rcce", &RCCEReport{Snaps: 1}}, {"rs", &RSReport{PlayerInfos: 2}}}}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Asked int `json:"clients_asked"`
		Rcce  RCCEReport
		Rs    RSReport
	}
	if err := json.Unmarshal(b, &got); err != nil || got.Asked != 3 || got.Rcce.Snaps != 1 || got.Rs.PlayerInfos != 2 {
		t.Errorf("%v, %s", err, b)
	}
}

func TestActorIsRecognisedAsSwarmPlayerByPrefixAndNumberOfItsName(t *testing.T) {
	m := &MixedConfig{Protocols: []Protocol{RCCE{Config: Config{Prefix: "mixc"}}, RS{Config: Config{Prefix: "mixr"}}}}
	for name, want := range map[string]bool{"mixc0001": true, "mixr9999": true, "mixb0001": false, "mixc1": false, "Rat": false} {
		if got := m.isOurs(name); got != want {
			t.Errorf("isOurs(%q) is %v", name, got)
		}
	}
}
