import { expect, test } from '@jest/globals';
import { Revision2025 } from '../../src/engine/revisions/2025/revision-2025.ts';
import { ListReplies } from '../../src/engine/list-replies.ts';
import { MemoryLogger, toolsOnly } from '../support/fake-application.ts';

function replies(description: unknown) {
  const logger = new MemoryLogger();
  const service = toolsOnly({});
  const list = Object.freeze([Object.freeze({ name: 'a', description, inputSchema: { type: 'object' } })]);
  const tools = { ...service.tools, list: () => list } as never;
  const lists = new ListReplies({ ...service, tools }, logger);
  const revision = new Revision2025({ name: 'test', version: '1.0.0' }, service, lists);
  return { logger, find: (params = {}) => lists.find(revision, request(params)) };
}

const request = (params = {}) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }) as const;

test('a list that cannot be written is worked out for each request, and told once with its cause', () => {
  const { logger, find } = replies(7n);
  for (let turn = 0; turn < 3; turn += 1) expect(find()).toBeUndefined();
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
  const { logger, find } = replies('plain');
  expect(find()).toBeDefined();
  expect(find({ cursor: 'x' })).toBeUndefined();
  expect(logger.records).toEqual([]);
});
