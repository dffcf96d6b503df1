import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkedHead, type RequestHead } from '../../../src/transports/http/guards/check-head.ts';
import { KnownHeads } from '../../../src/transports/http/http-handler.ts';

const HEAD: RequestHead = {
  method: 'POST',
  target: '/mcp',
  path: '/mcp',
  host: 'localhost:3000',
  sentHost: 'localhost:3000',
  origin: null,
  accept: 'application/json, text/event-stream',
  contentType: 'application/json',
  contentEncoding: null,
  transferEncoding: null,
  revision: '2026-07-28',
  isDecoded: false,
};
const URL_OF_HEAD = new URL('http://localhost:3000/mcp');

const PLACE = { place: '/mcp', surface: undefined, surfacePath: '' };

function known(...heads: readonly RequestHead[]): KnownHeads {
  const all = new KnownHeads();
  for (const head of heads)
    all.remember(
      checkedHead({ ...head, url: URL_OF_HEAD, allowedOrigin: undefined }, { json: false }, PLACE),
    );
  return all;
}

const names = Object.keys(HEAD) as (keyof RequestHead)[];

test('a head that was let pass is known again', () => {
  expect(known(HEAD).find({ ...HEAD })).toMatchObject({ head: HEAD, url: URL_OF_HEAD });
  const others = { 'user-agent': 'a client', authorization: 'Bearer a' };
  expect(known(HEAD).find({ ...HEAD, ...others })).toBeDefined();
});

// The path is a part of the target.
test.each(names.filter((name) => name !== 'path'))('not one with another %s', (name) => {
  const other = typeof HEAD[name] === 'boolean' ? !HEAD[name] : 'other';
  expect(known(HEAD).find({ ...HEAD, [name]: other })).toBeUndefined();
  expect(known({ ...HEAD, [name]: other }).find(HEAD)).toBeUndefined();
  if (HEAD[name] === null) expect(known(HEAD).find({ ...HEAD, [name]: '' })).toBeUndefined();
});

test('heads are the same where all have the same values, and nowhere else', () => {
  const value = fc.constantFrom(null, '', 'a', 'b');
  const head = fc
    .tuple(
      ...['origin', 'accept', 'revision', 'transferEncoding'].map((name) =>
        fc.tuple(fc.constant(name), value),
      ),
    )
    .map((entries): RequestHead => ({ ...HEAD, ...Object.fromEntries(entries) }));
  fc.assert(
    fc.property(head, head, (one, other) => {
      const isEqual = names.every((name) => one[name] === other[name]);
      expect(known(one).find(other) !== undefined).toBe(isEqual);
    }),
  );
});

test('what guards say of other methods and of other content is not kept', () => {
  expect(known({ ...HEAD, method: 'GET' }).find({ ...HEAD, method: 'GET' })).toBeUndefined();
  const text = { ...HEAD, contentType: 'text/plain' };
  expect(known(text).find(text)).toBeUndefined();
});

test('clients choose their heads, and only the newest are kept', () => {
  const heads = Array.from({ length: 40 }, (_, index) => ({ ...HEAD, accept: String(index) }));
  const all = known(...heads);
  expect(heads.filter((head) => all.find(head) !== undefined)).toEqual(heads.slice(-16));
});
