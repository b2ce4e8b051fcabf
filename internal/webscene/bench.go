package webscene

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/settings"
)

// Bench is the command that measures how many bytes and how much encoding time the web protocol needs for each combination of
// scene, round-trip time and packet loss.
type Bench struct {
	Scene []string           `placeholder:"NAME" help:"Scenes: vale, wander, asteroids, and the published stinkysteak and stinkysteak-yaw. Default: all."`
	RTT   []time.Duration    `name:"rtt" default:"0s,50ms,100ms,200ms" help:"Round trips, each at most 1s."`
	Loss  []settings.Percent `default:"0%,5%" help:"Shares of the packets that are lost in each direction, each at most 90%."`
	Seed  uint64             `default:"77" help:"Seed of all random choices."`
	Ticks int                `default:"400" help:"Ticks of each run: 1..1000000."`
	Split bool               `help:"Print which parts of the snapshots the bytes go to, by field, and how many actors they contain."`
	JSON  bool               `name:"json" help:"Print JSON instead of text: one object a line for each run."`
}

// FlagError is returned if the value of a flag is out of range.
type FlagError struct{ error }

// Print measures every combination of scene, round-trip time and loss, and prints a table, or JSON lines.
func (o *Bench) Print(w io.Writer) error {
	runs, err := o.configs()
	if err != nil {
		return FlagError{err}
	}
	if o.JSON {
		lines := json.NewEncoder(w)
		for _, c := range runs {
			f, err := o.measure(c)
			if err == nil {
				err = lines.Encode(f)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if o.Split {
		return printSplit(w, runs)
	}
	fmt.Fprintf(w, "B/actor/tick: snapshots, with %d bytes of UDP, IP and QUIC for each. interface, down, up: all that passes the network interface of a player over WebTransport, with the packets\n"+
		"that QUIC sends alone and %d inputs a second. They do not depend on the machine. The rest does (%s, %d cores, %s): the server's time for the acknowledgements and snapshots of one player.\n\n",
		Headers, Inputs, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "scene\tactors\tHz\trtt\tloss\tB/actor/tick\tinterface B/actor/tick\tdown kbit/s\tup kbit/s\tencode ns/actor\tCPU\tp99 us\t\n")
	for _, c := range runs {
		f, err := Measure(c)
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%.0f ms\t%.0f %%\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.2f %%\t%.0f\t\n",
			f.Scene, f.Actors, f.Rate, f.RoundTrip, 100*f.Loss, f.PerActor, f.Interface, f.DownRate, f.UpRate, f.Encoding, 100*f.CPU, f.TickP99)
	}
	return t.Flush()
}

func (o *Bench) measure(c Config) (Figures, error) {
	if o.Split {
		return MeasureSplit(c)
	}
	return Measure(c)
}

// printSplit prints a table for each scene: how many bytes per actor and tick each part of the snapshots takes.
func printSplit(w io.Writer, runs []Config) error {
	fmt.Fprintf(w, "Bytes per actor and tick from the server to one client. packets: headers, %d bytes of UDP, IP and QUIC included. told: actors in a snapshot. Of these, last: coded against the last\n"+
		"state that was sent, acknowledged or not; repeated: within the tolerance by the acknowledged state, but not by every later one. age: ticks from the state that an actor is coded against.\n", Headers)
	var t *tabwriter.Writer
	for i, c := range runs {
		f, err := MeasureSplit(c)
		if err != nil {
			return err
		}
		if i == 0 || runs[i-1].Scene.Name != f.Scene {
			if t != nil {
				_ = t.Flush()
			}
			t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintf(t, "\n%s\trtt\tloss\tsum\tpackets\tlist\t", f.Scene)
			for _, field := range f.Split.Fields {
				fmt.Fprintf(t, "%s\t", field.Name)
			}
			fmt.Fprint(t, "told\tlast\trepeated\tage\t\n")
		}
		s := f.Split
		fmt.Fprintf(t, "\t%.0f ms\t%.0f %%\t%.2f\t%.2f\t%.2f\t", f.RoundTrip, 100*f.Loss, f.PerActor, s.HeaderBytes, s.ListBytes)
		for _, field := range s.Fields {
			fmt.Fprintf(t, "%.2f\t", field.Bytes)
		}
		fmt.Fprintf(t, "%.0f %%\t%.0f %%\t%.0f %%\t%.1f\t\n", 100*s.SentShare, 100*s.NewestShare, 100*s.RepeatShare, s.BaselineAge)
	}
	return t.Flush()
}

// configs returns the configuration of each run: every combination of scene, round-trip time and loss.
func (o *Bench) configs() (all []Config, err error) {
	for _, name := range o.Scene {
		if _, ok := crowd.Named(name); !ok {
			return nil, fmt.Errorf("scene %q: must be vale, wander, asteroids, stinkysteak or stinkysteak-yaw", name)
		}
	}
	for _, s := range slices.Concat(crowd.Scenes, crowd.Published) {
		if len(o.Scene) > 0 && !slices.Contains(o.Scene, s.Name) {
			continue
		}
		for _, rtt := range o.RTT {
			for _, loss := range o.Loss {
				c := Config{Scene: s, RoundTrip: rtt, Loss: float64(loss), Seed: o.Seed, Ticks: o.Ticks}
				if err := c.Check(); err != nil {
					return nil, err
				}
				all = append(all, c)
			}
		}
	}
	return all, nil
}
