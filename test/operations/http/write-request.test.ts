import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonSchema } from 'toolwright';
import { compileInputs } from '../../../src/operations/inputs.ts';
import type { Place } from '../../../src/operations/operation.ts';
import { compileRequest } from '../../../src/operations/http/write-request.ts';
import { tries } from '../../support/thorough.ts';

const text: JsonSchema = { type: 'string' };

function writer(path: string, inputs: readonly Place[], routes: readonly string[] = [], method = 'POST') {
  const operation = { method, path, headers: {}, inputs, origin: 'A.b' };
  const templates = routes.map((route) => {
    const [of = '', template = ''] = route.split(' ');
    return { method: of, path: template };
  });
  return compileRequest(operation, compileInputs(operation), {}, templates);
}

const named = (place: Place['in'], name: string, source: JsonSchema = text): Place => ({
  in: place,
  name,
  source,
  isRequired: place === 'path',
});

test.each([
  ...['..', '.', '', '%2e%2e', '%252e%252e', '%25252e%25252e', '\\', 'a\\b', 'a\nb', '\ud800'],
  ...['../admin', 'x/../../admin', 'a/.', 'a/./b', '%2e%2e%2fadmin', 'a%252f..', 'a%5c..', '..%2fa%ff'],
])('refuses %j in a path', (id) => {
  const write = writer('/tasks/{id}', [named('path', 'id')]);
  expect(() => write({ id })).toThrow(/^id: /);
});

test.each([
  ['a/b', '/tasks/a%2Fb/close'],
  ['a/..b', '/tasks/a%2F..b/close'],
  ['a?x', '/tasks/a%3Fx/close'],
  ['a#f', '/tasks/a%23f/close'],
  ['ä b', '/tasks/%C3%A4%20b/close'],
])('encodes %j in a path', (id, path) => {
  expect(writer('/tasks/{id}/close', [named('path', 'id')])({ id }).path).toBe(path);
});

describe('a value that leads to another route', () => {
  test.each([
    ['POST /tasks/all', 'all'],
    ['POST /tasks/all', 'ALL'],
    ['POST /tasks/all', 'all/'],
    ['POST /tasks/all', '%61ll'],
    ['POST /tasks/all', 'all;x=1'],
    ['POST /Tasks/All/', 'all'],
    ['POST /tasks/caf%C3%A9', 'café'],
    ['ALL /tasks/all', 'all'],
    ['POST /tasks/all/{id?}', 'all'],
    ['POST /tasks/all/now', 'all/now'],
    ['POST /{group}/all', 'all'],
    ['POST /tasks/all/*', 'all'],
    ['POST /*/purge', 'purge'],
    ['POST /tasks/old-{id}', 'old-7'],
  ])('is refused: %s, with the id %j', (route, id) => {
    const write = writer('/tasks/{id}', [named('path', 'id')], [route, 'POST /tasks/{id}']);
    expect(() => write({ id })).toThrow(/^id: this value leads to another route/);
  });

  test.each([
    ['POST /tasks/all', 'all-1'],
    ['POST /tasks/all', 'call'],
    ['PUT /tasks/all', 'all'],
    ['POST /tasks/{id}', 'all'],
    ['POST /tasks/{number}', '7'],
    ['POST /tasks/*', '7'],
    ['POST /tasks/all/{id}', 'all'],
    ['POST /tasks/old-{id}', 'new-7'],
  ])('is sent where it does not: %s, with the id %j', (route, id) => {
    expect(writer('/tasks/{id}', [named('path', 'id')], [route])({ id }).path).toBe(`/tasks/${id}`);
  });

  test('counts for GET and HEAD alike', () => {
    const inputs = [named('path', 'id')];
    expect(() => writer('/tasks/{id}', inputs, ['GET /tasks/all'], 'HEAD')({ id: 'all' })).toThrow(/^id: /);
    expect(() => writer('/tasks/{id}', inputs, ['HEAD /tasks/all'], 'GET')({ id: 'all' })).toThrow(/^id: /);
  });

  test('is named by its field, whichever segment it stands in', () => {
    const body: Place = {
      in: 'body',
      source: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      isRequired: true,
    };
    const inputs = [named('path', 'id'), named('path', 'part'), body];
    const write = writer('/{part}/{id}', inputs, ['POST /tasks/all', 'POST /admin/{id}']);
    expect(() => write({ part: 'tasks', id__path: 'all' })).toThrow(/^part: /);
    expect(() => write({ part: 'admin', id__path: '7' })).toThrow(/^part: /);
    const inTasks = writer('/tasks/{id}', [named('path', 'id'), body], ['POST /tasks/all']);
    expect(() => inTasks({ id__path: 'all' })).toThrow(/^id__path: /);
  });

  test('may be one that is left out', () => {
    const inputs: Place[] = [{ ...named('path', 'id'), isRequired: false }];
    const alone = writer('/tasks/{id?}', inputs, ['POST /tasks/{id?}', 'GET /tasks']);
    expect(alone({}).path).toBe('/tasks');
    const write = writer('/tasks/{id?}', inputs, ['POST /tasks']);
    expect(() => write({})).toThrow(/^id: without it/);
    expect(write({ id: '7' }).path).toBe('/tasks/7');
  });
});

