package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
)

// CheckWorld loads a world as a server would. It returns the world w and a report r of the content. The parameter path is a world
// file, the folder of a RealmCrafter project, or "" for the embedded world. The parameters rules and neutralResistances are those
// of WorldConfig and apply to projects only. If a server would refuse the world, the result refused says why. If an argument is
// invalid, err says why. In both cases w is nil.
func CheckWorld(path, rules string, neutralResistances bool) (w *content.World, r *content.Report, refused, err error) {
	if path == "" {
		w, warnings, err := content.LoadWorld(content.DefaultName, content.DefaultTOML())
		return w, content.NewReport("embedded world", "", rcce.DefaultPort, w, warnings, err), err, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w; give a world file or the folder of a RealmCrafter project", err)
	}
	if info.IsDir() {
		return checkProject(path, rules, neutralResistances)
	}
	if rules != "" || neutralResistances {
		return nil, nil, nil, errors.New("--rules and --neutral-resistances apply to RealmCrafter projects only; write such settings into the world file")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	w, warnings, err := content.LoadWorldFiles(path, text, os.DirFS(filepath.Dir(path)))
	return w, content.NewReport("world file", path, rcce.DefaultPort, w, warnings, err), err, nil
}

func checkProject(dir, rules string, neutralResistances bool) (w *content.World, r *content.Report, refused, err error) {
	const kind = "RealmCrafter project"
	o := content.ProjectOptions{NeutralZeroResistances: neutralResistances, RulesName: rules}
	if rules != "" {
		text, err := os.ReadFile(rules)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("--rules: %w", err)
		}
		o.Rules = text
	}
	p, warnings, err := content.LoadProject(os.DirFS(dir), o)
	if err != nil {
		r := content.NewReport(kind, dir, 0, nil, nil, err)
		return nil, r, PrefixProblems(err, dir, rules), nil
	}
	return p.World, content.NewReport(kind, dir, p.Port, p.World, warnings, nil), nil, nil
}
