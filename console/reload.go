package console

import (
	"errors"
	"net/http"
	"strings"
)

// Reloaded is the result of reading the settings and the world of a running server again.
type Reloaded struct {
	Applied []AppliedSetting `json:"applied"`         // settings that have changed and are in force now
	Kept    []KeptSetting    `json:"kept"`            // settings and parts of the world that have changed and wait for a restart
	World   *ReloadedWorld   `json:"world,omitempty"` // changes of the world that are in force now; nil if the world has not changed
}

// ReloadedWorld is a changed world that is in force now.
type ReloadedWorld struct {
	// PausedMS is how long, in ms and rounded up, the reload took for the areas: they paused, continued in the new world, and
	// wrote that world to the tape.
	PausedMS int64    `json:"pausedMs"`
	Changes  []string `json:"changes"` // one line of text for each change of the world, as content.Compare returns them
}

// AppliedSetting is a changed setting that is in force now.
type AppliedSetting struct {
	Setting string `json:"setting"` // name of the setting, such as "area-chat"
	From    string `json:"from"`    // value before the change
	To      string `json:"to"`      // value that is in force now
}

// KeptSetting is a setting, or a part of the world, that was changed in its file, but whose old value the server keeps until a restart.
type KeptSetting struct {
	Setting string `json:"setting"` // name of the setting, such as "journal-keep", or text about the world that begins with "the world"
	Why     string `json:"why"`     // why the setting cannot change while the server runs
}

// ErrNoReload is the error of Options.Reload if the program cannot read its settings again.
var ErrNoReload = errors.New("this program cannot read its settings again while it runs: restart the server to apply changed settings")

// reload handles POST /reload. It makes the server read its settings and its world again, and returns what has changed.
func (k *call) reload() (any, error) {
	if k.Reload == nil {
		return nil, &apiError{http.StatusConflict, codeConflict, ErrNoReload.Error()}
	}
	r, err := k.Reload(k.r.Context())
	if err != nil {
		return nil, &apiError{http.StatusConflict, codeConflict, "nothing was changed: " + strings.ReplaceAll(err.Error(), "\n", "; ")}
	}
	k.entry.Detail = r.describe()
	return r, nil
}

// describe returns the result as text for the audit log.
func (r *Reloaded) describe() string {
	var parts []string
	for _, a := range r.Applied {
		parts = append(parts, a.Setting+" from "+a.From+" to "+a.To)
	}
	if r.World != nil {
		parts = append(parts, "the world: "+strings.Join(r.World.Changes, ", "))
	}
	var kept []string
	for _, w := range r.Kept {
		kept = append(kept, w.Setting)
	}
	if len(kept) > 0 {
		parts = append(parts, "not without a restart: "+strings.Join(kept, ", "))
	}
	if len(parts) == 0 {
		return "nothing has changed"
	}
	return strings.Join(parts, "; ")
}
