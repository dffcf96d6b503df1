import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  Action,
  type CallToolResult,
  Complete,
  createTool,
  Inject,
  Injectable,
  Module,
  Prompt,
  Resource,
  structured,
  success,
  ToolGroup,
  toonSuccess,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { textOf } from '../support/text-of.ts';

const failing = async (): Promise<never> => {
  await Promise.resolve();
  throw new Error('late');
};

class Owner {
  @IsString() name = 'ada';
}

@Injectable()
class Vault {
  readonly key = 'top secret';
}

class Pool {
  readonly password = 'top secret';
}

class Entity {
  readonly id = 1;
  constructor(readonly vault: Vault) {}
}

class Report {
  @IsOptional() @IsObject() meta?: object;
  @IsOptional() @ValidateNested() @Type(() => Owner) owner?: Owner;
}

@ToolGroup({ name: 'rows', expose: 'flat' })
class RowsController {
  readonly #secret = 'hidden';
  readonly title = 'rows';

  constructor(
    private readonly vault: Vault,
    @Inject('POOL') private readonly pool: Pool,
    @Inject('SETTINGS') private readonly settings: { readonly limit: number },
  ) {}

  @Action('The forgotten await') list(): unknown {
    return { rows: [{ owner: 'ada' }, { owner: failing() }, failing()] };
  }

  @Action('Bytes') file(): unknown {
    return Buffer.from('hi');
  }

  @Action('Itself') itself(): unknown {
    return this.#secret.length === 0 ? undefined : this;
  }

  @Action('A part of the application') part(): unknown {
    return [{ by: this.vault }];
  }

  @Action('What a factory made') connection(): unknown {
    return { pool: this.pool };
  }

  @Action('Data that holds a part of the application') entity(): unknown {
    return new Entity(this.vault);
  }

  @Action('Data of a factory') limits(): unknown {
    return this.settings;
  }

  @Action({ description: 'A declared output', output: Report }) report(): Report {
    return Object.assign(new Report(), { meta: { done: failing() } });
  }

  @Action({ description: 'A declared output of nothing', output: Report }) empty(): Report {
    return new Report();
  }

  @Action({ description: 'TOON', result: 'toon' }) table(): unknown {
    return [{ mean: Number.NaN }];
  }

  @Action('A helper') helper(): unknown {
    return success({ total: 1n });
  }

  @Action('The TOON helper') toonHelper(): unknown {
    return toonSuccess([{ at: new Date('never') }]);
  }

  @Action('Structured content') structured(): unknown {
    return structured({ rows: failing() });
  }

  @Action('A result by hand') byHand(): unknown {
    return { content: [{ type: 'text', text: 'a' }], structuredContent: { a: failing() } };
  }
}

/** What the method gives that lists resources and prompts. */
const listed: { give: () => unknown } = { give: () => [] };

function cyclic(): object {
  const entry: Record<string, unknown> = { uri: 'pages://a', name: 'review_a' };
  return Object.assign(entry, { self: entry });
}

@Injectable()
class Pages {
  @Prompt('A list of promises') asked(): unknown {
    return ['first', failing()];
  }

  @Prompt('A message by hand') byHand(): unknown {
    return [{ role: 'user', content: { type: 'text', text: 'a', _meta: { by: failing() } } }];
  }

  @Resource('pages://rows') rows(): unknown {
    return { rows: [failing()] };
  }

  @Resource('pages://response') response(): unknown {
    return new Response('a');
  }

  @Resource('pages://by-hand') byHandToo(): unknown {
    return { text: 'a', _meta: { size: Number.POSITIVE_INFINITY } };
  }

  @Resource('pages://{slug}', { list: 'all' }) page(): string {
    return 'a';
  }

  @Prompt({ name: 'review_{page}', list: 'all' }) review(): string {
    return 'a';
  }

  all(): unknown {
    return listed.give();
  }

  @Complete('page', 'slug') slugs(): unknown {
    return ['first', failing()];
  }
}

@Module({
  controllers: [RowsController, Pages],
  providers: [
    Vault,
    { provide: 'POOL', useFactory: () => Promise.resolve(new Pool()) },
    { provide: 'SETTINGS', useFactory: () => ({ limit: 3 }) },
  ],
})
class RowsModule {}

