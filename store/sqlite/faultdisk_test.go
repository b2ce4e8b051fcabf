//go:build linux && (amd64 || arm64)

package sqlite

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"modernc.org/libc"
	codes "modernc.org/sqlite/lib"
)

// faultDisk is an SQLite file system (VFS) over that of the operating system. It makes calls fail on request, and simulates
// power cuts, which leave the synced writes and any part of the later ones. Only one faultDisk can be in use, so tests that
// use it are not parallel.
type faultDisk struct {
	mu      sync.Mutex
	calls   int                                  // number of writes, truncations and syncs so far
	before  func(call int)                       // called before each write, truncation and sync; may be nil
	fail    func(call int, op string) (rc int32) // a result other than 0 makes the call fail; may be nil
	liesAt  int                                  // number of the call from which on syncs report success without syncing; 0 for never
	lies    []string                             // liesAt applies to files with these suffixes: "" is the database, logSuffix the log
	opened  int                                  // value of calls when work had opened the store
	closing int                                  // value of calls when work began to close the store
	handles map[uintptr]string                   // maps SQLite's file handle to the path
	files   map[string]*diskFile
}

type diskFile struct {
	synced  []byte
	pending []diskWrite
}

// diskWrite is a write of data at offset at, or a truncation to length at if data is nil.
type diskWrite struct {
	at   int64
	data []byte
}

func (w diskWrite) apply(b []byte) []byte {
	if w.data == nil {
		return b[:min(int(w.at), len(b))]
	}
	if end := int(w.at) + len(w.data); end > len(b) {
		b = append(b, make([]byte, end-len(b))...)
	}
	copy(b[w.at:], w.data)
	return b
}

const sector = 512 // bytes that a disk writes as a whole or not at all

// afterPowerCut returns the content of a file after a power cut now: each sector that was not synced is present or not, at
// random.
func (d *faultDisk) afterPowerCut(path string, r *rand.Rand) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[path]
	if f == nil {
		return nil
	}
	b := slices.Clone(f.synced)
	for _, w := range f.pending {
		if w.data == nil {
			if r.IntN(2) == 0 {
				b = w.apply(b)
			}
			continue
		}
		for i := 0; i < len(w.data); i += sector {
			if r.IntN(2) == 0 {
				b = diskWrite{w.at + int64(i), w.data[i:min(i+sector, len(w.data))]}.apply(b)
			}
		}
	}
	return b
}

// begin counts a disk call and returns the error code with which the call must fail, or 0 if it must not fail.
func (d *faultDisk) begin(op string) int32 {
	d.mu.Lock()
	d.calls++
	n, before, fail := d.calls, d.before, d.fail
	d.mu.Unlock()
	if before != nil {
		before(n)
	}
	if fail != nil {
		return fail(n, op)
	}
	return 0
}

func (d *faultDisk) write(file uintptr, w diskWrite) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.files[d.handles[file]]; f != nil {
		f.pending = append(f.pending, w)
	}
}

func (d *faultDisk) sync(file uintptr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[d.handles[file]]
	_, suffix, _ := strings.Cut(d.handles[file], FileName)
	if f == nil || d.liesAt > 0 && d.calls >= d.liesAt && slices.Contains(d.lies, suffix) {
		return
	}
	for _, w := range f.pending {
		f.synced = w.apply(f.synced)
	}
	f.pending = nil
}

var (
	disk       *faultDisk // the faultDisk that is in use
	registered sync.Once
	system     struct { // original functions of the operating system's VFS
		open                  uintptr
		write, truncate, sync uintptr
		methods               map[uintptr]uintptr // maps the address of an original method table to the address of its copy
	}
)

// Layout of sqlite3_vfs and sqlite3_io_methods on 64-bit systems, in bytes. Source: sqlite3.h.
const (
	vfsSize, vfsName, vfsOpen                            = 21 * 8, 24, 40
	methodsSize, methodWrite, methodTruncate, methodSync = 19 * 8, 24, 32, 40
)

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, n int32, at int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
)

