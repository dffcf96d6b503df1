import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { VersioningOptions } from '@nestjs/common';
import { IsString } from 'class-validator';
import { z } from 'zod';
import type { McpApplication } from 'toolwright';
import { exposeNest, NestApi, planNest, type ExposeNestOptions, type NestApiOptions } from 'toolwright/nest';
import { textOf } from '../support/text-of.ts';
import { loadNest, type Listening, type NestLibrary } from './shop.ts';

const { common: nest, core } = loadNest(11);
const ran: string[] = [];
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
beforeEach(() => {
  ran.length = 0;
});

/** Notes which handler ran, and says so. */
function note(text: string): string {
  ran.push(text);
  return text;
}

interface Opening {
  readonly platform?: 'express' | 'fastify';
  readonly configure?: (app: Configured) => void;
  readonly options?: ExposeNestOptions;
  readonly library?: NestLibrary;
}

interface Configured {
  setGlobalPrefix(prefix: string, options?: object): void;
  enableVersioning(options: VersioningOptions): void;
}

async function open(
  controllers: readonly object[],
  { platform = 'express', configure, options = {}, library = loadNest(11) }: Opening = {},
  imports: readonly object[] = [],
): Promise<{ readonly app: Listening; readonly mcp: McpApplication; readonly codes: unknown[] }> {
  class RootModule {}
  library.common.Module({ controllers: controllers as never, imports: imports as never })(RootModule);
  const made: unknown = await library.core.NestFactory.create(
    RootModule as never,
    library[platform]() as never,
    { logger: false, abortOnError: false } as object,
  );
  configure?.(made as Configured);
  const app = made as Listening;
  ends.push(() => app.close());
  const codes: unknown[] = [];
  const mcp = await exposeNest(app, { logger: ({ code }) => void codes.push(code), ...options });
  return { app, mcp, codes };
}

function actionsIn(mcp: McpApplication): readonly string[] {
  return mcp.definitions.flatMap((tool) => tool.actions().map(({ key }) => `${tool.name}.${key}`)).sort();
}

async function call(mcp: McpApplication, name: string, args: object = {}): Promise<string> {
  const [tool = '', action = ''] = name.split('.');
  return textOf(await mcp.call(tool, { action, ...args }));
}

