// End-to-end test of the page Cluster in a real browser, over three nodes with PostgreSQL.
// node e2e/console/run_cluster.mjs --server BIN
import './setup.mjs';
import '../bedrock/setup.mjs';
import { parseOptions, runSuite } from '../lib/suite.mjs';

const { Browser } = await import('./browser.mjs'); // imported after setup.mjs, because they import the installed packages
const { clusterChecks } = await import('./checks/cluster.mjs');
const { pageFaultCheck } = await import('./scenario.mjs');

const usage = `node run_cluster.mjs --server BIN [options]
  --server BIN       the truestep binary
  --shots DIR        save screenshots of the page there
  --keep             keep the folders of the nodes
Each check prints a line; the last line is "e2e-console-cluster: N passed, M failed". Exit status 1 when a check failed.`;

const o = parseOptions(usage, { options: { shots: { type: 'string' } } });

await runSuite('e2e-console-cluster', o, async ({ report, dir }) => {
  const browser = new Browser({ shots: o.shots });
  if (await report.check('Chromium starts', () => browser.launch())) {
    await clusterChecks({ report, browser, bin: o.server, dir });
    await pageFaultCheck({ report, browser });
  }
  await browser.close().catch(() => {});
});
