package rs

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// encoderPair is a vectorScene and a client that decodes its packets.
type encoderPair struct {
	*vectorScene
	c *PlayerInfoDecoder
}

func newEncoderPair(t *testing.T, start string) *encoderPair {
	t.Helper()
	state := readState(t, start)
	st := newVectorScene(t, Profile667, state)
	c, err := NewPlayerInfoDecoder(Profile667, state.self, st.view.AppendPlacement(nil, st.scene))
	if err != nil {
		t.Fatal(err)
	}
	return &encoderPair{st, c}
}

// cycle sets the state and sends a packet. It returns the info that the client received about the player whose index is in of.
func (p *encoderPair) cycle(t *testing.T, state string, lim PacketLimits, of Index, events ...func()) (in Info) {
	t.Helper()
	p.setState(readState(t, state), nil)
	for _, f := range events {
		f()
	}
	p.scene.Prepare()
	b, err := p.enc.Encode(nil, p.scene, p.view, p.want, lim)
	if err != nil {
		t.Fatal(err)
	}
	p.view.Commit()
	p.scene.Advance()
	if err := p.c.Apply(b); err != nil {
		t.Fatal(err)
	}
	p.c.Info(of, &in)
	return in
}

func TestEncodingDoesNotAllocateAfterFirstCycles(t *testing.T) {
	line := &Info{Has: InfoKindsOf(KindSay), Say: []byte("hello")}
	for name, s := range map[string]*Scene{"shared": NewScene(Profile667), "large": NewLargeScene(Profile667, indexSlots)} {
		w := newBenchWorld(s, 100, 24, 1)
		cycle := func() {
			w.townCycle(line)
			w.cycle(t)
		}
		for range 150 {
			cycle()
		}
		if n := testing.AllocsPerRun(30, cycle); n != 0 {
			t.Errorf("%s: %v allocations in a cycle of 100 viewers", name, n)
		}
	}
}

// Encoders only read a prepared scene, and the packet of a viewer does not depend on other viewers. Therefore one encoder sends the same
// number of bytes as four concurrent encoders.
func TestNumberOfConcurrentEncodersDoesNotChangeBytesSent(t *testing.T) {
	line := &Info{Has: InfoKindsOf(KindSay), Say: []byte("hello")}
	for name, large := range map[string]bool{"shared": false, "large": true} {
		var told [2]int
		for n := range told {
			s := NewScene(Profile667)
			if large {
				s = NewLargeScene(Profile667, indexSlots)
			}
			w := newBenchWorld(s, 60, 24, 1+3*n)
			for i := range w.workers {
				w.workers[i].enc.PrivateInfo = func(v *Viewer, row int, _ InfoKind, in *Info) bool {
					in.Clanmate = true
					in.Hits = append(in.Hits, Hit{Amount: v.OwnIndex()})
					return row%3 == 0
				}
			}
			for c := range 20 {
				w.townCycle(line)
				s.SetFacing(1+c, 60-c)
				s.SetPrivate(1+c, InfoKindsOf(KindClanmate, KindHits))
				w.cycle(t)
			}
			for _, me := range w.workers {
				told[n] += me.bytes
			}
		}
		if told[0] != told[1] {
			t.Errorf("%s: one worker sent %d bytes, four sent %d", name, told[0], told[1])
		}
	}
}

func TestFailedEncodeLeavesOutputAndViewerUnchanged(t *testing.T) {
	p := newEncoderPair(t, "1@3200,3200,0")
	s, v := p.scene, p.view
	encode := func(lim PacketLimits) error {
		s.Prepare()
		dst := []byte{1, 2, 3}
		b, err := p.enc.Encode(dst, s, v, p.want, lim)
		if err != nil && !bytes.Equal(b, dst) {
			t.Errorf("%v, dst became %x", err, b)
		}
		return err
	}
	s.Move(1, Tile{X: 100, Z: 100}, MoveTeleport)
	if err := encode(PacketLimits{Bytes: 4}); !errors.Is(err, ErrLimit) {
		t.Errorf("a far teleport in 4 bytes: %v", err)
	}
	if v.Commit() {
		t.Error("Commit returned true after an error")
	}
	if err := encode(PacketLimits{}); err != nil || !v.Commit() {
		t.Error(err)
	}
	if err := encode(PacketLimits{}); !errors.Is(err, ErrSameCycle) {
		t.Errorf("second Encode in a cycle: %v", err)
	}
	for range historyCycles {
		s.Advance()
	}
	if err := encode(PacketLimits{}); !errors.Is(err, ErrTooFarBehind) {
		t.Errorf("128 cycles behind: %v", err)
	}
	v.Reset(s)
	s.Remove(1)
	if err := encode(PacketLimits{}); !errors.Is(err, ErrOwnPlayerMissing) {
		t.Errorf("own avatar removed: %v", err)
	}
	if _, err := p.enc.Encode(nil, NewLargeScene(Profile667, 64), v, NewRowSet(64), PacketLimits{}); !errors.Is(err, ErrSceneMismatch) {
		t.Errorf("viewer of another scene: %v", err)
	}
}

