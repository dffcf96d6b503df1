import { expect, test } from '@jest/globals';
import {
  compileMiddleware,
  composeMiddleware,
  type Layer,
} from '../../../src/compile/strategies/compile-middleware.ts';

interface Call {
  readonly log: string[];
}

function trace(name: string): Layer<Call> {
  return async (call, next) => {
    call.log.push(`${name} in`);
    const value = await next();
    call.log.push(`${name} out`);
    return value;
  };
}

const handler = (call: Call): string => {
  call.log.push('handler');
  return 'value';
};

test('runs the layers from the outside in and unwinds in reverse', async () => {
  const call = { log: [] };
  expect(await composeMiddleware([trace('a'), trace('b')], handler)(call)).toBe('value');
  expect(call.log).toEqual(['a in', 'b in', 'handler', 'b out', 'a out']);
});

test('is the handler itself without layers', () => {
  expect(composeMiddleware([], handler)).toBe(handler);
});

test('skips the rest when next is not called', () => {
  const call = { log: [] };
  expect(composeMiddleware([() => 'instead', trace('b')], handler)(call)).toBe('instead');
  expect(call.log).toEqual([]);
});

test('runs the rest twice when next is called twice', async () => {
  const call: Call = { log: [] };
  const retry: Layer<Call> = async (_, next) => {
    await next();
    return next();
  };
  expect(await composeMiddleware([retry, trace('b')], handler)(call)).toBe('value');
  expect(call.log.filter((entry) => entry === 'handler')).toHaveLength(2);
});

test('gives a promise from next, also for a synchronous value or throw', async () => {
  const failing = (): never => {
    throw new Error('boom');
  };
  const recover: Layer<Call> = (_, next) => next().catch((error: unknown) => (error as Error).message);
  expect(await composeMiddleware([recover], failing)({ log: [] })).toBe('boom');
});

test('keeps the calls of one chain apart and passes the call by identity', async () => {
  const seen: Call[] = [];
  const chain = composeMiddleware<Call>([trace('a')], (call) => seen.push(call));
  const calls = [{ log: [] }, { log: [] }];
  await Promise.all(calls.map(chain));
  expect(seen[0]).toBe(calls[0]);
  expect(seen[1]).toBe(calls[1]);
});

test('is not affected by a later change of the list', async () => {
  const layers = [trace('a')];
  const chain = composeMiddleware(layers, handler);
  layers.length = 0;
  const call: Call = { log: [] };
  await chain(call);
  expect(call.log).toContain('a in');
});

test('compiles one chain for each action key', async () => {
  const chains = compileMiddleware<Call>([
    { key: 'rooms.book', layers: [trace('group')], handler: () => 'booked' },
    { key: 'desks.free', layers: [], handler: () => 'freed' },
  ]);
  const call: Call = { log: [] };
  expect([...chains.keys()]).toEqual(['rooms.book', 'desks.free']);
  expect(await chains.get('desks.free')?.(call)).toBe('freed');
  expect(call.log).toEqual([]);
  expect(await chains.get('rooms.book')?.(call)).toBe('booked');
  expect(call.log).toEqual(['group in', 'group out']);
});
