import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseUriTemplate, withoutUnknownQuery } from '../../src/shared/uri-template.ts';

const match = (template: string, uri: string) => parseUriTemplate(template).match(uri);

test('knows its text and its variables in order of appearance', () => {
  const template = parseUriTemplate('repo://{owner}/{name}/{+path}{?ref,line}{#part}');
  expect(template.text).toBe('repo://{owner}/{name}/{+path}{?ref,line}{#part}');
  expect(template.variables).toEqual(['owner', 'name', 'path', 'ref', 'line', 'part']);
});

describe('matching', () => {
  test.each([
    ['note://{id}', 'note://7', { id: '7' }],
    ['note://{id}', 'note://', undefined],
    ['note://{id}', 'note://a/b', undefined],
    ['note://{id}', 'note://a?b', undefined],
    ['note://{id}', 'note://a#b', undefined],
    ['note://{id}', 'xnote://a', undefined],
    ['note://{id}/x', 'note://a/xy', undefined],
    ['note://{id}', 'note://ann@home:1,2', { id: 'ann@home:1,2' }],
    ['log://{y}-{m}-{d}', 'log://2026-01-02', { y: '2026', m: '01', d: '02' }],
    ['file:///{+path}', 'file:///a/b/c.txt', { path: 'a/b/c.txt' }],
    ['file:///{+path}.md', 'file:///a/b.md.txt', undefined],
    ['file:///{+dir}/{name}', 'file:///a/b/c', { dir: 'a/b', name: 'c' }],
    ['file:///{name}.{kind}', 'file:///a.tar.gz', { name: 'a.tar', kind: 'gz' }],
    ['geo://{x,y}', 'geo://1,2', { x: '1', y: '2' }],
    ['geo://{x,y}', 'geo://1', undefined],
    ['doc://a{/b,c}', 'doc://a', {}],
    ['doc://a{/b,c}', 'doc://a/1', { b: '1' }],
    ['doc://a{/b,c}', 'doc://a/1/2', { b: '1', c: '2' }],
    ['doc://a{/b,c}', 'doc://a/1/2/3', undefined],
    ['doc://a{.kind}', 'doc://a.md', { kind: 'md' }],
    ['doc://a{#part,line}', 'doc://a#x,2', { part: 'x', line: '2' }],
    ['doc://a{#part,line}', 'doc://a,2', undefined],
    ['doc://a{;x,y}', 'doc://a;y=2;x', { x: '', y: '2' }],
  ])('%s with %s', (template, uri, expected) => {
    expect(match(template, uri)).toEqual(expected);
  });

  test.each([
    ['find://x?q=a&page=2', { q: 'a', page: '2' }],
    ['find://x?page=2&q=a', { q: 'a', page: '2' }],
    ['find://x?page=2', { page: '2' }],
    ['find://x', {}],
    ['find://x?q=', { q: '' }],
    ['find://x?q=a/b?c', { q: 'a/b?c' }],
    ['find://x?q=a=b%26c', { q: 'a=b&c' }],
    ['find://x?q=a&q=b', undefined],
    ['find://x?other=1', undefined],
    ['find://x?q=a&other=1', undefined],
    ['find://x?', undefined],
    ['find://x?q=a#top', undefined],
  ])('takes a query in any order and with any part missing, but nothing else: %s', (uri, expected) => {
    expect(match('find://x{?q,page}', uri)).toEqual(expected);
    expect(match('find://x{?q}{&page}', uri)).toEqual(expected);
  });

  test('continues a query', () => {
    expect(match('find://x?v=1{&q}', 'find://x?v=1&q=a')).toEqual({ q: 'a' });
    expect(match('find://x?v=1{&q}', 'find://x?v=2&q=a')).toBeUndefined();
  });

  test('decodes after matching: an encoded slash is data', () => {
    expect(match('file:///{name}', 'file:///..%2F..%2Fetc')).toEqual({ name: '../../etc' });
    expect(match('file:///{dir}/{name}', 'file:///a%2fb/c')).toEqual({ dir: 'a/b', name: 'c' });
    expect(match('file:///{name}', 'file:///a/b')).toBeUndefined();
  });

  test.each(['x://%', 'x://%4', 'x://%zz', 'x://%FF', 'x://%C3', 'x://a b', 'x://a\n', 'x://\uD83D'])(
    'refuses what is not a URI: %j',
    (uri) => {
      expect(match('x://{+a}', uri)).toBeUndefined();
    },
  );

  test('reads characters beyond ASCII, encoded or not, in either letter case', () => {
    for (const uri of ['dé://ä/😀', 'd%C3%A9://%C3%A4/%F0%9F%98%80', 'd%c3%a9://%c3%a4/%f0%9f%98%80']) {
      expect(match('dé://{a}/{b}', uri)).toEqual({ a: 'ä', b: '😀' });
    }
    expect(match('x://😀/{a}', 'x://%F0%9F%98%80/1')).toEqual({ a: '1' });
  });

  test('gives plain data, whatever a variable is called', () => {
    const found = match('x://{__proto__}/{constructor}', 'x://a/b');
    expect(Object.entries(found ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(match('x://a{?b}', 'x://a?__proto__=1')).toBeUndefined();
  });

  test('answers a long URI at once, whatever the template', () => {
    expect(match('log://{a}-{b}-{c}-{d}-{e}', `log://${'-'.repeat(50_000)}/`)).toBeUndefined();
    expect(match('log://{+a}/{+b}/{+c}.md', `log://${'/'.repeat(50_000)}`)).toBeUndefined();
  });
});

describe('a URI that was made of values', () => {
  const value = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/\p{Surrogate}/u.test(text));
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);

  test.each<[string, (a: string, b: string) => string]>([
    ['x://{a}/{b}', (a, b) => `x://${a}/${b}`],
    ['x://{a,b}', (a, b) => `x://${a},${b}`],
    ['x://y{/a,b}', (a, b) => `x://y/${a}/${b}`],
    ['x://y{.a,b}', (a, b) => `x://y.${a}.${b}`],
    ['x://y{?a,b}', (a, b) => `x://y?a=${a}&b=${b}`],
    ['x://y{;b}{?a}', (a, b) => `x://y;b=${b}?a=${a}`],
    ['x://{b}{#a}', (a, b) => `x://${b}#${a}`],
    ['x://{+b}/{a}', (a, b) => `x://${b}/${a}`],
  ])('fits %s, which gives the values back', (text, uriOf) => {
    const template = parseUriTemplate(text);
    fc.assert(
      fc.property(value, value, (first, second) => {
        fc.pre(text !== 'x://y{.a,b}' || !(first + second).includes('.'));
        expect(template.match(uriOf(encode(first), encode(second)))).toEqual({ a: first, b: second });
      }),
    );
  });

  test('no URI makes matching throw', () => {
    const template = parseUriTemplate('x:{+a}/{b}{?c}{#d}');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => template.match(`x:${text}`)).not.toThrow();
      }),
    );
  });
});

