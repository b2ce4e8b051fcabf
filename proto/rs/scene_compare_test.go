package rs

import "bytes"

// checkViewer compares a client with the true state after a packet. lost is the number of players whose transient info
// the client lacks.
func (w *randomWorld) checkViewer(l *trackedViewer) (lost int) {
	missing := l.want.Count()
	for i := 1; i < indexSlots; i++ {
		idx := Index(i)
		row := l.v.rowOf(i)
		at, local := l.c.Local(idx)
		if local != l.v.IsLocal(idx) || l.c.Skipped(idx) != l.v.skipped.has(i) {
			w.t.Fatalf("cycle %d: index %d: the viewer's flags differ from the client's", w.s.Cycle(), i)
		}
		if !local {
			w.checkExternal(l, idx, row)
			continue
		}
		f := &w.truth[row]
		if f.id == 0 || !l.want.Has(row) && i != int(l.v.OwnIndex()) {
			w.t.Fatalf("cycle %d: index %d is local and should not be", w.s.Cycle(), i)
		}
		if l.want.Has(row) {
			missing--
		}
		if at != f.at {
			w.t.Fatalf("cycle %d: index %d at %v, want %v", w.s.Cycle(), i, at, f.at)
		}
		ch, told := l.c.Change(idx)
		if l.identities[i] != f.id && i != int(l.v.OwnIndex()) && (!told || ch.Kind != ChangeAdd) {
			w.t.Fatalf("cycle %d: index %d changed its owner without a removal: %v", w.s.Cycle(), i, ch.Kind)
		}
		l.identities[i] = f.id
		lost += w.checkInfo(l, idx, f)
	}
	if missing > 0 && l.complete && missing > l.reused {
		w.t.Fatalf("cycle %d: %d wanted players are not local, %d expected", w.s.Cycle(), missing, l.reused)
	}
	return lost
}

// checkExternal compares what the client knows about an external player with the true state.
func (w *randomWorld) checkExternal(l *trackedViewer, i Index, row int) {
	if l.identities[i] != 0 {
		for k := range l.received[i] {
			if forgottenOnRemove.Has(k) {
				delete(l.received[i], k)
			}
		}
		l.identities[i] = 0
	}
	if w.s.large {
		return
	}
	want := MapSquare(0)
	if w.truth[row].id != 0 {
		want = SquareOf(w.truth[row].at, w.p.SquareShift)
	}
	if got, _ := l.c.LowRes(i); got != want {
		w.t.Fatalf("cycle %d: index %d in square %x, want %x", w.s.Cycle(), i, got, want)
	}
}

// checkInfo records the info that the client received about a local player and compares it with the true state.
func (w *randomWorld) checkInfo(l *trackedViewer, i Index, f *rowTruth) (lost int) {
	var in Info
	l.c.Info(i, &in)
	if l.received[i] == nil {
		l.received[i] = map[InfoKind][]byte{}
	}
	for _, k := range w.p.BlockOrder() {
		last := kindTable[k].persistent
		if in.Has.Has(k) {
			body := w.p.AppendBlock(nil, k, &in)
			if last {
				l.received[i][k] = body
			} else if !f.transient.Has(k) || !bytes.Equal(body, f.body[k]) {
				w.t.Fatalf("cycle %d: index %d: %v is %x, want %x", w.s.Cycle(), i, k, body, f.body[k])
			}
		} else if !last && f.transient.Has(k) {
			lost = 1
		}
		if last && l.complete {
			w.checkPersistent(l, i, f, k)
		}
	}
	if lost == 1 && l.complete {
		w.t.Fatalf("cycle %d: index %d: info is missing", w.s.Cycle(), i)
	}
	return lost
}

// checkPersistent compares the value that the client has stored for the persistent kind k with the true value.
func (w *randomWorld) checkPersistent(l *trackedViewer, i Index, f *rowTruth, k InfoKind) {
	want, has := f.body[k]
	if !has {
		if k == KindAppearance {
			return
		}
		want = w.s.defaultBody[w.s.places[k]]
	}
	got, told := l.received[i][k]
	if !told && bytes.Equal(want, w.s.defaultBody[w.s.places[k]]) && k != KindSpeed {
		return
	}
	if w.s.large && f.faces >= 0 && (k == KindTarget || k == KindFace) {
		if w.facingIsTrue(l, f, k, got) {
			return
		}
	}
	if !bytes.Equal(got, want) && !(k == KindSpeed && !has) {
		w.t.Fatalf("cycle %d: index %d: client keeps %v as %x, want %x", w.s.Cycle(), i, k, got, want)
	}
}

// facingIsTrue reports whether a client of a large scene has a valid facing for a row: it faces none, or it faces the index by
// which this client knows the faced row.
func (w *randomWorld) facingIsTrue(l *trackedViewer, f *rowTruth, k InfoKind, got []byte) bool {
	none := faceInfo(-1)
	if bytes.Equal(got, w.p.AppendBlock(nil, k, &none)) {
		return true
	}
	some := faceInfo(int(l.v.Index(f.faces)))
	return bytes.Equal(got, w.p.AppendBlock(nil, k, &some))
}