test('any text in a path arrives as it is, or is refused', () => {
  const write = writer('/tasks/{id}/close', [named('path', 'id')]);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (id) => {
      let path: string;
      try {
        ({ path } = write({ id }));
      } catch (error) {
        expect((error as { readonly code?: string }).code).toBe('VALIDATION_FAILED');
        return;
      }
      const segments = new URL(path, 'http://in.process').pathname.split('/');
      expect(segments).toHaveLength(4);
      expect(decodeURIComponent(segments[2] ?? '')).toBe(id);
    }),
    { numRuns: tries(300, 10_000) },
  );
});

test('any text in a query arrives as it is', () => {
  const write = writer('/tasks', [named('query', 'q')]);
  fc.assert(
    fc.property(fc.string(), (q) => {
      const url = new URL(write({ q }).path, 'http://in.process');
      expect(url.pathname).toBe('/tasks');
      expect([...url.searchParams]).toEqual([['q', q]]);
    }),
    { numRuns: tries(300, 10_000) },
  );
});

test.each(['a\r\nx: y', 'a\0', '€'])('refuses %j in a header', (value) => {
  const write = writer('/tasks', [named('header', 'x-note')]);
  expect(() => write({ 'x-note': value })).toThrow(/^x-note: /);
});

test('puts each field where it belongs, and a field of two places into both', () => {
  const body: Place = {
    in: 'body',
    source: { type: 'object', properties: { id: text, title: text }, required: ['id', 'title'] },
    isRequired: true,
  };
  const write = writer('/tasks/{id}', [
    named('path', 'id'),
    named('query', 'dry', { type: 'boolean' }),
    body,
  ]);
  expect(write({ id: '7', title: 'T', dry: true })).toMatchObject({
    path: '/tasks/7?dry=true',
    body: '{"id":"7","title":"T"}',
  });
});

test('keeps fields of one name and different rules apart', () => {
  const body: Place = {
    in: 'body',
    source: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    isRequired: true,
  };
  const inputs = [named('path', 'id'), body];
  expect([...compileInputs({ inputs, origin: 'A.b' }).targets.keys()]).toEqual(['id__path', 'id__body']);
  expect(writer('/tasks/{id}', inputs)({ id__path: 'a', id__body: 1 })).toMatchObject({
    path: '/tasks/a',
    body: '{"id":1}',
  });
});

test('renames what belongs to the framework', () => {
  const inputs = [named('query', 'action')];
  expect(writer('/tasks', inputs)({ action__query: 'x' }).path).toBe('/tasks?action=x');
});