describe.each(['express', 'fastify'] as const)('on %s', (platform) => {
  test('prefix, its exclusions and RouterModule give the path that REST has', async () => {
    @nest.Controller('users')
    class UsersController {
      @nest.Get(':id') read(@nest.Param('id') id: string): string {
        return note(`user ${id}`);
      }
    }
    class UsersModule {}
    nest.Module({ controllers: [UsersController] })(UsersModule);
    @nest.Controller('info')
    class InfoController {
      @nest.Get('about') about(): string {
        return note('about');
      }
    }
    const routed = core.RouterModule.register([{ path: 'admin', module: UsersModule }]);
    const { app, mcp } = await open(
      [InfoController],
      { platform, configure: (made) => made.setGlobalPrefix('api', { exclude: ['info/about'] }) },
      [UsersModule, routed],
    );
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    expect(await (await fetch(`${url}/api/admin/users/7`)).text()).toBe('user 7');
    expect(await (await fetch(`${url}/info/about`)).text()).toBe('about');
    ran.length = 0;
    expect(await call(mcp, 'users.read', { id: '7' })).toBe('user 7');
    expect(await call(mcp, 'info.about')).toBe('about');
    expect(ran).toEqual(['user 7', 'about']);
  });

  test.each<[string, VersioningOptions]>([
    ['path', { type: nest.VersioningType.URI }],
    ['header', { type: nest.VersioningType.HEADER, header: 'X-Version' }],
    ['media type', { type: nest.VersioningType.MEDIA_TYPE, key: 'v=' }],
  ])(
    'versions by the %s reach the handler of their own, and the default version the rest',
    async (_by, options) => {
      @nest.Controller({ path: 'books', version: '1' })
      class FirstController {
        @nest.Get() list(): string {
          return note('list 1');
        }
      }
      @nest.Controller({ path: 'books', version: '2' })
      class SecondController {
        @nest.Get() list(): string {
          return note('list 2');
        }
        @nest.Get('all') @nest.Version('3') all(): string {
          return note('all 3');
        }
      }
      @nest.Controller('shelves')
      class ShelvesController {
        @nest.Get() list(): string {
          return note('shelves');
        }
      }
      nest.Controller({ path: 'free', version: nest.VERSION_NEUTRAL })(ShelvesController);
      class PlainController {
        list(): string {
          return note('plain');
        }
      }
      nest.Get()(
        PlainController.prototype,
        'list',
        Object.getOwnPropertyDescriptor(PlainController.prototype, 'list') as never,
      );
      nest.Controller('plain')(PlainController);
      const { mcp, codes } = await open(
        [FirstController, SecondController, ShelvesController, PlainController],
        {
          platform,
          configure: (made) => made.enableVersioning({ ...options, defaultVersion: '4' }),
          options: {
            group: 'path',
            actions: { 'FirstController.*': { name: 'list_1' }, 'SecondController.list': { name: 'list_2' } },
          },
        },
      );
      expect(codes).not.toContain('TW_NEST_ROUTE_UNKNOWN');
      expect(await call(mcp, 'books.list_1')).toBe('list 1');
      expect(await call(mcp, 'books.list_2')).toBe('list 2');
      expect(await call(mcp, 'books.all')).toBe('all 3');
      expect(await call(mcp, 'free.list')).toBe('shelves');
      expect(await call(mcp, 'plain.list')).toBe('plain');
    },
  );

  test('an inherited route is there once, an overridden one is its own, and of several paths the first counts', async () => {
    class BaseController {
      list(): string {
        return note(`list of ${this.constructor.name}`);
      }
      read(_id: string): string {
        return note('base');
      }
      drop(): string {
        return note('base');
      }
    }
    const decorate = (member: 'list' | 'read' | 'drop', path: string): void => {
      const descriptor = Object.getOwnPropertyDescriptor(
        BaseController.prototype,
        member,
      ) as PropertyDescriptor;
      nest.Get(path)(BaseController.prototype, member, descriptor as never);
    };
    decorate('list', '');
    decorate('read', 'one/:id');
    decorate('drop', 'drop');
    nest.Param('id')(BaseController.prototype, 'read', 0);
    @nest.Controller('cats')
    class CatsController extends BaseController {
      @nest.Get('own/:id') override read(@nest.Param('id') id: string): string {
        return note(`cat ${id}`);
      }
      override drop(): string {
        return note('no route');
      }
      @nest.Get(['a', 'b']) both(): string {
        return note('both');
      }
    }
    const { mcp } = await open([CatsController], { platform });
    expect(actionsIn(mcp)).toEqual(['cats.both', 'cats.list', 'cats.read']);
    expect(await call(mcp, 'cats.list')).toBe('list of CatsController');
    expect(await call(mcp, 'cats.read', { id: '7' })).toBe('cat 7');
    expect(await call(mcp, 'cats.both')).toBe('both');
  });

  test('a controller that is bound to a host gets it', async () => {
    @nest.Controller({ host: 'admin.shop.example', path: 'keys' })
    class KeysController {
      @nest.Get() list(): string {
        return note('admin');
      }
    }
    const { mcp } = await open([KeysController], { platform });
    expect(await call(mcp, 'keys.list')).toBe('admin');
  });

  test('one that is bound to any host of a kind is left out, with what helps', async () => {
    @nest.Controller({ host: ':tenant.shop.example', path: 'keys' })
    class TenantController {
      @nest.Get() list(@nest.HostParam('tenant') tenant: string): string {
        return note(tenant);
      }
    }
    @nest.Controller('plain')
    class PlainController {
      @nest.Get() list(): string {
        return note('plain');
      }
    }
    const { app, mcp } = await open([TenantController, PlainController], { platform });
    expect(actionsIn(mcp)).toEqual(['plain.list']);
    const { operations } = await planNest(app, { logger: () => undefined });
    expect(operations.find(({ group }) => group === 'tenant')?.leftOut?.reason).toBe('host');
  });

  test('two values of one segment arrive apart', async () => {
    @nest.Controller('days')
    class DaysController {
      @nest.Get(':year-:month') read(
        @nest.Param('year') year: string,
        @nest.Param('month') month: string,
      ): string {
        return note(`${year} and ${month}`);
      }
    }
    const { mcp, codes } = await open([DaysController], { platform });
    expect(codes).toEqual([]);
    expect(await call(mcp, 'days.read', { year: '2026', month: '11' })).toBe('2026 and 11');
  });
});

