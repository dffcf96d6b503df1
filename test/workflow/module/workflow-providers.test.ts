import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createRunStore } from '../../../src/workflow/module/workflow-providers.ts';
import { sampleEvents, sampleRequest } from '../../../src/workflow/testing/conformance-case.ts';
import { InMemoryRunStore } from '../../../src/workflow/run-stores/memory-run-store.ts';

describe('the place of runs', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'toolwright-place-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  test.each(['plain.db', '100%.db', 'a%20b.db', 'what?.db', 'no#1.db', 'with space.db', 'ü.db'])(
    'is the file %s as it is written',
    async (name) => {
      const place = join(directory, name);
      const store = await createRunStore(place);
      await store.append(sampleRequest());
      await store.close();
      expect(await readdir(directory)).toContain(name);
      const again = await createRunStore(place);
      expect(await again.load('run-1')).toEqual(sampleEvents(1, 1));
      await again.close();
    },
  );

  test('may begin with two slashes, and may be a URL', async () => {
    const store = await createRunStore(`/${directory}/two.db`);
    await store.close();
    const other = await createRunStore(`file:${directory}/a%20b.db`);
    await other.close();
    expect((await readdir(directory)).filter((name) => name.endsWith('.db'))).toEqual(['a b.db', 'two.db']);
  });

  test.each(['', ':memory:', 'file:', 'file::memory:', 'mysql://ann:s3cret@host/runs', 'libsql://host'])(
    'is not %j, where nothing could be kept',
    async (place) => {
      const failure: unknown = await createRunStore(place).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'TW_WORKFLOW_OPTION' });
      expect(String(failure)).not.toContain('s3cret');
    },
  );

  test('may be a store, which is opened', async () => {
    const store = new InMemoryRunStore();
    expect(await createRunStore(store)).toBe(store);
    expect(await store.load('run-1')).toEqual([]);
  });
});
