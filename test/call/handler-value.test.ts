import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatValue, jsonView, NOTHING_TO_SAY } from '../../src/call/handler-value.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** The value within a number of objects and lists in turn. */
function within(depth: number, value: unknown): unknown {
  let whole = value;
  for (let level = 0; level < depth; level += 1) whole = level % 2 === 0 ? { inner: whole } : [whole];
  return whole;
}

test('a JSON value is the text that JSON writes for it, with two spaces of indent', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      fc.pre(typeof value !== 'string' && value !== null);
      expect(formatValue(value)).toBe(pretty(value));
      expect(formatValue(value, 'text')).toBe(
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      );
      expect(jsonView(value)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a text is itself, and what says nothing is OK', () => {
  expect(formatValue('"quoted"')).toBe('"quoted"');
  for (const nothing of ['', null, undefined]) expect(formatValue(nothing)).toBe(NOTHING_TO_SAY);
});

describe('what JSON would lose', () => {
  // 32 levels are looked at before anything is written; those around and beyond must make no difference
  const depths = fc.nat({ max: 80 });

  test('is kept of maps and sets, however deep they are', () => {
    fc.assert(
      fc.property(depths, (depth) => {
        expect(formatValue(within(depth, new Map([['a', 1]])))).toBe(pretty(within(depth, { a: 1 })));
        expect(formatValue(within(depth, new Set(['a', 1])))).toBe(pretty(within(depth, ['a', 1])));
      }),
    );
  });

  test('is refused of errors, however deep they are', () => {
    fc.assert(
      fc.property(depths, (depth) => {
        expect(() => formatValue(within(depth, new Error('secret')))).toThrow(
          'an Error, which JSON does not carry',
        );
      }),
    );
  });

  test('is kept of a map beside plain data, behind it and within another', () => {
    const tags = new Set(['a']);
    expect(formatValue({ first: { plain: [1, 2] }, last: new Map([['tags', tags]]) })).toBe(
      pretty({ first: { plain: [1, 2] }, last: { tags: ['a'] } }),
    );
    expect(formatValue([{ plain: 1 }, tags])).toBe(pretty([{ plain: 1 }, ['a']]));
  });

  test('is kept of classes that are maps, sets or have some', () => {
    class Tags extends Set<string> {}
    class Note {
      title = 'first';
      tags = new Tags(['a']);
    }
    expect(formatValue(new Note())).toBe(pretty({ title: 'first', tags: ['a'] }));
    expect(formatValue(new Tags(['a']))).toBe(pretty(['a']));
  });

  test('is kept of what toJSON gives', () => {
    const own = { toJSON: () => new Map([['a', 1]]) };
    class Inherited {
      toJSON(): unknown {
        return new Set([1]);
      }
    }
    expect(formatValue({ own, inherited: new Inherited() })).toBe(pretty({ own: { a: 1 }, inherited: [1] }));
    class Tags extends Array<string> {
      toJSON(): unknown {
        return new Set(this);
      }
    }
    expect(formatValue({ tags: Tags.of('a', 'a') })).toBe(pretty({ tags: ['a'] }));
    const list = Object.assign([1], { toJSON: () => new Map([['a', 1]]) });
    expect(formatValue({ list })).toBe(pretty({ list: { a: 1 } }));
  });

  test('is kept of what the toJSON of a function gives', () => {
    const run = Object.assign(() => 1, { toJSON: () => new Map([['a', 1]]) });
    expect(JSON.parse(formatValue({ run }))).toEqual({ run: { a: 1 } });
    const broken = Object.assign(() => 1, { toJSON: () => new Error('broken') });
    expect(() => formatValue({ broken })).toThrow('broken is an Error');
  });

  test('is kept of what getters give', () => {
    const value = {
      get tags(): unknown {
        return new Set(['a']);
      },
      get count() {
        return 1;
      },
    };
    expect(formatValue(value)).toBe(pretty({ tags: ['a'], count: 1 }));
  });

  test('is kept of objects without a prototype', () => {
    const bare = Object.assign(Object.create(null) as object, { tags: new Set(['a']), '': 1 });
    expect(formatValue(bare)).toBe(pretty({ tags: ['a'], '': 1 }));
    expect(formatValue({ bare })).toBe(pretty({ bare: { tags: ['a'], '': 1 } }));
  });
});

