package rs

import (
	"encoding/binary"
	"math/bits"
)

// writeLocalPass and writeExternalPass write the four passes. For speed they keep the bit stream in local variables, and write
// a run of idle players and the following entry with one store.
//
// In both functions, the parameter flip selects the players of the pass by their skip flag. This flag is set for players
// without an entry in the last packet. The value ^0 selects the players whose flag is not set, 0 those whose flag is set.

// writeLocalPass writes pass 1 or 2 of a packet, which hold the entries of local players.
func (e *PlayerInfoEncoder) writeLocalPass(s *Scene, v *Viewer, flip uint64) {
	buf, pos, acc, n := e.out.buf, e.out.pos, e.out.acc, e.out.n
	p, codes, lows := &e.plan, e.codes, e.low
	room, count, run := e.roomBits, e.blockCount, uint32(0)
	back := e.refund * maxLocalBits
	for w := range v.local {
		members := v.local[w] & (v.skipped[w] ^ flip)
		entries := members & p.localEntries[w]
		if entries == 0 {
			run += uint32(bits.OnesCount64(members))
			continue
		}
		remove, speak := p.remove[w], p.sharedBlock[w]|p.customBlock[w]
		for ; entries != 0; entries &= entries - 1 {
			bit := entries & -entries
			run += uint32(bits.OnesCount64(members & (bit - 1)))
			members &^= bit | (bit - 1)
			i := (w<<6 | bits.TrailingZeros64(entries)) & MaxIndex
			var value uint64
			var width uint
			if remove&bit != 0 {
				value, width = lows[i].split()
				value |= 0b1000 << width
				width += 4
			} else {
				c := codes[i]
				value, width = c.move.split()
				if speak&bit != 0 {
					span := c.span
					if p.customBlock[w]&bit != 0 {
						span = e.span(s, v, i)
					}
					need := 8 * int(uint32(span))
					if p.reserved[w]&bit != 0 {
						room += need
					}
					if need == 0 || need > room {
						if need != 0 {
							p.deferred[w] |= bit
						}
						if c.move == codeStay {
							p.localEntries[w] &^= bit
							room += back
							run++
							continue
						}
					} else {
						room -= need
						e.blockQueue[count&MaxIndex] = span
						count++
						value |= 1 << (width - 2)
					}
				}
			}
			idle, idleWidth := runBits(run)
			run = 0
			value |= idle << width
			width += idleWidth
			room += back - int(width)*e.refund
			acc = acc<<(width&63) | value
			n += width
			binary.BigEndian.PutUint64(buf[pos:], acc<<((64-n)&63))
			pos += int(n >> 3)
			n &= 7
		}
		run += uint32(bits.OnesCount64(members))
	}
	e.out.pos, e.out.acc, e.out.n = pos, acc, n
	e.roomBits, e.blockCount = room, count
	e.closePass(run)
}

// writeExternalPass writes pass 3 or 4 of a packet, which hold the entries of external players.
func (e *PlayerInfoEncoder) writeExternalPass(s *Scene, v *Viewer, flip uint64) {
	buf, pos, acc, n := e.out.buf, e.out.pos, e.out.acc, e.out.n
	p, codes, lows := &e.plan, e.codes, e.low
	room, count, run := e.roomBits, e.blockCount, uint32(0)
	back := e.refund * maxExternalBits
	for w := range v.local {
		members := ^v.local[w] & (v.skipped[w] ^ flip)
		if w == 0 {
			members &^= 1
		}
		entries := members & p.externalEntries[w]
		if entries == 0 {
			run += uint32(bits.OnesCount64(members))
			continue
		}
		add, low, speak := p.add[w], p.lowChange[w], p.sharedBlock[w]|p.customBlock[w]
		for ; entries != 0; entries &= entries - 1 {
			bit := entries & -entries
			run += uint32(bits.OnesCount64(members & (bit - 1)))
			members &^= bit | (bit - 1)
			i := (w<<6 | bits.TrailingZeros64(entries)) & MaxIndex
			idle, idleWidth := runBits(run)
			var value uint64
			var width uint
			owed := 0
			if low&bit != 0 {
				owed = back
			}
			added := false
			if add&bit != 0 && (!e.addsFull || p.reserved[w]&bit != 0) {
				c := codes[i]
				value, width = c.add.split()
				var span uint64
				if speak&bit != 0 {
					span = c.span
					if p.customBlock[w]&bit != 0 {
						span = e.span(s, v, i)
					}
				}
				need := 8*int(uint32(span)) + int(width)
				set := p.reserved[w]&bit != 0
				if set {
					room += need + 14
				}
				if need+int(idleWidth) <= room+owed {
					added = true
					p.added[w] |= bit
					room -= need - int(width)
					if span&(1<<32-1) != 0 {
						value |= 1
						e.blockQueue[count&MaxIndex] = span
						count++
					}
				} else {
					e.addsFull = true
				}
			}
			if !added {
				p.deferred[w] |= add & bit
				if low&bit == 0 {
					p.externalEntries[w] &^= bit
					run++
					continue
				}
				value, width = lows[i].split()
			}
			run = 0
			if width+idleWidth > 57 {
				acc = acc<<idleWidth | idle
				n += idleWidth
				binary.BigEndian.PutUint64(buf[pos:], acc<<((64-n)&63))
				pos += int(n >> 3)
				n &= 7
				idle, idleWidth = 0, 0
				room -= 14
			}
			value |= idle << width
			width += idleWidth
			room += owed - int(width)*e.refund
			acc = acc<<(width&63) | value
			n += width
			binary.BigEndian.PutUint64(buf[pos:], acc<<((64-n)&63))
			pos += int(n >> 3)
			n &= 7
		}
		run += uint32(bits.OnesCount64(members))
	}
	e.out.pos, e.out.acc, e.out.n = pos, acc, n
	e.roomBits, e.blockCount = room, count
	e.closePass(run)
}

// closePass writes the run of idle players at the end of a pass and pads to the next byte.
func (e *PlayerInfoEncoder) closePass(run uint32) {
	if run != 0 {
		idle, width := runBits(run)
		e.out.Put(idle, width)
	}
	e.out.Align()
}

// copyBlocks appends the info blocks to the packet, in the order of the entries that announce them.
func (e *PlayerInfoEncoder) copyBlocks(s *Scene) {
	buf, pos := e.out.buf, e.out.pos
	for _, span := range e.blockQueue[:e.blockCount] {
		from, size := int(span>>32), int(uint32(span))
		src := s.arena
		if span&inScratch != 0 {
			from, src = from&^(inScratch>>32), e.scratch
		}
		pos += copy(buf[pos:], src[from:from+size])
	}
	e.out.pos = pos
}
