import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { LineProcess, WITH_PACKAGE } from '../../support/line-process.ts';
import { IS_THOROUGH, tries } from '../../support/thorough.ts';

const PROGRAM = fileURLToPath(new URL('./heap-growth.ts', import.meta.url));
const FLAGS = [...WITH_PACKAGE, '--expose-gc'];

const seed = Number(process.env['TOOLWRIGHT_SEED'] ?? Date.now() % 1_000_000);
/** All ways with the full count, else every second one: those that another seed leaves out. */
const chosen = (ways: readonly string[]): readonly string[] =>
  ways.filter((_, index) => IS_THOROUGH || index % 2 === seed % 2);

/** @param most bytes for each call: 20 are 2 MB for 100,000 calls; the fewer calls, the more a stray object counts */
test.each([
  {
    ways: chosen(['call', 'call-with-signal', 'attach', 'attach-2']),
    calls: tries(2000, 15_000),
    most: tries(120, 20),
  },
  {
    ways: chosen(['attach-http', 'attach-2-memory', 'attach-2-http', 'attach-2-stateless']),
    calls: tries(1500, 4000),
    most: tries(400, 150),
  },
  {
    ways: chosen(['stdio', 'http-stateless', 'http-2026', 'http-session']),
    calls: tries(1500, 5000),
    most: tries(200, 60),
  },
])(
  `calls that are over leave nothing behind: $ways (TOOLWRIGHT_SEED=${String(seed)})`,
  async ({ ways, calls, most }) => {
    const child = new LineProcess({ args: [...FLAGS, PROGRAM, ways.join(','), String(calls)] });
    await child.ended;
    const measured = child.stdout.map((line) => JSON.parse(line) as { way: string; bytesPerCall: number });
    expect([measured.map(({ way }) => way), child.stderr]).toEqual([ways, expect.anything()]);
    expect(measured.filter(({ bytesPerCall }) => bytesPerCall > most)).toEqual([]);
  },
  300_000,
);
