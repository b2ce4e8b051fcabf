package telemetry

import "github.com/prometheus/client_golang/prometheus"

// Cluster holds the metrics of one node of a cluster. Areas and Nodes have one element for each name that was passed to
// Metrics.Cluster, in the same order.
type Cluster struct {
	Load      *Gauge        // load of this node: of the areas that it leads, and of the players who are connected through it
	Draining  *Gauge        // 1 while this node hands over its areas and leads none, else 0
	Unsynced  *Gauge        // greatest age within the last 30 s of bytes of the Raft logs that may not be on disk, ms
	Fenced    *Counter      // times that the other nodes declared this node dead, which ended its sessions
	Dropped   *Counter      // messages from other nodes that this node dropped because a queue was full; the senders repeat them
	Refused   *Counter      // messages from other nodes that were invalid
	Crossings *Counter      // players that entered an area led by this node from another area
	LostTicks *Counter      // ticks that this node counted as stored because no node had their records
	Changes   *Counters     // changes of areas' leaders that this node has observed, by cause
	Nodes     []ClusterNode // metrics about the other nodes
	Areas     []ClusterArea // metrics about the areas of the world

	crossing prometheus.Histogram
}

// ObserveCrossing records how long a player took from its departure from an area that this node leads to the confirmation of its arrival in
// another area, in seconds.
func (c *Cluster) ObserveCrossing(seconds float64) { c.crossing.Observe(seconds) }

// ClusterNode holds this node's metrics about another node.
type ClusterNode struct {
	Up            *Gauge // 1 while this node is connected to the other node, else 0
	RoundTripUS   *Gauge // shortest round trip to the other node within the last seconds, µs
	ClockOffsetMS *Gauge // clock of the other node minus the clock of this node, ms
	QueueBytes    *Gauge // bytes that wait to be sent to the other node
}

// ClusterArea holds the metrics of this node's replica of an area.
type ClusterArea struct {
	HasLead   *Gauge   // 1 while this node knows the leader of the area, else 0
	Leads     *Gauge   // 1 while this node is the leader of the area, else 0
	Load      *Gauge   // load of the area: number of its players plus their intents per second
	Lag       *Gauge   // ticks by which this node's replica is behind the newest tick
	Unsaved   *Gauge   // ticks whose player records are not stored yet
	Unstepped *Gauge   // entries of this node's log that it has not stepped
	UnderWay  *Gauge   // players who have left the area and whose arrival in another one is not confirmed
	OldestMS  *Gauge   // ms since the first of the players counted in UnderWay left the area; 0 if there is none
	LeadMoves *Counter // changes of the area's leader that this node has observed

	commit prometheus.Histogram
}

// ObserveCommit records how long a batch of the area, which this node leads, took from its proposal to its commit, in seconds.
func (a *ClusterArea) ObserveCommit(seconds float64) { a.commit.Observe(seconds) }

// commitBuckets are the upper bounds in seconds of the buckets for ObserveCommit. A tick period is 0.05 s.
var commitBuckets = []float64{.000125, .00025, .0005, .001, .002, .004, .008, .016, .032, .05, .1, .2, .5, 1}

// crossingBuckets are the upper bounds in seconds of the buckets for ObserveCrossing.
var crossingBuckets = []float64{.025, .05, .075, .1, .125, .15, .2, .3, .5, 1, 2, 5}

