package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content"
	proto "github.com/truestep-io/truestep/proto/web"
)

const schemaTOML = `
[[field]]
kind = "player"
name = "mana"
range = [0, 50]
step = 0.1
to = "self"
[[field]]
kind = "player"
name = "team"
range = ["none", "red"]
[[field]]
kind = "player"
name = "plan"
range = [0, 1]
to = "nobody"
[[field]]
kind = "area"
name = "score"
range = [0, 99]
[[command]]
name = "cast"
help = "Casts a spell."
fields = { spell = [1, 9], target = "actor", words = "text" }
[[command]]
name = "rest"
[[event]]
name = "burst"
fields = { team = ["none", "red"], target = "actor" }
`

const schemaTypes = `import type { Actor, GameData } from '@truestep/client';

export interface Game extends GameData {
  player: {
    /** 0 to 50 in steps of 0.1, only to self */
    mana: number;
    team: 'none' | 'red';
  };
  npc: {};
  area: {
    /** 0 to 99 */
    score: number;
  };
  commands: {
    /** Casts a spell. */
    cast: { /** 1 to 9 */ spell: number; target: Actor; words: string };
    rest: {};
  };
  events: {
    burst: { team: 'none' | 'red'; target?: Actor };
  };
}
`

func TestWebProtocolSchemaOfGameIsPrintedAsJSONAndTypeScript(t *testing.T) {
	file := filepath.Join(t.TempDir(), "world.toml")
	if err := os.WriteFile(file, append(content.DefaultTOML(), schemaTOML...), 0o644); err != nil {
		t.Fatal(err)
	}
	print := func(ts bool) string {
		var b strings.Builder
		if err := (&Schema{TypeScript: ts, WorldConfig: WorldConfig{World: file}}).Print(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	var s proto.Schema
	if err := json.Unmarshal([]byte(print(false)), &s); err != nil || s.Validate() != nil {
		t.Fatal(err, s.Validate())
	}
	if n := len(s.Kinds[0].Fields); n != proto.BuiltinFields+2 || len(s.Area) != 1 || len(s.Commands) != 2 || len(s.Events) != 1 {
		t.Errorf("%d fields of players and %+v", n, s)
	}
	if _, types, _ := strings.Cut(print(true), "\n"); types != schemaTypes {
		t.Errorf("types\n%s\nwant\n%s", types, schemaTypes)
	}
}
