package server

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// LoadedReplay is the content of a replay file together with the world in which it was recorded.
type LoadedReplay struct {
	*area.Replay
	Data     []byte         // content of the replay file
	Loaded   *sim.World     // world in which the replay was recorded
	Playback *area.Playback // steps the recorded ticks
}

// LoadReplay reads a replay file and loads the world in which it was recorded. An exported file contains its world; for
// other files, config selects the world.
func LoadReplay(file string, config WorldConfig) (*LoadedReplay, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	data, err := readAtMost(file, area.MaxReplaySize)
	if err != nil {
		return nil, err
	}
	r, w, err := parseReplay(data, config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p, err := r.Play(w)
	return &LoadedReplay{r, data, w, p}, err
}

// readAtMost reads a file. It returns an error if the file has more than limit bytes.
func readAtMost(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s: the file is longer than %d MiB", file, limit>>20)
	}
	return b, err
}

// parseReplay decodes a replay file or an exported file, and loads its world.
func parseReplay(data []byte, config WorldConfig) (*area.Replay, *sim.World, error) {
	if !isExportFile(data) {
		r, err := area.ParseReplay(data)
		if err != nil {
			return nil, nil, err
		}
		w, err := config.Load()
		if err != nil {
			return nil, nil, err
		}
		return r, w.World.World, nil
	}
	e, err := parseExportFile(data)
	if err != nil {
		return nil, nil, err
	}
	r, err := area.ParseReplay(e.replay)
	if err != nil {
		return nil, nil, err
	}
	if config.selectsWorld() { // for example because the file was exported without its world
		w, err := config.Load()
		if err != nil {
			return nil, nil, err
		}
		return r, w.World.World, nil
	}
	w, err := e.world.load()
	if err != nil {
		return nil, nil, fmt.Errorf("load the world in the exported file: %w", err)
	}
	return r, w.World, nil
}

// Print writes a summary of the replay: its area, its world, the number of its ticks, and the panic that stopped the area. Then
// it steps through the ticks and prints them as area.Playback.Print does; the function show selects the ticks whose intents and
// events are printed.
func (r *LoadedReplay) Print(out io.Writer, show func(tick sim.Tick, last bool) bool) error {
	fmt.Fprintf(out, "%s of %s, %d ticks\n", r.Area, r.World, len(r.Ticks))
	if r.Panic != "" {
		fmt.Fprintf(out, "stopped on: %s\n", r.Panic)
	}
	fmt.Fprintln(out)
	return r.Playback.Print(out, show)
}

var replayTest = template.Must(template.New("").Parse(`package replays

import (
	"testing"

	"github.com/truestep-io/truestep/server"
)

// {{.Name}} steps the area {{printf "%q" .Area}} of the world {{printf "%q" .World}} through recorded ticks.
{{- if .Panic}} The last
// of these ticks panicked with {{printf "%q" .Panic}}.
// When the cause of the panic is repaired, this test fails; change it to expect that no tick panics.{{end}}
func {{.Name}}(t *testing.T) {
	config := server.WorldConfig{World: {{printf "%q" .Config.World}}, RcceProject: {{printf "%q" .Config.RcceProject}}, RcceRules: {{printf "%q" .Config.RcceRules}},
		NeutralResistances: {{.Config.NeutralResistances}}, ClaimPolicy: {{printf "%q" .Config.ClaimPolicy}}, Step: {{printf "%q" .Config.Step}}}
	r, err := server.LoadReplay({{printf "%q" .File}}, config)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(r.Loaded); err != nil {
		t.Error(err)
	}
}
`))

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// ExportReplayTest writes two files to a folder, which it creates if missing: a copy of a replay, and a Go test that steps that
// copy. It returns the path of the test. The parameter file is the path of the replay, and data is its content. The parameter
// config selects the world in which the replay was recorded. Paths in config are made absolute, because the test runs in another
// folder.
func ExportReplayTest(folder, file string, data []byte, config WorldConfig) (test string, err error) {
	r, _, err := parseReplay(data, config)
	if err != nil {
		return "", err
	}
	for _, path := range []*string{&config.World, &config.RcceProject, &config.RcceRules} {
		if *path != "" {
			abs, err := filepath.Abs(*path)
			if err != nil {
				return "", err
			}
			*path = abs
		}
	}
	name := filepath.Base(file)
	stem := notWord.ReplaceAllString(strings.TrimSuffix(name, filepath.Ext(name)), "_")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("%w; name a folder that can be written to", err)
	}
	var text strings.Builder
	err = replayTest.Execute(&text, map[string]any{
		"Name": "TestReplay_" + stem, "File": name, "Area": r.Area, "World": r.World, "Panic": r.Panic, "Config": config,
	})
	if err != nil {
		return "", err
	}
	test = filepath.Join(folder, stem+"_test.go")
	err = errors.Join(os.WriteFile(filepath.Join(folder, name), data, 0o600), os.WriteFile(test, []byte(text.String()), 0o644))
	return test, err
}
