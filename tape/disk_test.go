package tape

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
)

// disk is a file system in memory that records all changes in order. Its method cut returns the content after a kill or a power
// loss that follows any of the changes.
type disk struct {
	mu     sync.Mutex
	names  map[string]int // index in files of the file with each name
	dirs   map[string]bool
	files  [][]byte
	ops    []diskOp
	base   *disk                  // state to which ops are applied, for a disk that cut has returned; nil for an empty disk
	fault  func(op *diskOp) error // called before each change, without the lock; if it returns an error, the change is not made. May be nil.
	faulty bool                   // fault was or will be set
}

type diskOp struct {
	kind     opKind
	name, to string
	file     int
	data     []byte // of a write
	short    int    // number of bytes that a failing write nevertheless writes
	note     any    // of a mark
}

type opKind int

const (
	opCreate opKind = iota
	opWrite
	opSync
	opRename
	opRemove
	opSyncDir
	opMark // not a change: records what the tape promises at this point
)

func newDisk() *disk { return &disk{names: map[string]int{}, dirs: map[string]bool{}} }

// do records and applies a change.
func (d *disk) do(op diskOp) error {
	d.mu.Lock()
	fault := d.fault
	d.mu.Unlock()
	if fault != nil {
		if err := fault(&op); err != nil {
			if op.short > 0 {
				op.data = op.data[:op.short]
				d.apply(op)
			}
			return err
		}
	}
	d.apply(op)
	return nil
}

// opCount returns the number of changes so far.
func (d *disk) opCount() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ops)
}

func (d *disk) apply(op diskOp) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, op)
	switch op.kind {
	case opCreate:
		d.names[op.name] = op.file
	case opWrite:
		d.files[op.file] = append(d.files[op.file], op.data...)
	case opRename:
		d.names[op.to] = d.names[op.name]
		delete(d.names, op.name)
	case opRemove:
		delete(d.names, op.name)
	}
}

func (d *disk) setFault(fault func(op *diskOp) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = fault
}

func (d *disk) mark(note any) { d.apply(diskOp{kind: opMark, note: note}) }

func (d *disk) MkdirAll(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dirs[dir] = true
	return nil
}

func (d *disk) ReadDir(dir string) (names []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name := range d.names {
		if path.Dir(name) == dir {
			names = append(names, path.Base(name))
		}
	}
	if dir == "." {
		names = slices.AppendSeq(names, maps.Keys(d.dirs))
	}
	slices.Sort(names)
	return names, nil
}

func (d *disk) lookUp(name string) (file int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, ok = d.names[name]
	return file, ok
}

