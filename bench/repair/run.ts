/** Measures mechanical repairability and writes `bench/repair/results.json`; see docs/benchmarks.md. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { loadTokenizer } from '../../src/tokens/tokenizer.ts';
import { compileSources } from '../compile-sources.ts';
import { BENCH } from '../folders.ts';
import { installPeers } from '../install-peers.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { malformCalls, SEEDS, type MalformedCall } from './calls.ts';
import { attemptCalls, summarize, type Attempt } from './measure.ts';
import { callTool, listServers, listTools, type RepairServer } from './servers.ts';

const CALLS_OF_A_SEED = 150;
const FOLDER = join(BENCH, 'repair');

const print = (line: string): void => console.log(line);
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    failures: { type: 'boolean', default: false },
    seed: { type: 'string', multiple: true, default: [...SEEDS] },
  },
});
await installPeers(print);
await compileSources();
const countTokens = await loadTokenizer();
const calls = values.seed.flatMap((seed) => malformCalls(seed, CALLS_OF_A_SEED));
const servers = (await listServers()).filter(({ name }) => values.only === undefined || name === values.only);
const figures: object[] = [];
const records: string[] = [];
for (const server of servers) {
  const { tools, attempts } = await attemptOn(server);
  const { name, version } = server;
  const summary = summarize(attempts, countTokens);
  figures.push({ name, version, ...summary });
  records.push(JSON.stringify({ name, version, tools, texts: attempts.map(({ text = null }) => text) }));
  const { refused, accepted, asMeant, interval, silent, tokens } = summary;
  print(
    `${name} ${version}: ${asMeant} of ${refused} refused calls repaired as meant (${interval.low} to ${interval.high}), ` +
      `${accepted} accepted; ${silent.asMeant + silent.otherwise} taken in silence, ${silent.otherwise} of them not as meant; ` +
      `${tokens.median} tokens in the median, ${tokens.p90} for nine of ten`,
  );
  if (values.failures) printFailures(attempts);
}
// Figures of some servers, or of other calls, are for looking
if (values.only === undefined && values.seed.join() === SEEDS.join()) {
  const date = new Date().toISOString().slice(0, 10);
  const results = { date, node: process.version, servers: figures };
  await writeFile(join(FOLDER, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(FOLDER, 'error-texts.jsonl.gz'), gzipSync(`${records.join('\n')}\n`));
  print(`Written to ${FOLDER}`);
}

async function attemptOn({ program }: RepairServer): Promise<{
  readonly tools: Awaited<ReturnType<typeof listTools>>;
  readonly attempts: readonly Attempt[];
}> {
  const server = await ServerProcess.start(program);
  try {
    const tools = await listTools(server.url);
    return { tools, attempts: await attemptCalls(calls, tools, (call) => callTool(server.url, call)) };
  } finally {
    await server.stop();
  }
}

function printFailures(attempts: readonly Attempt[]): void {
  for (const [index, { text, repaired, rules, isAccepted, isAsMeant }] of attempts.entries()) {
    if (isAsMeant) continue;
    const { faults, call } = calls[index] as MalformedCall;
    const end = isAccepted ? 'not as meant' : 'refused again';
    print(
      `\n${faults.join(' and ')}, ${text === undefined ? 'taken in silence' : end}: ${call.name} ${JSON.stringify(call.arguments)}`,
    );
    if (text !== undefined) print(`${text}\n=> ${rules.join(', ')}: ${JSON.stringify(repaired?.arguments)}`);
  }
}
