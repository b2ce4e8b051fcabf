package rs

import (
	"encoding/binary"
	"math/bits"
)

// The four passes. Both functions keep the bit stream in local variables, which is where most of their speed comes from,
// and write a run and the entry behind it with one store.
//
// flip chooses the half: ^0 are the members that were not skipped in the last cycle, 0 those that were.

// localPass writes pass 1 or 2.
func (e *Encoder) localPass(s *Scene, v *Viewer, flip uint64) {
	buf, pos, acc, n := e.out.buf, e.out.pos, e.out.acc, e.out.n
	p, codes, lows := &e.plan, e.codes, e.low
	room, count, run := e.room, e.count, uint32(0)
	back := e.rest * worstLocal
	for w := range v.local {
		members := v.local[w] & (v.skipped[w] ^ flip)
		entries := members & p.local[w]
		if entries == 0 {
			run += uint32(bits.OnesCount64(members))
			continue
		}
		remove, speak := p.remove[w], p.block[w]|p.slow[w]
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
					if p.slow[w]&bit != 0 {
						span = e.span(s, v, i)
					}
					need := 8 * int(uint32(span))
					if p.first[w]&bit != 0 {
						room += need
					}
					if need == 0 || need > room {
						if need != 0 {
							p.late[w] |= bit
						}
						if c.move == stay {
							p.local[w] &^= bit
							room += back
							run++
							continue
						}
					} else {
						room -= need
						e.queue[count&MaxIndex] = span
						count++
						value |= 1 << (width - 2)
					}
				}
			}
			idle, idleWidth := runBits(run)
			run = 0
			value |= idle << width
			width += idleWidth
			room += back - int(width)*e.rest
			acc = acc<<(width&63) | value
			n += width
			binary.BigEndian.PutUint64(buf[pos:], acc<<((64-n)&63))
			pos += int(n >> 3)
			n &= 7
		}
		run += uint32(bits.OnesCount64(members))
	}
	e.out.pos, e.out.acc, e.out.n = pos, acc, n
	e.room, e.count = room, count
	e.endPass(run)
}

// farPass writes pass 3 or 4.
func (e *Encoder) farPass(s *Scene, v *Viewer, flip uint64) {
	buf, pos, acc, n := e.out.buf, e.out.pos, e.out.acc, e.out.n
	p, codes, lows := &e.plan, e.codes, e.low
	room, count, run := e.room, e.count, uint32(0)
	back := e.rest * worstLow
	for w := range v.local {
		members := ^v.local[w] & (v.skipped[w] ^ flip)
		if w == 0 {
			members &^= 1
		}
		entries := members & p.far[w]
		if entries == 0 {
			run += uint32(bits.OnesCount64(members))
			continue
		}
		add, low, speak := p.add[w], p.low[w], p.block[w]|p.slow[w]
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
			if add&bit != 0 && (!e.full || p.first[w]&bit != 0) {
				c := codes[i]
				value, width = c.add.split()
				var span uint64
				if speak&bit != 0 {
					span = c.span
					if p.slow[w]&bit != 0 {
						span = e.span(s, v, i)
					}
				}
				need := 8*int(uint32(span)) + int(width)
				set := p.first[w]&bit != 0
				if set {
					room += need + 14
				}
				if need+int(idleWidth) <= room+owed {
					added = true
					p.added[w] |= bit
					room -= need - int(width)
					if span&(1<<32-1) != 0 {
						value |= 1
						e.queue[count&MaxIndex] = span
						count++
					}
				} else {
					e.full = true
				}
			}
			if !added {
				p.late[w] |= add & bit
				if low&bit == 0 {
					p.far[w] &^= bit
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
			room += owed - int(width)*e.rest
			acc = acc<<(width&63) | value
			n += width
			binary.BigEndian.PutUint64(buf[pos:], acc<<((64-n)&63))
			pos += int(n >> 3)
			n &= 7
		}
		run += uint32(bits.OnesCount64(members))
	}
	e.out.pos, e.out.acc, e.out.n = pos, acc, n
	e.room, e.count = room, count
	e.endPass(run)
}

// endPass writes the run that is open and goes to the next byte.
func (e *Encoder) endPass(run uint32) {
	if run != 0 {
		idle, width := runBits(run)
		e.out.Put(idle, width)
	}
	e.out.Align()
}

// copyBlocks writes the blocks that the update bits announced, in their order.
func (e *Encoder) copyBlocks(s *Scene) {
	buf, pos := e.out.buf, e.out.pos
	for _, span := range e.queue[:e.count] {
		from, size := int(span>>32), int(uint32(span))
		src := s.arena
		if span&inScratch != 0 {
			from, src = from&^(inScratch>>32), e.scratch
		}
		pos += copy(buf[pos:], src[from:from+size])
	}
	e.out.pos = pos
}
