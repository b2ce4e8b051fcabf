package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// ResourcePack is a resource pack that the server offers.
type ResourcePack struct {
	UUID            UUID   // UUID of the pack
	Version         string // version of the pack, for example "1.0.0"
	Size            uint64 // size of the pack, bytes
	ContentKey      string // key of an encrypted pack; "" if the pack is not encrypted
	SubPack         string // selected part of the pack; "" means the whole pack
	ContentIdentity string // id of the content that ContentKey decrypts; "" if there is no key
	HasScripts      bool   // the pack contains scripts
	Addon           bool   // the pack belongs to an add-on
	RayTraced       bool   // the pack uses ray tracing
	URL             string // alternative download location
}

// ResourcePacksInfo offers the packs of the world. Packet 6, server to client, after the login.
//
//	size  field                  encoding    range
//	1     MustAccept             bool
//	1     HasAddons              bool
//	1     HasScripts             bool
//	1     DisableVibrantVisuals  bool
//	16    WorldTemplate          uuid
//	      WorldTemplateVersion   str
//	      Packs                  list ResourcePack   at most 4096
//
// A ResourcePack is uuid, str version, u64 size, str key, str sub pack, str identity, bool scripts, bool addon, bool ray
// traced, str URL.
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type ResourcePacksInfo struct {
	MustAccept            bool           // a client that refuses the packs may not join
	HasAddons             bool           // the packs contain add-ons
	HasScripts            bool           // the packs contain scripts
	DisableVibrantVisuals bool           // the client must not use its graphics mode Vibrant Visuals
	WorldTemplate         UUID           // UUID of the template of the world; zero if there is none
	WorldTemplateVersion  string         // version of the template of the world; "" if there is none
	Packs                 []ResourcePack // packs that the server offers
}

// ID returns IDResourcePacksInfo.
func (ResourcePacksInfo) ID() ID { return IDResourcePacksInfo }

// ParseResourcePacksInfo decodes the body of packet 6. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseResourcePacksInfo(b []byte, _ Version) (ResourcePacksInfo, error) {
	r := wire.NewReader(b)
	p := ResourcePacksInfo{
		MustAccept:            r.Bool(),
		HasAddons:             r.Bool(),
		HasScripts:            r.Bool(),
		DisableVibrantVisuals: r.Bool(),
		WorldTemplate:         readUUID(&r),
		WorldTemplateVersion:  r.VarStr(),
		Packs:                 readList(&r, 32, maxList, readPack), // 32: UUID 16 bytes, size 8, and 5 texts and 3 bools of at least 1 byte each
	}
	return p, r.Done("ResourcePacksInfo")
}

// Append appends the body of packet 6 to b and returns the extended slice.
func (p ResourcePacksInfo) Append(b []byte, _ Version) []byte {
	b = wire.Bool(wire.Bool(b, p.MustAccept), p.HasAddons)
	b = wire.Bool(wire.Bool(b, p.HasScripts), p.DisableVibrantVisuals)
	b = wire.VarStr(appendUUID(b, p.WorldTemplate), p.WorldTemplateVersion)
	return appendList(b, p.Packs, appendPack)
}

func readPack(r *wire.Reader) ResourcePack {
	return ResourcePack{
		UUID:            readUUID(r),
		Version:         r.VarStr(),
		Size:            r.U64(),
		ContentKey:      r.VarStr(),
		SubPack:         r.VarStr(),
		ContentIdentity: r.VarStr(),
		HasScripts:      r.Bool(),
		Addon:           r.Bool(),
		RayTraced:       r.Bool(),
		URL:             r.VarStr(),
	}
}

func appendPack(b []byte, p ResourcePack) []byte {
	b = wire.VarStr(appendUUID(b, p.UUID), p.Version)
	b = wire.VarStr(wire.VarStr(wire.VarStr(wire.U64(b, p.Size), p.ContentKey), p.SubPack), p.ContentIdentity)
	b = wire.Bool(wire.Bool(wire.Bool(b, p.HasScripts), p.Addon), p.RayTraced)
	return wire.VarStr(b, p.URL)
}

// StackedPack is one element of the list of packs that the client uses. The packs apply in the order of this list.
type StackedPack struct{ UUID, Version, SubPack string }

// Experiment is an experimental feature of the game.
type Experiment struct {
	Name    string // name of the feature
	Enabled bool   // the feature is on
}

// ResourcePackStack sets the order of the packs and ends the resource pack exchange. Packet 7, server to client.
//
//	size  field            encoding             range
//	1     MustAccept       bool
//	      Packs            list (str, str, str)  uuid text, version, sub pack
//	      GameVersion      str                  "*" for any
//	      Experiments      i32 count, (str, bool)...
//	1     ExperimentsUsed  bool                 experiments have been enabled in the world before
//	1     HasEditorPacks   bool
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type ResourcePackStack struct {
	MustAccept      bool          // a client that refuses the packs may not join
	Packs           []StackedPack // packs in the order in which they apply
	GameVersion     string        // game version; "*" means any
	Experiments     []Experiment  // experimental features of the world
	ExperimentsUsed bool          // experiments have been enabled in the world before
	HasEditorPacks  bool          // the stack contains packs of the world editor
}

