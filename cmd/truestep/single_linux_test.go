package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/gateway"
)

// openPorts returns the ports on which a process accepts connections ("tcp 9100"), and those of its UDP sockets that are connected to no
// address ("udp 9100"), sorted.
func openPorts(t *testing.T, pid int) []string {
	t.Helper()
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{} // by inode of the socket
	for _, f := range files {
		link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, f.Name()))
		if inode, ok := strings.CutPrefix(link, "socket:["); ok && err == nil {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	var ports []string
	for table, waiting := range map[string]string{"tcp": "0A", "tcp6": "0A", "udp": "07", "udp6": "07"} { // states: listening, unconnected
		f, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			t.Fatal(err)
		}
		for s := bufio.NewScanner(f); s.Scan(); {
			row := strings.Fields(s.Text()) // number, local address, remote address, state, ..., inode
			if len(row) < 10 || row[3] != waiting || !own[row[9]] {
				continue
			}
			_, hex, _ := strings.Cut(row[1], ":")
			port, err := strconv.ParseUint(hex, 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			ports = append(ports, fmt.Sprint(strings.TrimSuffix(table, "6"), " ", port))
		}
		f.Close()
	}
	slices.Sort(ports)
	return ports
}

func TestServerWithoutClusterFlagRunsNoClusterCode(t *testing.T) {
	t.Parallel()
	p := launch(t, "serve", "--rs", "off", "--bedrock", "off", "--rcce", "127.0.0.1:0", "--web", "127.0.0.1:0", "--console", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--metrics-profiles", "--no-status")
	lines := p.until("ready")
	metrics := field(t, lines, "metrics", 1)
	host := strings.TrimSuffix(metrics, "/metrics")
	console, _, _ := strings.Cut(field(t, lines, "console", 1), "/#")

	port := func(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }
	web := port(strings.TrimSuffix(field(t, lines, "web", 1), "/tcp"))
	want := []string{
		"tcp " + web, "udp " + web, "tcp " + port(console), "tcp " + port(host), // WebTransport uses UDP
		"udp " + port(strings.TrimSuffix(field(t, lines, "rcce", 1), "/udp")),
	}
	slices.Sort(want)
	if have := openPorts(t, p.cmd.Process.Pid); !slices.Equal(have, want) {
		t.Errorf("the process has the ports %q, want those of its doors, its console and its metrics: %q", have, want)
	}
	_, text := get(t, metrics)
	if !strings.Contains(text, "truestep_tick_seconds") || strings.Contains(text, "truestep_cluster") {
		t.Errorf("the metrics have no ticks, or have some of a cluster:\n%s", text)
	}
	_, stacks := get(t, host+"/debug/pprof/goroutine?debug=2")
	if !strings.Contains(stacks, "truestep/area.") || strings.Contains(stacks, "truestep/cluster") {
		t.Errorf("the process has no goroutine of an area, or has one of the cluster:\n%s", stacks)
	}
	if _, err := os.Stat(filepath.Join(p.cmd.Dir, gateway.DefaultDataDir, "cluster")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the data folder has Raft logs: %v", err)
	}
}
