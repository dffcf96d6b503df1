import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ABSENT,
  draftOf,
  faultOf,
  memberOf,
  NULL,
  printDraft,
  valueOf,
  withMember,
} from '../../../../src/explorer/page/form/draft.ts';
import { readDraft, readFault } from '../../../../src/explorer/page/form/read-draft.ts';

const asDouble = (text: string): unknown => Number(text);
/** JSON has one zero, and a member named `__proto__` is none of an object literal's. */
const json = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

describe('a draft', () => {
  test('is the same after any value went through the form and through the text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const draft = draftOf(value);
        expect(readDraft(printDraft(draft))).toEqual(draft);
        expect(valueOf(draft, asDouble)).toEqual(value);
        expect(faultOf(draft)).toBeUndefined();
      }),
    );
  });

  test('reads what JSON.parse reads, and keeps any other text as it was typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const draft = readDraft(text);
        if (draft.kind === 'raw') expect(draft.text).toBe(text);
        expect(readDraft(printDraft(draft))).toEqual(draft);
      }),
    );
  });

  test.each(['9007199254740993', '1.0', '1e400', '-0', '0.10', '12345678901234567890.123'])(
    'gives the number %s as it was typed',
    (text) => {
      const draft = readDraft(`{"n": ${text}}`);
      expect(printDraft(draft)).toBe(`{\n  "n": ${text}\n}`);
      const given = valueOf(draft, (digits) => `raw ${digits}`) as { readonly n: unknown };
      expect(given.n).toBe(`raw ${text}`);
    },
  );

  test.each(['12x', '1.', '01', '+1', '.5', 'NaN', ''])(
    'keeps %j in place of a number, and refuses it',
    (text) => {
      const draft = withMember(draftOf({ list: [1] }), 'n', { kind: 'number', text });
      expect(faultOf(draft)).toMatchObject({ path: 'n' });
      if (text !== '') expect(memberOf(readDraft(printDraft(draft)), 'n')).toEqual({ kind: 'number', text });
    },
  );

  test('has absent, null and empty as three states', () => {
    const start = draftOf({ keep: 1 });
    expect(valueOf(withMember(start, 'a', ABSENT), asDouble)).toEqual({ keep: 1 });
    expect(valueOf(withMember(start, 'a', NULL), asDouble)).toEqual({ keep: 1, a: null });
    expect(valueOf(withMember(start, 'a', { kind: 'text', text: '' }), asDouble)).toEqual({ keep: 1, a: '' });
    expect(valueOf(withMember(draftOf({ a: 1, keep: 1 }), 'a', ABSENT), asDouble)).toEqual({ keep: 1 });
  });

  test('keeps text that is not JSON, and says where it ends to be', () => {
    expect(readDraft('{"a": 1,\n "b" 2}')).toEqual({ kind: 'raw', text: '{"a": 1,\n "b" 2}' });
    expect(readFault('{"a": 1,\n "b" 2}')).toEqual({ offset: 14, line: 2, column: 6 });
    expect(readFault('{"a": 1}')).toBeUndefined();
    expect(readDraft('{"a": 1, "a": 2}').kind).toBe('raw');
    expect(readDraft('['.repeat(100_000)).kind).toBe('raw');
  });

  test('names the place of what is invalid deep inside', () => {
    const draft = readDraft('{"items": [{"n": 1}, {"n": oops}]}');
    expect(faultOf(draft)).toEqual({ path: 'items[1].n', message: 'oops is not a number' });
  });
});
