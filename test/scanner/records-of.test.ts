import { expect, test } from '@jest/globals';
import { createDecorator, recordsOf } from 'toolwright';

const Label = createDecorator<string>('Label');
const Other = createDecorator<string>('Other');

@Label('base')
class Base {
  @Label('first') first(): void {}
  @Label('overridden') second(): void {}
}
class Derived extends Base {
  @Label('own') override second(): void {}
  @Other('x') @Label('third') third(): void {}
}

test('the records of a class are those of one decorator, base classes first, each place once', () => {
  expect(recordsOf(Label, Derived).map(({ member, value }) => [member, value])).toEqual([
    ['first', 'first'],
    [undefined, 'base'],
    ['second', 'own'],
    ['third', 'third'],
  ]);
  expect(recordsOf(Other, Derived).map(({ member }) => member)).toEqual(['third']);
  expect(recordsOf(Other, Base)).toEqual([]);
});
