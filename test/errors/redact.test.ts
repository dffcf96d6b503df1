import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Sensitive } from '../../src/decorators/members.ts';
import { mentions, redactText, redactValue } from '../../src/errors/redact.ts';

const SECRET = 'sk-live-0123456789abcdef';

describe('texts', () => {
  test.each<[string, string, string]>([
    ['whole', `key ${SECRET} refused`, 'key [redacted] refused'],
    ['cut', `key ${SECRET.slice(0, 18)}…`, 'key [redacted]…'],
    ['twice', `${SECRET}${SECRET}`, '[redacted][redacted]'],
    ['beside what only begins alike', 'sk-live-9999', 'sk-live-9999'],
  ])('lose a value that is %s, and nothing else', (_name, text, shown) => {
    expect(redactText(text, [SECRET])).toBe(shown);
  });

  test('lose a value as JSON and URLs write it, and without the spaces around it', () => {
    const value = ' "ä b"\n/c ';
    const forms = [JSON.stringify(value), encodeURIComponent(value), value.trim()];
    for (const form of forms) expect(redactText(`<${form}>`, [value])).not.toMatch(/b|%20b/);
  });

  test('keep what is so short that it occurs by chance, and spaces', () => {
    expect(redactText('a    bc at 123', ['123', '    ', 'a'])).toBe('a    bc at 123');
  });

  test('lose every value, whatever stands around it', () => {
    const value = fc.string({ minLength: 4, unit: 'binary' }).filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.string(), (values, around) => {
        const shown = redactText(values.join(around), values);
        const rest = shown.replaceAll('[redacted]', '');
        for (const one of values) expect(rest.includes(one) && !around.includes(one)).toBe(false);
      }),
    );
  });
});

describe('many values', () => {
  test('are all found, as few are', () => {
    const value = fc.string({ minLength: 4, maxLength: 24, unit: fc.constantFrom('a', 'b', 'c', '"', ' ') });
    const isFindable = (text: string): boolean => text.trim().length >= 4;
    fc.assert(
      fc.property(
        fc.array(value.filter(isFindable), { minLength: 1, maxLength: 3 }),
        value,
        (values, around) => {
          const others = Array.from({ length: 40 }, (_, index) => `other-${String(index)}`);
          const text = values.join(around) + around;
          const [few, many] = [[...values], [...values, ...others]];
          expect(redactText(text, many)).toBe(redactText(text, few));
          expect(mentions(text, many)).toBe(mentions(text, few));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('that are alike, in a text that is alike throughout, leave nothing of it: to look for them takes too long', () => {
    const values = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(20)}${String(index)}`);
    const text = 'a'.repeat(100_000);
    expect(redactText(text, values)).toBe('[redacted]');
    expect(mentions(text, values)).toBe(true);
  });
});

describe('values', () => {
  test('stay the same where they have nothing to hide', () => {
    const error = new Error('a', { cause: new TypeError('b') });
    const data = { error, list: [1, { deep: true }], map: new Map([[1, 2]]) };
    expect(redactValue(data, [SECRET])).toBe(data);
    expect(redactValue(data, [])).toBe(data);
  });

  test('lose secrets in all that an error carries, and keep its name, code and frames', () => {
    const cause = new TypeError(`by ${SECRET}`);
    const error = new AggregateError([new Error(`in ${SECRET}`)], `with ${SECRET}`, { cause });
    const config = { headers: { authorization: `Bearer ${SECRET}` }, retries: 3 };
    Object.assign(error, { code: 'E1', config, socket: new Map([[SECRET, 1]]) });
    const shown = redactValue(error, [SECRET]) as typeof error & { code: string; config: typeof config };
    expect(shown).toBeInstanceOf(Error);
    expect([shown.name, shown.message, shown.code]).toEqual(['AggregateError', 'with [redacted]', 'E1']);
    expect(shown.stack).toContain('redact.test');
    expect((shown.cause as Error).message).toBe('by [redacted]');
    expect((shown.errors as readonly Error[])[0]?.message).toBe('in [redacted]');
    expect(shown.config).toEqual({ headers: { authorization: 'Bearer [redacted]' }, retries: 3 });
    expect(shown).toMatchObject({ socket: '[redacted]' });
    expect(error.message).toBe(`with ${SECRET}`);
  });

  test('lose secrets in names of members, and in what only JSON or deep printing shows', () => {
    class SignIn {
      readonly password = SECRET;
      [inspect.custom](): string {
        return 'SignIn';
      }
    }
    class Deep {
      readonly a = { b: { c: { d: { e: [SECRET] } } } };
    }
    class Told {
      toJSON(): unknown {
        return { told: SECRET };
      }
    }
    const long = new (class {
      readonly text = `${'x'.repeat(20_000)}${SECRET}`;
    })();
    for (const value of [new SignIn(), new Deep(), new Told(), long, new Set([SECRET]), [new SignIn()]]) {
      const shown = redactValue({ value }, [SECRET]);
      expect(JSON.stringify(shown)).toContain('[redacted]');
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    }
    expect(redactValue({ [SECRET]: undefined }, [SECRET])).toEqual({ '[redacted]': undefined });
  });

  test('lose secrets under symbols, and in the names of members of errors', () => {
    const deep = { [Symbol('raw')]: { a: { b: { c: { d: SECRET } } } } };
    const shown = redactValue(Object.assign(new Error('a'), { deep, [SECRET]: 1 }), [SECRET]);
    expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain(SECRET);
    expect(shown).toMatchObject({ '[redacted]': 1 });
  });

  test('lose what DTOs keep secret, whatever else is hidden', () => {
    class Card {
      @Sensitive() pin = '12';
      owner = 'Ada';
    }
    class Foreign {
      readonly card = new Card();
    }
    const shown = { pin: '[redacted]', owner: 'Ada' };
    for (const values of [[], [SECRET]]) {
      expect(redactValue({ cards: [new Card()] }, values)).toEqual({ cards: [shown] });
      expect(redactValue(Object.assign(new Error('a'), { card: new Card() }), values)).toMatchObject({
        card: shown,
      });
      expect(redactValue({ held: new Foreign() }, values)).toEqual({ held: '[redacted]' });
    }
  });

  test('are left out where they cannot be looked at, and leave the others', () => {
    const broken = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('a getter');
      },
    });
    expect(redactValue({ broken, text: SECRET, rest: 1 }, [SECRET])).toEqual({
      ...{ broken: '[redacted]', text: '[redacted]', rest: 1 },
    });
  });

  test('may refer to themselves', () => {
    const error = new Error(`a ${SECRET}`);
    error.cause = error;
    expect((redactValue(error, [SECRET]) as Error).cause).toBe('[redacted]');
  });
});