func (d *disk) Create(name string) (File, error) {
	if _, exists := d.lookUp(name); exists {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	d.mu.Lock()
	file := len(d.files)
	d.files = append(d.files, nil)
	d.mu.Unlock()
	if err := d.do(diskOp{kind: opCreate, name: name, file: file}); err != nil {
		return nil, err
	}
	return &diskFile{d, file}, nil
}

func (d *disk) Open(name string) (ReadFile, int64, error) {
	file, ok := d.lookUp(name)
	if !ok {
		return nil, 0, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b := slices.Clone(d.files[file])
	return readFile{bytes.NewReader(b)}, int64(len(b)), nil
}

// readFile is the content that a file had when it was opened.
type readFile struct{ *bytes.Reader }

func (readFile) Close() error { return nil }

func (d *disk) SyncFile(name string) error {
	file, ok := d.lookUp(name)
	if !ok {
		return fs.ErrNotExist
	}
	return d.do(diskOp{kind: opSync, file: file})
}

func (d *disk) Rename(from, to string) error {
	if _, ok := d.lookUp(from); !ok {
		return fs.ErrNotExist
	}
	return d.do(diskOp{kind: opRename, name: from, to: to})
}

func (d *disk) Remove(name string) error {
	if _, ok := d.lookUp(name); !ok {
		return fs.ErrNotExist
	}
	return d.do(diskOp{kind: opRemove, name: name})
}

func (d *disk) SyncDir(dir string) error { return d.do(diskOp{kind: opSyncDir, name: dir}) }

type diskFile struct {
	disk *disk
	file int
}

func (f *diskFile) Write(b []byte) (int, error) {
	op := diskOp{kind: opWrite, file: f.file, data: slices.Clone(b)}
	if err := f.disk.do(op); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (f *diskFile) Sync() error  { return f.disk.do(diskOp{kind: opSync, file: f.file}) }
func (f *diskFile) Close() error { return nil }

// cutKind selects which of the changes that were not synced survive a crash.
type cutKind int

const (
	cutProcess  cutKind = iota // the process was killed: every change survives, but the last write only in part
	cutDropped                 // loss of power: no unsynced change survives
	cutKept                    // loss of power: every change survives
	cutReorder                 // loss of power: any subset of the unsynced sectors and file names survives
	numCutKinds                // number of cut kinds
)

const sector = 64 // bytes that the disk writes as a whole or not at all; small, so that the records of the tests are torn

// cut returns the disk as it is after the first n changes and a crash.
func (d *disk) cut(n int, kind cutKind, random *rand.Rand) *disk {
	ops := slices.Clone(d.ops[:n])
	if kind == cutProcess && n < len(d.ops) && d.ops[n].kind == opWrite {
		part := d.ops[n]
		part.data = part.data[:random.IntN(len(part.data)+1)]
		ops = append(ops, part)
	}
	survives := func(synced bool) bool {
		return synced || kind == cutProcess || kind == cutKept || kind == cutReorder && random.IntN(2) == 0
	}
	after := newDisk()
	maps.Copy(after.dirs, d.dirs)
	after.files = make([][]byte, len(d.files))
	at := make([]int, len(d.files)) // offset of the next write of each file
	if d.base != nil {
		maps.Copy(after.names, d.base.names)
		for i, b := range d.base.files {
			after.files[i], at[i] = slices.Clone(b), len(b)
		}
	}
	for i, op := range ops {
		switch op.kind {
		case opWrite:
			synced := slices.ContainsFunc(ops[i:], func(later diskOp) bool { return later.kind == opSync && later.file == op.file })
			for from := 0; from < len(op.data); from += sector {
				if part := op.data[from:min(from+sector, len(op.data))]; survives(synced) {
					after.files[op.file] = writeAt(after.files[op.file], at[op.file]+from, part)
				}
			}
			at[op.file] += len(op.data)
		case opCreate, opRename, opRemove:
			synced := slices.ContainsFunc(ops[i:], func(later diskOp) bool { return later.kind == opSyncDir && later.name == path.Dir(op.name) })
			if !survives(synced) {
				continue
			}
			switch op.kind {
			case opCreate:
				after.names[op.name] = op.file
			case opRename:
				after.names[op.to] = d.fileOf(ops[:i], op.name)
				delete(after.names, op.name)
			case opRemove:
				delete(after.names, op.name)
			}
		}
	}
	after.base = &disk{names: maps.Clone(after.names)}
	for _, b := range after.files {
		after.base.files = append(after.base.files, slices.Clone(b))
	}
	return after
}

func writeAt(b []byte, at int, data []byte) []byte {
	if end := at + len(data); end > len(b) {
		b = append(b, make([]byte, end-len(b))...)
	}
	copy(b[at:], data)
	return b
}

// fileOf returns the number of the file that is called name after the given operations.
func (d *disk) fileOf(ops []diskOp, name string) int {
	for i := len(ops) - 1; i >= 0; i-- {
		switch op := &ops[i]; {
		case op.kind == opCreate && op.name == name:
			return op.file
		case op.kind == opRename && op.to == name:
			return d.fileOf(ops[:i], op.name)
		}
	}
	return d.base.names[name]
}

var errDisk = errors.New("injected error of the disk")
