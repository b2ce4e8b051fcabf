//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/process"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

const loopback = "127.0.0.1"

// walker is a RealmCrafter player that walks a short distance from the position at which it joined, and then stands still.
type walker struct {
	*rcce.Client
	lost chan error // result of Play
	end  context.CancelFunc

	mu   sync.Mutex
	sent bool     // the walk was requested
	at   geom.Vec // present position, in units
	done bool     // the walk has ended, and the player stands still
}

// Act implements rcce.Behaviour. It walks ten units, once. While the player stands, it sends the position again, because packets
// may be lost.
func (w *walker) Act(p *rcce.Player) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.sent {
		w.sent = true
		p.WalkTo(p.Pos().X+8, p.Pos().Z+6, true)
	}
	w.at, w.done = p.Pos(), !p.Walking()
	if w.done {
		p.Teleport(w.at.X, w.at.Z) // sends the last claim again, because a claim can be lost
	}
}

// pos returns the position at which the player stands after its walk.
func (w *walker) pos() geom.Vec {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

// leave logs the player out.
func (w *walker) leave() {
	w.end()
	<-w.lost
	w.Close()
}

// joinRccePlayer logs in a RealmCrafter player at a server of a check, with a new account if there is none with that name.
func (k *checkRun) joinRccePlayer(s *testServer, o rcce.Options) (*rcce.Client, error) {
	ctx, cancel := context.WithTimeout(k.ctx, recoverLimit)
	defer cancel()
	o.Password, o.SameConnection = password, true
	c, err := rcce.Dial(ctx, s.Rcce, o)
	if err != nil {
		return nil, err
	}
	if err := c.Join(ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("player %s cannot join: %w", o.User, err)
	}
	return c, nil
}

// walkAway logs in a player and makes it walk ten units. It returns when the player stands still and the server has its position.
func (k *checkRun) walkAway(s *testServer, name string) (*walker, error) {
	c, err := k.joinRccePlayer(s, rcce.Options{User: name})
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(k.ctx)
	w := &walker{Client: c, lost: make(chan error, 1), end: end}
	go func() { w.lost <- c.Play(ctx, w) }()
	err = k.until(name+" walks", 10*time.Second, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.sent && w.done
	})
	if err != nil {
		return w, err
	}
	var why error // why the last position of the server was not that of the client
	err = k.until("the server has the position at which "+name+" stands", recoverLimit, func() bool {
		at, err := s.posOf(k.ctx, name)
		switch stands := w.pos(); {
		case err != nil:
			why = err
		case at == nil:
			why = fmt.Errorf("%s has no position in the console because it changes areas", name)
		default:
			why = fmt.Errorf("the console shows %s at x %.2f, z %.2f, but its client stands at x %.2f, z %.2f", name, at.X, at.Z, stands.X, stands.Z)
			return geom.DistXZ(*at, stands) < 0.1
		}
		return false
	})
	if err != nil {
		err = errors.Join(err, why)
	}
	return w, err
}

// checkAt logs in the player of that name and returns an error if the player's position is not want.
func (k *checkRun) checkAt(s *testServer, name string, want geom.Vec) error {
	c, err := k.joinRccePlayer(s, rcce.Options{User: name})
	if err != nil {
		return err
	}
	defer c.Close()
	var at geom.Vec
	c.Inspect(func(world *rcce.World) { at = world.Self.Pos })
	if d := math.Hypot(float64(at.X-want.X), float64(at.Z-want.Z)); d > 5 {
		return fmt.Errorf("player %s is at x %.1f, z %.1f after the restart, but stood at x %.1f, z %.1f before", name, at.X, at.Z, want.X, want.Z)
	}
	return nil
}