// ID returns IDResourcePackStack.
func (ResourcePackStack) ID() ID { return IDResourcePackStack }

// ParseResourcePackStack decodes the body of packet 7. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseResourcePackStack(b []byte, _ Version) (ResourcePackStack, error) {
	r := wire.NewReader(b)
	p := ResourcePackStack{
		MustAccept:      r.Bool(),
		Packs:           readList(&r, 3, maxList, readStackedPack),
		GameVersion:     r.VarStr(),
		Experiments:     readExperiments(&r),
		ExperimentsUsed: r.Bool(),
		HasEditorPacks:  r.Bool(),
	}
	return p, r.Done("ResourcePackStack")
}

// Append appends the body of packet 7 to b and returns the extended slice.
func (p ResourcePackStack) Append(b []byte, _ Version) []byte {
	b = appendList(wire.Bool(b, p.MustAccept), p.Packs, appendStackedPack)
	b = appendExperiments(wire.VarStr(b, p.GameVersion), p.Experiments)
	return wire.Bool(wire.Bool(b, p.ExperimentsUsed), p.HasEditorPacks)
}

func readStackedPack(r *wire.Reader) StackedPack {
	return StackedPack{UUID: r.VarStr(), Version: r.VarStr(), SubPack: r.VarStr()}
}

func appendStackedPack(b []byte, p StackedPack) []byte {
	return wire.VarStr(wire.VarStr(wire.VarStr(b, p.UUID), p.Version), p.SubPack)
}

func readExperiments(r *wire.Reader) []Experiment {
	return readElements(r, r.CheckCount(r.U32(), 2, maxList), func(r *wire.Reader) Experiment {
		return Experiment{Name: r.VarStr(), Enabled: r.Bool()}
	})
}

func appendExperiments(b []byte, list []Experiment) []byte {
	b = wire.U32(b, uint32(len(list)))
	for _, e := range list {
		b = wire.Bool(wire.VarStr(b, e.Name), e.Enabled)
	}
	return b
}

// PackStatus is a client's status in the resource pack exchange.
type PackStatus uint32

// Values of PackStatus, the status of a ResourcePackClientResponse.
const (
	PacksRefused    PackStatus = iota // the client refuses the packs and disconnects
	PacksRequested                    // the client requests the packs that the packet lists
	PacksDownloaded                   // the client has all packs; the server may send the stack
	PacksCompleted                    // the client has applied the stack
)

// Name returns the text that a client sends after the number of the status, or "" for an unknown status.
func (s PackStatus) Name() string {
	names := [...]string{"cancel", "downloading", "downloadingfinished", "resourcepackstackfinished"}
	if int(s) >= len(names) {
		return ""
	}
	return names[s]
}

// ResourcePackClientResponse is the client's answer in the resource pack exchange. Packet 8, client to server. The
// bedrock-protocol npm client sends PacksCompleted immediately, and again after the ResourcePackStack; other clients
// send PacksDownloaded first.
//
//	size  field   encoding  range
//	      Status  varu32    0..3
//	      Name    str       Status.Name(), not checked
//	      Packs   list str  only with PacksRequested; at most 4096 of uuid_version
//
// Source: docs/wire/bedrock.md, packets of the login phase.
type ResourcePackClientResponse struct {
	Status PackStatus // progress of the exchange
	Name   string     // text of PackStatus.Name, not validated
	Packs  []string   // requested packs as uuid_version; not written unless Status is PacksRequested
}

// ID returns IDResourcePackClientResponse.
func (ResourcePackClientResponse) ID() ID { return IDResourcePackClientResponse }

// ParseResourcePackClientResponse decodes the body of packet 8. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseResourcePackClientResponse(b []byte, _ Version) (ResourcePackClientResponse, error) {
	r := wire.NewReader(b)
	p := ResourcePackClientResponse{Status: PackStatus(r.VarU32()), Name: r.VarStr()}
	r.CheckRange(p.Status <= PacksCompleted, "resource pack status")
	if p.Status == PacksRequested {
		p.Packs = readList(&r, 1, maxList, readText)
	}
	return p, r.Done("ResourcePackClientResponse")
}

// Append appends the body of packet 8 to b and returns the extended slice.
func (p ResourcePackClientResponse) Append(b []byte, _ Version) []byte {
	b = wire.VarStr(wire.VarU32(b, uint32(p.Status)), p.Name)
	if p.Status == PacksRequested {
		b = appendList(b, p.Packs, wire.VarStr)
	}
	return b
}
