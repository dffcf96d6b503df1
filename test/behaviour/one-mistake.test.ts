import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  Field,
  Injectable,
  Input,
  McpApplication,
  Module,
  Prompt,
  ToolGroup,
  type ApplicationError,
  type Class,
  type DynamicModule,
} from 'toolwright';
import { z } from 'zod';

/** What `create` says of an application that cannot start, a line for each problem. */
async function told(root: Class | DynamicModule): Promise<readonly string[]> {
  const thrown: unknown = await McpApplication.create(root).then(
    (app) => app.close(),
    (error: unknown) => error,
  );
  const { problems } = thrown as ApplicationError;
  return problems.map(({ code, where, what, fix }) => `${code}: ${where} ${what} | ${fix}`);
}

function moduleOf(...controllers: readonly Class[]): DynamicModule {
  class Root {}
  return { module: Root, controllers };
}

@Injectable()
class Store {}
class Note {
  @IsString() text!: string;
}

describe('one mistake is one problem, with the fix of that mistake', () => {
  test('a DTO without validators', async () => {
    class Plain {
      text!: string;
    }
    @ToolGroup('notes')
    class NoteTools {
      @Action() add(_note: Plain): void {}
    }
    expect(await told(moduleOf(NoteTools))).toEqual([
      'TW_SCAN_INPUT_NOT_DTO: NoteTools.add() takes Plain (parameter #1), which is neither injectable in Root nor a DTO.' +
        ' | class-validator decorators on the fields of Plain, or @Module({ providers: [Plain] }) on Root',
    ]);
  });

  test('a DTO with @Field and no validator, beside another parameter as well', async () => {
    class Described {
      @Field('What it says') text!: string;
    }
    @ToolGroup('notes')
    class NoteTools {
      @Action() add(_note: Described): void {}
      @Action({ input: Described }) change(_note: Described): void {}
    }
    expect(await told(moduleOf(NoteTools))).toEqual([
      'TW_SHAPE_FIELD_WITHOUT_VALIDATOR: Described.text has @Field and no validator. | add a validator, or @Allow() for a value of any kind',
    ]);
  });

  test('a controller that is listed twice', async () => {
    @ToolGroup('notes')
    class NoteTools {
      @Action() list(): void {}
    }
    expect(await told(moduleOf(NoteTools, NoteTools))).toEqual([
      'TW_SCAN_CONTROLLER_DUPLICATE: NoteTools stands twice in the controllers of Root. | remove one of the two entries',
    ]);
  });

  test('a static action', async () => {
    @ToolGroup('notes')
    class NoteTools {
      @Action() static list(): void {}
    }
    expect(await told(moduleOf(NoteTools))).toEqual([
      'TW_SCAN_ACTION_STATIC: NoteTools.list() is static, but a method with @Action runs on an instance. | remove `static` from NoteTools.list()',
    ]);
  });

  test('a prompt class with a constructor and no decorator of its own', async () => {
    class NotePrompts {
      constructor(readonly store: Store) {}
      @Prompt() review(): string {
        return 'Review it.';
      }
    }
    @Module({ controllers: [NotePrompts], providers: [Store] })
    class Root {}
    expect(await told(Root)).toEqual([
      'TW_SCAN_DEPENDENCY_UNTYPED: NotePrompts constructor #1 cannot be injected: its class is not known.' +
        ' | @Injectable() on NotePrompts, or @Inject(Token) on parameter #1 of NotePrompts',
    ]);
  });

  test('an optional parameter without a provider', async () => {
    @ToolGroup('notes')
    class NoteTools {
      constructor(readonly store?: Store) {}
      @Action() list(): void {}
    }
    expect(await told(moduleOf(NoteTools))).toEqual([
      'TW_SCAN_DEPENDENCY_UNKNOWN: NoteTools constructor #1 needs Store, which no module provides.' +
        ' | add it to providers: @Module({ providers: [Store] }) on Root, or @Inject(Store, { optional: true }) where it may be missing',
    ]);
  });

  test('a common schema that is not a class, and a parameter that is meant to get it', async () => {
    const Shelf = z.object({ shelf: z.string() });
    @ToolGroup({ name: 'notes', common: Shelf })
    class NoteTools {
      @Action() list(_shelf: z.infer<typeof Shelf>): void {}
      @Action() add(_note: Note, _shelf: z.infer<typeof Shelf>): void {}
    }
    const fix = '@Input(TheSchema) with the `common` schema of the group';
    expect(await told(moduleOf(NoteTools))).toEqual([
      `TW_SCAN_PARAMETER_UNKNOWN: NoteTools.add() #2 receives nothing: it is neither the input nor known to be anything else. | ${fix}, or @Inject(Token) or @Ctx(), on parameter #2`,
      `TW_SCAN_INPUT_UNKNOWN: NoteTools.list() takes one parameter, but its class is not known. | ${fix}, or @Action({ input: TheClass }), or use a class, imported without \`type\``,
    ]);
  });
});