func checkSigtermTwice(k *checkRun) error {
	s, err := k.start("data")
	if err != nil {
		return err
	}
	w, err := k.walkAway(s, "Ann")
	if err != nil {
		return err
	}
	at := w.pos()
	_ = s.process.Signal(syscall.SIGTERM)
	wait(k.ctx, 50*time.Millisecond)
	_ = s.process.Signal(syscall.SIGTERM)
	if err := s.process.Wait(); err != nil {
		return fmt.Errorf("the server does not end with status 0 after two SIGTERM: %w\n%s", err, s.process.Tail(10))
	}
	if s, err = k.start("data"); err != nil {
		return err
	}
	return k.checkAt(s, "Ann", at)
}

// Inventory slots between which an item is handed over from one player to another.
const (
	givenSlot = 14 // a new character's first item
	takenSlot = 40 // empty for a new character
)

// trader is one of two players of a hand-over: the giver drops the first item of its backpack, and the taker picks the item up.
type trader struct {
	mu      sync.Mutex
	gives   bool   // true for the giver, false for the taker
	dropped bool   // the giver has dropped its item
	pick    uint32 // handle of the item that the taker must pick up; 0 for none
}

// Act implements rcce.Behaviour. It drops the item if the player is the giver, and picks up the item once pick is set.
func (t *trader) Act(p *rcce.Player) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gives && !t.dropped {
		p.Drop(givenSlot, 1)
		t.dropped = true
	}
	if t.pick != 0 {
		p.PickUp(t.pick, takenSlot)
		t.pick = 0
	}
}

// checkKillAfterHandOvers checks that a kill of the server does not undo the hand-over of an item from one player to another.
// Several pairs of players hand over an item, one pair after the other, and the server is killed half a second after the last
// hand-over.
func checkKillAfterHandOvers(k *checkRun) error {
	s, err := k.start("data")
	if err != nil {
		return err
	}
	const pairs = 4
	for i := range pairs {
		if err := k.handOver(s, fmt.Sprint("Giver", i), fmt.Sprint("Taker", i)); err != nil {
			return err
		}
	}
	wait(k.ctx, 500*time.Millisecond)
	s.process.Kill()
	if s, err = k.start("data"); err != nil {
		return err
	}
	for i := range pairs {
		given, err := k.hasItem(s, fmt.Sprint("Giver", i), givenSlot)
		if err != nil {
			return err
		}
		taken, err := k.hasItem(s, fmt.Sprint("Taker", i), takenSlot)
		if err != nil {
			return err
		}
		if given || !taken {
			return fmt.Errorf("after the kill of the server: Giver%d, which had dropped its item, still has an item: %v, want false; Taker%d, which had picked it up, has the item: %v, want true", i, given, i, taken)
		}
	}
	return nil
}

func (k *checkRun) handOver(s *testServer, giver, taker string) error {
	gives, takes := &trader{}, &trader{}
	received := make(chan struct{})
	receive := sync.OnceFunc(func() { close(received) }) // a player may receive several items, because NPCs drop some, too
	b, err := k.joinRccePlayer(s, rcce.Options{User: taker, Packet: func(p proto.Packet) {
		switch p := p.(type) {
		case proto.InventoryDropped:
			takes.mu.Lock()
			takes.pick = p.Drop
			takes.mu.Unlock()
		case proto.InventoryReceived:
			receive()
		}
	}})
	if err != nil {
		return err
	}
	go func() { _ = b.Play(k.ctx, takes) }()
	a, err := k.joinRccePlayer(s, rcce.Options{User: giver})
	if err != nil {
		return err
	}
	gives.gives = true
	go func() { _ = a.Play(k.ctx, gives) }()
	select {
	case <-received:
		return nil
	case <-time.After(recoverLimit):
		return fmt.Errorf("%s dropped an item, but %s did not receive it within %v", giver, taker, recoverLimit)
	}
}

// hasItem reports whether a character has an item in a slot.
func (k *checkRun) hasItem(s *testServer, name string, slot uint8) (has bool, err error) {
	c, err := k.joinRccePlayer(s, rcce.Options{User: name, Packet: func(p proto.Packet) {
		if items, ok := p.(proto.FetchCharacterItems); ok {
			for _, it := range items.Slots {
				has = has || it.Slot == slot && it.Amount > 0
			}
		}
	}})
	if err == nil {
		c.Close()
	}
	return has, err
}

