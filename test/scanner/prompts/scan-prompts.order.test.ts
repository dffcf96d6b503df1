import { describe, expect, test } from '@jest/globals';
import type { Next } from '../../../src/call/middleware.ts';
import { Action, Prompt, Inject } from '../../../src/decorators/members.ts';
import {
  createDecorator,
  Middleware,
  Injectable,
  Module,
  ToolGroup,
} from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { labelsOf, moduleWith, promptOf, providerOf, scan } from '../../support/scan-helpers.ts';

@Injectable()
class Clock {}

const named = (label: string) => Object.assign((_call: unknown, next: Next) => next(), { label });

function moduleOf(...controllers: readonly Class[]): Class {
  return moduleWith(controllers, [Clock, { provide: 'URL', useValue: 1 }]);
}

describe('order and inheritance', () => {
  class Base {
    @Prompt() first(): void {}
    @Prompt() second(): void {}
  }

  test('modules depth-first, controllers as listed, members in source order', () => {
    @Injectable()
    class Inner {
      @Prompt() inner(): void {}
    }
    @ToolGroup()
    class Tools {
      @Prompt() b(): void {}
      @Action() act(): void {}
      @Prompt() a(): void {}
    }
    @Injectable()
    class Derived extends Base {
      @Prompt() own(): void {}
    }
    @Module({ controllers: [Inner] })
    class InnerModule {}
    @Module({ imports: [InnerModule], controllers: [Tools, Derived] })
    class Root {}
    expect(scan(Root).prompts.map(({ name }) => name)).toEqual(['inner', 'b', 'a', 'first', 'second', 'own']);
  });

  test('an override without @Prompt drops the prompt; with @Action it becomes an action', () => {
    @ToolGroup()
    class Derived extends Base {
      override first(): void {}
      @Action() override second(): void {}
      @Prompt() third(): void {}
    }
    const application = scan(moduleOf(Derived));
    expect(application.prompts.map(({ name }) => name)).toEqual(['third']);
    expect(application.tools[0]?.actions.map(({ name }) => name)).toEqual(['second']);
  });

  test('an inherited prompt keeps the middleware and parameters of its class', () => {
    class Parent {
      @Prompt() @Middleware(named('own')) go(@Inject('URL') _url: unknown): void {}
    }
    @Injectable()
    class Child extends Parent {}
    const application = scan(moduleOf(Child));
    expect(promptOf(application, 'go')).toMatchObject({
      where: 'Child.go()',
      handler: { parameters: [{ kind: 'provider', key: providerOf(application, '"URL"').key }] },
    });
    expect(labelsOf(promptOf(application, 'go'))).toEqual(['own']);
  });
});

describe('what stands around it', () => {
  @ToolGroup({ name: 'root', tags: ['r'], unknownFields: 'strip' })
  @Middleware(named('root'))
  class Root {
    @Prompt() top(): void {}
  }
  @ToolGroup({ name: 'sub', parent: Root, tags: ['s', 'r'] })
  @Middleware(named('sub'))
  class Sub {
    @Action() act(): void {}
    @Prompt({ tags: ['own'] }) @Middleware(named('own')) go(): void {}
    @Prompt({ unknownFields: 'strict' }) strict(): void {}
  }
  class Base {}
  Middleware(named('base'))(Base);
  @Injectable()
  @Middleware(named('outer'))
  @Middleware(named('inner'))
  class Plain extends Base {
    @Prompt() @Middleware(named('method')) plain(): void {}
  }
  const application = scan(moduleOf(Root, Sub, Plain), { middleware: [named('global')] });

  test('middleware: global, then the group tree or the class, then the method', () => {
    expect(labelsOf(promptOf(application, 'go'))).toEqual(['global', 'root', 'sub', 'own']);
    expect(labelsOf(promptOf(application, 'top'))).toEqual(['global', 'root']);
    expect(labelsOf(promptOf(application, 'plain'))).toEqual(['global', 'base', 'outer', 'inner', 'method']);
  });

  test('the group is the whole path of names', () => {
    expect(application.prompts.map(({ name, group }) => [name, group])).toEqual([
      ['top', 'root'],
      ['go', 'root.sub'],
      ['strict', 'root.sub'],
      ['plain', undefined],
    ]);
  });

  test('tags add up, and the nearest unknownFields wins', () => {
    expect(promptOf(application, 'go').tags).toEqual(['r', 's', 'own']);
    expect(promptOf(application, 'go').unknownFields).toBe('strip');
    expect(promptOf(application, 'strict').unknownFields).toBe('strict');
    expect(promptOf(application, 'plain').unknownFields).toBe('strict');
    expect(promptOf(scan(moduleOf(Plain), { unknownFields: 'strip' }), 'plain').unknownFields).toBe('strip');
  });

  test('user decorators: method over class over parent group', () => {
    const Roles = createDecorator<string>('Roles');
    const Label = createDecorator<string>('Label');
    @ToolGroup('outer')
    @Roles('outer')
    @Label('outer')
    class Outer {}
    @ToolGroup({ name: 'inner', parent: Outer })
    @Roles('inner')
    class Inner {
      @Action() act(): void {}
      @Prompt() @Roles('own') own(): void {}
      @Prompt() none(): void {}
    }
    const scanned = scan(moduleOf(Outer, Inner));
    const values = (name: string) => promptOf(scanned, name).metadata.map(({ value }) => value);
    expect(values('own')).toEqual(['own', 'outer']);
    expect(values('none')).toEqual(['inner', 'outer']);
  });
});
