import { describe, expect, test } from '@jest/globals';
import { Action } from '../../../src/decorators/members.ts';
import { Module, ToolGroup } from '../../../src/decorators/classes.ts';
import type { ActionOptions, ToolGroupOptions } from '../../../src/metadata/options.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { problemsOf, scan } from '../../support/scan-helpers.ts';

/** A tool with the methods one, two, three …, each with the options of its place. */
function moduleOf(actions: readonly object[], group: ToolGroupOptions = {}): Class {
  const names = ['one', 'two', 'three', 'four'];
  class Tasks {
    one() {}
    two() {}
    three() {}
    four() {}
  }
  for (const [index, options] of actions.entries()) {
    const name = names[index] ?? '';
    const descriptor = Object.getOwnPropertyDescriptor(Tasks.prototype, name) as PropertyDescriptor;
    Action(options as ActionOptions)(Tasks.prototype, name, descriptor);
  }
  ToolGroup({ name: 'tasks', ...group })(Tasks);
  class Root {}
  Module({ controllers: [Tasks] })(Root);
  return Root;
}

const codesOf = (actions: readonly object[], group?: ToolGroupOptions) =>
  problemsOf(moduleOf(actions, group)).map(({ code }) => code);

describe('versions of actions', () => {
  test('share a key, and know their names as tools of their own', () => {
    const versions = ['2.0.0', '1.0.0', 'v1.4.0', '3.0.0-rc.1'].map((version) => ({ name: 'a', version }));
    const [tool] = scan(moduleOf(versions)).tools;
    expect(tool?.actions.map(({ key, version, suffix }) => [key, version, suffix])).toEqual([
      ['a', '2.0.0', ''],
      ['a', '1.0.0', '_v1_0'],
      ['a', '1.4.0', '_v1_4'],
      ['a', '3.0.0-rc.1', '_v3'],
    ]);
  });

  test.each([
    [
      ['1.0.0', '1.0.1', '2.0.0'],
      ['_v1_0_0', '_v1_0_1', ''],
    ],
    [
      ['1.0.0-a', '1.0.0-b', '1.0.0'],
      ['_v1_0_0_a', '_v1_0_0_b', ''],
    ],
    [
      ['1.0.0-alpha.1', '1.0.0-alpha.2'],
      ['_v1', ''],
    ],
    [
      ['1.1.0', '1.2.0'],
      ['_v1', ''],
    ],
  ])('of %j are distinguished by %j', (texts, suffixes) => {
    const [tool] = scan(moduleOf(texts.map((version) => ({ name: 'a', version })))).tools;
    expect(tool?.actions.map(({ suffix }) => suffix)).toEqual(suffixes);
  });

  test('come from the group where the action says nothing', () => {
    const deprecated = { since: 'v1.1.0' };
    const own = { since: '1.2.0', until: '2.0.0' };
    const actions = [{}, { version: '2.0.0', deprecated: own }];
    const [tool] = scan(moduleOf(actions, { version: '1.0.0', deprecated })).tools;
    expect(tool?.actions.map((action) => [action.version, action.deprecated])).toEqual([
      ['1.0.0', { since: '1.1.0' }],
      ['2.0.0', own],
    ]);
  });

  test('come from the nearest group', () => {
    @ToolGroup({ name: 'office', version: '1.0.0' })
    class Office {}
    @ToolGroup({ name: 'rooms', parent: Office, version: '2.0.0' })
    class Rooms {
      @Action() book() {}
    }
    @ToolGroup({ name: 'desks', parent: Office })
    class Desks {
      @Action() book() {}
    }
    @Module({ controllers: [Office, Rooms, Desks] })
    class Root {}
    const [tool] = scan(Root).tools;
    expect(tool?.actions.map(({ key, version }) => [key, version])).toEqual([
      ['rooms.book', '2.0.0'],
      ['desks.book', '1.0.0'],
    ]);
  });

  test.each([['1.0'], [''], ['^1.0.0'], ['latest'], ['01.0.0'], [1], [null]])(
    'are a problem when they are %j, and no second one',
    (version) => {
      expect(
        codesOf([
          { name: 'a', version },
          { name: 'a', version: '2.0.0' },
        ]),
      ).toEqual(['TW_SCAN_VERSION_INVALID']);
      expect(codesOf([{}], { version: version as string })).toEqual(['TW_SCAN_VERSION_INVALID']);
    },
  );

  test('are a problem when two are equal, with or without versions', () => {
    const [problem, ...others] = problemsOf(
      moduleOf([
        { name: 'a', version: '1.0.0' },
        { name: 'a', version: 'v1.0.0+build' },
      ]),
    );
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'TW_SCAN_ACTION_DUPLICATE',
      what: 'has two actions with the key "a" and the version 1.0.0+build: Tasks.one() and Tasks.two().',
    });
    expect(codesOf([{ name: 'a' }, { name: 'a' }])).toEqual(['TW_SCAN_ACTION_DUPLICATE']);
  });

  test('are a problem beside an action that has none', () => {
    const [problem, ...others] = problemsOf(moduleOf([{ name: 'a', version: '1.0.0' }, { name: 'a' }]));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'TW_SCAN_VERSION_MIXED',
      where: 'Tasks',
      fix: "@Action({ version: '…' }) on Tasks.two(), or another name",
    });
  });
});

describe('a deprecation', () => {
  test.each([
    [{ since: 'soon' }, ['TW_SCAN_VERSION_INVALID']],
    [{ since: '1.0.0', until: '2' }, ['TW_SCAN_VERSION_INVALID']],
    [{ until: '2.0.0' }, ['TW_SCAN_OPTION_VALUE']],
    [{ since: '2.0.0', until: '2.0.0' }, ['TW_SCAN_OPTION_VALUE']],
    [{ since: '1.0.0', use: 7 }, ['TW_SCAN_OPTION_VALUE']],
    [{ since: '1.0.0', sinse: '1.0.0' }, ['TW_SCAN_OPTION_UNKNOWN']],
    [true, ['TW_SCAN_OPTION_VALUE']],
    [null, ['TW_SCAN_OPTION_VALUE']],
  ])('that is %j gives %j', (deprecated, codes) => {
    expect(codesOf([{ deprecated }, {}])).toEqual(codes);
  });

  test('has to name an action of the tool', () => {
    const [problem] = problemsOf(moduleOf([{ deprecated: { since: '1.0.0', use: 'tow' } }, {}]));
    expect(problem).toMatchObject({
      code: 'TW_SCAN_REPLACEMENT_UNKNOWN',
      where: 'Tasks.one()',
      fix: 'did you mean "two"?',
    });
  });

  test('may name its own action only where there is a newer version', () => {
    const deprecated = { since: '1.0.0', use: 'a' };
    const old = { name: 'a', version: '1.0.0' };
    const later = { name: 'a', version: '1.1.0' };
    expect(scan(moduleOf([{ ...old, deprecated }, later])).tools[0]?.actions[0]).toMatchObject({
      deprecated,
    });
    expect(codesOf([old, { ...later, deprecated }])).toEqual(['TW_SCAN_REPLACEMENT_UNKNOWN']);
    expect(codesOf([{ name: 'a', deprecated }])).toEqual(['TW_SCAN_REPLACEMENT_UNKNOWN']);
  });
});