// startOnSmallDisk starts a server whose data folder is a file system of its own with 24 MB.
func (k *checkRun) startOnSmallDisk() (*testServer, error) {
	if err := os.Mkdir(k.path("disk"), 0o700); err != nil {
		return nil, err
	}
	if err := unix.Mount("tmpfs", k.path("disk"), "tmpfs", 0, "size=24m"); err != nil {
		return nil, fmt.Errorf("mount a small file system: %w", err)
	}
	return k.start("disk")
}

// checkFullDisk fills the file system of the data folder, logs a player out, frees space again, and checks that the server has
// then saved the player's position.
func checkFullDisk(k *checkRun) error {
	s, err := k.startOnSmallDisk()
	if err != nil {
		return err
	}
	stays, err := k.walkAway(s, "Ann")
	if err != nil {
		return err
	}
	leaves, err := k.walkAway(s, "Bob")
	if err != nil {
		return err
	}
	if err := process.FillDisk(k.path("disk/filler")); err != nil {
		return err
	}
	at := leaves.pos()
	leaves.leave()
	failing := func() float64 { return s.counters(k.ctx, "save_failing")["save_failing"] }
	if err := k.until("the metric save_failing is 1 while the disk is full", 20*time.Second, func() bool { return failing() == 1 }); err != nil {
		return err
	}
	if err := k.saysSavingFails(s); err != nil {
		return err
	}
	select {
	case err := <-stays.lost:
		return fmt.Errorf("a player lost its connection while the disk was full: %w", err)
	default:
	}
	if err := os.Remove(k.path("disk/filler")); err != nil {
		return err
	}
	if err := k.until("the metric save_failing is 0 after space was freed", 40*time.Second, func() bool { return failing() == 0 }); err != nil {
		return err
	}
	s.process.Kill() // a stop would save the records once more, but those saved before must suffice
	if s, err = k.start("disk"); err != nil {
		return err
	}
	return k.checkAt(s, "Bob", at)
}

var dumpPath = regexp.MustCompile(`/\S*unsaved-\S+\.jsonl`)

// checkFullDiskStop stops a server that cannot save records because its disk is full, and restores the records from the file that
// the server has written elsewhere.
func checkFullDiskStop(k *checkRun) error {
	s, err := k.startOnSmallDisk()
	if err != nil {
		return err
	}
	w, err := k.walkAway(s, "Ann")
	if err != nil {
		return err
	}
	if err := process.FillDisk(k.path("disk/filler")); err != nil {
		return err
	}
	at := w.pos()
	_ = s.process.Signal(syscall.SIGTERM)
	if err := s.process.Wait(); err == nil {
		return fmt.Errorf("the server ends with status 0, although it could not save its records on the full disk\n%s", s.process.Tail(10))
	}
	dumps := dumpPath.FindAllString(s.process.Tail(10), -1)
	if dumps == nil {
		return fmt.Errorf("the server does not print the path unsaved-*.jsonl of the file with the records that it could not save\n%s", s.process.Tail(10))
	}
	dump := dumps[len(dumps)-1]
	defer os.Remove(dump)
	if err := os.Remove(k.path("disk/filler")); err != nil {
		return err
	}
	if out, err := exec.CommandContext(k.ctx, k.bin, "restore", dump, "--data-dir", k.path("disk")).CombinedOutput(); err != nil {
		return fmt.Errorf("truestep restore: %w: %s\nthe server said\n%s", err, out, s.process.Tail(10))
	}
	if s, err = k.start("disk"); err != nil {
		return err
	}
	return k.checkAt(s, "Ann", at)
}

// saysSavingFails returns an error unless the console reports that records cannot be saved.
func (k *checkRun) saysSavingFails(s *testServer) error {
	text, err := s.body(k.ctx, s.overviewURL(), "")
	if err == nil && !strings.Contains(text, `"failingSince":"`) {
		err = fmt.Errorf("the console's overview does not contain failingSince while saving fails: %s", text)
	}
	return err
}

