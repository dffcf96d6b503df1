import { expect, test } from '@jest/globals';
import { Action } from '../../../src/decorators/members.ts';
import { createDecorator, Injectable, Module, ToolGroup } from '../../../src/decorators/classes.ts';
import { actionOf, scan } from '../../support/scan-helpers.ts';
import { recordsOf } from '../../../src/scanner/members/user-values.ts';

const Role = createDecorator<string>('Role');
const Label = createDecorator<string>('Label');

@Label('base')
class Base {
  @Role('base method') @Action() inherited(): void {}
}
@ToolGroup('root')
@Role('root')
@Label('root')
class RootGroup {}
@ToolGroup({ name: 'sub', parent: RootGroup })
@Role('sub')
class SubTools extends Base {
  @Action() plain(): void {}
  @Action() @Role('upper') @Role('lower') special(): void {}
}
@ToolGroup({ name: 'guest', parent: RootGroup })
class Guests {
  @Action({ groups: [SubTools] }) visit(): void {}
}
@Injectable()
@Label('service')
class Service {
  @Role('job') run(): void {}
}
@Module({ controllers: [RootGroup, SubTools, Guests], providers: [Service] })
class Root {}

const application = scan(Root);

function valuesOf(key: string): unknown {
  return Object.fromEntries(
    actionOf(application, key).metadata.map(({ decorator, value }) => [decorator.decoratorName, value]),
  );
}

test('the method wins over the class, the class over its base class, and that over the parent group', () => {
  expect(valuesOf('sub.plain')).toEqual({ Role: 'sub', Label: 'base' });
  expect(valuesOf('sub.inherited')).toEqual({ Role: 'base method', Label: 'base' });
  expect(valuesOf('sub.special')).toEqual({ Role: 'upper', Label: 'base' });
});

test('a place takes the values of its own groups', () => {
  expect(valuesOf('guest.visit')).toEqual({ Role: 'root', Label: 'root' });
  expect(valuesOf('sub.visit')).toEqual({ Role: 'sub', Label: 'base' });
});

test('lists every use on the classes of the application, inherited ones under the class that inherits', () => {
  const uses = application.records.map(({ decorator, target, member, value }) => [
    decorator,
    target,
    member,
    value,
  ]);
  expect(uses).toContainEqual([Role, Service, 'run', 'job']);
  expect(uses).toContainEqual([Label, Service, undefined, 'service']);
  expect(uses).toContainEqual([Role, SubTools, 'inherited', 'base method']);
  expect(uses).toContainEqual([Label, SubTools, undefined, 'base']);
  expect(uses).toContainEqual([Role, SubTools, undefined, 'sub']);
  expect(uses).toHaveLength(9);
});

const Other = createDecorator<string>('Other');

@Label('base')
class Labelled {
  @Label('first') first(): void {}
  @Label('overridden') second(): void {}
}
class Derived extends Labelled {
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
  expect(recordsOf(Other, Labelled)).toEqual([]);
});
