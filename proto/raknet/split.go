package raknet

import (
	"bytes"
	"cmp"
	"slices"
)

// split is a split message that is incomplete: some parts have not arrived.
type split struct {
	id    uint16 // number of the split message
	count uint32 // number of parts
	born  int64  // time in ms at which the first part arrived
	size  int    // bytes of the received parts
	parts []part // received parts, ascending by index
}

type part struct {
	index uint32
	body  []byte
}

func (p *Peer) findSplit(id uint16) *split {
	for _, s := range p.splits {
		if s.id == id {
			return s
		}
	}
	return nil
}

// addPart stores the part of a split message that is in f. If all parts have arrived now, addPart sets f.body to the whole
// message and returns true.
func (p *Peer) addPart(f *frame) (complete bool) {
	h := p.host
	s := p.findSplit(f.id)
	if s == nil {
		s = &split{id: f.id, count: f.count, born: h.now}
		p.splits = append(p.splits, s)
	}
	at, found := slices.BinarySearchFunc(s.parts, f.index, func(x part, i uint32) int { return cmp.Compare(x.index, i) })
	if found {
		h.stats.Repeated++
		return false
	}
	cost := len(f.body) + heldOverhead
	if p.splitBytes+cost > h.limits.MaxSplitBytes || !h.makeReceiveRoom(p, cost) {
		p.end(ProtocolViolation)
		return false
	}
	p.splitBytes += cost
	h.heldBytes += cost
	s.size += len(f.body)
	s.parts = slices.Insert(s.parts, at, part{f.index, bytes.Clone(f.body)})
	if uint32(len(s.parts)) < s.count {
		return false
	}
	body := make([]byte, 0, s.size)
	for _, x := range s.parts {
		body = append(body, x.body...)
	}
	f.body = body
	p.dropSplit(s)
	return true
}

func (p *Peer) dropSplit(s *split) {
	cost := s.size + len(s.parts)*heldOverhead
	p.splitBytes -= cost
	p.host.heldBytes -= cost
	i := slices.Index(p.splits, s)
	p.splits = slices.Delete(p.splits, i, i+1)
}
