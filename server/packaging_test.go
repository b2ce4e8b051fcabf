package server

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The unit, the container image and docs/deploy.md depend on the exit status with which a server asks to be started again.
func TestServiceManagersRestartServerAfterPlannedRestart(t *testing.T) {
	unit, err := os.ReadFile("../packaging/truestep.service")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for line := range strings.Lines(string(unit)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			keys[key] = value
		}
	}
	// With on-failure, systemd starts the server again after any exit status but 0, the status of a planned stop. Exit
	// status 2 means a wrong setting, with which another start would fail as well.
	if keys["Restart"] != "on-failure" || ExitRestart == 0 || ExitRestart == 2 || keys["RestartPreventExitStatus"] != "2" || keys["SuccessExitStatus"] != "" {
		t.Errorf("the unit has Restart=%s, RestartPreventExitStatus=%s, SuccessExitStatus=%s", keys["Restart"], keys["RestartPreventExitStatus"], keys["SuccessExitStatus"])
	}
	runs := regexp.MustCompile(`(?m)^ +(?:podman|docker) run .*`).FindAllString(string(text), -1)
	if len(runs) == 0 {
		t.Error("docs/deploy.md runs no container")
	}
	for _, run := range runs {
		if !strings.Contains(run, "--restart on-failure") {
			t.Errorf("%s: a container that runs so is not started again after truestep admin restart", run)
		}
	}
}