describe('a result that is not data', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => {
    unhandled.push(reason);
  };
  let tests: TestApplication;

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    tests = await createTestApplication(RowsModule, { logger: new MemoryLogger() });
  });

  afterAll(async () => {
    await tests.close();
    process.off('unhandledRejection', note);
  });

  test.each([
    ['list', 'rows[1].owner is a Promise'],
    ['file', 'The value is bytes (Buffer)'],
    ['itself', 'The value is a controller or provider (RowsController)'],
    ['part', '[0].by is a controller or provider (Vault)'],
    ['connection', 'pool is a controller or provider (Pool)'],
    ['entity', 'vault is a controller or provider (Vault)'],
    ['report', 'meta.done is a Promise'],
    ['table', '[0].mean is NaN'],
    ['helper', 'total is a BigInt'],
    ['toonHelper', '[0].at is an invalid Date'],
    ['structured', 'rows is a Promise'],
    ['byHand', 'structuredContent.a is a Promise'],
  ])('of the tool %s is refused with its path and a fix', async (action, message) => {
    const client = await tests.client();
    const name = `rows_${action}`;
    const results = [
      (await client.callTool({ name, arguments: {} })) as CallToolResult,
      await tests.app.call(name, {}),
    ];
    for (const { isError, content } of results) {
      expect(isError).toBe(true);
      expect(textOf({ content })).toContain(`[rows/${action}] TW_RESULT_NOT_DATA: ${message}`);
      expect(textOf({ content })).toMatch(/\n {2}fix: \w/u);
      expect(textOf({ content })).not.toContain('top secret');
    }
  });

  test('is not what a factory gave as plain data', async () => {
    expect(textOf(await tests.app.call('rows_limits', {}))).toContain('"limit": 3');
  });

  test('of a builder is refused, too', async () => {
    const tool = createTool('t').action({ name: 'a', handler: () => [failing()] });
    expect(textOf(await tool.execute({ action: 'a' }))).toContain('[0] is a Promise');
  });

  test('is not meant by a declared output whose fields are all left out', async () => {
    const result = await tests.app.call('rows_empty', {});
    expect(result).toMatchObject({ structuredContent: {} });
  });

  test('of a method that lists resources or prompts is refused', async () => {
    const client = await tests.client();
    const told = async (run: () => Promise<unknown>): Promise<string> => {
      try {
        return JSON.stringify(await run());
      } catch (error) {
        return String(error);
      }
    };
    for (const [found, message] of [
      [() => [{ uri: 'pages://a', name: 'a' }, failing()], '[1] is a Promise'],
      [() => [{ uri: 'pages://a', name: 'review_a', size: 1n }], '[0].size is a BigInt'],
      [() => [{ uri: 'pages://a', name: 'review_a', open: () => 1 }], '[0].open is a function'],
      [() => [cyclic()], '[0].self is [0] once more, a cycle'],
    ] as const) {
      listed.give = found;
      expect(await told(() => client.listResources())).toContain(message);
      expect(await told(() => client.listPrompts())).toContain(message);
    }
    listed.give = () => [];
  });

  test('of a prompt, a resource or a completion is refused', async () => {
    const client = await tests.client();
    const refusals = [
      client.getPrompt({ name: 'asked' }),
      client.getPrompt({ name: 'byHand' }),
      client.readResource({ uri: 'pages://rows' }),
      client.readResource({ uri: 'pages://response' }),
      client.readResource({ uri: 'pages://by-hand' }),
      client.complete({
        ref: { type: 'ref/resource', uri: 'pages://{slug}' },
        argument: { name: 'slug', value: '' },
      }),
    ];
    const texts = (await Promise.allSettled(refusals)).map((outcome) =>
      outcome.status === 'rejected' ? String(outcome.reason) : 'accepted',
    );
    expect(texts).toEqual([
      expect.stringContaining('[1] is a Promise'),
      expect.stringContaining('messages[0].content._meta.by is a Promise'),
      expect.stringContaining('rows[0] is a Promise'),
      expect.stringContaining('The value is a Response'),
      expect.stringContaining('contents[0]._meta.size is Infinity'),
      expect.stringContaining('[1] is a Promise'),
    ]);
  });

  test('leaves no rejection behind that would end the process', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  });
});