// The viewer's own block and the blocks of priority rows are placed first. Persistent info of other rows is deferred.
func TestExtendedInfoBeyondByteLimitIsDeferredExceptForPriorityRows(t *testing.T) {
	const all = "1@3200,3200,0 2@3201,3200,0 3@3202,3200,0 4@3203,3200,0"
	p := newEncoderPair(t, "1@3200,3200,0 2=50,50,0 3=50,50,0 4=50,50,0")
	p.cycle(t, all, PacketLimits{}, 1)
	first := NewRowSet(indexSlots)
	first.Add(4)
	look := slices.Repeat([]byte{7}, 60)
	dress := func() {
		for i := 1; i <= 4; i++ {
			p.scene.SetInfo(i, &Info{Has: InfoKindsOf(KindAppearance, KindSay), Appearance: look, Say: []byte("hi")})
		}
	}
	p.cycle(t, all, PacketLimits{Bytes: 200, Priority: first}, 1, dress)
	for i, want := range map[Index]bool{1: true, 2: false, 3: false, 4: true} {
		if got := p.c.Appearance(i) != nil; got != want {
			t.Errorf("appearance of %d sent: %v", i, got)
		}
	}
	if n := p.view.Stats().DroppedInfo; n != 2 {
		t.Errorf("%d players with dropped info, want 2", n)
	}
	if in := p.cycle(t, all, PacketLimits{}, 2); in.Has != InfoKindsOf(KindAppearance) {
		t.Errorf("index 2 gets kinds %b next, want the appearance", in.Has)
	}
	if in := p.cycle(t, all, PacketLimits{}, 3); in.Has != 0 {
		t.Errorf("index 3 gets kinds %b again", in.Has)
	}
}

func TestAddedPlayersBeyondByteLimitAreDeferredToNextPacket(t *testing.T) {
	p := newEncoderPair(t, "1@3200,3200,0 2=50,50,0 3=50,50,0")
	look := slices.Repeat([]byte{7}, 60)
	for i := 2; i <= 3; i++ {
		p.scene.SetInfo(i, &Info{Has: InfoKindsOf(KindAppearance), Appearance: look})
	}
	const all = "1@3200,3200,0 2@3201,3200,0 3@3202,3200,0"
	p.cycle(t, all, PacketLimits{Bytes: 120}, 1)
	if p.c.LocalCount() != 2 || p.view.Stats().PendingAdds != 1 {
		t.Errorf("%d local players, %d pending adds", p.c.LocalCount(), p.view.Stats().PendingAdds)
	}
	p.cycle(t, all, PacketLimits{Bytes: 120}, 1)
	if p.c.LocalCount() != 3 || p.view.Stats().PendingAdds != 0 {
		t.Errorf("%d local players, %d pending adds", p.c.LocalCount(), p.view.Stats().PendingAdds)
	}
}