describe('as JSON has it', () => {
  test('dates are texts, boxed values are what is in them, and undefined is left out', () => {
    const value = {
      at: new Date(0),
      boxes: [Object(1), Object('a'), Object(true)] as unknown[],
      none: undefined,
      list: [undefined],
    };
    expect(formatValue(value)).toBe(
      pretty({ at: '1970-01-01T00:00:00.000Z', boxes: [1, 'a', true], list: [null] }),
    );
  });

  test('the methods of an instance are left out, also those that are its own', () => {
    class Task {
      readonly id = 'a';
      readonly close = (): void => undefined;
      open(): void {
        this.close();
      }
    }
    expect(formatValue([new Task()])).toBe(pretty([{ id: 'a' }]));
  });

  test('a date that writes itself in another way does so', () => {
    class Day extends Date {
      override toJSON(): string {
        return super.toJSON().slice(0, 10);
      }
    }
    expect(formatValue({ on: new Day(0) })).toBe(pretty({ on: '1970-01-01' }));
  });

  test('toJSON gets the name of its member, and may give what it is asked of', () => {
    const asked: string[] = [];
    const self: object = {
      id: 1,
      toJSON(name: string) {
        asked.push(name);
        return this;
      },
    };
    expect(JSON.parse(formatValue({ first: self, list: [self] }))).toMatchObject({ list: [{ id: 1 }] });
    expect(asked).toEqual(['first', '0']);
  });

  test('an instance of a class that has nothing to say is an empty object', () => {
    class Done {}
    expect(formatValue([new Done(), {}])).toBe(pretty([{}, {}]));
  });

  test('holes of a list are null, also before a map', () => {
    const holes: unknown[] = [];
    holes[2] = 1;
    expect(formatValue(holes)).toBe(pretty([null, null, 1]));
    holes[4] = new Map([['a', 1]]);
    expect(formatValue(holes)).toBe(pretty([null, null, 1, null, { a: 1 }]));
  });

  test('members that are hidden, inherited or named by symbols are left out', () => {
    const hidden = Object.defineProperty({ seen: 1 }, 'hidden', { value: new Error('secret') });
    expect(formatValue(Object.assign(hidden, { [Symbol('a')]: new Error('secret') }))).toBe(
      pretty({ seen: 1 }),
    );
    expect(formatValue(Object.assign(Object.create({ inherited: 1 }) as object, { own: 1 }))).toBe(
      pretty({ own: 1 }),
    );
  });

  test('a member that is named __proto__ is one like any other', () => {
    const text = pretty(JSON.parse('{"__proto__":{"toJSON":1},"a":1}'));
    expect(formatValue(JSON.parse(text))).toBe(text);
  });

  test('plain data may be deeper than it is looked at', () => {
    const deep = within(500, 'bottom');
    expect(formatValue(deep)).toBe(pretty(deep));
  });

  test.each([
    ['to itself', 1],
    ['over two objects', 2],
    ['over more than is looked at', 50],
  ])('a cycle %s is refused', (_, length) => {
    const first: Record<string, unknown> = {};
    first['inner'] = within(length - 1, first);
    expect(() => formatValue(first)).toThrow('is the whole value once more, a cycle');
    expect(() => formatValue([first, first])).toThrow('is [0] once more, a cycle');
  });

  test('the same object may be there twice', () => {
    const shared = { tags: new Set(['a']) };
    expect(formatValue([shared, shared])).toBe(pretty([{ tags: ['a'] }, { tags: ['a'] }]));
  });

  test('what a getter throws is thrown', () => {
    const value = {
      get broken(): never {
        throw new RangeError('broken');
      },
    };
    expect(() => formatValue(value)).toThrow(new RangeError('broken'));
  });
});

test('TOON is written from what JSON would carry', () => {
  expect(formatValue({ tags: new Set(['a', 'b']) }, 'toon')).toBe(formatValue({ tags: ['a', 'b'] }, 'toon'));
  expect(formatValue({ tags: new Set(['a', 'b']) }, 'toon')).not.toContain('{}');
});
