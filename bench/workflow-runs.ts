import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppendRequest } from '../src/workflow/application/ports/run-store.ts';
import { sampleEvents, sampleRequest } from '../src/workflow/testing/conformance-case.ts';
import { SqliteRunStore } from '../src/workflow/run-stores/sqlite/sqlite-run-store.ts';
import { median, print } from './workflow-timing.ts';

const LONG = 10_000;

const directory = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
const store = new SqliteRunStore({ url: `file:${join(directory, 'runs.db')}` });
await store.init();

const note =
  'A note of a usual length, as an agent leaves it behind when it has finished a part of its work. ';
let seq = 0;
const next = (count: number): AppendRequest => {
  const events = sampleEvents(seq + 1, count, () => note.repeat(2));
  const request = sampleRequest({ expectedSeq: seq, count, events });
  seq += count;
  return request;
};
await store.append(next(LONG));
await store.putSnapshot('run-1', { seq: LONG, state: JSON.stringify({ notes: note.repeat(500) }) });

print('append of 3 events, one commit on disk', await median(() => store.append(next(3))));
print(`load of ${LONG} events`, await median(() => store.load('run-1')));
print(
  'snapshot and the events after it',
  await median(async () => {
    const snapshot = await store.getSnapshot('run-1');
    return store.load('run-1', (snapshot?.seq ?? 0) + 1);
  }),
);
print(
  `load of ${LONG} events and append`,
  await median(async () => {
    await store.load('run-1');
    await store.append(next(3));
  }),
);

await store.close();
await rm(directory, { recursive: true });
