import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { optionError, reportOptions } from '../../src/errors/option-errors.ts';
import { ProblemList } from '../../src/errors/problem-list.ts';
import {
  checkOptions,
  sayFault,
  withoutFaulty,
  aFunction,
  anything,
  either,
  filledText,
  listOf,
  milliseconds,
  objectOf,
  objectWith,
  oneOf,
  required,
  secret,
  texts,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../../src/shared/option-rules.ts';

interface Sample {
  readonly name?: string;
  readonly mode?: 'strict' | 'strip';
  readonly keys?: readonly string[];
  readonly timeout?: number;
  readonly nested?: boolean | { readonly maximum?: number };
  readonly icons?: readonly { readonly src: string }[];
  readonly run?: () => void;
}

const RULES: OptionRules<Sample> = {
  name: filledText,
  mode: oneOf('strict', 'strip'),
  keys: texts,
  timeout: milliseconds,
  nested: either(trueOrFalse, objectOf<{ maximum?: number }>({ maximum: wholeNumber(1) })),
  icons: listOf(objectOf<{ src: string }>({ src: required(filledText) }), 'a list of icons'),
  run: aFunction,
};

const said = (options: unknown): string[] =>
  checkOptions(options, RULES).map((fault) => Object.values(sayFault(fault, '@Sample')).join(' '));

describe('options', () => {
  test('without a fault pass, and undefined counts as left out', () => {
    expect(said({})).toEqual([]);
    expect(
      said({
        name: 'a',
        mode: 'strip',
        keys: ['a'],
        timeout: 0,
        nested: { maximum: 1 },
        icons: [{ src: 'a' }],
        run: () => undefined,
      }),
    ).toEqual([]);
    expect(said({ name: undefined, nested: undefined })).toEqual([]);
  });

  test('have all their faults reported at once, in the order they were given', () => {
    expect(said({ mod: 'strict', mode: 'strp', timeout: '5', name: '', keys: 'danger' })).toEqual([
      'has the option "mod", which @Sample does not know. did you mean "mode"?',
      'sets mode to "strp", which @Sample does not accept. did you mean "strip"?',
      'sets timeout to "5", which @Sample does not accept. let timeout be a finite number of milliseconds, 0 or more',
      'sets name to "", which @Sample does not accept. let name be a text that is not empty',
      'sets keys to "danger", which @Sample does not accept. let keys be a list of texts',
    ]);
  });

  test('name the member that is wrong inside of objects and lists', () => {
    expect(said({ nested: { maximun: 1 } })).toEqual([
      'has the option "nested.maximun", which @Sample does not know. did you mean "maximum"?',
    ]);
    expect(said({ nested: 5 })).toEqual([
      'sets nested to 5, which @Sample does not accept. let nested be true or false, or an object with maximum',
    ]);
    expect(said({ icons: [{ src: 'a' }, {}, 7] })).toEqual([
      'lacks the option icons[1].src. let icons[1].src be a text that is not empty',
      'sets icons[2] to 7, which @Sample does not accept. let icons[2] be an object with src',
    ]);

    expect(said({ keys: ['a', , 'b'] })).toHaveLength(1);
  });

  test.each([[null], ['text'], [[]], [5]])('are an object, and not %j', (options) => {
    expect(said(options)).toEqual([expect.stringContaining('sets the options to')]);
  });

  test('are never looked up on a prototype', () => {
    expect(said({ constructor: 1, toString: 2, ['__proto__x']: 3 })).toHaveLength(3);
    expect(checkOptions(JSON.parse('{"__proto__":1}'), RULES)).toHaveLength(1);
  });

  test('that are secret are not shown', () => {
    const rules: OptionRules<{ keys?: unknown; mode?: unknown }> = {
      keys: secret(texts),
      mode: secret(oneOf('strict')),
    };
    const faults = checkOptions({ keys: 'hunter2-hunter2', mode: 'stricd' }, rules);
    expect(JSON.stringify(faults.map((fault) => sayFault(fault)))).not.toMatch(/hunter2|stricd/);
  });

  test('with a fault can be left out, and the others used', () => {
    const options = { name: '', timeout: 5, nested: { maximum: 0 }, icons: [1], mood: 1 };
    expect(withoutFaulty(options, checkOptions(options, RULES))).toEqual({ timeout: 5 });
  });
});

test('every value is either accepted or described in a few words', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(RULES), 'other'), fc.anything()), (options) => {
      for (const fault of checkOptions(options, RULES)) {
        const { what, fix } = sayFault(fault);
        expect(what.length + fix.length).toBeLessThan(700);
      }
    }),
  );
});

test('an object is known by its methods', () => {
  const stream = objectWith('a stream', 'on', 'write');
  expect(stream.faultsOf({ on: () => 1, write: () => 1 }, 's')).toEqual([]);
  expect(stream.faultsOf({ on: () => 1 }, 's')).toHaveLength(1);
  expect(anything.faultsOf(null, 's')).toEqual([]);
});

describe('the faults of one call', () => {
  const faults = checkOptions({ naem: 'a', timeout: -1 }, RULES);

  test('become one error that names them all', () => {
    expect(optionError('TW_SERVER_OPTION', 'listen()', faults)).toMatchObject({
      code: 'TW_SERVER_OPTION',
      where: 'listen()',
      what: 'has 2 mistakes: it has the option "naem", which it does not know; it sets timeout to -1, which it does not accept.',
      fix: 'did you mean "name"?; let timeout be a finite number of milliseconds, 0 or more',
    });
  });

  test('become problems beside the others of an application', () => {
    const problems = new ProblemList();
    problems.add('TW_SCAN_TOOL_EMPTY', { where: 'tool', what: 'has no action.', fix: 'add one' });
    const report = {
      where: 'One',
      of: '@ToolGroup',
      code: 'TW_SCAN_OPTION_VALUE',
      unknown: 'TW_SCAN_OPTION_UNKNOWN',
    };
    reportOptions(faults, report as Parameters<typeof reportOptions>[1], problems);
    expect(problems.problems.map(({ code, where }) => [code, where])).toEqual([
      ['TW_SCAN_TOOL_EMPTY', 'tool'],
      ['TW_SCAN_OPTION_UNKNOWN', 'One'],
      ['TW_SCAN_OPTION_VALUE', 'One'],
    ]);
  });
});
