package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestLogLinesOnTerminalHaveTimeWithoutDate(t *testing.T) {
	s := serveCmd{serverFlags: serverFlags{LogFormat: "auto", LogLevel: "info"}}
	var tty bytes.Buffer
	s.logger(&tty, true).Info("stopping", "time", "noon")
	if !regexp.MustCompile(`^time=\d\d:\d\d:\d\d level=INFO msg=stopping time=noon\n$`).MatchString(tty.String()) {
		t.Errorf("%q", tty.String())
	}
}

func TestDurationsInJSONLogHaveUnit(t *testing.T) {
	s := serveCmd{serverFlags: serverFlags{LogFormat: "json", LogLevel: "info"}}
	var to bytes.Buffer
	s.logger(&to, false).Info("backup written", "duration", 13760159*time.Nanosecond, "bytes", 7)
	if want := `"msg":"backup written","duration":"13.760159ms","bytes":7}`; !strings.Contains(to.String(), want) {
		t.Errorf("%q, want %q", to.String(), want)
	}
}
