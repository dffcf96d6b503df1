import { describe, expect, test } from '@jest/globals';
import { IsString, MinLength } from 'class-validator';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { check, issues, strict, valueOf } from '../../support/check-helpers.ts';
import { Server } from '../../support/server-input.ts';

describe('issues', () => {
  test('name path, message, expectation and what came, all at once', () => {
    const found = issues(Server, { host: 'a', ports: [80, 'x'], open: [{ number: 0 }, {}], main: 3 });
    expect(found.map(({ path, expected, received }) => [path, expected, received])).toEqual([
      ['host', 'string, at least 2 characters', 'string "a"'],
      ['ports.1', 'integer', 'string "x"'],
      ['open.0.number', 'integer, at least 1', 'number 0'],
      ['open.1.number', 'integer, at least 1', 'nothing'],
      ['main', 'object', 'number 3'],
    ]);
  });

  test('say nothing came where a field is missing', () => {
    expect(issues(Server, {})).toMatchObject([{ path: 'host', received: 'nothing' }]);
  });

  test('join the messages of one field, custom ones included', () => {
    class Dto {
      @IsString({ message: 'a word, please' }) @MinLength(2) word!: string;
    }
    expect(issues(Dto, { word: 1 })).toHaveLength(1);
    expect(issues(Dto, { word: 1 })[0]?.message).toContain('a word, please');
    expect(issues(Dto, { word: 1 })[0]?.message).toContain(
      'word must be longer than or equal to 2 characters',
    );
  });

  test('are frozen', () => {
    const outcome = check(Server, {});
    expect(!outcome.ok && Object.isFrozen(outcome.issues) && Object.isFrozen(outcome.issues[0])).toBe(true);
  });
});

describe('unknown names', () => {
  test('in nested objects are named with what would have been accepted', () => {
    expect(issues(Server, { host: 'ab', main: { number: 1, numbr: 2 } })).toEqual([
      {
        path: 'main.numbr',
        message: 'unknown field',
        received: 'number 2',
        accepted: ['number'],
        suggestion: 'number',
      },
    ]);
  });

  test('are removed at every level when they are stripped', () => {
    const server = valueOf(
      check(Server, { host: 'ab', open: [{ number: 1, a: 1 }], b: 2 }, 'strip'),
    ) as Server;
    expect(server.open?.[0]).toEqual({ number: 1 });
    expect(server).not.toHaveProperty('b');
  });

  test.each(['__proto__', 'constructor', 'toString'])('like %s never touch a prototype', (name) => {
    const evil = JSON.stringify({ polluted: true });
    const input = JSON.parse(
      `{"host":"ab","${name}":${evil},"main":{"number":1,"${name}":${evil}},"labels":{"a":{"${name}":${evil}}}}`,
    ) as object;
    expect(issues(Server, input).map(({ path }) => path)).toEqual([name, `main.${name}`, `labels.a.${name}`]);
    const server = valueOf(check(Server, input, 'strip')) as Server;
    expect(server).toEqual({
      host: 'ab',
      ports: [80],
      main: { number: 1 },
      labels: { a: {} },
      open: undefined,
    });
    expect((server as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('are checked elsewhere for the names that a contract is made without', () => {
    const contract = createContract(Server, { ...strict, without: ['host', 'open'] });
    expect(contract.names).toEqual(['ports', 'main', 'labels']);
    expect(contract.schema.required).toBeUndefined();
    expect(contract.check({ ports: [1] })).toMatchObject({ ok: true });
  });
});
