package truestep.peers.rsprot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Times of single cycles, in nanoseconds, and means of whole runs, in milliseconds per cycle. */
final class Result {
	// Student's t for a 99.9% interval, two-sided, by degrees of freedom from 1: what JMH prints after its +-.
	private static final double[] T999 = {636.619, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781};

	private long[] nanos = new long[4096];
	private int cycles;
	private long wall; // ns
	private long cpu; // ns, all threads of the process
	private long bytes;
	private final List<Double> runs = new ArrayList<>();

	void cycle(long ns) {
		if (cycles == nanos.length) {
			nanos = Arrays.copyOf(nanos, 2 * cycles);
		}
		nanos[cycles++] = ns;
	}

	void run(int cycles, long wall, long cpu, long bytes) {
		this.wall += wall;
		this.cpu += cpu;
		this.bytes += bytes;
		runs.add(wall / 1e6 / cycles);
	}

	String line(int viewers) {
		long[] sorted = Arrays.copyOf(nanos, cycles);
		Arrays.sort(sorted);
		double mean = wall / 1e6 / cycles;
		return String.format(Locale.ROOT,
				"ms/cycle=%.3f +- %.3f cycles=%d runs=%s p50=%.3f p99=%.3f max=%.3f us/viewer=%.2f cpu-ms/cycle=%.3f cpus=%.2f bytes/viewer=%.1f",
				mean, halfWidth(), cycles, spelled(), sorted[cycles / 2] / 1e6, sorted[cycles * 99 / 100] / 1e6,
				sorted[cycles - 1] / 1e6, mean * 1000 / viewers, cpu / 1e6 / cycles, (double) cpu / wall, (double) bytes / cycles / viewers);
	}

	private String spelled() {
		StringBuilder s = new StringBuilder();
		for (double run : runs) {
			s.append(s.length() == 0 ? "" : ",").append(String.format(Locale.ROOT, "%.3f", run));
		}
		return s.toString();
	}

	private double halfWidth() {
		int n = runs.size();
		if (n < 2 || n - 2 >= T999.length) {
			return Double.NaN;
		}
		double mean = runs.stream().mapToDouble(r -> r).average().orElseThrow();
		double squares = runs.stream().mapToDouble(r -> (r - mean) * (r - mean)).sum();
		return T999[n - 2] * Math.sqrt(squares / (n - 1) / n);
	}
}
