package rs

import (
	"encoding/binary"

	"github.com/truestep-io/truestep/proto/wire"
)

// ArchiveCount is the number of cache archives of a client of revision 667.
const ArchiveCount = 36

const (
	machineVersion = 5
	uidSize        = 24
)

// Values of LoginDetails.WindowMode and WindowStatus.Mode.
const (
	WindowFixed      = 1 // window of fixed size
	WindowResizable  = 2 // window whose size the player changes
	WindowFullScreen = 3 // the whole screen
)

// LoginDetails is the XTEA block of a login request: user name, window and machine.
//
//	off  size  field       encoding  unit and range
//	0    n+1   Username    cstr
//	     1     Context     u8        255 by default
//	     1     WindowMode  u8        1 fixed, 2 resizable, 3 full screen
//	     2     Width       u16       pixels
//	     2     Height      u16       pixels
//	     1     Antialias   u8
//	     24    UID         bytes     all 255 if the client has none yet
//	     n+1   Settings    cstr
//	     4     Affiliate   u32
//	     1+n   Options     u8, n     the client's settings; the first byte is the version, 25
//	     m     Machine     -         see MachineInfo
//	     4     VerifyID    u32       the client's count of sent packets, as in TransmitVarVerifyID
//	     8     UserFlow    u64
//	     1     -           u8        1: Extra follows, 0: not
//	    (n+1)  Extra       cstr
//	     1     Theora      u8
//	     1     JavaScript  u8
//	     1     HC          u8        a flag of the client, not used here
//	     144   CRCs        36 x u32  of the cache's archives, in the order of the client's list
//
// LoginName reads the first field alone. Source: docs/wire/rs.md, login.
type LoginDetails struct {
	Username               string               // user name that the player typed
	Context, WindowMode    uint8                // Context is 255 by default; WindowMode is a value such as WindowFixed
	Width, Height          uint16               // size of the window, pixels
	Antialias              uint8                // level of antialiasing
	UID                    [uidSize]byte        // identifier of the client's installation; all 255 if it has none yet
	Settings               string               // opaque text that the client was started with
	Affiliate              uint32               // number of an affiliate that the client was started with
	Options                []byte               // the player's settings in the client, 0..255 bytes, borrowed from the parsed block
	Machine                MachineInfo          // the computer of the client
	VerifyID               uint32               // the client's count of sent packets, as in TransmitVarVerifyID
	UserFlow               uint64               // opaque number that the client was started with
	HasExtra               bool                 // the field Extra is sent
	Extra                  string               // additional text; only if HasExtra
	Theora, JavaScript, HC uint8                // flags of the client, not used here
	CRCs                   [ArchiveCount]uint32 // checksum of each cache archive
}

// LoginName reads the user name, which is the first field of a decrypted XTEA block, and ignores the other fields. block
// is borrowed, not kept. Errors wrap wire.ErrShort.
func LoginName(block []byte) (string, error) {
	r := wire.NewReader(block)
	name := readText(&r)
	if err := r.Err(); err != nil {
		return "", r.Done("login name")
	}
	return name, nil
}

// ParseLoginDetails decodes a decrypted XTEA block. The field Options of the result is a part of block, not a copy. Errors wrap
// wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseLoginDetails(block []byte) (LoginDetails, error) {
	r := wire.NewReader(block)
	p := LoginDetails{
		Username: readText(&r),
		Context:  r.U8(), WindowMode: r.U8(),
		Width: r.BE16(), Height: r.BE16(), Antialias: r.U8(),
	}
	copy(p.UID[:], r.Bytes(uidSize))
	p.Settings, p.Affiliate = readText(&r), r.BE32()
	p.Options = r.Bytes(int(r.U8()))
	p.Machine = readMachine(&r)
	p.VerifyID, p.UserFlow = r.BE32(), readU64(&r)
	if p.HasExtra = readFlag(&r, encU8); p.HasExtra {
		p.Extra = readText(&r)
	}
	p.Theora, p.JavaScript, p.HC = r.U8(), r.U8(), r.U8()
	for i := range p.CRCs {
		p.CRCs[i] = r.BE32()
	}
	return p, r.Done("login details")
}

