package startscreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

func TestStartScreenTruncatesLongListOfAreas(t *testing.T) {
	var areas []sim.AreaDef
	for i := range 40 {
		areas = append(areas, sim.AreaDef{Name: fmt.Sprintf("Café %d", i)})
	}
	got := areaNames(areas)
	if !strings.HasPrefix(got, "Café 0, Café 1, ") || !strings.HasSuffix(got, " more") || len(got) > 90 {
		t.Errorf("%q", got)
	}
	if got := areaNames(content.DefaultWorld().Areas); got != "Truestep Vale, Windmoor, Old Wood, Mirror Lake, The Ring" {
		t.Errorf("%q", got)
	}
}

// Notes and commands are wrapped between words and flags. Addresses, paths and flags are never wrapped.
func TestStartScreenLinesFitEightyColumnsExceptUnbreakableTexts(t *testing.T) {
	const folder = "/srv/games/realm of many words/the-data-of-a-server-with-a-long-name"
	var b table
	b.row("world", "5 areas, 20 ticks/s", "Truestep Vale, Windmoor, Old Wood, Mirror Lake, The Ring")
	b.row("metrics", "http://127.0.0.1:9180/metrics", "Prometheus")
	b.row("data", folder, "accounts and characters")
	b.row("rs", "off", "")
	b.below(folder)
	b.try("truestep swarm rs --clients 50")
	b.try("truestep swarm rs --clients 50", "--addr 127.0.0.1:40257", "--public-key "+folder+"/rs-public.txt")
	b.play([]string{
		"host 127.0.0.1, from elsewhere 192.168.100.105 or 192.168.200.105 or 172.16.100.100; port 26000 (clients of this world have 25000)",
		"The host is the first line of a client's Data/Game Data/Hosts.dat;",
		"the editor sets the port.",
	})
	if want := `  world    5 areas, 20 ticks/s   Truestep Vale, Windmoor, Old Wood, Mirror Lake,
                                 The Ring
  metrics  http://127.0.0.1:9180/metrics  Prometheus
  data     ` + folder + `
                                 accounts and characters
  rs       off
                                 ` + folder + `
  try      truestep swarm rs --clients 50
  try      truestep swarm rs --clients 50 --addr 127.0.0.1:40257 \
              --public-key ` + folder + `/rs-public.txt
  play     host 127.0.0.1, from elsewhere 192.168.100.105 or 192.168.200.105 or
           172.16.100.100; port 26000 (clients of this world have 25000)
           The host is the first line of a client's Data/Game Data/Hosts.dat;
           the editor sets the port.
`; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}
