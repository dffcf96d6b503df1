import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LineProcess } from '../../support/line-process.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const WAYS = [
  ...['call', 'call-with-signal', 'attach', 'attach-2', 'attach-http', 'attach-2-memory'],
  ...['attach-2-http', 'attach-2-stateless', 'stdio', 'stdio-2026'],
  ...['http-stateless', 'http-2026', 'http-session'],
];

export const heap: AttackProgram = {
  name: 'heap',
  measures: 'what 100,000 calls leave behind, by the way that they come; 2 MB are too much',
  run: async (target) => {
    const rows: AttackRow[] = [];
    for (const way of WAYS) {
      const row = await measure(way, target);
      target.progress(`${way}: ${row.note ?? ''}`);
      rows.push(row);
    }
    return rows;
  },
};

async function measure(way: string, { build, isQuick }: Target): Promise<AttackRow> {
  const calls = isQuick ? 15_000 : 100_000;
  const start = performance.now();
  const child = new LineProcess({
    // the folder decides which tsconfig.json the runner reads
    cwd: HERE,
    args: [
      ...['--no-warnings', '--expose-gc', '--import', '@oxc-node/core/register'],
      ...['--import', './redirect.mjs', './heap/heap-growth.ts', way, String(calls)],
    ],
    env: { ATTACKED_PACKAGE: pathToFileURL(join(build, 'package.json')).href },
  });
  await child.ended;
  const [line] = child.stdout;
  if (line === undefined) throw new Error(`Nothing was measured for ${way}:\n${child.stderr.join('\n')}`);
  const { bytesPerCall } = JSON.parse(line) as { readonly bytesPerCall: number };
  const note = `${((bytesPerCall * 100_000) / 1e6).toFixed(2)} MB for 100,000 of ${String(calls)} calls`;
  return { name: way, bytes: 0, milliseconds: performance.now() - start, note };
}
