import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Action,
  createTool,
  Injectable,
  McpApplication,
  Module,
  Prompt,
  Resource,
  ToolGroup,
  type ListedResource,
} from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';

@ToolGroup({ name: 'many', expose: 'flat' })
class ManyTools {
  @Action() a(): void {}
  @Action() b(): void {}
  @Action() c(): void {}
  @Action() d(): void {}
  @Action() e(): void {}
}

@Injectable()
class ManyOffers {
  readonly pages = ['one', 'two', 'three'];

  @Prompt() p(): string { return ''; } // oxfmt-ignore
  @Prompt() q(): string { return ''; } // oxfmt-ignore
  @Prompt() r(): string { return ''; } // oxfmt-ignore
  @Resource('fixed://a') fixedA(): string { return ''; } // oxfmt-ignore
  @Resource('fixed://b') fixedB(): string { return ''; } // oxfmt-ignore
  @Resource('pages://{name}', { list: 'list' }) page(): string { return ''; } // oxfmt-ignore
  @Resource('x://{x}') x(): string { return ''; } // oxfmt-ignore
  @Resource('y://{y}') y(): string { return ''; } // oxfmt-ignore

  list(): readonly ListedResource[] {
    return this.pages.map((name) => ({ uri: `pages://${name}`, name }));
  }
}

@Module({ controllers: [ManyTools, ManyOffers] })
class ManyModule {}

type List = 'tools' | 'prompts' | 'resources' | 'templates';

const METHODS: Readonly<Record<List, string>> = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  templates: 'resources/templates/list',
};

type Entries = readonly { readonly name: string }[];

interface Page {
  readonly tools?: Entries;
  readonly prompts?: Entries;
  readonly resources?: Entries;
  readonly resourceTemplates?: Entries;
  readonly nextCursor?: string;
}

async function page(client: FeatureClient, list: List, cursor?: string) {
  // The methods of SDK v2's client would fetch all the pages at once.
  const result = (await client.send(METHODS[list], cursor === undefined ? {} : { cursor })) as Page;
  const entries = result.tools ?? result.prompts ?? result.resources ?? result.resourceTemplates;
  return { names: entries?.map(({ name }) => name) ?? [], nextCursor: result.nextCursor };
}

async function pages(client: FeatureClient, list: List): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const { names, nextCursor } = await page(client, list, cursor);
    found.push(names);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return found;
}

const EXPECTED: Readonly<Record<List, readonly (readonly string[])[]>> = {
  tools: [['many_a', 'many_b'], ['many_c', 'many_d'], ['many_e']],
  prompts: [['p', 'q'], ['r']],
  resources: [['fixedA', 'fixedB'], ['one', 'two'], ['three']],
  templates: [['page', 'x'], ['y']],
};
const [OLD, NEW] = ['the secret until today, and no longer', 'the secret of tomorrow, in use today'];
const LISTS = Object.keys(METHODS) as List[];

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, ManyModule, { pageSize: 2 });
    client = await app.client();
  });
  afterAll(() => app.close());

  describe('with a pageSize', () => {
    test.each(LISTS)('%s come in pages, complete and in order', async (list) => {
      expect(await pages(client, list)).toEqual(EXPECTED[list]);
    });

    test('a cursor is good on every connection, and twice', async () => {
      const { nextCursor } = await page(client, 'tools');
      const other = await app.connect();
      expect((await page(other, 'tools', nextCursor)).names).toEqual(['many_c', 'many_d']);
      expect((await page(other, 'tools', nextCursor)).names).toEqual(['many_c', 'many_d']);
    });

    test('a cursor is good at every instance with the same secrets, also while they are changed', async () => {
      const instances = [[OLD], [OLD], [NEW, OLD], [NEW]].map((secrets) =>
        createConnectedApplication(kind, ManyModule, { pageSize: 2, secrets }),
      );
      const [one, same, rotated, renewed] = await Promise.all(
        instances.map(async (instance) => (await instance).client()),
      );
      for (const list of LISTS) {
        const { nextCursor } = await page(one as FeatureClient, list);
        for (const reader of [same, rotated]) {
          expect((await page(reader as FeatureClient, list, nextCursor)).names).toEqual(EXPECTED[list][1]);
        }
        expect(await renewed?.refusal(METHODS[list], { cursor: nextCursor })).toMatchObject({ code: -32602 });
      }
      for (const instance of instances) await (await instance).close();
    });
  });

  describe('a cursor that was not given out for a list', () => {
    const INVALID = {
      code: -32602,
      message: expect.stringMatching(/^Invalid cursor: .*start again without a cursor$/),
    };

    test.each(LISTS)(
      'is refused by %s: tampered with, of another list, invented, or no text',
      async (list) => {
        const { nextCursor = '' } = await page(client, list);
        const other = await page(client, list === 'tools' ? 'prompts' : 'tools');
        const bytes = Buffer.from(nextCursor, 'base64url');
        bytes[3] = (bytes[3] ?? 0) ^ 1;
        const flipped = bytes.toString('base64url');
        for (const cursor of [flipped, `${nextCursor}=`, other.nextCursor, 'Mg', '', '2', 2, null, {}]) {
          expect(await client.refusal(METHODS[list], { cursor })).toEqual(INVALID);
        }
        expect((await page(client, list, nextCursor)).names).toEqual(EXPECTED[list][1]);
      },
    );

    test('is refused once the list has changed, instead of skipping entries', async () => {
      const changing = await createConnectedApplication(kind, ManyModule, { pageSize: 2 });
      const reader = await changing.client();
      const [tools, resources] = [await page(reader, 'tools'), await page(reader, 'resources')];
      changing.app.registry.register(createTool('late').action({ name: 'go', handler: () => 1 }));
      changing.get(ManyOffers).pages.unshift('zero');
      expect(await reader.refusal('tools/list', { cursor: tools.nextCursor })).toEqual(INVALID);
      expect(await reader.refusal('resources/list', { cursor: resources.nextCursor })).toEqual(INVALID);
      expect((await pages(reader, 'tools')).flat()).toHaveLength(6);
      await changing.close();
    });

    test('is refused where lists are not paged', async () => {
      const whole = await createConnectedApplication(kind, ManyModule);
      const reader = await whole.client();
      for (const list of LISTS) {
        expect(await pages(reader, list)).toEqual([EXPECTED[list].flat()]);
        expect(await reader.refusal(METHODS[list], { cursor: 'AAAA' })).toEqual(INVALID);
      }
      await whole.close();
    });
  });
});

test.each([0, -1, 1.5, NaN])('a pageSize of %p is refused at the start', async (pageSize) => {
  await expect(McpApplication.create(ManyModule, { pageSize })).rejects.toThrow(
    /TW_APPLICATION_OPTION.* sets pageSize to [^]*let pageSize be a whole number, 1 or more/,
  );
});
