package demo

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/telemetry"
)

// Log records about players keep their level, even if a player has the name that a bot tried first.
func TestLogRecordsAboutBotsAreLoggedAtDebugLevel(t *testing.T) {
	var out bytes.Buffer
	level := new(slog.LevelVar)
	var bots Accounts
	log := slog.New(NewHandler(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level}), &bots))
	logSession := func(account string) {
		log.Info("entered", telemetry.FieldAccount, account)
		log.With("door", "x").WithGroup("g").Info("left", telemetry.FieldAccount, account)
	}
	bots.replace("", "Rowan_Bot")
	bots.replace("", "bedrock:Ivy_Bot")
	bots.replace("Rowan_Bot", "Rowan8_Bot")
	logSession("rowan8_bot")
	logSession("bedrock:ivy_bot")
	if out.Len() > 0 {
		t.Errorf("records of bots at info: %s", &out)
	}
	logSession("Rowan_Bot")
	logSession("Ivy_Bot")
	log.Warn("banned", telemetry.FieldAccount, "Rowan8_Bot")
	if n := strings.Count(out.String(), "\n"); n != 5 {
		t.Errorf("%d lines, want 5\n%s", n, &out)
	}
	out.Reset()
	level.Set(slog.LevelDebug)
	logSession("Rowan8_Bot")
	if n := strings.Count(out.String(), "level=DEBUG"); n != 2 {
		t.Errorf("%d debug lines, want 2\n%s", n, &out)
	}
}