// pointer converts an address in SQLite's memory, which the Go runtime does not manage, to a pointer.
func pointer(at uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&at)) }

func word(at uintptr) *uintptr { return (*uintptr)(pointer(at)) }

func function[T any](p uintptr) T { return *(*T)(unsafe.Pointer(&struct{ uintptr }{p})) }

// useFaultDisk returns a new faultDisk and registers it as the VFS "faulty".
func useFaultDisk() *faultDisk {
	registered.Do(func() {
		tls := libc.NewTLS()
		system.methods = map[uintptr]uintptr{}
		original := codes.Xsqlite3_vfs_find(tls, 0)
		vfs := libc.Xmalloc(tls, vfsSize)
		for i := uintptr(0); i < vfsSize; i += 8 {
			*word(vfs + i) = *word(original + i)
		}
		name, err := libc.CString("faulty")
		if err != nil {
			panic(err)
		}
		*word(vfs + vfsName) = name
		system.open = *word(original + vfsOpen)
		*(*openFunc)(pointer(vfs + vfsOpen)) = faultyOpen
		if rc := codes.Xsqlite3_vfs_register(tls, vfs, 0); rc != 0 {
			panic(rc)
		}
	})
	disk = &faultDisk{handles: map[uintptr]string{}, files: map[string]*diskFile{}}
	return disk
}

func faultyOpen(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32 {
	rc := function[openFunc](system.open)(tls, vfs, name, file, flags, outFlags)
	if rc != 0 || *word(file) == 0 {
		return rc
	}
	disk.mu.Lock()
	defer disk.mu.Unlock()
	*word(file) = faultyMethods(tls, *word(file))
	if name == 0 {
		return rc
	}
	path := libc.GoString(name)
	disk.handles[file] = path
	if disk.files[path] == nil {
		b, _ := os.ReadFile(path)
		disk.files[path] = &diskFile{synced: b}
	}
	return rc
}

// faultyMethods returns a copy of SQLite's table of file methods in which the functions below replace the originals. SQLite has
// different tables for files with and without locks.
func faultyMethods(tls *libc.TLS, original uintptr) uintptr {
	if table := system.methods[original]; table != 0 {
		return table
	}
	table := libc.Xmalloc(tls, methodsSize)
	for i := uintptr(0); i < methodsSize; i += 8 {
		*word(table + i) = *word(original + i)
	}
	// The original functions for write, truncate and sync are the same in every method table.
	system.write, system.truncate, system.sync = *word(table + methodWrite), *word(table + methodTruncate), *word(table + methodSync)
	*(*writeFunc)(pointer(table + methodWrite)) = faultyWrite
	*(*truncateFunc)(pointer(table + methodTruncate)) = faultyTruncate
	*(*syncFunc)(pointer(table + methodSync)) = faultySync
	system.methods[original] = table
	return table
}

func faultyWrite(tls *libc.TLS, file, data uintptr, n int32, at int64) int32 {
	if rc := disk.begin("write"); rc != 0 {
		return rc
	}
	rc := function[writeFunc](system.write)(tls, file, data, n, at)
	if rc == 0 {
		disk.write(file, diskWrite{at, slices.Clone(unsafe.Slice((*byte)(pointer(data)), n))})
	}
	return rc
}

func faultyTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	if rc := disk.begin("truncate"); rc != 0 {
		return rc
	}
	rc := function[truncateFunc](system.truncate)(tls, file, size)
	if rc == 0 {
		disk.write(file, diskWrite{at: size})
	}
	return rc
}

func faultySync(tls *libc.TLS, file uintptr, flags int32) int32 {
	if rc := disk.begin("sync"); rc != 0 {
		return rc
	}
	rc := function[syncFunc](system.sync)(tls, file, flags)
	if rc == 0 {
		disk.sync(file)
	}
	return rc
}
