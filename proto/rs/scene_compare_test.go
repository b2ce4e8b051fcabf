package rs

import "bytes"

// compare holds a client against the truth after a packet. It returns how much transient info it lacks.
func (w *world) compare(l *looker) (lost int) {
	missing := l.want.Count()
	for i := 1; i < indexSlots; i++ {
		idx := Index(i)
		row := l.v.rowOf(i)
		at, local := l.c.Local(idx)
		if local != l.v.IsLocal(idx) || l.c.Skipped(idx) != l.v.skipped.has(i) {
			w.t.Fatalf("cycle %d: index %d: the mirror's flags differ from the client's", w.s.Cycle(), i)
		}
		if !local {
			w.compareExternal(l, idx, row)
			continue
		}
		f := &w.truth[row]
		if f.id == 0 || !l.want.Has(row) && i != int(l.v.OwnIndex()) {
			w.t.Fatalf("cycle %d: index %d is seen and should not be", w.s.Cycle(), i)
		}
		if l.want.Has(row) {
			missing--
		}
		if at != f.at {
			w.t.Fatalf("cycle %d: index %d at %v, is at %v", w.s.Cycle(), i, at, f.at)
		}
		ch, told := l.c.Change(idx)
		if l.who[i] != f.id && i != int(l.v.OwnIndex()) && (!told || ch.Kind != ChangeAdd) {
			w.t.Fatalf("cycle %d: index %d became somebody else without a removal: %v", w.s.Cycle(), i, ch.Kind)
		}
		l.who[i] = f.id
		lost += w.compareInfo(l, idx, f)
	}
	if missing > 0 && l.strict && missing > l.reuse {
		w.t.Fatalf("cycle %d: %d are not seen, %d of them with reason", w.s.Cycle(), missing, l.reuse)
	}
	return lost
}

// compareExternal holds one whom the client does not see against the truth.
func (w *world) compareExternal(l *looker, i Index, row int) {
	if l.who[i] != 0 {
		for k := range l.told[i] {
			if forgottenOnRemove.Has(k) {
				delete(l.told[i], k)
			}
		}
		l.who[i] = 0
	}
	if w.s.large {
		return
	}
	want := Square(0)
	if w.truth[row].id != 0 {
		want = SquareOf(w.truth[row].at, w.p.SquareShift)
	}
	if got, _ := l.c.LowRes(i); got != want {
		w.t.Fatalf("cycle %d: index %d in square %x, is in %x", w.s.Cycle(), i, got, want)
	}
}

// compareInfo notes what the client was told of a local, and holds it against the truth.
func (w *world) compareInfo(l *looker, i Index, f *fact) (lost int) {
	var in Info
	l.c.Info(i, &in)
	if l.told[i] == nil {
		l.told[i] = map[Kind][]byte{}
	}
	for _, k := range w.p.Order() {
		last := kindTable[k].persistent
		if in.Has.Has(k) {
			body := w.p.AppendBlock(nil, k, &in)
			if last {
				l.told[i][k] = body
			} else if !f.passing.Has(k) || !bytes.Equal(body, f.body[k]) {
				w.t.Fatalf("cycle %d: index %d: %v is %x, should be %x", w.s.Cycle(), i, k, body, f.body[k])
			}
		} else if !last && f.passing.Has(k) {
			lost = 1
		}
		if last && l.strict {
			w.comparePersistent(l, i, f, k)
		}
	}
	if lost == 1 && l.strict {
		w.t.Fatalf("cycle %d: index %d: info is missing", w.s.Cycle(), i)
	}
	return lost
}

// comparePersistent holds what a client remembers against the truth.
func (w *world) comparePersistent(l *looker, i Index, f *fact, k Kind) {
	want, has := f.body[k]
	if !has {
		if k == KindAppearance {
			return
		}
		want = w.s.defaultBody[w.s.places[k]]
	}
	got, told := l.told[i][k]
	if !told && bytes.Equal(want, w.s.defaultBody[w.s.places[k]]) && k != KindSpeed {
		return
	}
	if w.s.large && f.faces >= 0 && (k == KindTarget || k == KindFace) {
		if w.bodyOfFacing(l, f, k, got) {
			return
		}
	}
	if !bytes.Equal(got, want) && !(k == KindSpeed && !has) {
		w.t.Fatalf("cycle %d: index %d: %v is remembered as %x, should be %x", w.s.Cycle(), i, k, got, want)
	}
}

// bodyOfFacing tells whether a viewer of a crowd has a true word on whom a row faces: nobody, or its index of the other.
func (w *world) bodyOfFacing(l *looker, f *fact, k Kind, got []byte) bool {
	none := faceInfo(-1)
	if bytes.Equal(got, w.p.AppendBlock(nil, k, &none)) {
		return true
	}
	some := faceInfo(int(l.v.Index(f.faces)))
	return bytes.Equal(got, w.p.AppendBlock(nil, k, &some))
}
