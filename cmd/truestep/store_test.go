package main

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/internal/settings"
)

// mustNotHavePassword fails the test if a text contains one of the passwords, plain or escaped as in a URL.
func mustNotHavePassword(t *testing.T, text string, passwords ...string) {
	t.Helper()
	for _, p := range passwords {
		if strings.Contains(text, p) || strings.Contains(text, url.QueryEscape(p)) {
			t.Errorf("the password is in\n%s", text)
		}
	}
}

func TestUnusableStoreIsReportedInOneLineWithoutPassword(t *testing.T) {
	good := pgtest.Database(t)
	u, err := url.Parse(good)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(pgtest.User, "hunter2")
	wrong := u.String()
	u.User, u.Path = url.UserPassword(pgtest.User, pgtest.Password), "/missing"
	missing := u.String()
	data := t.TempDir()
	off := []string{"--rcce=off", "--rs=off", "--bedrock=off", "--web=off", "--console=off", "--metrics=off"}
	for text, args := range map[string][]string{
		"not the URL of a PostgreSQL database": append([]string{"serve", "--data-dir", data, "--store", "mysql://ann:hunter2@db/world"}, off...),
		"refuses the password of":              append([]string{"serve", "--data-dir", data, "--store", wrong}, off...),
		"create it with createdb":              append([]string{"serve", "--data-dir", data, "--store", missing}, off...),
		"has no tables of truestep":            {"backup", "--data-dir", data, "--store", good, filepath.Join(data, "x.backup")},
		"--from: must be sqlite:DIR":           {"store", "copy", "--from", "hunter2", "--to", good},
		"--to: not the URL":                    {"store", "copy", "--from", "sqlite:" + data, "--to", "postgres://ann:hunter2@db:x/world"},
		"has no accounts":                      {"store", "copy", "--from", "sqlite:" + data, "--to", good},
	} {
		var out, errors bytes.Buffer
		status := newCLI().execute(std{&out, &errors}, args)
		lines := strings.Count(strings.TrimSpace(errors.String()), "\n") + 1
		if status != exitUsage || lines != 1 || !strings.Contains(errors.String(), text) {
			t.Errorf("%q: status %d, %d lines: %s", args[0], status, lines, &errors)
		}
		mustNotHavePassword(t, out.String()+errors.String(), "hunter2", pgtest.Password)
	}
}

func TestPrintedSettingsAndStartScreenOmitStorePassword(t *testing.T) {
	var out, log bytes.Buffer
	file := filepath.Join(t.TempDir(), "truestep.toml")
	if err := os.WriteFile(file, []byte(`store = "postgres://ann:hunter2@db.example/world"`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--store", "postgres://ann:hunter2@db.example/world"}, {"--config", file}} {
		out.Reset()
		if status := newCLI().execute(std{&out, &log}, append([]string{"serve", "--print-config"}, args...)); status != 0 {
			t.Errorf("status %d: %s", status, &log)
		}
		mustNotHavePassword(t, out.String()+log.String(), "hunter2")
		if !strings.Contains(out.String(), `store = "postgres://ann@db.example/world"`) {
			t.Errorf("printed is %s", &out)
		}
	}

	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"), kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(settings.DecodeDuration)))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--data-dir", t.TempDir(), "--store", pgtest.Database(t), "--log-level", "debug", "--no-status"}
	for _, door := range []string{"rcce", "rs", "bedrock", "web", "console", "metrics"} {
		args = append(args, "--"+door, "off")
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
	c.Serve.stopTimeout = stopsWithin
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := c.Serve.serve(ctx, std{write, &log}, nil)
		write.Close()
		done <- err
	}()
	out.Reset()
	b := make([]byte, 4096)
	for !strings.Contains(out.String(), "ready") {
		n, err := read.Read(b)
		out.Write(b[:n])
		if err != nil {
			break
		}
	}
	stop()
	go io.Copy(io.Discard, read)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	mustNotHavePassword(t, out.String()+log.String(), pgtest.Password)
	if !strings.Contains(out.String(), "postgres://postgres@127.0.0.1:") {
		t.Errorf("the start screen does not name the database:\n%s", &out)
	}
}
