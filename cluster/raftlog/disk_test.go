package raftlog

import (
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
)

// disk is a folder in memory that can lose what was not synced.
type disk struct {
	names   map[string]*content
	durable map[string]*content // names after the last sync of the folder
	pending []func(names map[string]*content)
	before  func(op diskOp) error // called before each change, which does not happen if an error is returned; may be nil
	after   func()                // called after each change; may be nil
}

// diskOp is a change of a disk.
type diskOp struct {
	name  string // kind of change: write, truncate, sync, create, rename, remove, syncdir
	size  int    // bytes of a write
	short *int   // number of bytes that are written although the write is refused; set by disk.before
}

// content is the content of a file.
type content struct {
	now, durable []byte
	pending      []change // since the last sync
}

// change is a write, or a truncation if data is nil.
type change struct {
	at   int64
	data []byte
}

func newDisk() *disk { return &disk{names: map[string]*content{}, durable: map[string]*content{}} }

// do carries out a change, if before does not refuse it.
func (d *disk) do(op diskOp, apply func()) error {
	if d.before != nil {
		if err := d.before(op); err != nil {
			return err
		}
	}
	apply()
	if d.after != nil {
		d.after()
	}
	return nil
}

// changeNames changes file names of the folder. Until the folder is synced, a loss of power may undo the change.
func (d *disk) changeNames(op string, apply func(names map[string]*content)) error {
	return d.do(diskOp{name: op}, func() {
		apply(d.names)
		d.pending = append(d.pending, apply)
	})
}

func (d *disk) make() error { return nil }

func (d *disk) list() ([]string, error) { return slices.Sorted(maps.Keys(d.names)), nil }

func (d *disk) create(name string) (file, error) {
	c := &content{}
	err := d.changeNames("create", func(names map[string]*content) { names[name] = c })
	return &diskFile{d, c}, err
}

func (d *disk) open(name string) (file, int64, error) {
	c := d.names[name]
	if c == nil {
		return nil, 0, fs.ErrNotExist
	}
	return &diskFile{d, c}, int64(len(c.now)), nil
}

func (d *disk) rename(from, to string) error {
	return d.changeNames("rename", func(names map[string]*content) {
		if c := names[from]; c != nil {
			names[to] = c
			delete(names, from)
		}
	})
}

func (d *disk) remove(name string) error {
	if d.names[name] == nil {
		return fs.ErrNotExist
	}
	return d.changeNames("remove", func(names map[string]*content) { delete(names, name) })
}

func (d *disk) sync() error {
	return d.do(diskOp{name: "syncdir"}, func() { d.durable, d.pending = maps.Clone(d.names), nil })
}

// diskFile is an open file of a disk.
type diskFile struct {
	disk *disk
	c    *content
}

func (f *diskFile) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(f.c.now)) {
		return 0, io.EOF
	}
	n := copy(b, f.c.now[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *diskFile) WriteAt(b []byte, at int64) (n int, err error) {
	apply := func() {
		w := change{at, slices.Clone(b[:n])}
		f.c.now = w.apply(f.c.now)
		f.c.pending = append(f.c.pending, w)
	}
	op := diskOp{name: "write", size: len(b), short: &n}
	err = f.disk.do(op, func() {
		n = len(b)
		apply()
	})
	if err != nil && n > 0 {
		apply()
	}
	return n, err
}

func (f *diskFile) Truncate(size int64) error {
	return f.disk.do(diskOp{name: "truncate"}, func() {
		w := change{at: size}
		f.c.now = w.apply(f.c.now)
		f.c.pending = append(f.c.pending, w)
	})
}

func (f *diskFile) sync() error {
	return f.disk.do(diskOp{name: "sync"}, func() { f.c.durable, f.c.pending = slices.Clone(f.c.now), nil })
}

func (f *diskFile) Close() error { return nil }

func (w change) apply(b []byte) []byte {
	if w.data == nil {
		return slices.Clone(b[:min(int64(len(b)), w.at)])
	}
	b = slices.Clone(b)
	if missing := int(w.at) + len(w.data) - len(b); missing > 0 {
		b = append(b, make([]byte, missing)...)
	}
	copy(b[w.at:], w.data)
	return b
}

// sector is the number of bytes that the disk writes together.
const sector = 64

// crash returns the disk as it is after the end of the process.
func (d *disk) crash() *disk {
	c := newDisk()
	for name, file := range d.names {
		c.names[name] = &content{now: slices.Clone(file.now), durable: slices.Clone(file.durable), pending: slices.Clone(file.pending)}
	}
	c.durable = maps.Clone(c.names) // the process that starts next syncs the folder
	return c
}

// loseUnsynced returns the disk after a loss of power, without anything that was not synced.
func (d *disk) loseUnsynced() *disk {
	c := newDisk()
	for name, file := range d.durable {
		c.names[name] = &content{now: slices.Clone(file.durable), durable: slices.Clone(file.durable)}
	}
	c.durable = maps.Clone(c.names)
	return c
}

// losePower returns the disk after a loss of power. Of what was not synced, it has the first few changes of file names, and a random
// part of the written sectors.
func (d *disk) losePower(r *rand.Rand) *disk {
	names := maps.Clone(d.durable)
	for _, apply := range d.pending[:r.IntN(len(d.pending)+1)] {
		apply(names)
	}
	c := newDisk()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		b := slices.Clone(names[name].durable)
		for _, w := range names[name].pending {
			b = w.losePart(b, r)
		}
		c.names[name] = &content{now: b, durable: slices.Clone(b)}
	}
	c.durable = maps.Clone(c.names)
	return c
}

// losePart applies a random part of the sectors of change w to b. A file that becomes longer has zeros in the lost sectors.
func (w change) losePart(b []byte, r *rand.Rand) []byte {
	if w.data == nil {
		if r.IntN(2) == 0 {
			return b
		}
		return w.apply(b)
	}
	for from := 0; from < len(w.data); {
		to := min(len(w.data), from+sector-int(w.at+int64(from))%sector)
		if r.IntN(2) == 0 {
			b = change{w.at + int64(from), w.data[from:to]}.apply(b)
		}
		from = to
	}
	return b
}
