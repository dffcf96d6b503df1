import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from 'toolwright';
import { LineProcess, WITH_PACKAGE } from '../support/line-process.ts';
import { codeOf, replayOf } from '../support/payments.ts';
import { message, send } from '../support/raw-http.ts';

const PROGRAM = fileURLToPath(new URL('./only-once/killed-server.ts', import.meta.url));
/** Each test starts two or three processes. */
const TIMEOUT = 120_000;
/** Longer than a lease, in milliseconds. */
const AFTER_THE_LEASE = 31_000;
/** Leaves a busy machine as much time as it needs to start a process within the lease. */
const WITHIN_THE_LEASE = -TIMEOUT;

let folder: string;
const processes: LineProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-'));
});

afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
  await rm(folder, { recursive: true });
});

interface Served {
  readonly process: LineProcess;
  readonly call: (action: string) => Promise<CallToolResult>;
}

/** @param ahead how far the clock of the store is ahead, in milliseconds */
async function serve(ahead: number, way = ''): Promise<Served> {
  const files = [join(folder, 'calls.db'), join(folder, 'effects')];
  const started = new LineProcess({
    args: [...WITH_PACKAGE, PROGRAM, ...files, String(ahead), way],
  });
  processes.push(started);
  const url = await started.line('stdout', 'http://');
  const call = async (action: string): Promise<CallToolResult> => {
    const args = { action, amount: 5, idempotencyKey: 'a' };
    const { body } = await send(url, { body: message('tools/call', { name: 'till', arguments: args }) });
    // A call that waits is answered on a stream, with one event
    return (JSON.parse(body.slice(body.indexOf('{'))) as { readonly result: CallToolResult }).result;
  };
  return { process: started, call };
}

/** Ends the process as a power switch does. */
async function kill({ process }: Served): Promise<void> {
  process.kill('SIGKILL');
  await process.ended;
}

async function killInHandler(action: string): Promise<void> {
  const served = await serve(0, 'hangs');
  const lost = served.call(action).then(
    () => 'answered',
    () => 'lost',
  );
  await served.process.line('stdout', 'effect');
  await kill(served);
  expect(await lost).toBe('lost');
}

async function fences(): Promise<readonly number[]> {
  const lines = (await readFile(join(folder, 'effects'), 'utf8')).trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly fence: number }).fence);
}

describe('a server that is killed in the handler, and started again', () => {
  test(
    'says that the call still runs, and after its lease that nobody knows how it ended',
    async () => {
      await killInHandler('pay');
      const soon = await serve(WITHIN_THE_LEASE);
      expect(codeOf(await soon.call('pay'))).toBe('IDEMPOTENCY_IN_PROGRESS');
      await kill(soon);
      const later = await serve(AFTER_THE_LEASE);
      expect(codeOf(await later.call('pay'))).toBe('OUTCOME_UNKNOWN');
      expect(codeOf(await later.call('pay'))).toBe('OUTCOME_UNKNOWN');
      expect(await fences()).toHaveLength(1);
    },
    TIMEOUT,
  );

  test(
    'runs the call again where that was chosen, once, with a higher number',
    async () => {
      await killInHandler('rerun');
      const later = await serve(AFTER_THE_LEASE);
      expect(replayOf(await later.call('rerun'))).toBeUndefined();
      expect(await later.call('rerun')).toMatchObject({
        content: [{ text: 'paid 5' }],
        _meta: { 'toolwright/idempotency': { replayed: true } },
      });
      const [first, second, ...more] = await fences();
      expect(second).toBeGreaterThan(Number(first));
      expect(more).toEqual([]);
    },
    TIMEOUT,
  );
});

test(
  'A server that is killed after a call gives its result when it is started again',
  async () => {
    const first = await serve(0);
    await first.call('pay');
    await kill(first);
    const second = await serve(AFTER_THE_LEASE);
    expect(await second.call('pay')).toMatchObject({
      content: [{ text: 'paid 5' }],
      _meta: { 'toolwright/idempotency': { replayed: true } },
    });
    expect(await fences()).toHaveLength(1);
  },
  TIMEOUT,
);
