import { expect, test } from '@jest/globals';
import { findIdentityFaults, publishRemotes } from '../../src/shared/server-identity.ts';

const SOUND = { name: 'com.example/weather', description: 'Weather', version: '1.2.0' };
const membersWrong = (more: object): readonly string[] =>
  findIdentityFaults({ ...SOUND, ...more }).map(({ member }) => member);

test.each([
  ['io.github.ann/weather-mcp_2.0', true],
  ['com.example/we', true],
  ['com.example/w', false],
  ['weather', false],
  ['example/weather', false],
  ['com.example/weather/more', false],
  ['com..example/weather', false],
  ['com.exa_mple/weather', false],
  ['-com.example/weather', false],
  ['com.example/weather-', false],
  ['com.exämple/weather', false],
  ['com.example/wea\u0000ther', false],
  [`com.example/${'a'.repeat(10_000)}`, false],
  ['', false],
  [undefined, false],
])('the name %p is sound: %p', (name, isSound) => {
  expect(membersWrong({ name })).toEqual(isSound ? [] : ['name']);
});

test.each([
  ['1.0.0', true],
  ['2.1.0-alpha', true],
  ['2026-11-28', true],
  ['v7', true],
  ['1.0.0-linux', true],
  ['^1.2.3', false],
  ['~1.2', false],
  ['>=1.2.3', false],
  ['1.x', false],
  ['1.*', false],
  ['1 - 2', false],
  ['1.2 || 1.3', false],
  ['latest', false],
  ['', false],
  ['1'.repeat(256), false],
])('the version %p is exact: %p', (version, isExact) => {
  expect(membersWrong({ version })).toEqual(isExact ? [] : ['version']);
});

test('texts are one line of at most 100 characters, of which a smiley is one', () => {
  expect(membersWrong({ description: '😀'.repeat(100), title: 'W' })).toEqual([]);
  expect(membersWrong({ description: 'w'.repeat(101), title: '' })).toEqual(['description', 'title']);
  expect(membersWrong({ description: 'two\nlines', title: ' ' })).toEqual(['description', 'title']);
});

test('addresses are https URLs without a password; a name in braces stands for a part', () => {
  const remotes = [
    'https://{tenant}.example.com/mcp',
    'http://example.com',
    'ftp://example.com',
    'https://a:b@example.com',
    'mcp',
  ];
  expect(membersWrong({ remotes: remotes.map((url) => ({ url })) })).toEqual(
    [1, 2, 3, 4].map((index) => `remotes[${String(index)}].url`),
  );
  expect(membersWrong({ websiteUrl: 'https://example.com', repository: { url: '//example.com' } })).toEqual([
    'repository',
  ]);
});

test('what is wrong is shown in short, and as a terminal takes it', () => {
  const [fault] = findIdentityFaults({ ...SOUND, name: `\u001b[2J${'a'.repeat(10_000)}` });
  expect(fault?.what).toMatch(/^is "\\u001b\[2Ja+…", not the reversed name of a domain/);
  expect(fault?.what.length).toBeLessThan(150);
});

test('the resource of a sign-in is an address, unless another one is given', () => {
  const resource = 'https://example.com/t/{tenant}/mcp';
  const variables = { tenant: { isRequired: true } };
  expect(publishRemotes(undefined, { resource })).toEqual([
    { type: 'streamable-http', url: resource, variables },
  ]);
  expect(publishRemotes([], { resource })).toEqual([]);
  expect(publishRemotes(undefined, { resource: 'http://localhost:3000/mcp' })).toBeUndefined();
  expect(publishRemotes(undefined, false)).toBeUndefined();
});
