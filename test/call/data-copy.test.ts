import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { formatValue, jsonView } from '../../src/call/handler-value.ts';

class Owner {
  readonly #name = 'ada';

  get name(): string {
    return this.#name;
  }
}

async function* asyncRows(): AsyncGenerator<number> {
  await Promise.resolve();
  yield 1;
}

test.each([
  ['a bigint', 1n, 'The value is a BigInt'],
  ['a bigint within', { list: [1n] }, 'list[0] is a BigInt'],
  ['a function', () => 1, 'The value is a function'],
  ['a function of a plain object', { total: () => 1 }, 'total is a function'],
  ['a function of a list', [() => 1], '[0] is a function'],
  ['a symbol', { mark: Symbol('a') }, 'mark is a symbol'],
  ['NaN', { 'a b': { mean: Number.NaN } }, '["a b"].mean is NaN'],
  ['infinity', [1, [-Infinity]], '[1][0] is -Infinity'],
  ['an invalid date', { at: new Date('never') }, 'at is an invalid Date'],
  ['a promise', { rows: [{}, {}, { owner: Promise.resolve() }] }, 'rows[2].owner is a Promise'],
  ['what can be awaited', { row: { then: () => 1 } }, 'row is a Promise'],
  ['a promise in a map', new Map([['a', Promise.resolve()]]), 'a is a Promise'],
  ['a promise in a set', new Set([Promise.resolve()]), '[0] is a Promise'],
  ['a promise of toJSON', { a: { toJSON: async () => Promise.resolve(1) } }, 'a is a Promise'],
  [
    'a promise below an instance',
    new (class A {
      b = Promise.resolve();
    })(),
    'b is a Promise',
  ],
  ['a buffer', { file: Buffer.from('hi') }, 'file is bytes (Buffer)'],
  ['bytes', Uint8Array.of(1), 'The value is bytes (Uint8Array)'],
  ['an array buffer', [new ArrayBuffer(1)], '[0] is bytes (ArrayBuffer)'],
  ['a stream', { file: Readable.from(['a']) }, 'file is a stream (Readable)'],
  ['a web stream', { file: new ReadableStream() }, 'file is a stream (ReadableStream)'],
  ['a response', new Response('a'), 'The value is a Response'],
  ['a blob', [new Blob(['a'])], '[0] is a Blob'],
  ['an asynchronous generator', { rows: asyncRows() }, 'rows is a stream'],
  ['what is iterated asynchronously', { rows: { [Symbol.asyncIterator]: asyncRows } }, 'rows is a stream'],
  ['an iterator', { rows: [1].values() }, 'rows is an instance of'],
  ['a regular expression', { like: /a/ }, 'like is an instance of RegExp without data of its own'],
  ['a weak map', [new WeakMap()], '[0] is an instance of WeakMap'],
  ['an instance with private state', { owner: new Owner() }, 'owner is an instance of Owner'],
  ['an instance of a subclass of it', [new (class Admin extends Owner {})()], '[0] is an instance of Admin'],
  ['a map with objects for keys', { by: new Map([[{}, 1]]) }, 'by is a Map with keys that are no texts'],
])('%s is refused', (_, value, message) => {
  for (const read of [formatValue, jsonView]) {
    expect(() => read(value)).toThrow(`TW_RESULT_NOT_DATA: ${message}`);
    expect(() => read(value)).toThrow(/\n {2}fix: \w/u);
  }
});

test('a promise that fails in a refused value does not end the process', async () => {
  const failures: unknown[] = [];
  const note = (reason: unknown): void => {
    failures.push(reason);
  };
  process.on('unhandledRejection', note);
  const fail = async (): Promise<never> => {
    await Promise.resolve();
    throw new Error('late');
  };
  expect(() => formatValue({ rows: [fail(), { owner: fail() }], other: new Map([['a', fail()]]) })).toThrow(
    'rows[0] is a Promise',
  );
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('unhandledRejection', note);
  expect(failures).toEqual([]);
});