// Cluster creates the metrics of a node, given the names of the other nodes and of the areas. It must be called at most once for
// each Metrics.
func (m *Metrics) Cluster(others, areas []string) *Cluster {
	c := &Cluster{
		Load:      newGauge(m.reg, "truestep_cluster_load", "Load of this node: of the areas that it leads, and of the players who are connected through it.", nil),
		Draining:  newGauge(m.reg, "truestep_cluster_draining", "1 while this node hands over its areas and leads none, else 0.", nil),
		Unsynced:  newGauge(m.reg, "truestep_cluster_log_unsynced_ms", "Age of the oldest bytes of this node's Raft logs that may not be on disk, in milliseconds: the greatest within the last 30 seconds.", nil),
		Fenced:    newCounter(m.reg, "truestep_cluster_fenced_total", "Times that the other nodes declared this node dead, which ended its sessions.", nil),
		Dropped:   newCounter(m.reg, "truestep_cluster_messages_dropped_total", "Messages of other nodes that were dropped because a queue was full; they are sent again.", nil),
		Refused:   newCounter(m.reg, "truestep_cluster_messages_refused_total", "Messages of other nodes that were invalid.", nil),
		Crossings: newCounter(m.reg, "truestep_cluster_crossings_total", "Players that came from other areas into areas that this node led.", nil),
		LostTicks: newCounter(m.reg, "truestep_cluster_lost_record_ticks_total", "Ticks whose records no node had, so that this node counted them as stored.", nil),
		Changes:   newCounters(m.reg, "truestep_cluster_lead_changes_by_cause_total", "Changes of areas' leaders that this node has seen, by cause.", "cause", nil),
		crossing: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "truestep_cluster_crossing_seconds", Help: "Time from the departure of a player from an area that this node leads to the confirmation of its arrival in another area.", Buckets: crossingBuckets,
		}),
	}
	m.reg.MustRegister(c.crossing)
	for _, name := range others {
		at := prometheus.Labels{"node": name}
		c.Nodes = append(c.Nodes, ClusterNode{
			Up:            newGauge(m.reg, "truestep_cluster_node_up", "1 while this node is connected with the other one, else 0.", at),
			RoundTripUS:   newGauge(m.reg, "truestep_cluster_round_trip_us", "Shortest round trip to the node within the last seconds, in microseconds.", at),
			ClockOffsetMS: newGauge(m.reg, "truestep_cluster_clock_offset_ms", "Clock of the node minus that of this one, in milliseconds.", at),
			QueueBytes:    newGauge(m.reg, "truestep_cluster_queue_bytes", "Bytes that wait to be sent to the node.", at),
		})
	}
	for _, name := range areas {
		at := prometheus.Labels{"area": name}
		a := ClusterArea{
			HasLead:   newGauge(m.reg, "truestep_cluster_area_has_lead", "1 while this node knows the leader of the area, else 0.", at),
			Leads:     newGauge(m.reg, "truestep_cluster_area_leads", "1 while this node leads the area, else 0.", at),
			Load:      newGauge(m.reg, "truestep_cluster_area_load", "Load of the area: intents of its players per second, plus their number, smoothed.", at),
			Lag:       newGauge(m.reg, "truestep_cluster_copy_lag_ticks", "Ticks by which this node's copy of the area is behind the newest copy.", at),
			Unsaved:   newGauge(m.reg, "truestep_cluster_unsaved_ticks", "Ticks of the area whose records are not stored yet.", at),
			Unstepped: newGauge(m.reg, "truestep_cluster_unstepped_entries", "Entries of this node's log of the area that it has not stepped.", at),
			UnderWay:  newGauge(m.reg, "truestep_cluster_players_under_way", "Players who have left the area and whose arrival in another one is not confirmed.", at),
			OldestMS:  newGauge(m.reg, "truestep_cluster_oldest_under_way_ms", "Time since the earliest departure of a player whose arrival in another area is not confirmed, in milliseconds; 0 if there is none.", at),
			LeadMoves: newCounter(m.reg, "truestep_cluster_lead_changes_total", "Changes of the area's leader that this node has seen.", at),
			commit: prometheus.NewHistogram(prometheus.HistogramOpts{
				Name: "truestep_cluster_commit_seconds", Help: "Time from the proposal of a batch until it is committed and can be stepped, while this node leads the area.", ConstLabels: at, Buckets: commitBuckets,
			}),
		}
		m.reg.MustRegister(a.commit)
		c.Areas = append(c.Areas, a)
	}
	return c
}
