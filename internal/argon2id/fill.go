package argon2id

// filler fills the memory of one key with compress. RFC 9106, section 3.4.
type filler struct {
	blocks       []block
	passes       uint32
	lanes        uint32
	perLane      uint32 // blocks of a lane
	perSegment   uint32 // blocks of a lane in a slice
	pass, slice  uint32
	addressInput block // input of the address blocks of the current segment
	addresses    block // current 128 addresses
}

// zero is the first argument of the compressions that make addresses.
var zero block

// fill fills the memory, of which the first two blocks of each lane are set. The contents of the others do not matter.
func fill(b []block, passes, lanes uint32) {
	perLane := uint32(len(b)) / lanes
	f := filler{blocks: b, passes: passes, lanes: lanes, perLane: perLane, perSegment: perLane / slices}
	for f.pass = range passes {
		for f.slice = range uint32(slices) {
			for lane := range lanes {
				f.fillSegment(lane)
			}
		}
	}
}

// fillSegment fills the blocks of a lane in the current slice.
func (f *filler) fillSegment(lane uint32) {
	independent := f.pass == 0 && f.slice < slices/2
	if independent {
		f.addressInput = block{0, uint64(lane), uint64(f.slice), uint64(len(f.blocks)), uint64(f.passes), variant}
	}
	first := uint32(0)
	if f.pass == 0 && f.slice == 0 {
		first = 2
	}
	for i := first; i < f.perSegment; i++ {
		column := f.slice*f.perSegment + i
		previous := lane*f.perLane + (column+f.perLane-1)%f.perLane
		choice := f.blocks[previous][0]
		if independent {
			if i == first || i%uint32(len(f.addresses)) == 0 {
				f.nextAddresses()
			}
			choice = f.addresses[i%uint32(len(f.addresses))]
		}
		compress(&f.blocks[lane*f.perLane+column], &f.blocks[previous], &f.blocks[f.reference(lane, i, choice)], f.pass > 0)
	}
}

// nextAddresses makes the next 128 addresses of a segment whose references do not depend on the secret.
func (f *filler) nextAddresses() {
	f.addressInput[6]++
	compress(&f.addresses, &zero, &f.addressInput, false)
	compress(&f.addresses, &zero, &f.addresses, false)
}

// reference returns the index of the block that block i of a segment refers to, by 64 bits of choice: RFC 9106, section 3.4.2.
func (f *filler) reference(lane, i uint32, choice uint64) uint32 {
	other := uint32(choice>>32) % f.lanes
	if f.pass == 0 && f.slice == 0 {
		other = lane
	}
	from, size := uint32(0), f.slice*f.perSegment // the finished segments
	if f.pass > 0 {
		from, size = (f.slice+1)%slices*f.perSegment, f.perLane-f.perSegment
	}
	switch {
	case other == lane:
		size += i - 1 // and the blocks of this segment but the previous one
	case i == 0:
		size--
	}
	x := uint64(uint32(choice))
	x = x * x >> 32
	back := uint64(size) * x >> 32
	return other*f.perLane + (from+size-1-uint32(back))%f.perLane
}
