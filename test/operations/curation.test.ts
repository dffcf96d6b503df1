import { describe, expect, test } from '@jest/globals';
import { leaveOut } from '../../src/operations/left-out.ts';
import type { OperationSettings } from '../../src/operations/settings.ts';
import { describeOperation, select } from './offer.ts';

describe('confirm', () => {
  const close = describeOperation('POST /tasks/{id}/close', { name: 'close' });
  const find = describeOperation('GET /tasks');

  test.each([true, 'twice', 'url'] as const)('%j makes an action destructive', (confirm) => {
    const { offered, problems } = select([close, find], { actions: { 'tasks.*': { confirm } } });
    expect(problems).toEqual([]);
    expect(offered.map(({ hints }) => [hints.readOnly, hints.destructive])).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  test('false leaves the hints as they are', () => {
    const { offered } = select([close, find], {
      actions: {
        'tasks.*': { confirm: true },
        'tasks.close': { confirm: false },
        'tasks.find': { confirm: false },
      },
    });
    expect(offered.map(({ hints }) => hints)).toEqual([close.hints, find.hints]);
  });

  test.each<OperationSettings>([{ readOnly: true }, { destructive: false }])(
    'is a problem together with %j, also by patterns',
    (other) => {
      const actions = { 'tasks.*': { confirm: 'twice' }, 'tasks.close': other } as const;
      expect(select([close], { actions }).problems).toEqual([
        `TW_OPERATIONS_SETTINGS has the settings confirm: 'twice' and ${Object.entries(other).join().replace(',', ': ')}.`,
      ]);
      expect(select([close, find], { exclude: ['tasks.close'], actions }).problems).toEqual([]);
    },
  );
});

describe('settings', () => {
  const find = describeOperation('GET /api/tasks');
  const remove = describeOperation('DELETE /api/tasks/{id}', { name: 'remove' });

  test('fit names that are shown, and those before', () => {
    const { offered, problems } = select([find, remove], {
      actions: {
        'tasks.*': { group: 'to_do' },
        'to_do.*': { fields: ['id'] },
        'TasksController.remove': { name: 'purge' },
        'to_do.purge': { roles: ['admin'] },
        'tasks.find': { hide: ['tenant'] },
      },
    });
    expect(problems).toEqual([]);
    expect(offered.map(({ group, name, settings }) => [group, name, settings])).toEqual([
      ['to_do', 'find', { group: 'to_do', fields: ['id'], hide: ['tenant'] }],
      ['to_do', 'purge', { group: 'to_do', name: 'purge', fields: ['id'], roles: ['admin'] }],
    ]);
  });

  test('fit groups that come from the path behind a prefix', () => {
    const tagged = { ...find, group: 'work' };
    const { offered, problems } = select(
      [tagged],
      { group: 'path', include: ['tasks.*'], actions: { 'tasks.find': { name: 'search', timeout: 5 } } },
      'api',
    );
    expect(problems).toEqual([]);
    expect(offered).toEqual([
      expect.objectContaining({ group: 'tasks', name: 'search', settings: { name: 'search', timeout: 5 } }),
    ]);
  });

  test('cannot rename by a name that other settings give', () => {
    const { problems } = select([find], {
      actions: { 'tasks.*': { group: 'to_do' }, 'to_do.find': { name: 'search' } },
    });
    expect(problems).toEqual([
      'TW_OPERATIONS_PATTERN has the setting name, and fits only names that other settings give.',
    ]);
  });
});

describe('a reason to leave out', () => {
  const login = describeOperation('POST /auth/login', {
    name: 'login',
    origin: 'AuthController.login',
    group: 'auth',
    tags: ['people'],
    leftOut: leaveOut('auth'),
  });
  const find = describeOperation('GET /tasks', { tags: ['people'] });

  test.each(['POST /auth/login', 'AuthController.login', 'auth.login', 'account.login'])(
    'is lifted by %s',
    (pattern) => {
      const options = { include: [pattern], actions: { 'auth.*': { group: 'account' } } };
      expect(select([login, find], options).offered.map(({ name }) => name)).toEqual(['login']);
    },
  );

  test.each(['auth.*', '*', '#people', () => true])('is not lifted by %s', (pattern) => {
    const { offered, leftOut } = select([login, find], { include: ['tasks.find', pattern] });
    expect(offered.map(({ name }) => name)).toEqual(['find']);
    expect(leftOut.map(({ name }) => name)).toEqual(['login']);
  });

  test('that is final is a problem where the operation is named, by any of its names', () => {
    const events = { ...login, leftOut: leaveOut('sse') };
    const actions = { 'auth.*': { group: 'account' } };
    const problems = (include: string): readonly string[] =>
      select([events, find], { include: [include, 'tasks.*'], actions }).problems;
    expect(problems('account.login')).toEqual([expect.stringContaining('TW_OPERATIONS_UNOFFERABLE')]);
    expect(problems('#people')).toEqual([]);
  });
});

describe('a name', () => {
  const named = (key: string, name: string) => describeOperation(key, { name, origin: `of ${key}` });

  test('that is too long is cut to the same text each time, with a hash of the key', () => {
    const operations = [named('GET /a', 'a'.repeat(120)), named('GET /b', 'a'.repeat(120))];
    const names = select(operations).offered.map(({ group, name }) => `${group}_${name}`);
    expect(names.map(({ length }) => length)).toEqual([64, 64]);
    expect(new Set(names).size).toBe(2);
    expect(select(operations.toReversed()).offered.map(({ group, name }) => `${group}_${name}`)).toEqual(
      names.toReversed(),
    );
  });

  test('that two operations would have is a problem with the origins of both', () => {
    const { problems } = select([named('GET /a', 'find/all'), named('GET /b', 'find all')]);
    expect(problems).toEqual([
      expect.stringMatching(/^TW_OPERATIONS_NAME .*tasks\/find_all, as of GET \/a is/),
    ]);
  });
});
