package gateway

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"runtime"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Off is the value of a door's address setting that disables the door.
const Off = "off"

// DefaultDataDir is the default folder for the server's files.
const DefaultDataDir = "./truestep-data"

// Maximum values of the settings that doors share.
const (
	MaxWorkers = 64    // maximum number of workers of a door; more workers would only cost memory
	MaxConns   = 65536 // maximum number of connections of a door; chosen to be far more than file descriptors allow
)

// Door serves a world to the clients of one protocol on one socket. A server holds a list of doors and knows nothing else
// about their protocols. It calls a door's methods in the order in which they are listed here. Run returns when the door ends,
// all other methods immediately.
type Door interface {
	// Name returns the door's name. The same text is (1) the name of the door's flag, (2) its label in metrics and logs, (3)
	// session.Peer.Door of its players.
	Name() string
	// Settings returns a pointer to the struct of the door's settings. Programs set its fields before they call Check. Each
	// field has a kong tag (a flag and a TRUESTEP_* variable) and a toml tag (a key of the configuration file).
	Settings() any
	// Check returns an error that joins one error per invalid setting, or nil if all settings are valid.
	Check() error
	// Bind opens the socket, unless the address setting is Off. The door does not read the socket before Run.
	Bind(h *Host) error
	// Addr returns the address of the socket, or the zero value while the door is closed. If the configured port is 0, Addr
	// returns the port that the system chose.
	Addr() netip.AddrPort
	// Open prepares the door to serve h.World and h.Hub. It is called only if Bind has opened a socket.
	Open(h *Host) error
	// Describe returns the description of the door, whether it is open or not. It is called after Open.
	Describe(h *Host) Description
	// Run serves clients until ctx ends or the world stops. It then disconnects them and closes the socket. Run returns an
	// error if the door fails, which does not affect the world. It is called only after Open.
	Run(ctx context.Context) error
	// Close releases all resources that Bind and Open have opened. It may be called at any time after Check, but not during Run.
	Close() error
}

// Host is what a server provides to its doors.
type Host struct {
	World   area.Host          // world that the door serves
	Hub     *session.Hub       // sessions and logins of all doors
	Log     *slog.Logger       // logger of the server
	Metrics *telemetry.Metrics // metrics of the server
	DataDir string             // folder in which the door stores files

	// SharedKeys is the folder with the keys that the doors of all nodes of a cluster share; see KeyFolder. It is empty for a
	// single server.
	SharedKeys string

	// Stalled reports whether logins would wait in vain, because this node of a cluster does not reach most of the nodes. It is nil
	// for a single server.
	Stalled func() bool

	Appearance appearance.Tables // appearance of templates, items and projectiles for clients, one table per door
	// LiveAppearance returns the appearance tables of the present world. After a reload of the world file it returns other tables.
	// If LiveAppearance is nil, the tables are always those in the field Appearance.
	LiveAppearance func() *appearance.Tables
	Sockets        SocketOpener // functions that open sockets

	// SendBudget limits the memory of the send queues of all doors over UDP. Such doors call SendBudget.Register in Open. If
	// the field is nil, each door creates a budget for itself.
	SendBudget *SendBudget

	// Descriptors points to the number of file descriptors that are left for connections of doors; nil means that there is
	// no limit. Doors reserve descriptors by a call of ReserveDescriptors.
	Descriptors *int

	// ProjectPort is the UDP port in the world's RealmCrafter project, or 0 if the world was not made from such a project.
	ProjectPort int
}

// CurrentAppearance returns the appearance tables that the door must use now. A reload of the world file replaces them.
func (h *Host) CurrentAppearance() *appearance.Tables {
	if h.LiveAppearance == nil {
		return &h.Appearance
	}
	return h.LiveAppearance()
}

// ReserveDescriptors reserves file descriptors for the connections of a door, because the process may open only a limited number.
// It returns how many the door gets, at least 1, and logs a warning if that is less than the parameter wanted. Doors over TCP
// call it in Open.
func (h *Host) ReserveDescriptors(door string, wanted int) int {
	if h.Descriptors == nil {
		return wanted
	}
	got := max(min(wanted, *h.Descriptors), 1)
	*h.Descriptors -= got
	if got < wanted {
		h.Log.Warn("the door accepts fewer connections than configured, because the limit of open files is too low; raise it with ulimit -n or LimitNOFILE",
			telemetry.FieldDoor, door, "wanted", wanted, "got", got)
	}
	return got
}

