package main

import (
	"bytes"
	"regexp"
	"testing"
)

func TestLogLinesOnTerminalHaveTimeWithoutDate(t *testing.T) {
	s := serveCmd{serverFlags: serverFlags{LogFormat: "auto", LogLevel: "info"}}
	var tty bytes.Buffer
	s.logger(&tty, true).Info("stopping", "time", "noon")
	if !regexp.MustCompile(`^time=\d\d:\d\d:\d\d level=INFO msg=stopping time=noon\n$`).MatchString(tty.String()) {
		t.Errorf("%q", tty.String())
	}
}
