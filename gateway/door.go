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

// Off is the address of a door that stays closed.
const Off = "off"

// DefaultDataDir is the data folder of a server that is told no other.
const DefaultDataDir = "./truestep-data"

// Bounds of settings.
const (
	MaxWorkers = 64    // guess: more only cost memory
	MaxConns   = 65536 // guess: far more than descriptors allow
)

// Door is one way into a world: one protocol on one socket. A server holds a list of doors and knows nothing else about
// their protocols. It calls a door's methods in the order in which they are listed here; all but Run return at once.
type Door interface {
	// Name is the door's name: its flag, its label in metrics and logs, and session.Peer.Door of its players.
	Name() string
	// Settings points to the struct that holds the door's settings. Programs fill it before Check: its fields have kong
	// tags (a flag and a TRUESTEP_* variable each) and toml tags (a key of the configuration file each).
	Settings() any
	// Check returns what is wrong with the settings, one joined error per problem.
	Check() error
	// Bind opens the socket, or nothing if the settings say Off. Nothing is read from the socket before Run.
	Bind(h *Host) error
	// Addr is the address of the socket, with the real port; the zero value while the door is closed.
	Addr() netip.AddrPort
	// Open prepares the door to serve h.World and h.Hub. It is called only if Bind has opened a socket.
	Open(h *Host) error
	// Describe says what the door is, open or not. It is called after Open.
	Describe(h *Host) Description
	// Run serves clients until ctx ends or the world stops, then disconnects them and closes the socket. It also returns
	// if the door breaks, with an error; the world is intact then. It is called only after Open.
	Run(ctx context.Context) error
	// Close releases whatever Bind and Open have opened. It may be called at any time after Check, but not during Run.
	Close() error
}

// Host is the server that a door belongs to.
type Host struct {
	World   area.Host
	Hub     *session.Hub
	Log     *slog.Logger
	Metrics *telemetry.Metrics
	DataDir string // folder for files that the door keeps

	Appearance appearance.Tables // how clients draw the world; each door reads its own table
	Sockets    Sockets

	// ProjectPort is the UDP port that the world's RealmCrafter project names; 0 if the world comes from elsewhere.
	ProjectPort int
}

// Description is what a door tells people about itself.
type Description struct {
	Title   string // of the protocol, for the console: "RealmCrafter CE"
	Network string // "udp" or "tcp"
	Clients string // what may connect, for the start screen: "RealmCrafter CE clients"
	Notes   []Note // more about the door, for the start screen

	Try  []Command // commands that a newcomer may copy
	Play []string  // paragraphs: how players find the door
	View View

	// KeyFile is the file with the public key that clients must have; empty if they need none.
	KeyFile string
	// NoBots says why bots of this machine cannot log in; empty if they can.
	NoBots string
}

// Note is a remark on the start screen.
type Note struct {
	Text  string
	Whole bool // do not break the text into lines, because it is a path
}

// Command is a command line. Flags may be moved to lines of their own.
type Command struct {
	Line  string
	Flags []string
}

// View is how far and how often a door's clients are told of others, for the console's map.
type View struct {
	Shape   string // "circle" or "square"
	CycleMS int    // between two updates of a client
	Bands   []Band // from the nearest to the farthest

	// Grid is the edge of a cell of the grid that the door divides an area by, in world units; nil: it has none.
	Grid func(*sim.AreaDef) float32
}

// Band is a distance within which clients are told of others.
type Band struct {
	Name    string
	Radius  func(*sim.AreaDef) float32 // world units; half the edge of a square
	EveryMS int
}

// ViewOf is the view of a door whose clients are told of others by distance.
func ViewOf(p *interest.Policy) View {
	inEveryArea := func(units float32) func(*sim.AreaDef) float32 {
		return func(*sim.AreaDef) float32 { return units }
	}
	return View{
		Shape:   "circle",
		CycleMS: int(p.IntervalMS),
		Grid:    inEveryArea(p.CloseRadius),
		Bands: []Band{
			{Name: "close", Radius: inEveryArea(p.CloseRadius), EveryMS: int(p.IntervalMS)},
			{Name: "middle", Radius: inEveryArea(p.FarRadius), EveryMS: int(max(p.MiddleEveryMS, p.IntervalMS))},
		},
	}
}

// defaultWorkers bounds the workers of a gateway that is not told how many.
const defaultWorkers = 8

// FillOptions sets the options that every gateway has and that are left at their zero values: the default log, metrics
// that are not served, and one worker per core, at most 8.
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

// Problems collects what is wrong with settings. The zero value is ready to use.
type Problems struct{ list []error }

// Refuse adds a problem if bad is true.
func (p *Problems) Refuse(bad bool, format string, args ...any) {
	if bad {
		p.list = append(p.list, fmt.Errorf(format, args...))
	}
}

// Add adds a problem; nil is none.
func (p *Problems) Add(err error) {
	if err != nil {
		p.list = append(p.list, err)
	}
}

// Err joins the problems; nil if there are none.
func (p *Problems) Err() error { return errors.Join(p.list...) }

// WithFix adds to an error about a file or a folder what would mend it; other errors and nil stay what they are.
func WithFix(err error, fix string) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%w; %s", err, fix)
	}
	return err
}
