import { describe, expect, test } from '@jest/globals';
import { isLockReference } from '../../../src/cli/lock/lock-source.ts';
import { isLockFault, readLock, writeLock, type Lock } from '../../../src/cli/lock/lock-file.ts';

const lock: Lock = {
  surface: {
    surfaceHash: 'abc',
    server: { name: 'desk' },
    tools: [{ name: 'tasks', inputSchema: { type: 'object', properties: { b: {}, a: {} } } }],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  },
  accept: [],
  version: 2,
};
const SURFACES = { flat: { clients: ['codex'], hash: 'def', tokens: 20, names: ['tasks_list'] } };

test('what is written is read again', () => {
  const accept = [{ rule: 'tool-removed', where: 'notes', reason: 'nobody calls it' }];
  const surface = { ...lock.surface, surfaces: SURFACES, profiles: '2026-11', foreignNames: false } as const;
  expect(readLock(writeLock({ ...lock, surface, accept }))).toEqual({ ...lock, surface, accept });
});

test('a file of the first version is read, and can be written as it was', () => {
  const first = { ...lock, version: 1 };
  const surface = { ...lock.surface, surfaces: SURFACES };
  expect(writeLock({ ...first, surface })).toBe(writeLock(first));
  expect(writeLock(first)).toContain('"lockVersion": 1,');
  expect(readLock(writeLock(first))).toEqual(first);
});

test('the text has sorted members, two spaces and a final newline', () => {
  const text = writeLock(lock);
  expect(text.endsWith('}\n')).toBe(true);
  expect(text).toContain('\n  "lockVersion": 2,\n');
  expect(text.indexOf('"a": {}')).toBeLessThan(text.indexOf('"b": {}'));
  expect(text).not.toContain('accept');
});

describe('refuses', () => {
  const fault = (text: string): string => {
    const read = readLock(text);
    return isLockFault(read) ? `${read.what} | ${read.fix}` : 'no fault';
  };

  test('a file that was cut off', () => {
    expect(fault(writeLock(lock).slice(0, 50))).toMatch(/^is not complete JSON: .* \| write it again with/);
  });

  test('a newer version, which it names', () => {
    expect(fault(writeLock(lock).replace('"lockVersion": 2', '"lockVersion": 3'))).toBe(
      'has the lock version 3; this release reads versions 1 and 2 | update toolwright: a newer release wrote this file',
    );
  });

  test.each(['[]', 'null', '{}', '{ "tools": [] }'])('what is not a lock file: %s', (text) => {
    expect(fault(text)).toContain('is not a lock file');
  });

  test('a list that is not an array', () => {
    expect(fault(writeLock(lock).replace('"prompts": []', '"prompts": [1]'))).toContain(
      'prompts[0] is 1, and not an object',
    );
  });

  test.each([[[]], [{ flat: 5 }], [{ flat: { ...SURFACES.flat, names: [1] } }], [{ flat: { names: [] } }]])(
    'surfaces that are none: %j',
    (surfaces) => {
      const surface = { ...lock.surface, surfaces: surfaces as never };
      expect(fault(writeLock({ ...lock, surface }))).toContain('surfaces has for each surface');
    },
  );

  test('an entry of `accept` without a reason', () => {
    const accept = [{ rule: 'tool-removed', where: 'notes', reason: '' }];
    expect(fault(writeLock({ ...lock, accept }))).toContain('has a wrong `accept`');
  });
});

test('a URL is a server, whatever its path ends in', () => {
  expect(isLockReference('https://example.org/tools.json')).toBe(false);
  expect(isLockReference('toolwright.lock.json')).toBe(true);
  expect(isLockReference('git:main:toolwright.lock.json')).toBe(true);
  expect(isLockReference('server.ts')).toBe(false);
});