func TestPrivateExtendedInfoReplacesSharedExtendedInfoForOneViewer(t *testing.T) {
	const all = "1@3200,3200,0 2@3201,3200,0"
	p := newEncoderPair(t, "1@3200,3200,0 2=50,50,0")
	mate, asked := true, 0
	p.enc.PrivateInfo = func(v *Viewer, row int, k InfoKind, in *Info) bool {
		asked++
		in.Clanmate = mate
		in.Hits = append(in.Hits, Hit{Type: 9, Amount: 1})
		return v.OwnIndex() == 1 && row == 2 && (k == KindClanmate || k == KindHits)
	}
	in := p.cycle(t, all, PacketLimits{}, 2, func() {
		p.scene.SetInfo(2, &Info{Has: InfoKindsOf(KindHits), Hits: []Hit{{Type: 3, Amount: 1}}})
		p.scene.SetPrivate(2, InfoKindsOf(KindClanmate, KindHits))
	})
	if in.Has != InfoKindsOf(KindClanmate, KindHits) || !in.Clanmate || in.Hits[0].Type != 9 {
		t.Errorf("sent %+v", in)
	}
	asked = 0
	if in := p.cycle(t, all, PacketLimits{}, 2); in.Has != 0 || asked != 0 {
		t.Errorf("kinds %b, PrivateInfo called %d times, in a cycle without changes", in.Has, asked)
	}
	mate = false
	p.view.ResendPersistent(2)
	if in := p.cycle(t, all, PacketLimits{}, 2); !in.Has.Has(KindClanmate) || in.Clanmate {
		t.Errorf("after ResendPersistent sent %+v", in)
	}
}

// A client keeps most persistent kinds when it removes a player, but not the targets of worn objects.
func TestExtendedInfoDroppedWithRemovedPlayerIsResentWhenPlayerReturns(t *testing.T) {
	const near, far = "1@3200,3200,0 2@3201,3200,0", "1@3200,3200,0 2=50,50,0"
	p := newEncoderPair(t, far)
	set := func() {
		p.scene.SetInfo(2, &Info{
			Has: InfoKindsOf(KindSpeed, KindPIcon, KindWornTargets), Speed: 2, PIcon: true,
			WornTargets: []WornTarget{{Target: 5, Slots: 1}},
		})
	}
	if in := p.cycle(t, near, PacketLimits{}, 2, set); in.Has.Count() != 3 {
		t.Errorf("sent kinds %b", in.Has)
	}
	p.cycle(t, far, PacketLimits{}, 2)
	if in := p.cycle(t, near, PacketLimits{}, 2); in.Has != InfoKindsOf(KindWornTargets) {
		t.Errorf("sent kinds %b with the second add", in.Has)
	}
}

// When an index gets a new player, the persistent info that the client kept of the previous player is reset.
func TestExtendedInfoOfFormerPlayerIsResetWhenIndexIsReused(t *testing.T) {
	const near, none = "1@3200,3200,0 2@3201,3200,0", "1@3200,3200,0"
	p := newEncoderPair(t, "1@3200,3200,0 2=50,50,0")
	p.cycle(t, near, PacketLimits{}, 2, func() {
		p.scene.SetInfo(2, &Info{Has: InfoKindsOf(KindTarget, KindPIcon), Target: 77, PIcon: true})
	})
	p.cycle(t, none, PacketLimits{}, 2)
	in := p.cycle(t, near, PacketLimits{}, 2)
	if in.Has != InfoKindsOf(KindTarget, KindPIcon) || in.Target != None || in.PIcon {
		t.Errorf("sent %+v", in)
	}
	p.cycle(t, "1@3200,3200,0 2=50,50,0", PacketLimits{}, 2)
	if in := p.cycle(t, near, PacketLimits{}, 2); in.Has != 0 {
		t.Errorf("sent kinds %b again", in.Has)
	}
}

func TestExtendedInfoOfMissedCyclesIsCountedAndNotSentLater(t *testing.T) {
	const all = "1@3200,3200,0 2@3201,3200,0"
	p := newEncoderPair(t, "1@3200,3200,0 2=50,50,0")
	p.cycle(t, all, PacketLimits{}, 2)
	for range 3 {
		p.scene.SetInfo(2, &Info{Has: InfoKindsOf(KindSay), Say: []byte("missed")})
		p.scene.Prepare()
		p.scene.Advance()
	}
	if in := p.cycle(t, all, PacketLimits{}, 2); in.Has != 0 {
		t.Errorf("sent kinds %b", in.Has)
	}
	if s := p.view.Stats(); s.MissedInfo != 3 || s.CatchUps != 1 {
		t.Errorf("%+v", s)
	}
}