// Append appends the unencrypted block and returns the longer slice.
func (p LoginDetails) Append(b []byte) []byte {
	b = append(appendText(b, p.Username), p.Context, p.WindowMode)
	b = binary.BigEndian.AppendUint16(b, p.Width)
	b = binary.BigEndian.AppendUint16(b, p.Height)
	b = append(append(b, p.Antialias), p.UID[:]...)
	b = binary.BigEndian.AppendUint32(appendText(b, p.Settings), p.Affiliate)
	b = append(append(b, uint8(len(p.Options))), p.Options...)
	b = p.Machine.append(b)
	b = binary.BigEndian.AppendUint32(b, p.VerifyID)
	b = binary.BigEndian.AppendUint64(b, p.UserFlow)
	b = append(b, flagByte(p.HasExtra))
	if p.HasExtra {
		b = appendText(b, p.Extra)
	}
	b = append(b, p.Theora, p.JavaScript, p.HC)
	for _, crc := range p.CRCs {
		b = binary.BigEndian.AppendUint32(b, crc)
	}
	return b
}

// MachineInfo describes the computer of the client, as the client claims. A server does not need it.
//
//	off  size  field       encoding  unit and range
//	0    1     -           u8        5
//	1    1     OS          u8
//	2    1     Is64Bit     u8
//	3    1     OSVersion   u8
//	4    1     Vendor      u8        of the Java runtime
//	5    3     Java        3 x u8    release, version, update
//	8    1     Unsigned    u8        1: not a signed applet
//	9    2     Heap        u16       megabytes
//	11   1     CPUs        u8
//	12   3     Memory      u24       megabytes
//	15   2     Clock       u16       megahertz
//	17   3     Unknown     3 x u8
//	20   4(n+2) Texts      4 x gjstr2  00, text, 00
//	     1     Unknown8    u8
//	     2     Unknown16   u16
type MachineInfo struct {
	OS, Is64Bit, OSVersion, Vendor uint8     // operating system, 1 if the system has 64 bits, version of the system, vendor of the Java runtime
	Java                           [3]uint8  // release, version and update of the Java runtime
	Unsigned                       uint8     // 1 if the client is not a signed applet
	Heap                           uint16    // size of the Java heap, megabytes
	CPUs                           uint8     // number of processors
	Memory                         uint32    // memory of the computer, megabytes, below 1<<24
	Clock                          uint16    // clock rate of the processor, megahertz
	Unknown                        [3]uint8  // bytes of unknown meaning
	Texts                          [4]string // texts about the hardware
	Unknown8                       uint8     // number of unknown meaning
	Unknown16                      uint16    // number of unknown meaning
}

func readMachine(r *wire.Reader) MachineInfo {
	readConstant(r, machineVersion)
	m := MachineInfo{OS: r.U8(), Is64Bit: r.U8(), OSVersion: r.U8(), Vendor: r.U8()}
	copy(m.Java[:], r.Bytes(len(m.Java)))
	m.Unsigned, m.Heap, m.CPUs = r.U8(), r.BE16(), r.U8()
	m.Memory = uint32(r.U8())<<16 | uint32(r.BE16())
	m.Clock = r.BE16()
	copy(m.Unknown[:], r.Bytes(len(m.Unknown)))
	for i := range m.Texts {
		readConstant(r, 0)
		m.Texts[i] = readText(r)
	}
	m.Unknown8, m.Unknown16 = r.U8(), r.BE16()
	return m
}

func (m MachineInfo) append(b []byte) []byte {
	b = append(b, machineVersion, m.OS, m.Is64Bit, m.OSVersion, m.Vendor)
	b = append(append(b, m.Java[:]...), m.Unsigned)
	b = append(binary.BigEndian.AppendUint16(b, m.Heap), m.CPUs)
	b = binary.BigEndian.AppendUint16(append(b, uint8(m.Memory>>16)), uint16(m.Memory))
	b = append(binary.BigEndian.AppendUint16(b, m.Clock), m.Unknown[:]...)
	for _, text := range m.Texts {
		b = appendText(append(b, 0), text)
	}
	return binary.BigEndian.AppendUint16(append(b, m.Unknown8), m.Unknown16)
}
