import { expect, test } from '@jest/globals';
import { Expose, Transform } from 'class-transformer';
import { Allow, IsArray, IsOptional, IsString } from 'class-validator';
import {
  Action,
  createTool,
  Field,
  McpApplication,
  Module,
  OpenWorld,
  Page,
  ReadOnly,
  ToolGroup,
  type ApplicationOptions,
  type Class,
  type LogRecord,
} from 'toolwright';

class Query {
  @IsOptional() @IsString() $filter?: string;
  @Expose({ name: 'page.size' }) @IsOptional() @IsString() size?: string;
  @Allow() anything: unknown;
  @Allow() @Field({ type: 'string' }) said: unknown;
  @Transform(({ value }) => (value as unknown[]).length) @Allow() odd: unknown;
}

@ToolGroup({ name: 'odata', expose: 'flat' })
class ODataTools {
  @Action() list(query: Query): string[] {
    return Object.keys(query);
  }
  @Action() anActionWhoseNameIsSoLongThatManyClientsWillNotTakeItAsATool(): void {}
}

@ToolGroup()
class E {
  @Action() go(): void {}
}

@Module({ controllers: [ODataTools, E] })
@OpenWorld(false)
class DataModule {}

test('says what known clients refuse, each with its place, at the start and as advice', async () => {
  const records: LogRecord[] = [];
  const app = await McpApplication.create(DataModule, { logger: (record) => void records.push(record) });
  const advice = app.advice();
  await app.close();
  expect(advice.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
    'TW_ADVICE_PROPERTY_NAME tool "odata_list" "/properties/$filter" has other characters than letters from A to Z, digits, "_", "-" and ".".',
    'TW_ADVICE_UNTYPED tool "odata_list" "/properties/anything" is published without a type; "/properties/odd" is published without a type.',
    expect.stringMatching(
      /^TW_ADVICE_TOOL_NAME tool "odata_anAction.* is a name of \d\d characters, and 64 are taken\.$/,
    ),
    'TW_ADVICE_MINIFIED E is listed as the tool "e", after a class whose name looks like one of a minifier.',
    expect.stringMatching(/^TW_NOTE_LOOSE odata\/list is stricter than its schema: odd: /),
  ]);
  expect(advice.every(({ fix }) => fix !== '')).toBe(true);
  const told = records.filter(({ event }) => event === 'schema.client');
  expect(told.map(({ level, code }) => [level, code])).toEqual([
    ['notice', 'TW_ADVICE_PROPERTY_NAME'],
    ['notice', 'TW_ADVICE_UNTYPED'],
    ['notice', 'TW_ADVICE_TOOL_NAME'],
  ]);
});

async function advised(root: Class, options: ApplicationOptions = {}): Promise<readonly string[]> {
  const app = await McpApplication.create(root, { name: 'desk', ...options });
  const advice = app.advice();
  await app.close();
  return advice.map(({ code, where, what }) => `${code} ${where} ${what}`);
}

class Found {
  @IsString() title!: string;
}

@ToolGroup('books')
class BookTools {
  @Action({ output: Found }) find(): object {
    return { title: 't' };
  }
  @Action() add(): void {}
}

class Shelf {
  @IsArray() @IsString({ each: true }) @Page({ cursor: (title: string) => title }) titles!: string[];
  @IsOptional() @IsString() nextCursor?: string;
}
class AfterTitle {
  @IsOptional() @IsString() after?: string;
}

@ToolGroup('shelves')
class ShelfTools {
  @Action({ output: Shelf }) @ReadOnly() look(_after: AfterTitle): object {
    return { titles: [] };
  }

  @Action('Lists them') @ReadOnly() list(): void {}
}

@ToolGroup('web')
@OpenWorld()
class WebTools {
  @Action('Reads a page') read(): void {}
  @Action('Forgets it') @OpenWorld(false) forget(): void {}
}

@Module({ controllers: [BookTools, ShelfTools, WebTools] })
class DeskModule {}

test('asks once whether tools reach an open world, and names those of which nothing says it', async () => {
  const unsaid = (await advised(DeskModule)).filter((line) => line.startsWith('TW_ADVICE_OPEN_WORLD'));
  expect(unsaid).toEqual([
    'TW_ADVICE_OPEN_WORLD desk does not say whether its tools reach an open world: books, shelves.',
  ]);
  for (const openWorld of [true, false])
    expect((await advised(DeskModule, { openWorld })).join()).not.toContain('TW_ADVICE_OPEN_WORLD');
});

test('names an output that its tool does not publish, unless it is declared to be cut into pages', async () => {
  expect(await advised(DeskModule, { openWorld: false })).toEqual([
    'TW_ADVICE_OUTPUT tool "books" checks the output of find, but does not publish it: add declares none.',
  ]);
  expect(await advised(DeskModule, { openWorld: false, expose: 'flat' })).toEqual([]);
});

test('measures instructions and the list of tools, those of builders included', async () => {
  const instructions = 'x'.repeat(2048);
  const options = { openWorld: false, expose: 'flat' } as const;
  expect(await advised(DeskModule, { ...options, instructions })).toEqual([]);
  expect(await advised(DeskModule, { ...options, instructions: `${instructions}x` })).toEqual([
    'TW_ADVICE_INSTRUCTIONS desk has instructions of 2049 characters, and 2048 are read.',
  ]);
  const app = await McpApplication.create(DeskModule, { name: 'desk', ...options });
  const register = (name: string): void => {
    app.registry.register(createTool(name).action({ name: 'go', openWorld: false, handler: () => '' }));
  };
  for (let count = app.definitions.length; count < 100; count += 1) register(`tool${String(count)}`);
  expect(app.definitions).toHaveLength(100);
  expect(app.advice()).toEqual([]);
  register('last');
  expect(app.advice()).toMatchObject([
    { code: 'TW_ADVICE_TOOL_COUNT', where: 'desk', what: 'lists 101 tools, and 100 are taken.' },
  ]);
  await app.close();
});