test('@Input(schema) hands over the fields that a group has in common, whatever kind of schema it is', async () => {
  const Shelf = z.object({ shelf: z.string() });
  @ToolGroup({ name: 'notes', common: Shelf })
  class NoteTools {
    @Action() list(@Input(Shelf) { shelf }: z.infer<typeof Shelf>): string {
      return shelf;
    }
    @Action() add(note: Note, @Input(Shelf) { shelf }: z.infer<typeof Shelf>): string {
      return `${note.text} on ${shelf}`;
    }
  }
  const app = await McpApplication.create(moduleOf(NoteTools));
  const listed = await app.call('notes', { action: 'list', shelf: 'a' });
  const added = await app.call('notes', { action: 'add', shelf: 'a', text: 'Moon' });
  expect([listed, added].map(({ content }) => content[0])).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'Moon on a' },
  ]);
  await app.close();
});

@ToolGroup('empty')
class EmptyTools {}
@Module({ controllers: [EmptyTools] })
class EmptyModule {}

async function start(): Promise<unknown> {
  return await McpApplication.create(EmptyModule, { name: 'shop' });
}

async function failure(): Promise<ApplicationError> {
  return start().then(
    () => Promise.reject(new Error('It started.')),
    (error: unknown) => error as ApplicationError,
  );
}

/** The innermost frame that is not Node's own. */
function firstFrame(stack: string): string | undefined {
  return stack.split('\n').find((line) => /^ {4}at /.test(line) && !line.includes('node:'));
}

describe('an error at start-up that is not caught', () => {
  test('is printed once: the message says everything, so nothing of it is listed below', async () => {
    // The form in which Node prints an uncaught error
    const printed = inspect(await failure(), { customInspect: false });
    expect(printed.split('TW_SCAN_TOOL_EMPTY')).toHaveLength(2);
    expect(printed).not.toMatch(/(problems|what|fix): [['{]|Symbol\(/);
    expect(printed).toMatch(/^ApplicationError: TW_APPLICATION_INVALID: shop has 1 problem:/);
  });

  test('points at the caller of create, who has the mistake', async () => {
    const { stack = '' } = await failure();
    expect(firstFrame(stack)).toContain('one-mistake.test.ts');
    expect(stack).not.toMatch(/assemble-application|problem-list/);
  });

  test('points there as well where the caller does not await', async () => {
    const error: unknown = await new Promise((resolve) => {
      McpApplication.create(EmptyModule).then(resolve, resolve);
    });
    const { stack = '' } = error as Error;
    expect(firstFrame(stack)).toContain('one-mistake.test.ts');
    expect(stack).toContain('TW_SCAN_TOOL_EMPTY');
  });

  test('keeps its facts for programs', async () => {
    const error = await failure();
    expect(error).toMatchObject({ code: 'TW_APPLICATION_INVALID', where: 'shop' });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'ApplicationError',
      code: 'TW_APPLICATION_INVALID',
      where: 'shop',
      fix: 'correct what is listed above',
      problems: [{ code: 'TW_SCAN_TOOL_EMPTY', where: 'EmptyTools' }],
    });
  });
});
