import { describe, expect, test } from '@jest/globals';
import { InMemoryStore } from '../../../src/runtime/store/memory-store.ts';
import type { Store } from '../../../src/runtime/store/store.ts';
import { replayEngineFor, questionsOf, request } from './drive.ts';
import { greeter, named } from './greeter.ts';

const LATER = {
  isError: true,
  _meta: { 'toolwright/error': { code: 'TRY_AGAIN_LATER', retryAfter: expect.any(Number) } },
};

describe('a store that fails', () => {
  test('before the answer leaves everything as it was', async () => {
    const store = Object.assign(new InMemoryStore(), {
      put: () => Promise.reject(new Error('no connection')),
    });
    const { replayEngine, logger } = replayEngineFor({ store });
    const { handler, greeted } = greeter();
    const { state } = questionsOf(await request(replayEngine, handler));
    expect(await request(replayEngine, handler, { requestState: state })).toMatchObject(LATER);
    expect(greeted).toEqual([]);
    expect(logger.records.at(-1)).toMatchObject({ level: 'error', event: 'question.store-failed' });
  });

  test('after the answer does not take the result from the client', async () => {
    const memory = new InMemoryStore();
    const store: Store = Object.assign(new InMemoryStore(), {
      put: (...given: Parameters<Store['put']>) =>
        given[2].if === 'absent' ? memory.put(...given) : Promise.reject(new Error('no connection')),
    });
    const { replayEngine, logger } = replayEngineFor({ store });
    const { handler } = greeter();
    const { state, names } = questionsOf(await request(replayEngine, handler));
    const retry = { requestState: state, inputResponses: { [String(names[0])]: named('Ada') } };
    expect(await request(replayEngine, handler, retry)).toMatchObject({ value: 'Hello, Ada, number 1' });
    expect(logger.records.at(-1)).toMatchObject({ level: 'error', event: 'question.store-failed' });
  });
});

test('a store that is full lets the client try again later, and the log say why', async () => {
  const { replayEngine, logger } = replayEngineFor({
    store: new InMemoryStore({ maxBytes: 1200, maxBytesPerOwner: 600 }),
  });
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
