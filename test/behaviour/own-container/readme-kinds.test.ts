import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  autoInjectable,
  container as globalContainer,
  delay,
  inject,
  injectable,
  injectAll,
  injectAllWithTransform,
  injectWithTransform,
  instanceCachingFactory,
  Lifecycle,
  predicateAwareClassFactory,
  registry,
  scoped,
  singleton,
  type DependencyContainer,
  type InjectionToken,
} from 'tsyringe';
import {
  Action,
  Inject,
  Injectable,
  Middleware,
  Module,
  Prompt,
  Resource,
  ToolGroup,
  type ApplicationOptions,
  type Class,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { textOf } from '../../support/text-of.ts';

let container: DependencyContainer;
beforeEach(() => {
  container = globalContainer.createChildContainer();
});
afterEach(() => {
  globalContainer.reset();
});

/** What the action of the only tool answers a client. */
async function answer(controller: Class, providers: readonly Class[] = [], options: ApplicationOptions = {}) {
  @Module({ controllers: [controller], providers })
  class Root {}
  const application = await createTestApplication(Root, { container, logger: () => undefined, ...options });
  try {
    return textOf(await application.call('tools.run'));
  } finally {
    await application.close();
  }
}

interface Greeter {
  greet(): string;
}

class Hello implements Greeter {
  greet(): string {
    return 'hello';
  }
}

describe('decorators of a class', () => {
  test('@injectable(): by its type, listed nowhere, with what it needs', async () => {
    @injectable()
    class Bar {
      readonly name = 'bar';
    }
    @injectable()
    class Foo {
      constructor(readonly bar: Bar) {}
    }
    @ToolGroup('tools')
    class Tools {
      constructor(private readonly foo: Foo) {}
      @Action() run() {
        return this.foo.bar.name;
      }
    }
    expect(await answer(Tools)).toBe('bar');
  });

  test('@injectable({ token }): by its tokens', async () => {
    @injectable({ token: ['IGreeter', 'Other'] })
    class Polite extends Hello {}
    @ToolGroup('tools')
    class Tools {
      constructor(
        @inject('IGreeter') private readonly first: Greeter,
        @inject('Other') private readonly second: Greeter,
      ) {}
      @Action() run() {
        return [this.first, this.second].every((each) => each instanceof Polite);
      }
    }
    expect(await answer(Tools)).toBe('true');
  });

  test('@singleton(): the instance of the container, also where a module lists it', async () => {
    @singleton()
    class Counter {
      count = 0;
    }
    @ToolGroup('tools')
    class Tools {
      constructor(private readonly counter: Counter) {}
      @Action() run(counter: Counter) {
        counter.count += 1;
        return counter === this.counter;
      }
    }
    expect(await answer(Tools)).toBe('true');
    expect(await answer(Tools, [Counter])).toBe('true');
    expect(globalContainer.resolve(Counter).count).toBe(2);
  });

  test('@scoped(ContainerScoped): one for each application, @scoped(ResolutionScoped): one for each call', async () => {
    @scoped(Lifecycle.ContainerScoped)
    class OfContainer {}
    @scoped(Lifecycle.ResolutionScoped)
    class OfCall {}
    @injectable()
    class Needs {
      constructor(
        readonly ofContainer: OfContainer,
        readonly ofCall: OfCall,
      ) {}
    }
    const seen: Needs[] = [];
    @ToolGroup('tools')
    class Tools {
      @Action() run(needs: Needs, ofContainer: OfContainer, ofCall: OfCall) {
        seen.push(needs);
        return needs.ofContainer === ofContainer && needs.ofCall === ofCall;
      }
    }
    expect([await answer(Tools), await answer(Tools)]).toEqual(['true', 'true']);
    expect(seen[0]?.ofContainer).not.toBe(seen[1]?.ofContainer);
    expect(seen[0]?.ofCall).not.toBe(seen[1]?.ofCall);
  });

  test('@registry(): its registrations', async () => {
    @registry([
      { token: 'size', useValue: 3 },
      { token: 'Greeter', useToken: delay(() => Hello) as never },
    ])
    @injectable()
    class Registers {}
    injectable()(Hello);
    @ToolGroup('tools')
    class Tools {
      @Action() run(@inject('size') size: number, @inject('Greeter') greeter: Greeter) {
        return `${size} ${greeter.greet()} ${Registers.name}`;
      }
    }
    expect(await answer(Tools)).toBe('3 hello Registers');
  });

  test('@autoInjectable(): its own constructor asks the global container', async () => {
    injectable()(Hello);
    @autoInjectable()
    class Auto {
      constructor(readonly hello?: Hello) {}
    }
    @ToolGroup('tools')
    class Tools {
      private readonly auto = new Auto();
      @Action() run() {
        return this.auto.hello?.greet();
      }
    }
    expect(await answer(Tools)).toBe('hello');
  });
});

describe('decorators of a parameter', () => {
  test('@inject(token) of a constructor and of an action, with and without @injectable()', async () => {
    container.register('CFG', { useValue: 'settings' });
    @Injectable()
    class Plain {
      constructor(@inject('CFG') readonly settings: string) {}
    }
    @ToolGroup('tools')
    class Tools {
      constructor(private readonly plain: Plain) {}
      @Action() other(@inject('other') other: string, @inject('CFG') settings: string) {
        return other + settings;
      }
      @Action() run(@inject('CFG') settings: string, plain: Plain, @Inject('other') other: string) {
        return plain === this.plain && plain.settings === settings ? `${settings} ${other}` : undefined;
      }
    }
    container.register('other', { useValue: 'and another' });
    expect(await answer(Tools, [Plain])).toBe('settings and another');
  });

  test('@inject(token, { isOptional: true }) gives undefined', async () => {
    @ToolGroup('tools')
    class Tools {
      constructor(@inject('absent', { isOptional: true }) private readonly absent?: string) {}
      @Action() run(@injectAll('absent', { isOptional: true }) all: readonly string[]) {
        return `${String(this.absent)} ${all.length}`;
      }
    }
    expect(await answer(Tools)).toBe('undefined 0');
  });

  test('@inject(delay(() => Class)): classes that need each other', async () => {
    @Injectable()
    class Left {
      constructor(
        @inject(delay(() => Right)) readonly right: { readonly name: string; readonly left: Left },
      ) {}
      readonly name = 'left';
    }
    @Injectable()
    class Right {
      constructor(readonly left: Left) {}
      readonly name = 'right';
    }
    @ToolGroup('tools')
    class Tools {
      constructor(private readonly left: Left) {}
      @Action() run() {
        return `${this.left.name} ${this.left.right.name} ${this.left.right.left === this.left}`;
      }
    }
    expect(await answer(Tools, [Left, Right])).toBe('left right true');
  });

  test('@injectAll(token): all registrations, in their order', async () => {
    @injectable({ token: 'Step' })
    class One {
      readonly step = 1;
    }
    container.register('Other', { useValue: 0 });
    @injectable({ token: 'Step' })
    class Two {
      constructor(readonly one: One) {}
      readonly step = 2;
    }
    @ToolGroup('tools')
    class Tools {
      constructor(@injectAll('Step') private readonly steps: readonly (One | Two)[]) {}
      @Action() run(
        @injectAll('Step') steps: readonly (One | Two)[],
        @injectAll('Other') other: readonly number[],
      ) {
        return [...this.steps, ...steps].map(({ step }) => step).join(' ') + ` of ${other.length}`;
      }
    }
    expect(await answer(Tools)).toBe('1 2 1 2 of 1');
  });

  test('@injectWithTransform and @injectAllWithTransform: what the transformer makes of it', async () => {
    @injectable()
    class Flags {
      readonly beta = 'on';
    }
    @injectable()
    class Pick {
      transform(flags: Flags | readonly Flags[], suffix: string): string {
        return [flags]
          .flat()
          .map(({ beta }) => `${beta}${suffix}`)
          .join();
      }
    }
    @ToolGroup('tools')
    class Tools {
      constructor(@injectWithTransform(Flags, Pick, '!') private readonly one: string) {}
      @Action() run(@injectAllWithTransform(Flags, Pick, '?') all: string) {
        return `${this.one} ${all}`;
      }
    }
    expect(await answer(Tools)).toBe('on! on?');
  });

  test('@Inject counts before @inject', async () => {
    container.registerInstance('theirs', 'theirs').registerInstance('ours', 'ours');
    @ToolGroup('tools')
    class Tools {
      constructor(@inject('theirs') @Inject('ours') private readonly word: string) {}
      @Action() run(@Inject('ours') @inject('theirs') word: string) {
        return `${word} ${this.word}`;
      }
    }
    expect(await answer(Tools)).toBe('ours ours');
  });

  test('a module counts before the container', async () => {
    container.register('word', { useValue: 'theirs' });
    class Words {
      constructor(@inject('word') readonly word: string) {}
    }
    @ToolGroup('tools')
    class Tools {
      constructor(private readonly words: Words) {}
      @Action() run(@injectAll('word') all: readonly string[]) {
        return [this.words.word, ...all].join();
      }
    }
    expect(await answer(Tools, [Words], {})).toBe('theirs,theirs');
    @Module({ controllers: [Tools], providers: [Words, { provide: 'word', useValue: 'ours' }] })
    class Root {}
    const application = await createTestApplication(Root, { container });
    expect(textOf(await application.call('tools.run'))).toBe('ours,ours');
    await application.close();
  });
});

test('prompts, resources and middleware have it injected, too', async () => {
  container.registerInstance('word', 'theirs');
  const seen: string[] = [];
  @singleton()
  class Watches {
    constructor(@inject('seen') private readonly names: string[]) {}
    use(call: MiddlewareCall, next: Next): Promise<unknown> {
      this.names.push(call.name);
      return next();
    }
  }
  globalContainer.registerInstance('seen', seen);
  @Injectable()
  @Middleware(Watches)
  class Offers {
    @Prompt('Say it') say(@inject('word') word: string) {
      return word;
    }
    @Resource('words://all', { name: 'all' }) all(@inject('word') word: string) {
      return word;
    }
  }
  @Module({ controllers: [Offers] })
  class Root {}
  const application = await createTestApplication(Root, { container, logger: () => undefined });
  const client = await application.client();
  expect((await client.getPrompt({ name: 'say' })).messages[0]?.content).toMatchObject({ text: 'theirs' });
  expect((await client.readResource({ uri: 'words://all' })).contents[0]).toMatchObject({ text: 'theirs' });
  expect(seen).toHaveLength(2);
  await application.close();
});

describe('registrations', () => {
  test('values, classes, factories and aliases of the container', async () => {
    injectable()(Hello);
    container
      .register('value', { useValue: 'value' })
      .register('class', { useClass: Hello })
      .register('alias', { useToken: 'value' })
      .register('factory', { useFactory: (from) => `${from.resolve<string>('value')}s` })
      .register('cached', { useFactory: instanceCachingFactory(() => ({})) })
      .register('chosen', { useFactory: predicateAwareClassFactory<Greeter>(() => true, Hello, Hello) });
    @ToolGroup('tools')
    class Tools {
      constructor(
        @inject('value') private readonly value: string,
        @inject('class') private readonly greeter: Greeter,
        @inject('alias') private readonly alias: string,
        @inject('factory') private readonly made: string,
        @inject('cached') private readonly cached: object,
        @inject('chosen') private readonly chosen: Greeter,
      ) {}
      @Action() run(@inject('cached') cached: object) {
        const { value, greeter, alias, made, chosen } = this;
        return [value, greeter.greet(), alias, made, cached === this.cached, chosen.greet()].join();
      }
    }
    expect(await answer(Tools)).toBe('value,hello,value,values,true,hello');
  });

  test('without the option, those of the global container count', async () => {
    globalContainer.registerInstance('word', 'global');
    @ToolGroup('tools')
    class Tools {
      @Action() run(@inject('word') word: string) {
        return word;
      }
    }
    expect(await answer(Tools, [], { container: undefined } as never)).toBe('global');
    container.registerInstance('word', 'child');
    expect(await answer(Tools)).toBe('child');
  });

  test('a transient is made for each injection', async () => {
    let made = 0;
    container.register('made', { useFactory: () => (made += 1) });
    @injectable()
    class Fresh {
      readonly id = (made += 1);
    }
    @ToolGroup('tools')
    class Tools {
      @Action() run(@inject('made') one: number, @inject('made') two: number, first: Fresh, second: Fresh) {
        return one !== two && first !== second && first.id !== second.id;
      }
    }
    expect(await answer(Tools)).toBe('true');
  });
});

describe('interceptors', () => {
  test('run before and after what the container resolves, and classes that a module lists', async () => {
    const seen: string[] = [];
    class Listed {}
    @singleton()
    class Single {}
    @injectable()
    class Fresh {}
    const watch = (token: InjectionToken, name: string): void => {
      container.beforeResolution(token, (_, kind) => seen.push(`before ${name} ${kind}`));
      container.afterResolution(token, () => seen.push(`after ${name}`), { frequency: 'Once' });
    };
    watch(Listed, 'listed');
    watch(Single, 'single');
    watch(Fresh, 'fresh');
    watch('value', 'value');
    container.registerInstance('value', 'text');
    @ToolGroup('tools')
    class Tools {
      constructor(
        readonly listed: Listed,
        readonly single: Single,
      ) {}
      @Action() run(@injectAll('value') all: readonly string[], first: Fresh, second: Fresh) {
        return first !== second && all.length;
      }
    }
    expect(await answer(Tools, [Listed])).toBe('1');
    expect(seen.slice(0, 4)).toEqual([
      'before listed Single',
      'after listed',
      'before single Single',
      'after single',
    ]);
    expect(seen).toContain('before value All');
    expect(seen.filter((line) => line.includes('fresh'))).toEqual([
      'before fresh Single',
      'after fresh',
      'before fresh Single',
    ]);
  });
});
