//go:build linux

package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Metrics returns the server's metrics, see ReadMetrics. The field Addresses must contain an address for the flag metrics.
func (s *Server) Metrics(ctx context.Context) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	values, err := ReadMetrics(ctx, "http://"+s.Addresses["metrics"]+"/metrics")
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", s.Name, err)
	}
	return values, nil
}

// ReadMetrics reads the metrics at a URL and returns their values by name with labels, such as truestep_players{area="0"}.
func ReadMetrics(ctx context.Context, url string) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s is answered with status %s", url, resp.Status)
	}
	values := map[string]float64{}
	in := bufio.NewScanner(resp.Body)
	for in.Scan() {
		if i := strings.LastIndexByte(in.Text(), ' '); i > 0 && in.Text()[0] != '#' {
			if v, err := strconv.ParseFloat(in.Text()[i+1:], 64); err == nil {
				values[in.Text()[:i]] = v
			}
		}
	}
	return values, in.Err()
}

// cpuUnit is the unit of the times in /proc/PID/stat, see proc(5).
const cpuUnit = time.Second / 100

// CPUTime returns the CPU time that the process has used in this run, user and system together.
func (s *Server) CPUTime() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.PID()))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // fields after the name: state, ppid, ...
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has too few fields: %s", s.PID(), text)
	}
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	return time.Duration(user+system) * cpuUnit, errors.Join(errUser, errSystem)
}
