package area

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Replay is the file that an area saves when a panic stops it. It contains a snapshot and the intents of every tick after the
// snapshot, the last of which panicked. If an area is restored from the snapshot and stepped through Ticks, it panics again.
type Replay struct {
	World    string       // name of the world
	Digest   uint64       // result of sim.World.Digest
	Area     string       // name of the area
	Seed     uint64       // seed of the area's random stream
	Snapshot []byte       // result of sim.Area.Snapshot; empty for the initial state of sim.NewArea with Seed
	Ticks    []ReplayTick // ticks after the snapshot, in order
	Panic    string       // value that the last tick panicked with, as text
	Stack    string       // stack trace of the panic
}

// ReplayTick is one tick of a replay: the intents that the area stepped, and the hash of the resulting state.
type ReplayTick struct {
	Intents []sim.Intent // intents in order of processing
	Hash    uint64       // Frame.Hash of the resulting frame; 0 for the tick that panicked
}

// Layout of the replay file:
//
//	size  field
//	8     magic, with the format's version in the last byte
//	      world, area: uvarint length, bytes
//	8     digest of the world, little endian
//	8     seed, little endian
//	      panic, stack, snapshot: uvarint length, bytes
//	      uvarint number of ticks, and for each:
//	8       hash of its frame, little endian
//	        uvarint length, intents as sim.AppendIntents
//	4     CRC-32 (IEEE) of everything before, little endian
const replayMagic = "TSREPLY\x01"

// MaxReplaySize is the maximum size in bytes of a replay file that ReadReplay accepts. The file that an area writes
// contains a snapshot of the area and the intents of at most 10 s.
const MaxReplaySize = 256 << 20

// Append appends the content of the replay file to b and returns the longer slice.
func (p *Replay) Append(b []byte) []byte {
	le := binary.LittleEndian
	from := len(b)
	field := func(data []byte) { b = append(binary.AppendUvarint(b, uint64(len(data))), data...) }
	b = append(b, replayMagic...)
	field([]byte(p.World))
	field([]byte(p.Area))
	b = le.AppendUint64(le.AppendUint64(b, p.Digest), p.Seed)
	field([]byte(p.Panic))
	field([]byte(p.Stack))
	field(p.Snapshot)
	b = binary.AppendUvarint(b, uint64(len(p.Ticks)))
	var intents []byte
	for i := range p.Ticks {
		b = le.AppendUint64(b, p.Ticks[i].Hash)
		intents = sim.AppendIntents(intents[:0], p.Ticks[i].Intents)
		field(intents)
	}
	return le.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}

// ReadReplay reads a replay file. It returns an error if the file is not a replay, is damaged, has another format version
// or is longer than MaxReplaySize.
func ReadReplay(r io.Reader) (*Replay, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxReplaySize+1))
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if len(b) > MaxReplaySize {
		return nil, fmt.Errorf("replay: the file is longer than %d MiB", MaxReplaySize>>20)
	}
	return ParseReplay(b)
}

var errReplay = errors.New("replay: the file is damaged or truncated")

// ParseReplay decodes the content of a replay file. The result does not refer to b.
func ParseReplay(b []byte) (*Replay, error) {
	const last = len(replayMagic) - 1
	if len(b) < len(replayMagic) || string(b[:last]) != replayMagic[:last] {
		return nil, errors.New("replay: the file is not a replay of an area")
	}
	if b[last] != replayMagic[last] {
		return nil, fmt.Errorf("replay: the file has format version %d, but this program reads version %d", b[last], replayMagic[last])
	}
	if len(b) < len(replayMagic)+4 || crc32.ChecksumIEEE(b[:len(b)-4]) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, errReplay
	}
	r := replayReader{b: b[len(replayMagic) : len(b)-4]}
	p := &Replay{World: string(r.field()), Area: string(r.field()), Digest: r.u64(), Seed: r.u64()}
	p.Panic, p.Stack = string(r.field()), string(r.field())
	p.Snapshot = append([]byte(nil), r.field()...)
	n := r.uvarint()
	for range min(n, uint64(len(r.b))) {
		t := ReplayTick{Hash: r.u64()}
		intents := r.field()
		if r.failed {
			break
		}
		var err error
		if t.Intents, err = sim.ParseIntents(nil, intents); err != nil {
			return nil, fmt.Errorf("replay: decode the intents of tick %d: %w", len(p.Ticks)+1, err)
		}
		p.Ticks = append(p.Ticks, t)
	}
	if r.failed || len(r.b) > 0 || uint64(len(p.Ticks)) != n {
		return nil, errReplay
	}
	return p, nil
}

// replayReader reads the fields of a replay file. After the first error all fields that it returns are zero.
type replayReader struct {
	b      []byte
	failed bool
}

