import { expect, test } from '@jest/globals';
import { sampleRequest } from '../../../src/workflow/testing/conformance-case.ts';
import { appendMemory, MemoryRunData } from '../../../src/workflow/run-stores/memory/memory-run-data.ts';

test('takes more events at once than a function takes arguments', () => {
  const data = new MemoryRunData();
  expect(appendMemory(data, sampleRequest({ count: 300_000 }))).toEqual({ ok: true, seq: 300_000 });
  expect(data.runs.get('run-1')?.events).toHaveLength(300_000);
});