// refused checks that a server refuses to start on a data folder, and that its output says why. The parameter data is the name of
// the folder, and why is the text that the output must contain.
func (k *checkRun) refused(data, why string) error {
	s, err := k.start(data)
	if err == nil {
		return errStarted
	}
	if _, ended := errors.AsType[*exec.ExitError](err); !ended || !strings.Contains(s.process.Tail(20), why) {
		return fmt.Errorf("the server must refuse to start and print %q, but: %w", why, err)
	}
	return nil
}

func checkDamagedLog(k *checkRun) error {
	s, err := k.start("data")
	if err != nil {
		return err
	}
	for _, name := range []string{"Ann", "Bob", "Cid"} {
		c, err := k.joinRccePlayer(s, rcce.Options{User: name})
		if err != nil {
			return err
		}
		c.Close()
	}
	wait(k.ctx, time.Second)
	s.process.Kill()
	log := k.path("data/truestep.db-wal")
	b, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	if len(b) == 0 {
		return errors.New("truestep.db-wal is empty after kill -9, so the check has nothing to damage")
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(log, b, 0o600); err != nil {
		return err
	}
	if err := k.refused("data", "stored data is missing"); err != nil {
		return err
	}
	if s, err = k.start("data", "--accept-loss"); err != nil {
		return err
	}
	aside, _ := filepath.Glob(k.path("data/set-aside-*"))
	if len(aside) != 1 {
		return fmt.Errorf("after a start with --accept-loss the folders data/set-aside-* are %v, want one with the damaged files", aside)
	}
	return s.process.Stop()
}

func checkCopiedDatabase(k *checkRun) error {
	s, err := k.start("data")
	if err != nil {
		return err
	}
	w, err := k.walkAway(s, "Ann")
	if err != nil {
		return err
	}
	at := w.pos()
	w.leave()
	wait(k.ctx, time.Second)
	b, err := os.ReadFile(k.path("data/truestep.db"))
	if err == nil {
		err = errors.Join(os.Mkdir(k.path("copy"), 0o700), os.WriteFile(k.path("copy/truestep.db"), b, 0o600))
	}
	if err != nil {
		return err
	}
	if err := k.refused("copy", "it was copied alone or its log truestep.db-wal was removed"); err != nil {
		return err
	}
	for _, args := range [][]string{{"backup", k.path("backup.db"), "--data-dir", k.path("data")}, {"restore", k.path("backup.db"), "--data-dir", k.path("restored")}} {
		if out, err := exec.CommandContext(k.ctx, k.bin, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("run truestep with the arguments %v: %w: %s", args, err, out)
		}
	}
	if s, err = k.start("restored"); err != nil {
		return err
	}
	return k.checkAt(s, "Ann", at)
}

// checkPrivateFiles checks that only the owner can read the files that a server writes, including recordings of clients'
// packets.
func checkPrivateFiles(k *checkRun) error {
	s, err := k.start("data", "--rs-record", k.path("recordings"), "--bedrock-keylog", k.path("data/keys.log"))
	if err != nil {
		return err
	}
	for _, way := range routes {
		p, err := joinWithin(k.ctx, recoverLimit, &s.targets, way, loopback, "Guest"+way.name[:2])
		if err != nil {
			return err
		}
		p.close()
	}
	if err := s.process.Stop(); err != nil {
		return err
	}
	files := 0
	for _, root := range []string{"data", "recordings"} {
		err := filepath.WalkDir(k.path(root), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || e.Name() == "rs-public.txt" {
				return err
			}
			files++
			info, err := e.Info()
			if err == nil && info.Mode().Perm() != 0o600 {
				err = fmt.Errorf("%s has mode %v, so other users can read it; want -rw-------", path, info.Mode().Perm())
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if files < 6 {
		return fmt.Errorf("the server has written only %d files whose mode can be checked, want at least 6", files)
	}
	return nil
}
