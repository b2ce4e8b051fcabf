package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store/sqlite"
)

var statusLine = regexp.MustCompile(`^\d+ players  \d+ actors  tick [\d.]+/[\d.]+ ms  in \d+/s [\d.]+ B/s  out \d+/s [\d.]+ B/s`)

func TestServePrintsReadyWhenEveryDoorIsOpen(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--web", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--status")
	lines := p.until("ready")
	if want := "truestep " + version + " serves the embedded world: Truestep Vale"; lines[0] != want {
		t.Errorf("the first line is %q, want %q", lines[0], want)
	}
	link := "http://" + strings.TrimSuffix(field(t, lines, "web", 1), "/tcp") + "/"
	if rows := slices.DeleteFunc(lines[1:], func(l string) bool { return l == "" }); !strings.HasPrefix(rows[0], "  play     "+link+" ") {
		t.Errorf("the first row is %q, want the link %s", rows[0], link)
	}
	door := strings.TrimSuffix(field(t, lines, "rcce", 1), "/udp")
	if c, err := net.ListenPacket("udp", door); err == nil {
		c.Close()
		t.Errorf("no socket is open on %s", door)
	}
	if try := field(t, lines, "try", 8); try != door {
		t.Errorf("the try command has address %s, the door has %s", try, door)
	}
	if dir := field(t, lines, "data", 1); dir != "./truestep-data" {
		t.Errorf("data is in %s", dir)
	}
	header, text := get(t, field(t, lines, "metrics", 1))
	if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		t.Errorf("metrics are %s", kind)
	}
	for _, want := range []string{
		`truestep_tick_seconds_bucket{area="Truestep Vale",le="0.05"}`, `truestep_players{area="The Ring"} 0`,
		`truestep_sessions{door="rcce"} 0`, "# TYPE truestep_tick_seconds histogram", "go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics have no %s", want)
		}
	}
	for range 2 {
		select {
		case line := <-p.lines:
			if !statusLine.MatchString(line) {
				t.Errorf("status line %q", line)
			}
		case <-time.After(patience):
			t.Fatal("no status line")
		}
	}
	p.signal(syscall.SIGTERM)
	code, _, took := p.end()
	if code != 0 || took > stopsWithin || !strings.Contains(p.errs.String(), "all records saved") {
		t.Errorf("exit status %d after %v\n%s", code, took, &p.errs)
	}
	if _, err := os.Stat(filepath.Join(p.cmd.Dir, "truestep-data", sqlite.FileName)); err != nil {
		t.Error(err)
	}
}

// Closing a terminal sends SIGHUP twice and may end the reader of a pipe on standard output.
func TestHangupSignalStopsServeWithEveryRecordSaved(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--metrics", "off", "--status")
	p.until("ready")
	p.out.Close()
	time.Sleep(1200 * time.Millisecond) // waits for the next status line, which goes to a pipe without a reader
	p.signal(syscall.SIGHUP)
	for began := time.Now(); !strings.Contains(p.errs.String(), "stopping: saving every player"); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("the server does not stop\n%s", &p.errs)
		}
	}
	p.signal(syscall.SIGHUP) // the kernel sends SIGHUP when the terminal's shell ends
	if code, _, took := p.end(); code != 0 || took > stopsWithin || !strings.Contains(p.errs.String(), "all records saved") {
		t.Errorf("exit status %d after %v\n%s", code, took, &p.errs)
	}
}

func TestServeIgnoresHangupSignalUnderNohup(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := launchCommand(t, exec.Command("sh", "-c", `trap "" HUP; exec "$0" serve --rs off --bedrock off --rcce off --metrics off --status`, self))
	p.until("ready")
	p.signal(syscall.SIGHUP)
	p.until("0 players")
	p.until("0 players")
	p.signal(syscall.SIGTERM)
	if code, _, _ := p.end(); code != 0 {
		t.Errorf("exit status %d\n%s", code, &p.errs)
	}
}

