import { expect, test } from '@jest/globals';
import { Cancellation } from '../../../src/call/call-context.ts';
import { createPagination } from '../../../src/runtime/lists/pagination.ts';
import type { Outcome, ResultEncoder } from '../../../src/kernel/call/outcome.ts';
import { NO_CLIENT } from '../../../src/runtime/clients/served-clients.ts';
import { MemoryLogger, serviceOf, fakeTools } from '../../support/fake-application.ts';
import { fakeRequest } from '../../support/primitives.ts';

const PLAIN: ResultEncoder = Object.freeze({});
const STAMPED: ResultEncoder = Object.freeze({
  encode: (method: string, result: object) => ({ ...result, method }),
});

function listing(descriptions: readonly unknown[], isFrozen = true) {
  const logger = new MemoryLogger();
  const entries = descriptions.map((description, index) =>
    Object.freeze({ name: `tool${String(index)}`, description, inputSchema: { type: 'object' } }),
  );
  const list = isFrozen ? Object.freeze(entries) : entries;
  const tools = { ...fakeTools({}), list: () => list as never };
  const service = serviceOf({ tools, pagination: createPagination(1) }, logger);
  const page = (encoder: ResultEncoder | undefined, params: Readonly<Record<string, unknown>> = {}) => {
    const context = { ...fakeRequest(), encoder };
    const cancellation = new Cancellation();
    return service.serve({ method: 'tools/list', params, context, cancellation, served: NO_CLIENT });
  };
  return { logger, page };
}

const encodedOf = async (outcome: Outcome | Promise<Outcome>) => {
  const settled = await outcome;
  return settled.kind === 'result' ? settled.encoded : undefined;
};

test('a page of a frozen list is made and written once for each revision and cursor', async () => {
  const { page } = listing(['one', 'two']);
  const first = await page(PLAIN);
  expect(await page(PLAIN)).toBe(first);
  expect((await encodedOf(first))?.json).toBe(JSON.stringify((first as { value: object }).value));
  const stamped = await page(STAMPED);
  expect(stamped).not.toBe(first);
  expect((await encodedOf(stamped))?.result).toMatchObject({ method: 'tools/list' });
  const { nextCursor: cursor } = (first as { value: { nextCursor?: string } }).value;
  const second = await page(PLAIN, { cursor });
  expect(second).toMatchObject({ kind: 'result', value: { tools: [{ name: 'tool1' }] } });
  expect(await page(PLAIN, { cursor })).toBe(second);
});

test('nothing is written for who takes objects, nor kept of a list that may change', async () => {
  const frozen = listing(['one']);
  expect(await encodedOf(frozen.page(undefined))).toBeUndefined();
  const open = listing(['one'], false);
  expect(await encodedOf(open.page(PLAIN))).toBeUndefined();
  expect(await open.page(PLAIN)).not.toBe(await open.page(PLAIN));
});

test('a list that cannot be written is made for each request, and reported once with its cause', async () => {
  const { logger, page } = listing([7n]);
  for (let turn = 0; turn < 3; turn += 1) expect(await encodedOf(page(PLAIN))).toBeUndefined();
  expect(logger.records).toMatchObject([
    {
      level: 'debug',
      event: 'list.unkept',
      message: expect.stringContaining('tools/list'),
      cause: expect.any(TypeError),
    },
  ]);
});

test('a wrong cursor is a mistake of the client, of which nothing is kept or reported', async () => {
  const { logger, page } = listing(['plain']);
  expect(await page(PLAIN, { cursor: 'x' })).toMatchObject({ kind: 'failure', error: { code: -32602 } });
  expect(await page(PLAIN, { cursor: 7 })).toMatchObject({ kind: 'failure', error: { code: -32602 } });
  expect(logger.records).toEqual([]);
});
