import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { composeMiddleware, type Layer } from '../../../src/compile/stages/compile-callable.ts';

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

/** The promise of another library. */
function thenable(settle: (resolve: (value: unknown) => void, reject: (reason: unknown) => void) => void) {
  return { then: settle };
}

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

test('waits for no promise where the layers return what next gave them', () => {
  const pass: Layer<Call> = (call, next) => {
    call.log.push('pass');
    return next();
  };
  const call: Call = { log: [] };
  expect(composeMiddleware([pass, pass], handler)(call)).toBe('value');
  expect(call.log).toEqual(['pass', 'pass', 'handler']);
});

test('takes what a layer returns, whatever next gave it', async () => {
  const again: Layer<Call> = (_, next) => {
    void next();
    return next();
  };
  const first: Layer<Call> = (_, next) => {
    const given = next();
    void next();
    return given;
  };
  let count = 0;
  const counting = (): number => (count += 1);
  expect(composeMiddleware<Call>([again], counting)({ log: [] })).toBe(2);
  expect(await composeMiddleware<Call>([first], counting)({ log: [] })).toBe(3);
  expect(composeMiddleware<Call>([() => undefined], counting)({ log: [] })).toBeUndefined();
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

describe('what next() gives', () => {
  const boom = new Error('boom');
  /** What the layer sees of `next()` around a handler. */
  const nextOf = (handler: () => unknown): unknown => {
    let given: unknown;
    const layer: Layer<Call> = (_, next) => {
      given = next();
      return 'layer';
    };
    expect(composeMiddleware([layer], handler)({ log: [] })).toBe('layer');
    return given;
  };
  const throwing = (): never => {
    throw boom;
  };

  test.each<[string, unknown]>([
    ['a text', 'value'],
    ['undefined', undefined],
    ['null', null],
    ['an object', { name: 'Ada' }],
    ['an object whose then is not a function', { then: 'later' }],
    ['a function', () => 1],
  ])('is a promise of %s', async (_, value) => {
    const given = nextOf(() => value);
    expect(given).toBeInstanceOf(Promise);
    expect(await given).toBe(value);
  });

  test.each<[string, unknown]>([
    ['a promise', Promise.resolve('later')],
    ['a thenable', thenable((resolve) => resolve('later'))],
    [
      'a thenable of a class',
      new (class Lazy {
        then = thenable((resolve) => resolve('later')).then;
      })(),
    ],
    [
      'a function with then',
      Object.assign(
        () => 1,
        thenable((resolve) => resolve('later')),
      ),
    ],
    ['a thenable of a promise', thenable((resolve) => resolve(Promise.resolve('later')))],
  ])('is a promise of what comes of %s', async (_, value) => {
    const given = nextOf(() => value);
    expect(given).toBeInstanceOf(Promise);
    expect(await given).toBe('later');
  });

  test('asks a thenable once', async () => {
    let asked = 0;
    await nextOf(() =>
      thenable((resolve) => {
        asked += 1;
        resolve('later');
      }),
    );
    expect(asked).toBe(1);
  });

  const failures: readonly (readonly [string, () => unknown])[] = [
    ['throws', throwing],
    ['gives a promise that fails', () => Promise.reject(boom)],
    ['gives a promise that fails later', () => nextTurn().then(throwing)],
    ['gives a thenable that fails', () => thenable((_, reject) => reject(boom))],
    ['gives a thenable that throws', () => thenable(throwing)],
    ['gives a thenable whose then inherits its failure', () => Object.create(thenable(throwing)) as unknown],
    [
      'gives a function with then that fails',
      () =>
        Object.assign(
          () => 1,
          thenable((_, reject) => reject(boom)),
        ),
    ],
    ['gives a function with then that throws', () => Object.assign(() => 1, thenable(throwing))],
    [
      'gives a proxy that shows its then only if asked for it, and fails',
      () =>
        new Proxy(
          {},
          { get: (_, name) => (name === 'then' ? thenable(throwing).then : undefined), has: () => false },
        ),
    ],
    [
      'gives what throws when it is asked for then',
      () => ({
        get then() {
          return throwing();
        },
      }),
    ],
  ];

  test.each(failures)('fails where the handler %s', async (_, failing) => {
    const given = nextOf(failing);
    expect(given).toBeInstanceOf(Promise);
    await expect(given).rejects.toBe(boom);
  });

  // Jest fails a test during which Node reports a rejection that nobody waits for
  test.each(failures)('may be forgotten where the handler %s', async (_, failing) => {
    const forget: Layer<Call> = (_call, next) => {
      void next();
      return 'instead';
    };
    const passOn: Layer<Call> = (_call, next) => next();
    expect(composeMiddleware([forget], failing)({ log: [] })).toBe('instead');
    expect(composeMiddleware([forget, passOn], failing)({ log: [] })).toBe('instead');
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  });

  test('is also what was thrown when that is not an error', async () => {
    const given = nextOf(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- User code may
      throw 'a text';
    });
    await expect(given).rejects.toBe('a text');
  });
});
