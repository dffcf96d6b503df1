import { describe, expect, test } from '@jest/globals';
import { IsInt } from 'class-validator';
import { Action, Middleware, Module, Prompt, ReadOnly, ToolContext, ToolGroup, type Class } from 'toolwright';
import { compose, FEATURES } from '../../src/app/features.ts';
import { assembleApplication, type ApplicationParts } from '../../src/application/assemble-application.ts';
import { Cancellation } from '../../src/call/call-context.ts';
import { LocalOrigin } from '../../src/runtime/local-calls.ts';
import { NO_CLIENT } from '../../src/runtime/clients/served-clients.ts';
import { greetings, Greeting } from '../kernel/sample-feature/feature.ts';
import { visits } from '../kernel/sample-feature/visits.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

@ToolGroup('doors')
class Doors {
  @Action() @Greeting('Good morning') open() {
    return 'open';
  }
  @Action() close() {
    return 'closed';
  }
  @Action() @ReadOnly() look() {
    return 'seen';
  }
  @Action() count(ctx: ToolContext) {
    // As a method of the context does
    return String(ctx['member']('greetings'));
  }
}

class Floor {
  @IsInt() floor!: number;
}

@Greeting('Welcome')
@ToolGroup('halls')
class Halls {
  @Action() plain(input: Floor) {
    return `${JSON.stringify(input, null, 2)} ${Object.isFrozen(input) ? 'frozen' : 'open'}`;
  }
  @Action() @Middleware((_call, next) => next()) guarded(input: Floor) {
    return this.plain(input);
  }
  @Action() @Middleware(() => 'closed') closed(_input: Floor) {
    return 'open';
  }
}

@Module({ controllers: [Halls] })
class HallsModule {}

@Module({ controllers: [Doors] })
class DoorsModule {}

function start(
  options: object = {},
  module: Class = DoorsModule,
  before?: ApplicationParts,
): Promise<ApplicationParts> {
  const given = { name: 'doors', logger: new MemoryLogger(), ...options };
  return assembleApplication(
    module,
    given,
    async () => undefined,
    before,
    compose([...FEATURES, greetings, visits]),
  );
}

async function textsOf({ server }: ApplicationParts, action: string): Promise<readonly unknown[]> {
  const { content } = await server.localCalls.call('doors', { action });
  return content.map((block) => (block.type === 'text' ? block.text : block));
}

async function read({ service }: ApplicationParts, uri: string) {
  const outcome = await service.serve({
    method: 'resources/read',
    params: { uri },
    context: new LocalOrigin('1', {}),
    cancellation: new Cancellation(),
    served: NO_CLIENT,
  });
  return outcome.kind === 'failure' ? outcome.error : outcome.value;
}

