package rcce

import "github.com/truestep-io/truestep/proto/wire"

// FetchUpdateFilesRequest requests the list of files that the client should have. Type 10, client to server, without a payload.
//
// Source: docs/wire/rcce.md#fetchupdatefiles.
type FetchUpdateFilesRequest struct{}

// ParseFetchUpdateFilesRequest decodes the payload of a packet of type 10 from a client. Errors wrap wire.ErrTrailing.
func ParseFetchUpdateFilesRequest(b []byte) (FetchUpdateFilesRequest, error) {
	r := newReader(b)
	return FetchUpdateFilesRequest{}, r.done("FetchUpdateFilesRequest")
}

// Append appends the message, 1 byte including its type, to b and returns the longer slice.
func (FetchUpdateFilesRequest) Append(b []byte) []byte { return append(b, uint8(TypeFetchUpdateFiles)) }

// UpdateFile is the name and the checksum of a file that the client should have. It is an element of FetchUpdateFiles.
type UpdateFile struct {
	Checksum uint32 // checksum of the file's content
	Name     string // path with backslashes, at most 255 bytes
}

// FetchUpdateFiles is one of the messages that answer a FetchUpdateFilesRequest. Type 10, server to client. Only the last of them
// contains Total, the number of files in all messages. A server without files sends a single message with the number 0.
//
//	off  size      field  encoding    unit and range
//	0    n x 5+m   Files  u32, str8   checksum and name
//	     0 or 2    Total  u16         in the last part
//
// Source: docs/wire/rcce.md#fetchupdatefiles (source code of RealmCrafter's client and server).
type FetchUpdateFiles struct {
	Files []UpdateFile // files of this part
	Last  bool         // this is the last part
	Total uint16       // number of files in all parts; 0 unless Last
}

// ParseFetchUpdateFiles decodes the payload of a packet of type 10 from a server. b is borrowed, not kept. Errors wrap
// wire.ErrShort.
func ParseFetchUpdateFiles(b []byte) (FetchUpdateFiles, error) {
	r := newReader(b)
	p := readFetchUpdateFiles(&r)
	return p, r.done("FetchUpdateFiles")
}

func readFetchUpdateFiles(r *reader) FetchUpdateFiles {
	var p FetchUpdateFiles
	for i := 0; r.Left() > 2; i++ {
		r.entry("Files", i)
		p.Files = append(p.Files, UpdateFile{Checksum: r.u32("Checksum"), Name: r.str8("Name")})
	}
	r.leave()
	if r.more() {
		p.Last, p.Total = true, r.u16("Total")
	}
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchUpdateFiles) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchUpdateFiles))
	for _, f := range p.Files {
		b = wire.Str8(wire.U32(b, f.Checksum), f.Name)
	}
	if p.Last {
		b = wire.U16(b, p.Total)
	}
	return b
}
