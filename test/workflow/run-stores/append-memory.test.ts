import { expect, test } from '@jest/globals';
import { sampleRequest } from '../../../src/workflow/run-stores/conformance/sample-run.ts';
import { appendMemory } from '../../../src/workflow/run-stores/memory/append-memory.ts';
import { MemoryRunData } from '../../../src/workflow/run-stores/memory/memory-run-data.ts';

test('takes more events at once than a function takes arguments', () => {
  const data = new MemoryRunData();
  expect(appendMemory(data, sampleRequest({ count: 300_000 }))).toEqual({ ok: true, seq: 300_000 });
  expect(data.runs.get('run-1')?.events).toHaveLength(300_000);
});
