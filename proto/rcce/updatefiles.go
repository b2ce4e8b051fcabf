package rcce

import "github.com/truestep-io/truestep/proto/wire"

// FetchUpdateFilesRequest requests the list of files that the client should have. Type 10, client to server, empty.
//
// Source: docs/wire/rcce.md#fetchupdatefiles.
type FetchUpdateFilesRequest struct{}

// ParseFetchUpdateFilesRequest decodes the payload of type 10 from a client. Errors wrap wire.ErrTrailing.
func ParseFetchUpdateFilesRequest(b []byte) (FetchUpdateFilesRequest, error) {
	r := newReader(b)
	return FetchUpdateFilesRequest{}, r.done("FetchUpdateFilesRequest")
}

// Append appends the whole message, 1 byte, and returns the longer slice.
func (FetchUpdateFilesRequest) Append(b []byte) []byte { return append(b, uint8(TypeFetchUpdateFiles)) }

// UpdateFile names one file that the client should have, with its checksum; part of FetchUpdateFiles.
type UpdateFile struct {
	Checksum uint32 // checksum of the file's content
	Name     string // path with backslashes, at most 255 bytes
}

// FetchUpdateFiles is a part of the answer to FetchUpdateFilesRequest. Type 10, server to client. Only the last part ends
// with the number of files in all parts. A server without a list of files sends only that number, 0.
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

// ParseFetchUpdateFiles decodes the payload of type 10 from a server. b is borrowed, not kept.
// Errors wrap wire.ErrShort.
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

// Append appends the whole message and returns the longer slice.
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