// Description describes a door for the start screen of `truestep serve` and for the console.
type Description struct {
	Title   string // title of the protocol for the console, such as "RealmCrafter CE"
	Network string // "udp" or "tcp"
	Clients string // clients that may connect, for the start screen, such as "RealmCrafter CE clients"
	Link    string // URL of a page on which visitors play, printed first on the start screen; empty if the door has none
	Notes   []Note // remarks about the door for the start screen

	Try          []Command    // commands with which a new user can try the door
	Play         []string     // paragraphs that explain how players connect
	UpdateRanges UpdateRanges // distances and intervals of updates, for the console's map

	// KeyFile is the file with the public key that clients need, or empty if they need none.
	KeyFile string
	// NoBots is the reason why bots on this machine cannot log in, or empty if they can.
	NoBots string
}

// Note is a remark about a door on the start screen of `truestep serve`, for example where the door stores its key.
type Note struct {
	Text  string // the remark
	Whole bool   // the text contains a path and must not be broken into lines
}

// Command is a command line that operators can copy. Its flags are separate, so that each can be on a line of its own.
type Command struct {
	Line  string   // program and subcommand
	Flags []string // flags, each with its value, such as "--server 127.0.0.1:26000"
}

// UpdateRanges describes for the console how often a door updates a client about other actors, depending on their distance from the
// client's player. The console draws these distances on its map.
type UpdateRanges struct {
	Shape   string // shape of the bands around the client's player: "circle" or "square"
	CycleMS int    // time between two updates of a client, in ms
	Bands   []Band // ranges of distance from the client's player, nearest first

	// Grid returns the edge length, in world units, of a cell of the grid into which the door divides an area. It is nil if
	// the door uses no grid.
	Grid func(*sim.AreaDef) float32
}

// Band is a range of distances from a client's player. The client is updated about all actors in the band at the same interval.
type Band struct {
	Name    string                     // name for display, such as "close"
	Radius  func(*sim.AreaDef) float32 // outer radius in world units, or half the edge length of a square
	EveryMS int                        // time between two updates of an actor in the band, in ms
}

// UpdateRangesOf returns the distances within which, and the intervals at which, a door with the interest policy p updates its
// clients about actors.
func UpdateRangesOf(p *interest.Policy) UpdateRanges {
	inEveryArea := func(units float32) func(*sim.AreaDef) float32 {
		return func(*sim.AreaDef) float32 { return units }
	}
	return UpdateRanges{
		Shape:   "circle",
		CycleMS: int(p.IntervalMS),
		Grid:    inEveryArea(p.CloseRadius),
		Bands: []Band{
			{Name: "close", Radius: inEveryArea(p.CloseRadius), EveryMS: int(p.IntervalMS)},
			{Name: "middle", Radius: inEveryArea(p.FarRadius), EveryMS: int(max(p.MiddleEveryMS, p.IntervalMS))},
		},
	}
}

// defaultWorkers is the maximum number of workers of a gateway whose options do not set a number.
const defaultWorkers = 8

// FillOptions replaces options of a gateway that are nil or 0 by their defaults: (1) the default log, (2) metrics that are not
// exported, (3) one worker per CPU core, at most 8.
func FillOptions(log **slog.Logger, metrics **telemetry.Metrics, workers *int) {
	if *log == nil {
		*log = slog.Default()
	}
	if *metrics == nil {
		*metrics = telemetry.New()
	}
	if *workers <= 0 {
		*workers = min(runtime.GOMAXPROCS(0), defaultWorkers)
	}
}

// Problems collects errors about settings. The zero value is ready to use.
type Problems struct{ list []error }

// Refuse adds an error with a formatted text if the condition bad is true. Callers pass a condition that is true if a setting
// is not valid.
func (p *Problems) Refuse(bad bool, format string, args ...any) {
	if bad {
		p.list = append(p.list, fmt.Errorf(format, args...))
	}
}

// Add adds an error to the list. It does nothing if err is nil.
func (p *Problems) Add(err error) {
	if err != nil {
		p.list = append(p.list, err)
	}
}

// Err returns the joined errors, or nil if there are none.
func (p *Problems) Err() error { return errors.Join(p.list...) }

// WithFix appends advice on how to fix the problem to a file system error (fs.PathError). It returns other errors unchanged.
func WithFix(err error, fix string) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%w; %s", err, fix)
	}
	return err
}
