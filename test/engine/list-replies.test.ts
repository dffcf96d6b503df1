import { expect, test } from '@jest/globals';
import { form2025 } from '../../src/engine/revisions/2025/form-2025.ts';
import { ListReplies } from '../../src/engine/list-replies.ts';
import { MemoryLogger, toolsOnly } from '../fixtures/fake-surface.ts';

function replies(description: unknown) {
  const logger = new MemoryLogger();
  const service = toolsOnly({});
  const list = Object.freeze([Object.freeze({ name: 'a', description, inputSchema: { type: 'object' } })]);
  const tools = { ...service.tools, list: () => list } as never;
  return { logger, lists: new ListReplies({ ...service, tools }, logger) };
}

const request = (params = {}) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }) as const;

test('a list that cannot be written is worked out for each request, and told once with its cause', () => {
  const { logger, lists } = replies(7n);
  for (let turn = 0; turn < 3; turn += 1) expect(lists.find(form2025, request())).toBeUndefined();
  expect(logger.records).toMatchObject([
    {
      level: 'debug',
      event: 'list.unkept',
      message: expect.stringContaining('tools/list'),
      cause: expect.any(TypeError),
    },
  ]);
});

test('a wrong cursor is a mistake of the client, which whoever answers tells', () => {
  const { logger, lists } = replies('plain');
  expect(lists.find(form2025, request())).toBeDefined();
  expect(lists.find(form2025, request({ cursor: 'x' }))).toBeUndefined();
  expect(logger.records).toEqual([]);
});
