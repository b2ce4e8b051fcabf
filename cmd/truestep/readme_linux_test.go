package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/internal/testport"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
)

// The commands of README.md that start three nodes are typed into a shell, with a database and ports of this test. Two guests enter through
// the pages of nodes a and b. Node b is killed with the command of docs/cluster.md: its guest plays on in its body through the page of node
// c, and the guest of node a sees it. Then node b is started again.
func TestReadmeCommandsStartThreeNodes(t *testing.T) {
	t.Parallel() // it mostly waits
	commands := codeBlock(t, "../../README.md", "truestep cluster keys")
	doc := textOf(t, "../../docs/cluster.md")
	if !strings.Contains(doc, commands) {
		t.Error("docs/cluster.md does not contain the commands of README.md")
	}
	for _, path := range []string{"../../README.md", "../../docs/cluster.md"} {
		before, _, _ := strings.Cut(textOf(t, path), commands)
		if paragraphs := strings.Split(before, "\n## "); !strings.Contains(paragraphs[len(paragraphs)-1], "`PATH=$PWD/bin:$PATH`") {
			t.Errorf("%s does not say before the commands how the shell finds the program", path)
		}
	}
	const kill, start, end = "kill -9 %2 ", "node b 2 ", "kill %1 %3 %4 "
	for _, text := range []string{kill, start, end} {
		if !strings.Contains(doc, "\n    "+text) {
			t.Errorf("docs/cluster.md does not contain the command %s", text)
		}
	}
	if text := "Pages are at http://127.0.0.1:9101 to 9103. `kill -9 %2` kills node b, `node b 2` starts it again."; !strings.Contains(textOf(t, "../../README.md"), text) {
		t.Errorf("README.md does not contain: %s", text)
	}
	pages := testport.Ten(t)
	replace := []string{"postgres:///world", "'" + pgtest.Database(t) + "'", "127.0.0.1:910", pages, "127.0.0.1:794", testport.Ten(t)}
	for _, port := range []string{"920$2", "930$2", "940$2", "950$2", "960$2"} {
		replace = append(replace, "127.0.0.1:"+port, "127.0.0.1:0")
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(commands, replace[i]) {
			t.Errorf("the commands do not contain %s", replace[i])
		}
	}

	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "truestep")
	write(t, program, "#!/bin/sh\nexec env "+actAsTruestep+"=1 '"+self+"' \"$@\"\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("bash", "-s")
	shell.Dir, shell.SysProcAttr = dir, &syscall.SysProcAttr{Setpgid: true}
	shell.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TRUESTEP_RCCE_PROJECT=", "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	var output logbuf.Buffer
	shell.Stdout, shell.Stderr = &output, &output
	typed, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-shell.Process.Pid, syscall.SIGKILL)
		if t.Failed() {
			t.Logf("%s", &output)
			for _, node := range []string{"a", "b", "c"} {
				log, _ := os.ReadFile(filepath.Join(dir, node+".log"))
				t.Logf("%s.log:\n%s", node, log)
			}
		}
	})
	enter := func(line string) {
		if _, err := io.WriteString(typed, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	// await waits until node a shows the states of all nodes, and a leader other than the node without for each area.
	await := func(states, without string) {
		t.Helper()
		deadline := time.Now().Add(patience)
		for {
			code, status, errs := truestep("cluster", "status", "--data-dir", filepath.Join(dir, "data-a"))
			nodes, areas, _ := strings.Cut(status, "\n\n")
			areas, _, _ = strings.Cut(areas, "\n\n") // without the tables after it
			got := strings.Join(regexp.MustCompile(`(?m)^[abc] +(up|down)\b`).FindAllString(nodes, -1), "\n")
			got = regexp.MustCompile(` +`).ReplaceAllString(got, " ")
			rows := regexp.MustCompile(`(?m)^(?:Truestep Vale|Windmoor|Old Wood|Mirror Lake|The Ring) +(\S+) `).FindAllStringSubmatch(areas, -1)
			led := len(rows) == 5 && !slices.ContainsFunc(rows, func(r []string) bool { return r[1] == "none" || r[1] == without })
			if code == 0 && got == states && led {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("nodes are\n%s, want\n%s\n%s%s", got, states, status, errs)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	enter(strings.NewReplacer(replace...).Replace(commands))
	await("a up\nb up\nc up", "")
	ann, bob := openPage(t, pages+"1", web.Options{Name: "Ann"}), openPage(t, pages+"2", web.Options{Name: "Bob"})
	body := inWorld(t, dir, "Bob", "b")
	bob.walk(t, 3)
	ann.sees(t, "Bob", bob.stand(t))
	enter(kill)
	bob.awaitEnd(t)
	was := bob.shown("Bob")
	bob = openPage(t, pages+"3", bob.again())
	if now := bob.shown("Bob"); now.tick <= was.tick || geom.DistXZ(now.pos, was.pos) > 0.1 {
		t.Errorf("node c shows Bob at %v in tick %d; node b showed him at %v in tick %d", now.pos, now.tick, was.pos, was.tick)
	}
	if again := inWorld(t, dir, "Bob", "c"); again != body {
		t.Errorf("Bob has the entity and the account %s through node c, and had %s through node b", again, body)
	}
	await("a up\nb down\nc up", "b")
	bob.walk(t, 2)
	ann.sees(t, "Bob", bob.stand(t))
	enter(start)
	await("a up\nb up\nc up", "")
	enter(end + "\nwait")
	typed.Close()
	if err := shell.Wait(); err != nil {
		t.Errorf("the nodes end with %v", err)
	}
}

// codeBlock returns the fenced block of commands of a Markdown file that begins with start.
func codeBlock(t *testing.T, path, start string) string {
	t.Helper()
	_, block, found := strings.Cut(textOf(t, path), "```sh\n"+start)
	block, _, ends := strings.Cut(block, "```")
	if !found || !ends {
		t.Fatalf("%s has no block of commands that begins with %s", path, start)
	}
	return start + block
}

// inWorld waits until node a lists a guest as a player in the world through a node, and returns the guest's entity and account. The
// parameter dir is the folder of the data folders.
func inWorld(t *testing.T, dir, name, node string) (body string) {
	t.Helper()
	row := regexp.MustCompile(`(?m)^(\d+) +` + name + ` +(\S+) +web .* ` + node + `$`)
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		_, list, errs := truestep("admin", "players", "--data-dir", filepath.Join(dir, "data-a"))
		if found := row.FindStringSubmatch(list); found != nil {
			return found[1] + " " + found[2]
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not in the world through node %s:\n%s%s", name, node, list, errs)
		}
	}
}

// guest is the player of a page, which stands or walks straight ahead.
type guest struct {
	name   string
	client *web.Client
	walks  atomic.Bool
	over   chan struct{} // closed when the connection has ended
}

// sight is an actor as a client is shown it. The tick is 0 if it is not shown.
type sight struct {
	tick uint32
	pos  geom.Vec // in blocks
}

// openPage lets a guest enter the world through the page at an address, and waits until it is shown itself. The guest plays until the end
// of the test. Like the page, openPage tries again while the server is busy, such as a node that has no link to a leader yet, or that
// still counts the player as one of a node that was killed. As in the page, a new guest is the same one in each attempt.
func openPage(t *testing.T, addr string, o web.Options) *guest {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	o.WS = true // the end of the server's process ends the connection at once
	if o.Guest == "" {
		o.Guest = newGuest(t, addr, o.Name)
	}
	c, err := web.Dial(ctx, "http://"+addr, o)
	for ; isBusy(err) && ctx.Err() == nil; c, err = web.Dial(ctx, "http://"+addr, o) {
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{client: c, over: make(chan struct{})}
	playing, end := context.WithCancel(context.Background())
	go func() {
		defer close(g.over)
		_ = c.Play(playing, func(*web.World) keys.Keys { // its error is that of a node that ends
			if g.walks.Load() {
				return keys.Keys{Forward: 1}
			}
			return keys.Keys{}
		})
	}()
	t.Cleanup(func() { end(); <-g.over })
	eventually(t, "the guest is shown itself", func() (is bool) {
		c.Inspect(func(w *web.World) {
			if is = w.Self() != nil && w.NewestTick() > 0; is {
				g.name = w.Self().Name
			}
		})
		return is
	})
	return g
}

// newGuest returns the identity of a new guest, which a ticket from the page at an address contains.
func newGuest(t *testing.T, addr, name string) (identity string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		r, err := http.Post("http://"+addr+"/play/v1/ticket", "application/json", strings.NewReader(fmt.Sprintf(`{"name": %q}`, name)))
		if err != nil {
			t.Fatal(err)
		}
		var ticket struct{ Guest string }
		err = json.NewDecoder(r.Body).Decode(&ticket)
		r.Body.Close()
		if r.StatusCode == http.StatusOK && err == nil && ticket.Guest != "" {
			return ticket.Guest
		}
		if !isBusyStatus(r.StatusCode) || time.Now().After(deadline) {
			t.Fatalf("%s gives no ticket: %s, %v", addr, r.Status, err)
		}
	}
}

// isBusy reports whether a server refuses a guest only for now: the player is in the world already, or the server is busy. Other refusals,
// and the internal errors after which the page tries again as well, are failures of the test.
func isBusy(err error) bool {
	if status, ok := errors.AsType[*web.StatusError](err); ok {
		return isBusyStatus(status.Status)
	}
	refused, ok := errors.AsType[*web.RefusedError](err)
	return ok && refused.Seconds > 0 && (refused.Reason == proto.RefusedOnline || refused.Reason == proto.RefusedBusy)
}

// isBusyStatus reports whether an HTTP status answers a request for a ticket in the cases of isBusy.
func isBusyStatus(status int) bool {
	return status == http.StatusConflict || status == http.StatusServiceUnavailable
}

// again returns the options with which the page enters again after the loss of its connection.
func (g *guest) again() web.Options {
	o := web.Options{Guest: g.client.GuestIdentity(), Resume: g.client.ResumeToken()}
	g.client.Inspect(func(w *web.World) { o.Request = w.LastRequest() })
	return o
}

// shown returns the player of a name as the guest was shown it last.
func (g *guest) shown(name string) (s sight) {
	g.client.Inspect(func(w *web.World) {
		if a := w.FindByName(name); a != nil {
			s = sight{w.NewestTick(), a.Pos()}
		}
	})
	return s
}

// walk makes the guest walk until it is shown itself that number of blocks from where it is, in a later tick.
func (g *guest) walk(t *testing.T, blocks float32) {
	t.Helper()
	from := g.shown(g.name)
	g.walks.Store(true)
	eventually(t, g.name+" walks", func() bool {
		now := g.shown(g.name)
		return now.tick > from.tick && geom.DistXZ(now.pos, from.pos) >= blocks
	})
	g.walks.Store(false)
}

// stand waits until the guest was shown itself at the same position for half a second of ticks, and returns the position.
func (g *guest) stand(t *testing.T) geom.Vec {
	t.Helper()
	since := g.shown(g.name)
	eventually(t, g.name+" stands", func() bool {
		now := g.shown(g.name)
		if now.pos != since.pos {
			since = now
		}
		return now.tick >= since.tick+10
	})
	return since.pos
}

// sees waits until the guest is shown another player at a position.
func (g *guest) sees(t *testing.T, name string, pos geom.Vec) {
	t.Helper()
	eventually(t, g.name+" sees "+name, func() bool { return g.shown(name).pos == pos })
	select {
	case <-g.over:
		t.Errorf("%s has lost the connection", g.name)
	default:
	}
}

// awaitEnd waits until the guest's connection has ended.
func (g *guest) awaitEnd(t *testing.T) {
	t.Helper()
	select {
	case <-g.over:
	case <-time.After(patience):
		t.Fatalf("the connection of %s goes on", g.name)
	}
}
