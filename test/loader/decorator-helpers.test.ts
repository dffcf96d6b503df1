import { afterEach, describe, expect, test } from '@jest/globals';
import * as tslib from 'tslib';
import { constructorSignature, methodSignature, propertyType } from '../../src/metadata/design-types.ts';
import { decorate, decorateMetadata, decorateParam } from '../../src/loader/decorator-helpers.ts';

const NUMBER = { kind: 'primitive', name: 'Number' };

/** The same code with the helpers of the loader and with those of tsc. */
const HELPERS = [
  ['the loader', { decorate, decorateParam, decorateMetadata }],
  ['tsc', { decorate: tslib.__decorate, decorateParam: tslib.__param, decorateMetadata: tslib.__metadata }],
] as unknown as readonly (readonly [
  string,
  {
    decorate: typeof decorate;
    decorateParam: typeof decorateParam;
    decorateMetadata: typeof decorateMetadata;
  },
])[];

describe.each(HELPERS)('the helpers of %s', (_whose, helpers) => {
  test('apply the decorators of a class from the last to the first, each to what the one before made', () => {
    class First {}
    class Second {}
    const seen: unknown[] = [];
    const made = helpers.decorate(
      [
        (type: object): undefined => void seen.push(['upper', type]),
        (type: object) => {
          seen.push(['lower', type]);
          return Second;
        },
      ],
      First,
    );
    expect(made).toBe(Second);
    expect(seen).toEqual([
      ['lower', First],
      ['upper', Second],
    ]);
  });

  test('give the decorators of a method its descriptor, and define what they return', () => {
    class Notes {
      list(): string {
        return 'own';
      }
    }
    const wrap =
      (word: string) => (_target: object, _member: PropertyKey, descriptor?: PropertyDescriptor) => {
        const inner = descriptor!.value as () => string;
        return { ...descriptor, value: (): string => `${word}(${inner()})` };
      };
    const result = helpers.decorate(
      [wrap('upper'), () => undefined, wrap('lower')],
      Notes.prototype,
      'list',
      null,
    );
    expect(new Notes().list()).toBe('upper(lower(own))');
    expect(result).toMatchObject({ configurable: true, enumerable: false });
  });

  test('call the decorators of a field without a descriptor, and define nothing', () => {
    class Notes {}
    const seen: unknown[][] = [];
    const result = helpers.decorate(
      [(...given: readonly unknown[]) => void seen.push([...given])],
      Notes.prototype,
      'text',
      undefined,
    );
    expect(seen.map((given) => given.slice(0, 2))).toEqual([[Notes.prototype, 'text']]);
    expect(seen[0]?.[2]).toBeUndefined();
    expect(result).toBeUndefined();
    expect(Object.keys(Notes.prototype)).toEqual([]);
  });

  test('decorate static members and accessors', () => {
    class Notes {
      static get size(): number {
        return 1;
      }
    }
    helpers.decorate(
      [(_target, _member, descriptor) => ({ ...descriptor, get: () => 2 })],
      Notes,
      'size',
      null,
    );
    expect(Notes.size).toBe(2);
  });

  test('call the decorator of a parameter with its index, of a constructor without a member', () => {
    class Notes {
      add(): void {}
    }
    const seen: unknown[] = [];
    const note = (...given: readonly unknown[]): void => void seen.push(given);
    helpers.decorate([helpers.decorateParam(1, note), helpers.decorateParam(0, note)], Notes);
    helpers.decorate([helpers.decorateParam(2, note)], Notes.prototype, 'add', null);
    expect(seen).toEqual([
      [Notes, undefined, 0],
      [Notes, undefined, 1],
      [Notes.prototype, 'add', 2],
    ]);
  });

  test('record types, of members and of constructors', () => {
    class Clock {}
    class Notes {
      add(): void {}
    }
    const types = helpers.decorateMetadata('design:paramtypes', [Clock, String]);
    helpers.decorate([types as never], Notes);
    helpers.decorate([types as never], Notes.prototype, 'add', null);
    const written = [
      { kind: 'class', type: Clock },
      { kind: 'primitive', name: 'String' },
    ];
    expect(constructorSignature(Notes)).toEqual({ isEmitted: true, types: written });
    expect(methodSignature(Notes, 'add')).toEqual({ isEmitted: true, types: written });
  });
});

describe('the type of an imported enum, which arrives as an object', () => {
  const recorded = (type: unknown): unknown => {
    class Notes {}
    decorate([decorateMetadata('design:type', type) as never], Notes.prototype, 'kind', undefined);
    return propertyType(Notes, 'kind');
  };

  test.each([
    ['of texts', { Red: 'red', Blue: 'blue' }, { kind: 'primitive', name: 'String' }],
    ['of numbers, with the way back to their names', { Low: 0, High: 1, 0: 'Low', 1: 'High' }, NUMBER],
    ['of numbers below zero', { Below: -1, '-1': 'Below' }, NUMBER],
    ['of both', { Red: 'red', Low: 0, 0: 'Low' }, { kind: 'erased' }],
    ['without members', {}, { kind: 'erased' }],
  ])('%s', (_what, members, type) => {
    expect(recorded(members)).toEqual(type);
  });

  test('any other type stays', () => {
    expect(recorded(Date)).toEqual({ kind: 'class', type: Date });
    expect(recorded(undefined)).toEqual({ kind: 'circular' });
  });
});

describe('without reflect-metadata', () => {
  const { metadata } = Reflect as { metadata?: unknown };
  afterEach(() => {
    Object.assign(Reflect, { metadata });
  });

  test('no type is recorded, and nothing fails', () => {
    Object.assign(Reflect, { metadata: undefined });
    class Notes {}
    expect(decorate([decorateMetadata('design:type', String) as never], Notes)).toBe(Notes);
  });
});
