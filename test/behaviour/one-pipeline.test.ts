import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import {
  Action,
  createTool,
  Destructive,
  Field,
  Idempotent,
  McpApplication,
  Middleware,
  Module,
  OpenWorld,
  ReadOnly,
  success,
  ToolError,
  ToolGroup,
  ToolRegistry,
  type GroupedToolBuilder,
  type MiddlewareFunction,
} from 'toolwright';

class Branch {
  @IsString() @Field('Branch code') branch!: string;
}
class Copy {
  @IsString() @MinLength(3) isbn!: string;
  @IsIn(['new', 'used']) @IsOptional() state?: string;
}
class Shelf {
  @IsInt() @Min(1) @Max(9) floor = 1;
}
class Move {
  @IsString() isbn!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Shelf) to!: Shelf[];
}
class Count {
  @IsInt() copies!: number;
}

const shout: MiddlewareFunction<unknown> = async (_call, next) => String(await next()).toUpperCase();

// What both forms run, so that only the way of describing them differs
const add = (copy: Copy): object => [copy.constructor.name, Object.entries(copy)];
const move = ({ to }: Move): object => to.map((shelf) => [shelf.constructor.name, shelf.floor]);
const drop = ({ isbn }: Copy): never => {
  throw new ToolError('LENT', `${isbn} is lent`, { suggestion: 'wait', retryAfter: 60 });
};
const audit = (): never => {
  throw new Error('the auditor left');
};

@ToolGroup({ name: 'books', description: 'Manage books', common: Branch, tags: ['core'] })
class BooksController {
  @Action('Add a copy') @Idempotent() add(input: Copy): object {
    return add(input);
  }
  @Action({ description: 'Move a copy', title: 'Move', unknownFields: 'strip' }) move(input: Move): object {
    return move(input);
  }
  @Action('Drop a copy') @Destructive() @OpenWorld() @Middleware(shout) drop(input: Copy): string {
    return drop(input);
  }
  @Action({ description: 'Greet', tags: ['extra'] }) @ReadOnly() @Middleware(shout) greet(): string {
    return 'hello';
  }
  @Action({ result: 'toon' }) audit(): string {
    return audit();
  }
}

const books = (): GroupedToolBuilder =>
  createTool('books')
    .description('Manage books')
    .commonSchema(Branch)
    .tags('core')
    .action({ name: 'add', description: 'Add a copy', schema: Copy, idempotent: true, handler: add })
    .action({
      name: 'move',
      description: 'Move a copy',
      title: 'Move',
      unknownFields: 'strip',
      schema: Move,
      handler: move,
    })
    .action({
      name: 'drop',
      description: 'Drop a copy',
      schema: Copy,
      destructive: true,
      openWorld: true,
      middleware: [shout],
      handler: drop,
    })
    .action({
      name: 'greet',
      description: 'Greet',
      tags: ['extra'],
      readOnly: true,
      middleware: [shout],
      handler: () => 'hello',
    })
    .action({ name: 'audit', result: 'toon', handler: audit });

@ToolGroup({ name: 'office', discriminator: 'operation', describe: 'toon', unknownFields: 'strip' })
class OfficeTools {}

@ToolGroup({ name: 'rooms', description: 'Meeting rooms', parent: OfficeTools, unknownFields: 'strict' })
@Middleware(shout)
class RoomTools {
  @Action('Book a room') book(input: Shelf): string {
    return `floor ${String(input.floor)}`;
  }
}

@ToolGroup({ name: 'desks', parent: OfficeTools })
class DeskTools {
  @Action({ description: 'Count desks', output: Count }) @ReadOnly() count(): Count {
    return Object.assign(new Count(), { copies: 3 });
  }
  @Action('Free a desk') free(input: Copy): unknown {
    return success(input.isbn);
  }
}

const office = (): GroupedToolBuilder =>
  createTool('office', { unknownFields: 'strip' })
    .discriminator('operation')
    .toonDescription()
    .group('rooms', 'Meeting rooms', (rooms) =>
      rooms
        .unknownFields('strict')
        .use(shout)
        .action({
          name: 'book',
          description: 'Book a room',
          schema: Shelf,
          handler: ({ floor }) => `floor ${String(floor)}`,
        }),
    )
    .group('desks', (desks) =>
      desks
        .action({
          name: 'count',
          description: 'Count desks',
          output: Count,
          readOnly: true,
          handler: () => ({ copies: 3 }),
        })
        .action({
          name: 'free',
          description: 'Free a desk',
          schema: Copy,
          handler: ({ isbn }) => success(isbn),
        }),
    );

@Module({ controllers: [BooksController, OfficeTools, RoomTools, DeskTools] })
class LibraryModule {}

const calls: readonly [string, unknown][] = [
  ['books', { action: 'add', branch: 'n', isbn: '123' }],
  ['books', { action: 'add', branch: 'n', isbn: '123', state: 'lost' }],
  ['books', { action: 'add', isbn: '1', brnach: 'n' }],
  ['books', { action: 'move', branch: 'n', isbn: '1', to: [{}, { floor: 2, x: 1 }], extra: true }],
  ['books', { action: 'move', branch: 'n', isbn: '1', to: [{ floor: 0 }, 7] }],
  ['books', { action: 'drop', branch: 'n', isbn: '123' }],
  ['books', { action: 'greet', branch: 'n' }],
  ['books', { action: 'greet', branch: 'n', isbn: '1' }],
  ['books', { action: 'audit', branch: 'n' }],
  ['books', { action: 'ad' }],
  ['books', { action: ['add'] }],
  ['books', {}],
  ['books', 'add'],
  ['book', {}],
  ['office', { operation: 'rooms.book' }],
  ['office', { operation: 'rooms.book', floor: '2', florr: 3 }],
  ['office', { operation: 'desks.count', unknown: 'stripped' }],
  ['office', { operation: 'desks.free', isbn: 'abc', unknown: 'stripped' }],
  ['office', { operation: 'desks.book' }],
  ['office', { action: 'rooms.book' }],
];

describe.each(['grouped', 'flat'] as const)(
  'a controller and a builder of the same actions, %s',
  (expose) => {
    let app: McpApplication;
    let registry: ToolRegistry;
    beforeAll(async () => {
      app = await McpApplication.create(LibraryModule, { expose, logger: () => undefined });
      registry = new ToolRegistry({ expose }).registerAll(books(), office());
    });
    afterAll(() => app.close());

    test('give the same definitions, to the byte', () => {
      expect(app.definitions).toEqual(registry.getAllTools());
      expect(JSON.stringify(app.definitions)).toBe(JSON.stringify(registry.getAllTools()));
    });

    test.each([{ tags: ['extra'] }, { exclude: ['core'] }, { anyTag: ['core', 'extra'] }])(
      'show the same through the filter %j',
      (filter) => {
        expect(app.registry.getTools(filter)).toEqual(registry.getTools(filter));
      },
    );

    test.each(calls)('answer a call of %s with %j alike', async (tool, args) => {
      const [name, rest] = expose === 'flat' ? flatten(tool, args) : [tool, args];
      expect(await app.call(name, rest)).toEqual(await registry.routeCall(name, rest));
    });
  },
);

/** The same call for a tool that is one action. */
function flatten(tool: string, args: unknown): readonly [string, unknown] {
  if (typeof args !== 'object') return [tool, args];
  const { action, operation, ...rest } = args as Record<string, unknown>;
  return [`${tool}_${String(action ?? operation).replaceAll('.', '_')}`, rest];
}
