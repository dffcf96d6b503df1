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
};

test('what is written is read again', () => {
  const accept = [{ rule: 'tool-removed', where: 'notes', reason: 'nobody calls it' }];
  expect(readLock(writeLock({ ...lock, accept }))).toEqual({ ...lock, accept });
});

test('the text has sorted members, two spaces and a final newline', () => {
  const text = writeLock(lock);
  expect(text.endsWith('}\n')).toBe(true);
  expect(text).toContain('\n  "lockVersion": 1,\n');
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
    expect(fault(writeLock(lock).replace('"lockVersion": 1', '"lockVersion": 2'))).toBe(
      'has the lock version 2; this release reads version 1 | update toolwright: a newer release wrote this file',
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