test('of one path on Express, each host reaches its own controller, and the rest the one without a host', async () => {
  const Bound = ['first', 'second', undefined].map((name) => {
    class KeysController {
      list(): string {
        return note(name ?? 'any');
      }
    }
    const member = Object.getOwnPropertyDescriptor(KeysController.prototype, 'list') as PropertyDescriptor;
    nest.Get()(KeysController.prototype, 'list', member as never);
    const host = name === undefined ? {} : { host: `${name}.shop.example` };
    nest.Controller({ ...host, path: 'keys' })(KeysController);
    return KeysController;
  });
  const keys = ['GET /keys (first.shop.example)', 'GET /keys (second.shop.example)', 'GET /keys'];
  const actions = Object.fromEntries(keys.map((key, index) => [key, { name: `list_${String(index)}` }]));
  const { mcp } = await open(Bound, { options: { actions } });
  for (let index = 0; index < keys.length; index += 1) await call(mcp, `keys.list_${String(index)}`);
  expect(ran).toEqual(['first', 'second', 'any']);
});

test('a value with a regular expression, on Fastify', async () => {
  @nest.Controller('files')
  class FilesController {
    @nest.Get(':id(^\\d+$)') read(@nest.Param('id') id: string): string {
      return note(`file ${id}`);
    }
    @nest.Get('by/:name(^[a-z]{1,3}(?:-x)?$)/end') named(@nest.Param('name') name: string): string {
      return note(`named ${name}`);
    }
  }
  const { mcp, codes } = await open([FilesController], { platform: 'fastify' });
  expect(codes).toEqual([]);
  expect(await call(mcp, 'files.read', { id: '7' })).toBe('file 7');
  expect(await call(mcp, 'files.read', { id: 'seven' })).toContain('Code: NOT_FOUND');
  expect(await call(mcp, 'files.named', { name: 'ab-x' })).toBe('named ab-x');
});

test('a schema of @Body, in NestJS 12, is the one that is listed and checked', async () => {
  const library = loadNest(12);
  const { common } = library;
  const schema = z.object({
    title: z.string().min(3, 'is too short to find again'),
    done: z.boolean().default(false),
  });
  @common.Controller('notes')
  class NotesController {
    create(body: unknown): unknown {
      ran.push('created');
      return { body };
    }
  }
  const member = Object.getOwnPropertyDescriptor(NotesController.prototype, 'create') as PropertyDescriptor;
  common.Post()(NotesController.prototype, 'create', member as never);
  (common.Body as (options: object) => ParameterDecorator)({ schema })(
    NotesController.prototype,
    'create',
    0,
  );
  const { mcp } = await open([NotesController], { library });
  expect(JSON.stringify(mcp.definitions[0]?.inputSchema)).toContain('"minLength":3');
  const refused = await call(mcp, 'notes.create', { title: 'a' });
  expect(refused).toContain('is too short to find again');
  expect(ran).toEqual([]);
  expect(JSON.parse(await call(mcp, 'notes.create', { title: 'abc' }))).toMatchObject({
    body: { title: 'abc' },
  });
});