func (r *replayReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *replayReader) u64() uint64 {
	if len(r.b) < 8 {
		r.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

func (r *replayReader) field() []byte {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	data := r.b[:n]
	r.b = r.b[n:]
	return data
}

func (r *replayReader) fail() { r.b, r.failed = nil, true }

// Playback steps an area again through the ticks that a replay recorded.
type Playback struct {
	replay *Replay
	area   *sim.Area
	next   int        // index in Replay.Ticks of the next tick
	frame  *sim.Frame // frame of the last step; the next step recycles it
}

// Play returns a playback at the beginning of the replay. The world w must be the one in which the replay was recorded.
func (p *Replay) Play(w *sim.World) (*Playback, error) {
	id := w.AreaNamed(p.Area)
	if id == sim.NoArea {
		return nil, fmt.Errorf("replay: the loaded world %q has no area %q, which the replay needs; the replay was recorded in the world %q", w.Name, p.Area, p.World)
	}
	if p.Digest != w.Digest() {
		return nil, fmt.Errorf("replay: the world %q differs from the recorded one; load exactly the world and rules that the server ran", p.World)
	}
	a := sim.NewArea(w, id, p.Seed)
	if len(p.Snapshot) > 0 {
		var err error
		if a, err = sim.Restore(w, p.Snapshot); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
	}
	return &Playback{replay: p, area: a}, nil
}

// Area returns the area in its current state. The caller must not change it, because the playback continues with it.
func (b *Playback) Area() *sim.Area { return b.area }

// PanicError is the error that Playback.Next returns if a tick panics, as the recorded one did.
type PanicError struct {
	Value string // value that the step panicked with, as text
	Stack string // stack trace of the panic
}

// Error returns the text of the panic.
func (e *PanicError) Error() string { return "the tick panicked: " + e.Value }

// Next executes the next step. It returns the recorded tick and the resulting frame, which is valid until the next call.
// At the end of the replay it returns io.EOF. If the step panics, it returns a *PanicError and must not be called again.
func (b *Playback) Next() (tick *ReplayTick, frame *sim.Frame, err error) {
	if b.next == len(b.replay.Ticks) {
		return nil, nil, io.EOF
	}
	tick = &b.replay.Ticks[b.next]
	b.next++
	b.area.Recycle(b.frame)
	b.frame = nil
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: fmt.Sprint(v), Stack: string(debug.Stack())}
		}
	}()
	b.frame = b.area.Step(tick.Intents)
	return tick, b.frame, nil
}

// Verify plays the whole replay. It returns nil if (1) every frame has the recorded hash, and (2) the last tick panics with the
// recorded value. If the replay has no recorded panic, no tick must panic.
func (p *Replay) Verify(w *sim.World) error {
	b, err := p.Play(w)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		tick, frame, err := b.Next()
		if panicked, ok := errors.AsType[*PanicError](err); ok {
			if n == len(p.Ticks) && p.Panic == panicked.Value {
				return nil
			}
			return fmt.Errorf("replay: unexpected panic in tick %d of %d: %w", n, len(p.Ticks), err)
		}
		if errors.Is(err, io.EOF) {
			if p.Panic != "" {
				return fmt.Errorf("replay: the last tick ended without the panic that was recorded: %s", p.Panic)
			}
			return nil
		}
		if frame.Hash != tick.Hash && (n < len(p.Ticks) || p.Panic == "") {
			return fmt.Errorf("replay: the state after tick %d of %d has the hash %#x, but the recorded hash is %#x", n, len(p.Ticks), frame.Hash, tick.Hash)
		}
	}
}

// recorder keeps in memory what a replay file after a panic needs: a copy of the area, and the intents and hashes of the ticks
// since then.
type recorder struct {
	base   sim.Area     // copy of the area; valid if copied is true
	copied bool         // base is valid; if false, the recording begins with the first tick of a new area
	ticks  []ReplayTick // the first n elements are the ticks after base; the others are memory for reuse
	n      int
}

// snapshotTicks is the number of ticks after which a recorder replaces its copy of the area: 10 s at 20 ticks/s.
const snapshotTicks = 200

// start discards the recorded ticks and begins again with a copy of the area.
func (r *recorder) start(s stepper) {
	s.CloneInto(&r.base)
	r.copied, r.n = true, 0
}

// snapshot returns the encoded copy of the area with which the recording begins. It returns nil if the recording begins with a
// new area, because then no copy is needed.
func (r *recorder) snapshot() []byte {
	if !r.copied {
		return nil
	}
	return r.base.Snapshot(nil)
}

// before records the intents of the next tick, before the area steps it. If snapshotTicks ticks are recorded, it first starts a
// new recording.
func (r *recorder) before(s stepper, intents []sim.Intent) {
	if r.n == snapshotTicks {
		r.start(s)
	}
	if r.n == len(r.ticks) {
		r.ticks = append(r.ticks, ReplayTick{})
	}
	t := &r.ticks[r.n]
	clear(t.Intents) // releases the previous content
	t.Intents, t.Hash = append(t.Intents[:0], intents...), 0
	r.n++
}

// after records the hash of the frame that the last step has produced. A playback of the replay compares its own hash with it.
func (r *recorder) after(hash uint64) { r.ticks[r.n-1].Hash = hash }

// write stores the replay in a new file in dir and returns its path.
func (p *Replay) write(dir string, now time.Time) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "area-"+now.UTC().Format("20060102-150405")+"-*.replay")
	if err != nil {
		return "", err
	}
	_, err = f.Write(p.Append(nil))
	return f.Name(), errors.Join(err, f.Close())
}
