import { describe, expect, test } from '@jest/globals';
import { IsInt } from 'class-validator';
import fc from 'fast-check';
import { image, embeddedResource } from '../../../src/call/content.ts';
import { success } from '../../../src/call/result-helpers.ts';
import { compileResource, fakeResolver, method, scannedResource } from '../../support/primitives.ts';

class TaskRef {
  @IsInt() id!: number;
}

type Parts = Parameters<typeof scannedResource>[2];

function compiled(target: string, parts: Parts = {}) {
  return compileResource(scannedResource('notes', target, parts), fakeResolver({ files: () => [] }));
}

const described: Parts = {
  title: 'Notes',
  description: 'All notes',
  mimeType: 'text/markdown',
  annotations: { audience: ['user'], priority: 1 },
  icons: [{ src: 'https://example.com/a.png' }],
  meta: { a: [1] },
};

const wire = {
  name: 'notes',
  title: 'Notes',
  description: 'All notes',
  mimeType: 'text/markdown',
  annotations: { audience: ['user'], priority: 1 },
  icons: [{ src: 'https://example.com/a.png' }],
  _meta: { a: [1] },
};

describe('the definition of a resource', () => {
  test('of a fixed URI', () => {
    const resource = compiled('notes://all', { ...described, size: 12 });
    expect(resource.definition).toEqual({ ...wire, uri: 'notes://all', size: 12 });
    expect(Object.isFrozen(resource.definition.annotations)).toBe(true);
    expect(resource).toMatchObject({ kind: 'fixed', uri: 'notes://all', model: { name: 'notes', size: 12 } });
  });

  test('of a template', () => {
    const resource = compiled('notes://{id}', { ...described, list: method('files') });
    expect(resource.definition).toEqual({ ...wire, uriTemplate: 'notes://{id}' });
    expect(Object.isFrozen(resource.definition._meta?.['a'])).toBe(true);
    expect(resource).toMatchObject({ kind: 'template', model: { uriTemplate: 'notes://{id}' } });
  });
});

describe('the variables of a template', () => {
  test('are a frozen plain object without an input', () => {
    const outcome = compiled('notes://{id}').resolveInput({ id: '7' });
    expect(outcome).toEqual({ ok: true, value: { input: { id: '7' }, common: [] } });
    expect(Object.isFrozen((outcome as { value: { input: object } }).value.input)).toBe(true);
  });

  test('are converted and validated with one', () => {
    const { resolveInput } = compiled('notes://{id}', { input: TaskRef });
    const outcome = resolveInput({ id: '7' }) as { readonly value: { readonly input: unknown } };
    expect(outcome).toMatchObject({ ok: true, value: { input: { id: 7 } } });
    expect(outcome.value.input).toBeInstanceOf(TaskRef);
    expect(resolveInput({ id: 'x' })).toMatchObject({
      ok: false,
      issues: [{ path: 'id', received: 'string "x"' }],
    });
  });
});

describe('the result of a resource', () => {
  const uri = 'notes://1';
  const convert = (value: unknown, mimeType?: string) => compiled(uri, { mimeType }).convert(value, uri);
  const contentsOf = (value: unknown, mimeType?: string) =>
    (convert(value, mimeType) as { value: { contents: unknown } }).value.contents;

  test.each<[string, unknown, string | undefined, object]>([
    ['text', 'hi', undefined, { mimeType: 'text/plain', text: 'hi' }],
    ['empty text', '', undefined, { mimeType: 'text/plain', text: '' }],
    ['text of a type', '# hi', 'text/markdown', { mimeType: 'text/markdown', text: '# hi' }],
    ['a buffer', Buffer.from('hi'), undefined, { mimeType: 'application/octet-stream', blob: 'aGk=' }],
    ['bytes', new Uint8Array([104, 105]), 'image/png', { mimeType: 'image/png', blob: 'aGk=' }],
    [
      'an array buffer',
      new Uint8Array([104, 105]).buffer,
      'image/png',
      { mimeType: 'image/png', blob: 'aGk=' },
    ],
    ['an object', { a: 1 }, undefined, { mimeType: 'application/json', text: '{\n  "a": 1\n}' }],
    ['an array', [1], undefined, { mimeType: 'application/json', text: '[\n  1\n]' }],
    ['an empty array', [], undefined, { mimeType: 'application/json', text: '[]' }],
    ['a number', 7, undefined, { mimeType: 'application/json', text: '7' }],
    ['false', false, undefined, { mimeType: 'application/json', text: 'false' }],
    [
      'an object of a JSON type',
      [],
      'application/geo+json',
      { mimeType: 'application/geo+json', text: '[]' },
    ],
    ['an object of another type', [], 'text/html', { mimeType: 'application/json', text: '[]' }],
    ['contents without a uri', { text: 'a' }, 'text/html', { text: 'a' }],
    ['contents with bytes', { blob: Buffer.from('hi') }, undefined, { blob: 'aGk=' }],
    ['an object like contents', { text: 'a', id: 1 }, undefined, { mimeType: 'application/json' }],
    [
      'an object with text and blob',
      { text: 'a', blob: 'aGk=' },
      undefined,
      { mimeType: 'application/json' },
    ],
  ])('may be %s', (_name, value, mimeType, expected) => {
    expect(contentsOf(value, mimeType)).toMatchObject([{ uri, ...expected }]);
  });

  test('may be contents of their own', () => {
    const other = { uri: 'notes://2', mimeType: 'text/html', text: 'a', _meta: { a: 1 } };
    expect(contentsOf(other)).toEqual([other]);
    expect(contentsOf([other, { text: 'b' }])).toEqual([other, { uri, text: 'b' }]);
    expect(convert({ contents: [{ text: 'b' }], _meta: { a: 1 } })).toEqual({
      ok: true,
      value: { contents: [{ uri, text: 'b' }], _meta: { a: 1 } },
    });
    const embedded = embeddedResource({ uri: 'notes://3', text: 'c' });
    expect(contentsOf(embedded)).toEqual([{ uri: 'notes://3', text: 'c' }]);
    expect(contentsOf([embedded])).toEqual([{ uri: 'notes://3', text: 'c' }]);
  });

  test('is data when only a part of it looks like contents', () => {
    expect(contentsOf([{ text: 'a' }, { id: 1 }])).toMatchObject([{ mimeType: 'application/json' }]);
    expect(contentsOf({ contents: ['a'] })).toMatchObject([{ mimeType: 'application/json' }]);
    expect(contentsOf({ contents: [], total: 0 })).toMatchObject([{ mimeType: 'application/json' }]);
  });

  test('says by null or undefined that there is no such resource', () => {
    expect(convert(null)).toEqual({ ok: true, value: undefined });
    expect(convert(undefined)).toEqual({ ok: true, value: undefined });
  });

  test('cannot be the result of a tool, another block, or a broken blob', () => {
    expect(convert(success('a'))).toMatchObject({ ok: false, issues: [{ path: '' }] });
    expect(convert(image('iVBORw==', 'image/png'))).toMatchObject({ ok: false });
    expect(convert([{ text: 'a' }, { blob: '***' }])).toMatchObject({
      ok: false,
      issues: [{ path: 'contents.1.blob', message: 'is not base64' }],
    });
    expect(() => convert(() => 1)).toThrow('The value is a function');
  });

  test('keeps every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const [{ blob }] = contentsOf(bytes) as [{ blob: string }];
        expect(new Uint8Array(Buffer.from(blob, 'base64'))).toEqual(bytes);
      }),
    );
  });
});