test('the endpoint stands before the body parser and the prefix, and guards decide on calls alone', async () => {
  @nest.Controller('texts')
  class TextsController {
    @nest.Post() keep(@nest.Body('text') text: string): string {
      return note(text);
    }
  }
  const { app } = await open([TextsController], {
    configure: (made) => {
      made.setGlobalPrefix('api');
      (made as unknown as { useGlobalGuards(guard: object): void }).useGlobalGuards({
        canActivate: () => false,
      });
    },
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const called = async (text: string): Promise<string> => {
    const params = { name: 'texts', arguments: { action: 'keep', text } };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text();
  };
  expect(await called('short')).toContain('Code: FORBIDDEN');
  // REST takes 100 kB, and says so of the call
  expect(await called('x'.repeat(1_000_000))).toContain('413');
  expect(ran).toEqual([]);
});

test('a handler that writes to the response itself is read as REST is', async () => {
  interface Reply {
    status(code: number): { json(value: unknown): void };
    setHeader(name: string, value: string): void;
  }
  @nest.Controller('own')
  class OwnController {
    @nest.Get('whole') whole(@nest.Res() response: Reply): void {
      response.status(201).json({ whole: true });
    }
    @nest.Get('part') part(@nest.Res({ passthrough: true }) response: Reply): unknown {
      response.setHeader('x-part', 'yes');
      return { part: true };
    }
  }
  const { mcp } = await open([OwnController]);
  expect(JSON.parse(await call(mcp, 'own.whole'))).toEqual({ whole: true });
  expect(JSON.parse(await call(mcp, 'own.part'))).toEqual({ part: true });
});

test('pipes say what the schema of a value is', async () => {
  enum Size {
    Small = 'S',
    Large = 'L',
  }
  @nest.Controller('pipes')
  class PipesController {
    @nest.Get(':id/:key') read(
      @nest.Param('id', nest.ParseIntPipe) id: number,
      @nest.Param('key', nest.ParseUUIDPipe) key: string,
      @nest.Query('size', new nest.ParseEnumPipe(Size)) size: Size,
      @nest.Query('ids', new nest.ParseArrayPipe({ items: Number })) ids: number[],
      @nest.Query('page', new nest.DefaultValuePipe(3), nest.ParseIntPipe) page: number,
    ): unknown {
      return { id, key, size, ids, page };
    }
  }
  const { mcp } = await open([PipesController]);
  const { properties, required } = mcp.definitions[0]?.inputSchema ?? {};
  expect(properties).toMatchObject({
    id: { type: 'integer' },
    key: { type: 'string', format: 'uuid' },
    size: { enum: ['S', 'L'] },
    ids: { type: 'array', items: { type: 'number' } },
    page: { type: 'integer', default: 3 },
  });
  expect(required).not.toContain('page');
  const args = { id: 7, key: '9b2f1c7e-3c1a-4d5b-8f6a-1b2c3d4e5f60', size: 'L', ids: [1, 2] };
  expect(JSON.parse(await call(mcp, 'pipes.read', args))).toEqual({ ...args, page: 3 });
});

test('a route that the router does not know is left out as pages and uploads are, and the rest serves', async () => {
  @nest.Controller('late')
  class LateController {
    @nest.Get() list(): string {
      return note('list');
    }
    @nest.Get('page') @nest.Render('page') page(): object {
      return {};
    }
    @nest.Post('file') file(@nest.UploadedFile() _file: unknown): string {
      return note('file');
    }
    missed(): string {
      return note('missed');
    }
  }
  const { app, mcp } = await open([LateController]);
  const member = Object.getOwnPropertyDescriptor(LateController.prototype, 'missed') as PropertyDescriptor;
  nest.Get('missed')(LateController.prototype, 'missed', member as never);
  const codes: unknown[] = [];
  const options: NestApiOptions = { logger: ({ code }) => void codes.push(code) };
  const { operations } = await planNest(app, options);
  expect(Object.fromEntries(operations.map(({ name, leftOut }) => [name, leftOut?.reason]))).toEqual({
    list: undefined,
    page: 'html',
    file: 'upload',
    missed: 'unknown-route',
  });
  NestApi.forRoot(app, options);
  expect(codes).toContain('TW_NEST_ROUTE_UNKNOWN');
  expect(await call(mcp, 'late.list')).toBe('list');
  const { total } = await planNest(app, { ...options, include: ['late.page'] });
  expect(total.actions).toBe(1);
});

test('what a class cannot say is said', async () => {
  class Open {
    @IsString() text!: string;
  }
  @nest.Controller('open')
  class OpenController {
    @nest.Post() create(@nest.Body() body: Open): unknown {
      return body;
    }
  }
  const { codes } = await open([OpenController]);
  expect(codes).toEqual(['TW_NEST_NO_VALIDATION']);
});
