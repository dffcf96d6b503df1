import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { LineProcess } from '../fixtures/line-process.ts';

/** In bytes: 2 MB for 100,000 calls. */
const MOST_PER_CALL = 20;

test('calls that are over leave nothing behind, whichever way they came', async () => {
  const program = fileURLToPath(new URL('./heap-growth.ts', import.meta.url));
  const flags = ['--no-warnings', '--expose-gc', '--import', '@oxc-node/core/register'];
  const ways = ['call', 'call-with-signal', 'attach'];
  const child = new LineProcess({ args: [...flags, program, ways.join(','), '30000'] });
  await child.ended;
  const measured = child.stdout.map((line) => JSON.parse(line) as { way: string; bytesPerCall: number });
  expect(measured.map(({ way }) => way)).toEqual(ways);
  expect(measured.filter(({ bytesPerCall }) => bytesPerCall > MOST_PER_CALL)).toEqual([]);
}, 120_000);
