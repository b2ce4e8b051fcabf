package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	gate "github.com/truestep-io/truestep/gateway/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/swarm"
)

// runSwarmRs runs "truestep swarm rs args" and returns what it prints.
func runSwarmRs(t *testing.T, args ...string) (*bytes.Buffer, error) {
	t.Helper()
	c := newCLI()
	parser, err := kong.New(c, kong.Name("truestep"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"swarm", "rs"}, args...)); err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	return out, c.Swarm.Rs.Run(std{out, io.Discard})
}

func TestSwarmRsHelpMatchesGoldenFile(t *testing.T) {
	here(t)
	code, out, errs := truestep("swarm", "rs", "--help")
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	golden(t, "help/swarm-rs.txt", out)
}

// expectPrivate checks that only the owner can read the files in these folders, except the public key.
func expectPrivate(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		n := 0
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == gate.PublicFile {
				return err
			}
			info, err := d.Info()
			if n++; err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
				t.Errorf("%s has mode %v", name, info.Mode())
			}
			return err
		})
		if err != nil || n == 0 {
			t.Errorf("%s has %d files, %v", path, n, err)
		}
	}
}

func TestSwarmRsPlayersJoinPlayAndAreReported(t *testing.T) {
	t.Parallel()
	records := filepath.Join(t.TempDir(), "records")
	keylog := filepath.Join(t.TempDir(), "keys")
	write(t, keylog, "") // creates the file with permissions that let other users read it
	door, data := serveDoor(t, "rs", "--rcce", "off", "--bedrock", "127.0.0.1:0", "--rs-record", records, "--bedrock-keylog", keylog)
	key := filepath.Join(data, gate.PublicFile)
	defer expectPrivate(t, data, records, keylog)
	file := filepath.Join(t.TempDir(), "report.json")
	var r swarm.RSReport
	// The first connections are interrupted after 0.5 s and 1.4 s. If no player has reconnected by the end, because the machine was busy, the
	// run is repeated for twice as long. All else must be right in each run.
	for duration := 2500 * time.Millisecond; r.Reconnects == 0 || r.Blocks["APPEARANCE"] == 0; duration *= 2 {
		if duration > patience {
			t.Fatalf("no player has reconnected: %+v", r)
		}
		out, err := runSwarmRs(t, "--addr", door, "--public-key", key, "-n", "12", "-d", duration.String(), "--rate", "100/s",
			"--in-sight", "--walk", "--chat", "--kill", "12", "--report", file, "--seed", "9")
		if err != nil {
			t.Fatalf("exit: %v\n%s", err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r = swarm.RSReport{}
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if r.Joined != 12 || r.Failed != 0 || r.Dropped != 0 || r.Mismatched != 0 || r.Unreadable != 0 || r.Ignored != 0 || r.OffMap != 0 {
			t.Errorf("%+v", r)
		}
		if r.PlayerInfos == 0 || r.Gap.Max == 0 || r.InSight.Max < 12 || r.Clicks == 0 || r.BytesInPerClient == 0 {
			t.Errorf("%+v", r)
		}
		if text := unwrapped(out); !strings.Contains(text, "12 asked, 12 joined, 0 failed, 0 dropped") || !strings.Contains(text, ": walk, chat, in sight, 12 connections interrupted again and again; ") {
			t.Errorf("%s", text)
		}
	}

	out, err := runSwarmRs(t, "--server", door, "--public-key", key, "-n", "1", "-d", "1s", "--password", "another", "--json")
	var status exitStatus
	if !errors.As(err, &status) || status != 1 {
		t.Errorf("exit with a wrong password: %v", err)
	}
	r = swarm.RSReport{}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Failed != 1 || r.FailedByCode["3"] != 1 {
		t.Errorf("%v, %+v", err, r)
	}
}

// loginKey makes a key and the file with its public half.
func loginKey(t *testing.T) (key *proto.PrivateKey, file string) {
	t.Helper()
	dir := t.TempDir()
	key, err := gate.LoadKey(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	return key, filepath.Join(dir, gate.PublicFile)
}

// serveMismatch runs a server that logs one player in and then sends it a packet that would make the game's client end the
// connection. It returns the address and the file with the key.
func serveMismatch(t *testing.T) (at, file string) {
	t.Helper()
	key, file := loginKey(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- letIn(l, key) }()
	t.Cleanup(func() {
		l.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), file
}

func letIn(l net.Listener, key *proto.PrivateKey) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		return err
	}
	if _, err := c.Write([]byte{proto.HandshakeContinue}); err != nil {
		return err
	}
	var head [3]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return err
	}
	body := make([]byte, int(head[1])<<8|int(head[2]))
	if _, err := io.ReadFull(c, body); err != nil {
		return err
	}
	login, err := proto.ParseLogin(body)
	if err != nil {
		return err
	}
	plain, err := key.Decrypt(login.RSA, nil)
	if err != nil {
		return err
	}
	secret, err := proto.ParseRSABlock(plain)
	if err != nil {
		return err
	}
	w := proto.NewFrameWriter(proto.S2C, secret.Keys.ServerCipher())
	b := proto.Response{Code: proto.ResponseOK, Body: proto.Welcome{Index: 1}.Append(nil)}.Append(nil)
	first := proto.AppendPlacement(nil, 1, proto.Tile{X: 3222, Z: 3218}, nil)
	b, err1 := w.Append(b, proto.ServerRebuildNormal, proto.RebuildNormalAround(3222, 3218, proto.Area104, true).Append(first))
	b, err2 := w.Append(b, proto.ServerPlayerInfo, []byte{0xff})
	_, err3 := c.Write(b)
	_, _ = io.Copy(io.Discard, c)
	return errors.Join(err1, err2, err3)
}

func TestSwarmRsReportsWrongClientStateWithExitStatusOne(t *testing.T) {
	t.Parallel()
	door, key := serveMismatch(t)
	out, err := runSwarmRs(t, "--addr", door, "--public-key", key, "-n", "1", "-d", "10s")
	var status exitStatus
	if !errors.As(err, &status) || status != 1 {
		t.Errorf("exit: %v", err)
	}
	if !strings.Contains(out.String(), "rsbot0001, cycle 1, bit ") || !strings.Contains(out.String(), "mismatches   1\n") {
		t.Errorf("%s", out)
	}
}

func TestSwarmRsErrorContainsAddressIfServerIsDown(t *testing.T) {
	t.Parallel()
	_, key := loginKey(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	// Keep the port in use by a connection that does not listen, so that no other program opens it meanwhile.
	taken, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	closed := taken.LocalAddr().String()
	out, err := runSwarmRs(t, "--addr", closed, "--public-key", key, "-n", "2", "-d", "1s", "--rate", "100/s")
	var status exitStatus
	if !errors.As(err, &status) || status != 1 {
		t.Errorf("exit: %v, want status 1", err)
	}
	if !strings.Contains(out.String(), "2: connect: dial tcp "+closed+": connect: connection refused") || !strings.Contains(out.String(), "2 by code none") {
		t.Errorf("%s", out)
	}
}

// Each error is one line with the cause and the fix; the exit status is 2.
func TestSwarmRsRefusesBadFlagsInOneLine(t *testing.T) {
	dir := here(t)
	_, key := loginKey(t)
	broken := filepath.Join(dir, "broken.txt")
	if err := os.WriteFile(broken, []byte("exponent many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                         "public key ./truestep-data/rs-public.txt: no such file; name the server's public key with --public-key FILE: the file rs-public.txt in the server's data folder",
		"--public-key nowhere.txt": "public key nowhere.txt: no such file or directory; --public-key must name the file rs-public.txt, which a server writes into its data folder",
		"--public-key broken.txt":  "public key broken.txt: the text is not the public key of a server: line 1: exponent must be a number of 1 to 4096 bits in base 10; use the file rs-public.txt in the server's data folder",
		"--public-key " + key + " --report nowhere/r.json": "create file of --report nowhere/r.json: no such file or directory; name a file that can be written",
		"-n 0":               "swarm rs: --clients 0: must be 1..9999; see truestep swarm rs --help",
		"--prefix longish99": "swarm rs: --prefix \"longish99\": must have 1..8 characters; see truestep swarm rs --help",
		"--prefix a.b":       `swarm rs: --prefix "a.b" must contain only letters, digits and _; see truestep swarm rs --help`,
		"-n 3 --kill 4":      "swarm rs: --kill 4: must be 0..3, the number of clients; see truestep swarm rs --help",
		"--walk --fight":     "--walk and --fight can't be used together; see truestep swarm rs --help",
	} {
		code, out, errs := truestep(append([]string{"swarm", "rs"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || errs != "truestep: "+want+"\n" {
			t.Errorf("%s: exit status %d, printed %q and\n%swant\n%s", args, code, out, errs, want)
		}
	}
}
