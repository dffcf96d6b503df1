import { describe, expect, test } from '@jest/globals';
import { consentQuestion, quoteArgument } from '../../../src/features/consent/consent-question.ts';

const place = { kind: 'action', tool: 'tasks', action: 'delete', name: 'delete' } as const;
const questionOf = (called: typeof place & { version?: string }, input: unknown): string =>
  consentQuestion({ place: called, input, common: [] });
const linesFor = (input: unknown): readonly string[] => questionOf(place, input).split('\n').slice(1);

describe('the question for a consent', () => {
  test('says what is called and with which values, in one order', () => {
    const question = 'Allow "delete" of "tasks"? You may not be able to undo it.';
    expect(questionOf(place, { id: 7, force: true })).toBe(`${question}\nforce: true\nid: 7`);
    expect(questionOf(place, { force: true, id: 7 })).toBe(`${question}\nforce: true\nid: 7`);
    expect(questionOf(place, undefined)).toBe(question);
    expect(questionOf({ ...place, version: '2.0.0' }, {})).toContain('"delete 2.0.0"');
  });

  test.each<[string, { readonly title?: string; readonly description: string }, string]>([
    ['its title', { title: 'Delete', description: 'Deletes a task.' }, 'Delete'],
    [
      'the first sentence of its description',
      { description: ' Deletes it, v1.2. For good.\nOr not' },
      'Deletes it, v1.2',
    ],
    ['its description without the stop', { description: 'Pay money back.' }, 'Pay money back'],
  ])('says what an action does: %s', (_what, described, purpose) => {
    expect(consentQuestion({ place, input: {}, common: [] }, described)).toBe(
      `Allow "delete" of "tasks" (${purpose})? You may not be able to undo it.`,
    );
  });

  test('shows values that lie deeper by their path, and dates as texts', () => {
    expect(linesFor({ at: new Date(0), task: { ids: ['a', 'b'], none: null, empty: [] } })).toEqual([
      'at: "1970-01-01T00:00:00.000Z"',
      'task.empty: []',
      'task.ids.0: "a"',
      'task.ids.1: "b"',
      'task.none: null',
    ]);
  });

  test('says how many values it leaves out', () => {
    const lines = linesFor({ ids: Array.from({ length: 1000 }, (_, index) => index) });
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('(and 980 more values)');
  });

  test('is short, whatever names and values the arguments have', () => {
    const name = '"😀'.repeat(150);
    let deep: object = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${name}${index}`, name]),
    );
    for (let level = 0; level < 100; level += 1) deep = { [name]: deep };
    const lines = linesFor({ deep, more: Array.from({ length: 3000 }, () => ({})), last: [[], {}, null] });
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('(and 3023 more values)');
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(410);
      expect(encodeURIComponent(line)).not.toContain('\ufffd');
      expect(line).not.toMatch(/\\(?!u[0-9a-f]{4})/);
    }
  });

  test('has one line for a value and its name, whatever is in them', () => {
    expect(linesFor({ 'a\nb': 'x\r\n\u2028y: "z"\n' })).toEqual(['a b: "x y: \\u0022z\\u0022 "']);
  });
});

describe('a text in a question', () => {
  test('has no markup and no links', () => {
    expect(quoteArgument('<b>Hi</b> & `code` **bold**')).toBe(
      '\\u003cb\\u003eHi\\u003c/b\\u003e \\u0026 \\u0060code\\u0060 \\u002a\\u002abold\\u002a\\u002a',
    );
    expect(quoteArgument('[here](javascript:go)')).toBe('\\u005bhere\\u005d(javascript\\u003ago)');
    expect(quoteArgument('https://evil.example www.evil.example mailto:a')).toBe(
      'https\\u003a//evil.example www\\u002eevil.example mailto\\u003aa',
    );
    expect(quoteArgument('at 10:30 in C:/notes')).toBe('at 10:30 in C:/notes');
  });

  test('cannot pretend to be escaped', () => {
    expect(quoteArgument('\\u003c')).toBe('\\u005cu003c');
  });

  test('has no controls, no bidirectional marks and nothing unseen', () => {
    expect(quoteArgument('a\u0000\u001b[31m\u202eb\u2066c\u200b\ufeff\u{e0041}\ud800d\u061c')).toBe(
      'a\\u005b31mbcd',
    );
  });

  test('has at most 200 characters, and no half of one', () => {
    expect(quoteArgument('x'.repeat(10_240))).toBe(`${'x'.repeat(199)}…`);
    expect(quoteArgument('x'.repeat(199))).toBe('x'.repeat(199));
    for (const character of ['<', '😀', '\u202e', 'é']) {
      const shown = quoteArgument(`a${character.repeat(10_240)}`);
      expect(shown.length).toBeLessThanOrEqual(200);
      expect(encodeURIComponent(shown)).not.toContain('\ufffd');
    }
    expect(quoteArgument('<'.repeat(300))).toMatch(/^(\\u003c)+…$/);
  });
});