func TestServePrintsStatusLineOnlyToTerminal(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "off", "--metrics", "127.0.0.1:0")
	lines := p.until("ready")
	if got := field(t, lines, "rcce", 1); got != "off" || strings.Contains(strings.Join(lines, "\n"), "swarm") {
		t.Errorf("%q", lines)
	}
	ticks := regexp.MustCompile(`truestep_tick_seconds_count\{area="The Ring"\} (2[2-9]|[3-9]\d|\d{3,})`)
	url := field(t, lines, "metrics", 1)
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) { // wait for more than a second of ticks
		if _, text := get(t, url); ticks.MatchString(text) {
			break
		}
		if time.Since(start) > patience {
			t.Fatal("the world does not step")
		}
	}
	p.signal(syscall.SIGINT)
	if code, rest, _ := p.end(); code != 0 || len(rest) > 0 {
		t.Errorf("exit status %d, printed %q", code, rest)
	}
}

// Under a service manager both outputs are one stream.
func TestStartScreenPrecedesLogLinesIfBothUseOneStream(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(self, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "off", "--metrics", "off", "--backup-keep", "9")
	cmd.Env = append(os.Environ(), actAsTruestep+"=1", "TRUESTEP_CONSOLE=off", "TRUESTEP_WEB=off", "TRUESTEP_RCCE_PROJECT=")
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	w.Close()
	var lines []string
	ready := -1
	for s := bufio.NewScanner(r); s.Scan(); {
		lines = append(lines, s.Text())
		if strings.HasPrefix(s.Text(), "ready") {
			ready = len(lines)
		}
		if strings.Contains(s.Text(), "setting has no effect") { // the first log line, written before the world was loaded
			break
		}
	}
	if ready < 0 || ready >= len(lines) || !strings.HasPrefix(lines[0], "truestep ") {
		t.Errorf("the outputs together are %q", lines)
	}
}

// If standard error is no terminal, --log-format=auto selects JSON.
func TestLogFormatFlagSelectsTextOrJSON(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"auto": `"level":"INFO"`, "json": `"level":"INFO"`, "text": "level=INFO msg="} {
		p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "off", "--metrics", "off", "--log-format", format, "--backup-keep", "9")
		p.until("ready")
		p.signal(os.Interrupt)
		if code, _, _ := p.end(); code != 0 || !strings.Contains(p.errs.String(), want) || !regexp.MustCompile(`setting has no effect.*backup-keep.*backup-every is 0`).MatchString(p.errs.String()) {
			t.Errorf("%s: exit status %d\n%s", format, code, &p.errs)
		}
	}
}

func TestRealmCrafterProjectIsServedOnPortOfProject(t *testing.T) {
	dir := tinyProject(t)
	free, err := net.ListenPacket("udp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.LocalAddr().(*net.UDPAddr).Port
	misc := filepath.Join(dir, "Server Data", "Misc.dat")
	b, err := os.ReadFile(misc)
	if err != nil || len(b) != 22 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	binary.LittleEndian.PutUint32(b[17:], uint32(port))
	put(t, dir, "Misc.dat", b)

	here(t)
	// The port of the project is in use, so serve fails. The error shows that serve would have opened that port.
	code, _, errs := truestep("serve", "--rcce-project", dir, "--rs", "off", "--bedrock", "off", "--console", "off", "--metrics", "off")
	if code != exitUsage || !strings.Contains(errs, fmt.Sprintf("rcce: cannot listen on :%d/udp", port)) {
		t.Errorf("exit status %d, %s", code, errs)
	}
	isEmpty(t, ".")
	free.Close()

	p := launch(t, "serve", "--rcce-project", dir, "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--metrics", "off")
	lines := p.until("ready")
	p.signal(os.Interrupt)
	p.end()
	if at := field(t, lines, "rcce", 1); !strings.HasPrefix(at, "127.0.0.1:") {
		t.Errorf("--rcce does not override the port of the project: %s", at)
	}
	if !strings.Contains(strings.Join(lines, "\n"), fmt.Sprintf("(clients of this world have %d)", port)) {
		t.Errorf("the start screen does not name the port of the project: %q", lines)
	}
	if log := p.errs.String(); strings.Count(log, "no collision data on the server: claims of position are bounded by speed alone") != 1 {
		t.Errorf("no log line about missing walls: %s", log)
	}
	if log := p.errs.String(); !strings.Contains(log, " warnings about the world; truestep check-world "+dir+" shows them") || strings.Contains(log, `"WARN"`) {
		t.Errorf("%s", log)
	}
}
