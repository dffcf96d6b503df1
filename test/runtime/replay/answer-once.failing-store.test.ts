import { describe, expect, test } from '@jest/globals';
import type { OnceStore } from '../../../src/runtime/replay/answer-once.ts';
import { InMemoryOnceStore } from '../../../src/runtime/replay/once-store.ts';
import { replayEngineFor, questionsOf, request } from './drive.ts';
import { greeter, named } from './greeter.ts';

const LATER = {
  isError: true,
  _meta: { 'toolwright/error': { code: 'TRY_AGAIN_LATER', retryAfter: expect.any(Number) } },
};

describe('a store that fails', () => {
  test('before the answer leaves everything as it was', async () => {
    const store: OnceStore = {
      add: () => Promise.reject(new Error('no connection')),
      replace: () => Promise.resolve(true),
    };
    const { replayEngine, logger } = replayEngineFor({ onceStore: store });
    const { handler, greeted } = greeter();
    const { state } = questionsOf(await request(replayEngine, handler));
    expect(await request(replayEngine, handler, { requestState: state })).toMatchObject(LATER);
    expect(greeted).toEqual([]);
    expect(logger.records.at(-1)).toMatchObject({ level: 'error', event: 'question.store-failed' });
  });

  test('after the answer does not take the result from the client', async () => {
    const store: OnceStore = {
      add: () => Promise.resolve(undefined),
      replace: () => Promise.reject(new Error('no connection')),
    };
    const { replayEngine, logger } = replayEngineFor({ onceStore: store });
    const { handler } = greeter();
    const { state, names } = questionsOf(await request(replayEngine, handler));
    const retry = { requestState: state, inputResponses: { [String(names[0])]: named('Ada') } };
    expect(await request(replayEngine, handler, retry)).toMatchObject({ value: 'Hello, Ada, number 1' });
    expect(logger.records.at(-1)).toMatchObject({ level: 'error', event: 'question.store-failed' });
  });
});

test('a store that is full lets the client try again later, and the log say why', async () => {
  const { replayEngine, logger } = replayEngineFor({ onceStore: new InMemoryOnceStore({ maxEntries: 1 }) });
  const { handler, greeted } = greeter();
  const answer = async (name: string): Promise<object> => {
    const { state } = questionsOf(await request(replayEngine, handler));
    const inputResponses = { 'elicitation-1': named(name) };
    return request(replayEngine, handler, { requestState: state, inputResponses });
  };
  await answer('Ada');
  expect(await answer('Bob')).toMatchObject(LATER);
  expect(logger.records.at(-1)).toMatchObject({ level: 'error', event: 'question.store-full' });
  expect(greeted).toEqual(['Ada']);
  for (let count = 0; count < 20; count += 1) expect(await answer('Eve')).toMatchObject(LATER);
  const levels = logger.records
    .filter(({ event }) => event === 'question.store-full')
    .map(({ level }) => level);
  expect(levels.filter((level) => level === 'error')).toHaveLength(1);
  expect(levels.filter((level) => level === 'debug')).toHaveLength(20);
});
