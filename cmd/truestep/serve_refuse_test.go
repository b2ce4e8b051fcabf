package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/store/sqlite"
)

// quiet are the flags of a server without sockets.
var quiet = []string{"--rcce", "off", "--rs", "off", "--bedrock", "off", "--console", "off", "--metrics", "off", "--no-status", "--log-level", "error"}

// refused runs serve, which must exit with status 2 and print one line for each text in want, in order. Each line contains its text.
func refused(t *testing.T, args []string, want ...string) {
	t.Helper()
	code, out, errs := truestep(append([]string{"serve", "--rs", "off", "--bedrock", "off", "--console", "off"}, args...)...)
	lines := strings.Split(strings.TrimSuffix(errs, "\n"), "\n")
	if code != exitUsage || out != "" || len(lines) != len(want) {
		t.Fatalf("%v: exit status %d, printed %q and\n%s", args, code, out, errs)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "truestep: ") || !strings.Contains(line, want[i]) {
			t.Errorf("%v: %q, want %q in it", args, line, want[i])
		}
	}
}

func TestPortInUseIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	here(t)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	door, metrics := udp.LocalAddr().String(), tcp.Addr().String()
	doorTaken := "address already in use; another program may have the port: choose another address with --rcce HOST:PORT"
	metricsTaken := "metrics: cannot listen on " + metrics + ": bind: address already in use; another program may have the port: choose another address with --metrics HOST:PORT, or off"

	refused(t, []string{"--rcce", door, "--metrics", "off"}, doorTaken)
	refused(t, []string{"--rcce", "off", "--metrics", metrics}, metricsTaken)
	refused(t, []string{"--rcce", door, "--metrics", metrics}, doorTaken, metricsTaken)
	refused(t, []string{"--rcce", "192.0.2.7:25000", "--metrics", "off"},
		"rcce: cannot listen on 192.0.2.7:25000/udp: bind: cannot assign requested address; no interface of this machine has that address: name one of its own")
	isEmpty(t, ".")

	release := inUse(t, "truestep-data")
	defer release()
	refused(t, []string{"--rcce", door, "--metrics", "off"}, "is in use by another server", doorTaken)
}

// inUse opens a data folder as a server does.
func inUse(t *testing.T, dir string) (release func() error) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return st.Close
}

func TestServeRefusesBadAddress(t *testing.T) {
	here(t)
	refused(t, []string{"--rcce", "25000", "--metrics", "off"}, `rcce: address "25000": missing port in address; give it as host:port`)
	refused(t, []string{"--rcce", "127.0.0.1:99999", "--metrics", "off"}, `rcce: address "127.0.0.1:99999": invalid port; give it as host:port`)
	refused(t, []string{"--rcce", "192.0.2.1:0", "--metrics", "off"}, "rcce: cannot listen on 192.0.2.1:0/udp: ")
	refused(t, []string{"--rcce", "off", "--metrics", "9180"}, "metrics: cannot listen on 9180: missing port in address; choose another address with --metrics HOST:PORT")
	isEmpty(t, ".")
}

func TestBadWorldFileIsRefusedWithEveryProblem(t *testing.T) {
	dir := here(t)
	write(t, "world.toml", brokenWorld)
	refused(t, append(quiet, "--world", "world.toml"),
		"world.toml:1: ", "world.toml:1: ", "world.toml:1: ", "world.toml:4: ", "world.toml:7: ")
	refused(t, append(quiet, "--world", "no.toml"), "world file: open no.toml: no such file or directory; name another with --world FILE")
	if err := os.Remove("world.toml"); err != nil {
		t.Fatal(err)
	}
	isEmpty(t, dir)
}

func TestServeRefusesMissingOrInvalidRealmCrafterProject(t *testing.T) {
	here(t)
	project := tinyProject(t)
	refused(t, append(quiet, "--rcce-project", "no"), "project: open no: no such file or directory; name the folder that the editor saves with --rcce-project DIR")
	refused(t, append(quiet, "--rcce-project", "."), "Server Data: there is no such folder: give the project's folder")
	refused(t, append(quiet, "--rcce-project", project, "--rcce-rules", "no.toml"), "rules file: open no.toml: no such file or directory; name another with --rcce-rules FILE")
	misc := filepath.Join(project, "Server Data", "Misc.dat")
	put(t, project, "Misc.dat", make([]byte, 20))
	refused(t, append(quiet, "--rcce-project", project), misc+": offset 17: serverPort: the file is truncated")
	isEmpty(t, ".")

	put(t, project, "Misc.dat", nil)
	write(t, "rules.toml", "[rules]\nsave_evry = 3\n")
	code, _, errs := truestep(append(append([]string{"serve"}, quiet...), "--rcce-project", tinyProject(t), "--rcce-rules", "rules.toml")...)
	if code != exitUsage || !strings.HasPrefix(errs, "truestep: rules.toml:2: ") {
		t.Errorf("exit status %d, %s", code, errs)
	}
}

func TestUnusableDataFolderIsRefusedAndUnchanged(t *testing.T) {
	here(t)
	write(t, "file", "mine")
	refused(t, append(quiet, "--data-dir", filepath.Join("file", "data")), "not a directory; choose a folder that can be written to with --data-dir DIR")

	release := inUse(t, "used")
	refused(t, append(quiet, "--data-dir", "used"), "used: the data directory is in use by another server (process ")
	if err := release(); err != nil {
		t.Fatal(err)
	}

	db := filepath.Join("used", sqlite.FileName)
	b, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(b); i++ { // damages every page except the first
		b[i] ^= 0x5a
	}
	for text, want := range map[string]string{
		string(b):              "restore a backup, or start with an empty directory",
		"a letter to grandma,": db + ": the file is not a database of truestep: move it away or choose another data directory",
	} {
		write(t, db, text)
		refused(t, append(quiet, "--data-dir", "used"), want)
		if after, err := os.ReadFile(db); err != nil || string(after) != text {
			t.Errorf("the file was changed, %v", err)
		}
	}
	if b, err := os.ReadFile("file"); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
}
