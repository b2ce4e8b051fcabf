package main

import (
	"strings"
	"syscall"
	"testing"
)

func TestHealthReportsWhetherServerIsReady(t *testing.T) {
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "off", "--web", "off", "--console", "off", "--metrics", "127.0.0.1:0")
	at := strings.TrimSuffix(strings.TrimPrefix(field(t, p.until("ready"), "metrics", 1), "http://"), "/metrics")
	if code, out, errs := truestep("health", "--metrics", at); code != 0 || out != "ready\n" || errs != "" {
		t.Errorf("exit status %d, %q, %s", code, out, errs)
	}
	p.signal(syscall.SIGTERM)
	p.end()
	if code, out, errs := truestep("health", "--metrics", at); code != 1 || out != "" || !strings.HasPrefix(errs, "truestep: no Truestep server answers on "+at) {
		t.Errorf("after the end: exit status %d, %q, %s", code, out, errs)
	}
}
