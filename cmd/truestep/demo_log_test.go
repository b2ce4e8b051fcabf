package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/telemetry"
)

// Bots come and go quietly; people keep their lines, those too who have the name that a bot wanted.
func TestTheLogSaysNothingOfBotsThatComeAndGo(t *testing.T) {
	var out bytes.Buffer
	level := new(slog.LevelVar)
	var bots demoBots
	log := slog.New(demoLog{slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level}), &bots})
	say := func(account string) {
		log.Info("entered", telemetry.FieldAccount, account)
		log.With("door", "x").WithGroup("g").Info("left", telemetry.FieldAccount, account)
	}
	bots.rename("", "Rowan_Bot")
	bots.rename("", "bedrock:Ivy_Bot")
	bots.rename("Rowan_Bot", "Rowan8_Bot")
	say("rowan8_bot")
	say("bedrock:ivy_bot")
	if out.Len() > 0 {
		t.Errorf("%s", &out)
	}
	say("Rowan_Bot")
	say("Ivy_Bot")
	log.Warn("banned", telemetry.FieldAccount, "Rowan8_Bot")
	if n := strings.Count(out.String(), "\n"); n != 5 {
		t.Errorf("%d lines\n%s", n, &out)
	}
	out.Reset()
	level.Set(slog.LevelDebug)
	say("Rowan8_Bot")
	if n := strings.Count(out.String(), "level=DEBUG"); n != 2 {
		t.Errorf("%d lines of debug\n%s", n, &out)
	}
}