describe('a feature that is put into the composition', () => {
  test('has its decorator, its stage, its field and its context, its state and its resource', async () => {
    const parts = await start();
    expect(await textsOf(parts, 'open')).toEqual(['Good morning', 'open']);
    expect(await textsOf(parts, 'open')).toEqual(['Good morning', 'open']);
    expect(await textsOf(parts, 'close')).toEqual(['closed']);
    expect(await textsOf(parts, 'count')).toEqual(['1']);
    expect(await read(parts, 'greetings://count')).toMatchObject({
      contents: [{ text: '{"Good morning":2}' }],
    });
    expect(await read(parts, 'greetings://none')).toMatchObject({ code: -32602 });
    await parts.server.close();
  });

  test('has its argument, and is notified when the handler is entered', async () => {
    const parts = await start({}, HallsModule);
    const enter = async (action: string, args: object) => {
      const { content } = await parts.server.localCalls.call('halls', { action, ...args });
      return content.map((block) => (block.type === 'text' ? block.text : block));
    };
    for (const action of ['plain', 'guarded']) {
      const texts = await enter(action, { visitor: 'Ada', floor: 1 });
      expect(texts).toEqual(['Welcome, Ada, come in', '{\n  "floor": 1\n} frozen']);
    }
    expect(await enter('closed', { visitor: 'Ada', floor: 1 })).toEqual(['Welcome, Ada', 'closed']);
    expect(JSON.stringify(await enter('plain', { visitor: 7, floor: 1 }))).toContain('must be a name');
    const [definition] = parts.registry.getAllTools();
    expect(definition?.inputSchema.properties).toHaveProperty('visitor');
    await parts.server.close();
  });

  test('reads apart what stands on a method that another one overrides', async () => {
    class Base {
      @Action() @Greeting('Good morning') open() {
        return 'open';
      }
      @Action() @Greeting('Good evening') close() {
        return 'closed';
      }
    }
    @ToolGroup('doors')
    class Silent extends Base {
      @Action() override open() {
        return 'open';
      }
    }
    @Module({ controllers: [Silent] })
    class SilentModule {}
    const parts = await start({}, SilentModule);
    expect(await textsOf(parts, 'open')).toEqual(['open']);
    expect(await textsOf(parts, 'close')).toEqual(['Good evening', 'closed']);
    await parts.server.close();
  });

  test('has its option, which is checked with all others', async () => {
    const parts = await start({ limits: { greeting: 'Hello' } });
    expect(await textsOf(parts, 'close')).toEqual(['Hello', 'closed']);
    expect(await textsOf(parts, 'open')).toEqual(['Good morning', 'open']);
    expect(await textsOf(parts, 'look')).toEqual(['seen']);
    await parts.server.close();
    await expect(start({ limits: { greeting: '' } })).rejects.toThrow(/limits\.greeting/);
  });

  test('has its mistakes reported where they stand', async () => {
    @Greeting('Hi')
    @ToolGroup('wrong')
    class Wrong {
      @Action() @Greeting('') empty() {
        return '';
      }
      @Action() @Greeting('One') @Greeting('Two') twice() {
        return '';
      }
      @Prompt() @Greeting('Hello') ask() {
        return '';
      }
    }
    @Module({ controllers: [Wrong] })
    class WrongModule {}
    const failed: unknown = await start({}, WrongModule).catch((error: unknown) => error);
    const text = String(failed);
    expect(text).toContain('Wrong.empty');
    expect(text).toContain('has @Greeting twice.');
    expect(text).toContain('only callers of actions are greeted.');
  });

  test('says of its actions in the list what clients have to know', async () => {
    const parts = await start();
    const [definition] = parts.registry.getAllTools();
    const titles = definition?.actions().map(({ key, title }) => [key, title]);
    expect(titles).toContainEqual(['open', 'Good morning!']);
    expect(titles).toContainEqual(['close', undefined]);
    await parts.server.close();
  });

  test('checks the application that it is for, by its options', async () => {
    const failed: unknown = await start({ limits: { greeting: 'Welcome' } }).catch((error: unknown) => error);
    expect(String(failed)).toContain('Doors would ask all of its callers for their name.');
  });

  test('keeps its state when another application takes the place of one', async () => {
    const before = await start();
    await textsOf(before, 'open');
    const after = await start({}, DoorsModule, before);
    expect(after.service.settings.states['greetings']).toBe(before.service.settings.states['greetings']);
    const renamed = await start({ name: 'gates' }, DoorsModule, before);
    expect(renamed.service.settings.states['greetings']).toEqual(new Map());
    for (const { server } of [before, after, renamed]) await server.close();
  });

  test('has stages where an option asks for them, and is notified of what becomes of the application', async () => {
    const lines: string[] = [];
    const guestBook = (line: string): void => void lines.push(line);
    const backplane = { close: async () => guestBook('ports closed') };
    const parts = await start({ guestBook, backplane });
    await textsOf(parts, 'close');
    parts.registry.disable('doors', 'open');
    await parts.forgetting.forget({ subject: 'ann' });
    await parts.server.close();
    expect(lines).toEqual([
      'opened doors 0.0.0',
      'changed started 64',
      'called tools/call',
      'changed tools 64',
      'forgot [null,"ann",null] 0 0',
      'closed',
      'ports closed',
    ]);
    await expect(start({ guestBook: 'a text' })).rejects.toThrow(/guestBook.*a function/s);
  });

  test('is named by app.forget where it cannot take down what was removed', async () => {
    const parts = await start({ guestBook: () => undefined });
    await expect(parts.forgetting.forget({ subject: 'famous' })).rejects.toMatchObject({
      code: 'TW_FORGET_INCOMPLETE',
      what: expect.stringContaining('these stores failed: visits'),
      cause: { errors: [new Error('Everybody knows them')] },
    });
    await parts.server.close();
  });

  test.each([
    ['hook', {}, 'The door is stuck'],
    [
      'bus',
      { bus: { publish: () => undefined, subscribe: () => Promise.reject(new Error('No bus')) } },
      'No bus',
    ],
  ])('ends with an application whose %s does not let it start', async (_what, backplane, message) => {
    const lines: string[] = [];
    const guestBook = (line: string): void => void lines.push(line);
    @ToolGroup('stuck')
    class Stuck {
      @Action() wait() {
        return '';
      }
      onModuleInit(): void {
        throw new Error('The door is stuck');
      }
    }
    @Module({ controllers: [Stuck] })
    class StuckModule {}
    const secrets = ['0123456789abcdef0123456789abcdef'];
    await expect(start({ guestBook, backplane, secrets }, StuckModule)).rejects.toThrow(message);
    expect(lines).toEqual(['opened doors 0.0.0', 'closed']);
  });

  test('cannot take the place of a stage that is there', () => {
    expect(() => compose([greetings, { ...greetings, name: 'others' }])).toThrow(/audit/);
  });
});