test.each([
  ['x://{', '%7B'],
  ['x://{a', '%7B'],
  ['x://a}', '%7D'],
  ['x://{}', '"" cannot be the name of a variable'],
  ['x://{a-b}', '"a-b" cannot be the name of a variable'],
  ['x://{=a}', '"=a" cannot be the name of a variable'],
  ['x://{a{b}}', '%7B'],
  ['x://{a,}', '"" cannot be the name of a variable'],
  ['x://{a}/{a}', '"a" stands in it twice'],
  ['x://{/a*}', '"a*" stands for a list'],
  ['x://{a:3}', '"a:3" stands for a list'],
])('refuses %s', (text, reason) => {
  expect(() => parseUriTemplate(text)).toThrow(SyntaxError);
  expect(() => parseUriTemplate(text)).toThrow(reason);
});

test.each<readonly [string, string, string | undefined]>([
  ['docs://x{?q}', 'docs://x?q=1&utm=2', 'docs://x?q=1'],
  ['docs://x{?q}', 'docs://x?utm=2', 'docs://x'],
  ['docs://x?fixed=1{&q}', 'docs://x?fixed=1&utm=2&q=3', 'docs://x?fixed=1&q=3'],
  ['docs://x{?q}', 'docs://x?q=1', undefined],
  ['docs://{x}', 'docs://x?utm=2', undefined],
  ['docs://x{?q}', 'docs://x?q=1#utm=2', undefined],
])('of %s, the query of %s has more than it knows', (template, uri, known) => {
  expect(withoutUnknownQuery(parseUriTemplate(template), uri)).toBe(known);
});
