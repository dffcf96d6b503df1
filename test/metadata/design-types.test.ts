import { expect, test } from '@jest/globals';
import {
  constructorSignature,
  defaultedParameter,
  methodSignature,
  propertyType,
} from '../../src/metadata/design-types.ts';

class Dependency {}
interface Erased {
  readonly a: string;
}

function decorated(..._args: unknown[]): void {}

@decorated
class Emitted {
  @decorated declared!: Dependency;
  constructor(
    readonly one: Dependency,
    readonly two: Erased,
    readonly three: string,
  ) {}
  @decorated
  method(_one: () => void, _two: Dependency[], _three: Dependency = new Dependency()): void {}
}

class Plain {
  constructor(readonly one: Dependency) {}
  method(_one: unknown, _two = 1): void {}
}

class NoConstructor extends Plain {}

test('knows classes, erased types and primitives of a constructor', () => {
  expect(constructorSignature(Emitted)).toEqual({
    isEmitted: true,
    types: [{ kind: 'class', type: Dependency }, { kind: 'erased' }, { kind: 'primitive', name: 'String' }],
  });
});

test('counts parameters with default values when types are emitted', () => {
  expect(methodSignature(Emitted, 'method').types).toEqual([
    { kind: 'function' },
    { kind: 'primitive', name: 'Array' },
    { kind: 'class', type: Dependency },
  ]);
});

test('says that nothing was emitted, and ends at the first default value then', () => {
  expect(methodSignature(Plain, 'method')).toEqual({ isEmitted: false, types: [{ kind: 'notEmitted' }] });
  expect(constructorSignature(Plain)?.types).toEqual([{ kind: 'notEmitted' }]);
});

test.each([
  ['first', 0],
  ['second', 1],
  ['third', 2],
  ['pattern', 1],
  ['none', undefined],
  ['rest', undefined],
  ['body', undefined],
  ['absent', undefined],
])('knows the first parameter of %s() that has a default value', (member, index) => {
  class Defaults {
    first(_one = 1): void {}
    second(_one: unknown, _two = Object.keys({})): void {}
    third(_one: unknown, _two: unknown, _three = (_a: unknown): boolean => _a === 1, _four?: unknown): void {}
    pattern({ a }: { a: unknown }, { b }: { b?: unknown } = {}): unknown {
      return [a, b];
    }
    none(_one: unknown): void {}
    rest(..._all: unknown[]): void {}
    body(): number {
      const value = 1;
      return value;
    }
  }
  expect(defaultedParameter(Defaults, member)).toBe(index);
});

test('finds no constructor in a class that inherits it', () => {
  expect(constructorSignature(NoConstructor)).toBeUndefined();
});

test('takes undefined for a circular import', () => {
  class Circular {
    method(_one: unknown): void {}
  }
  Reflect.metadata('design:paramtypes', [undefined])(Circular.prototype, 'method');
  expect(methodSignature(Circular, 'method').types).toEqual([{ kind: 'circular' }]);
});

test('gives the type of a property', () => {
  expect(propertyType(Emitted, 'declared')).toEqual({ kind: 'class', type: Dependency });
  expect(propertyType(Emitted, 'other')).toEqual({ kind: 'notEmitted' });
});
