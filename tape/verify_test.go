package tape

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// changing is a disk on which a server makes changes while its files are read: all of them just before the file is opened for which
// the countdown opens reaches 0.
type changing struct {
	*disk
	mu      sync.Mutex
	opens   int
	changes []diskOp
}

func (d *changing) Open(name string) (ReadFile, int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opens == 0 {
		for _, op := range d.changes {
			d.apply(op)
		}
	}
	d.opens--
	return d.disk.Open(name)
}

// A server compresses and deletes segments while Verify reads them. For each such change on the disk, and for each file that Verify
// opens, the change and the next seven are made just before it is opened.
func TestVerifyReadsTapeWhoseSegmentsAreCompressedAndDeletedMeanwhile(t *testing.T) {
	for name, keep := range map[string]Retain{"compressed": {Age: time.Hour, Bytes: 1 << 30}, "deleted": {}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, o := newDisk(), options(nil)
				o.FS, o.Retain = d, keep
				p := start(t, o, 1)
				for range 6 {
					p.run(20)
					time.Sleep(time.Second) // segments that have ended are compressed
				}
				p.stop(t, false)
				runs := 0
				for i, op := range d.ops {
					if op.kind != opRemove && (op.kind != opRename || !strings.HasSuffix(op.to, suffixTape)) {
						continue
					}
					before, err := Verify(Options{FS: d.cut(i, cutKept, nil), World: o.World})
					if err != nil {
						t.Fatal(err)
					}
					for opens, reached := 0, true; reached; opens++ {
						view := &changing{disk: d.cut(i, cutKept, nil), opens: opens, changes: d.ops[i:min(i+8, len(d.ops))]}
						v, err := Verify(Options{FS: view, World: o.World})
						if err != nil || len(v.Problems) > 0 || v.Ticks < before.Ticks && name == "compressed" {
							t.Fatalf("%s before file %d is opened: error %v, problems %q, %d ticks, %d without the change", describe(op), opens, err, v.Problems, v.Ticks, before.Ticks)
						}
						reached = view.opens < 0
						runs++
					}
				}
				if runs < 50 {
					t.Errorf("only %d runs", runs)
				}
			})
		})
	}
}

func describe(op diskOp) string {
	if op.kind == opRemove {
		return "removal of " + op.name
	}
	return fmt.Sprintf("rename of %s to %s", op.name, op.to)
}
