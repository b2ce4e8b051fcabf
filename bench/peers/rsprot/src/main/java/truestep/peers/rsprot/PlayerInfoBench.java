package truestep.peers.rsprot;

import com.sun.management.OperatingSystemMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import net.rsprot.protocol.game.outgoing.info.worker.DefaultProtocolWorker;
import net.rsprot.protocol.game.outgoing.info.worker.ProtocolWorker;

/**
 * Runs the player-info load that rsprot published figures for, and prints one line of results.
 *
 * <p>Arguments are {@code name=value}: threads (1), warmup (30) and measure (20) in seconds, runs (3), allocator
 * (pooled or unpooled), seed (1). One cycle moves every player, lets every player speak, builds all packets, and
 * takes and releases them.
 */
public final class PlayerInfoBench {
	private static final int PLAYERS = 2046; // indices 1..2046, the published load
	private static final int BOX = 13; // tiles on a side
	private static final int SETTLED = 100; // cycles: the range falls from 15 tiles by one a cycle, then swings around 1..2
	private static final int ORIGIN = 3200; // south-west tile of the box, both axes
	private static final String CHAT = "The quick brown fox jumps over the lazy dog, twice"; // 50 characters, as in proto/rs

	private final Crowd crowd;
	private final SplittableRandom random;
	private long bytes;

	private PlayerInfoBench(Crowd crowd, long seed) {
		this.crowd = crowd;
		this.random = new SplittableRandom(seed);
	}

	public static void main(String[] args) throws IOException {
		Properties options = options(args);
		int threads = number(options, "threads", 1);
		ByteBufAllocator allocator = allocator(options.getProperty("allocator", "pooled"));
		Crowd crowd = new Crowd(PLAYERS, allocator, worker(threads), ChatCode.lengths());
		PlayerInfoBench bench = new PlayerInfoBench(crowd, number(options, "seed", 1));
		bench.join(allocator);
		bench.warm(number(options, "warmup", 30));

		Result result = new Result();
		int runs = number(options, "runs", 3);
		int seconds = number(options, "measure", 20);
		for (int i = 0; i < runs; i++) {
			bench.measure(seconds, result);
		}
		System.out.println(peer() + " threads=" + threads + " " + result.line(PLAYERS) + bench.crowdNow()
				+ String.format(Locale.ROOT, " chat=%dB allocator=%s jdk=%s", ChatCode.packed(CHAT),
						options.getProperty("allocator", "pooled"), System.getProperty("java.version")));
	}

	/**
	 * The caller's thread alone, or rsprot's default, the common pool: the caller works too while it waits, so the pool
	 * needs one worker less than there are threads, and the command line must say so.
	 */
	private static ProtocolWorker worker(int threads) {
		ForkJoinPool pool = ForkJoinPool.commonPool();
		if (threads == 1) {
			return new DefaultProtocolWorker(Integer.MAX_VALUE, pool);
		}
		if (pool.getParallelism() != threads - 1) {
			throw new IllegalArgumentException("threads " + threads + ": the common pool has " + pool.getParallelism()
					+ " workers, set java.util.concurrent.ForkJoinPool.common.parallelism to " + (threads - 1));
		}
		return new DefaultProtocolWorker(0, pool);
	}

	private static ByteBufAllocator allocator(String name) {
		return switch (name) {
			case "pooled" -> PooledByteBufAllocator.DEFAULT;
			case "unpooled" -> UnpooledByteBufAllocator.DEFAULT;
			default -> throw new IllegalArgumentException("allocator " + name + ": want pooled or unpooled");
		};
	}

	/** Places everybody, gives them an appearance, and sends the placement block that a login sends. */
	private void join(ByteBufAllocator allocator) {
		for (int i = 1; i <= PLAYERS; i++) {
			crowd.join(i, coordinate(), coordinate());
		}
		for (int i = 1; i <= PLAYERS; i++) {
			ByteBuf placement = allocator.buffer(8192);
			crowd.placement(i, placement);
			placement.release();
		}
	}

	private int coordinate() {
		return ORIGIN + random.nextInt(BOX);
	}

	private void cycle() {
		for (int i = 1; i <= PLAYERS; i++) {
			crowd.teleport(i, coordinate(), coordinate());
			crowd.say(i, CHAT);
		}
		crowd.update();
		for (int i = 1; i <= PLAYERS; i++) {
			bytes += crowd.takeAndRelease(i);
		}
	}

	/** Runs for so many seconds, and on until the view range has settled however slow the machine is. */
	private void warm(int seconds) {
		long end = System.nanoTime() + seconds * 1_000_000_000L;
		for (int done = 0; done < SETTLED || System.nanoTime() < end; done++) {
			cycle();
		}
	}

	private void measure(int seconds, Result result) {
		OperatingSystemMXBean host = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		long start = System.nanoTime();
		long startCpu = host.getProcessCpuTime();
		long startBytes = bytes;
		long end = start + seconds * 1_000_000_000L;
		int cycles = 0;
		long now = start;
		while (now < end) {
			cycle();
			long after = System.nanoTime();
			result.cycle(after - now);
			now = after;
			cycles++;
		}
		result.run(cycles, now - start, host.getProcessCpuTime() - startCpu, bytes - startBytes);
	}

	/** What the viewers see after the last cycle: mean locals (self included) and mean view range. */
	private String crowdNow() {
		double locals = 0;
		double range = 0;
		for (int i = 1; i <= PLAYERS; i++) {
			locals += crowd.locals(i);
			range += crowd.range(i);
		}
		return String.format(Locale.ROOT, " locals=%.1f range=%.2f", locals / PLAYERS, range / PLAYERS);
	}

	private static String peer() throws IOException {
		Properties p = new Properties();
		try (InputStream in = PlayerInfoBench.class.getResourceAsStream("/peer.properties")) {
			p.load(in);
		}
		return "rsprot osrs-" + p.getProperty("revision") + " version=" + p.getProperty("version")
				+ " development=" + System.getProperty("net.rsprot.protocol.internal.development", "true");
	}

	private static Properties options(String[] args) {
		Properties p = new Properties();
		for (String arg : args) {
			int eq = arg.indexOf('=');
			if (eq < 1) {
				throw new IllegalArgumentException("argument " + arg + ": want name=value");
			}
			p.setProperty(arg.substring(0, eq), arg.substring(eq + 1));
		}
		return p;
	}

	private static int number(Properties p, String name, int otherwise) {
		return Integer.parseInt(p.getProperty(name, Integer.toString(otherwise)));
	}
}
