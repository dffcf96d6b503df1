import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ArrayMinSize, IsArray, IsBoolean, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Budget,
  content,
  Idempotent,
  image,
  InMemoryStore,
  Module,
  Page,
  structured,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import type { Client } from '@modelcontextprotocol/client';
import { createAppWithCallers, tokenOf, type AppWithCallers } from '../support/callers.ts';
import { client2025, client2026, connectHttp } from '../support/client-of-2026.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Range {
  @IsInt() @IsOptional() from?: number;
  @IsInt() @IsOptional() count?: number;
}

class Numbers {
  @IsArray()
  @IsString({ each: true })
  @Page<string>({ cursor: (last) => Number(last.split(' ')[0]) + 1 })
  items!: string[];
  @IsInt() @IsOptional() nextCursor?: number;
  @IsInt() @IsOptional() total?: number;
  @IsBoolean() @IsOptional() truncated?: boolean;
}

class Pairs {
  @IsArray() @ArrayMinSize(2) @IsString({ each: true }) @Page() pairs!: string[];
}

class Linked {
  @IsString() @IsOptional() text?: string;
  @IsObject() @IsOptional() resourceLink?: object;
}

class Closed {
  @IsString() text!: string;
}

const LAST = 99;
let runs = 0;

@ToolGroup('out')
@Budget({ bytes: 2048 })
class Outputs {
  @Action({ output: Numbers }) numbers({ from = 0 }: Range) {
    const items = Array.from(
      { length: LAST + 1 - from },
      (_, index) => `${String(from + index)} ${'é'.repeat(50)}`,
    );
    return { items };
  }
  @Action({ output: Numbers }) worded() {
    const items = Array.from({ length: 300 }, (_, index) => `${String(index)} of them`);
    return structured({ items, nextCursor: 300 }, 'three hundred');
  }
  @Action({ output: Pairs }) pairs({ count = 200 }: Range) {
    return { pairs: ['a'.repeat(count), 'b'.repeat(count), 'c'.repeat(count), 'd'.repeat(count)] };
  }
  @Action({ output: Linked }) linked() {
    return { text: 'x'.repeat(3000) };
  }
  @Action({ output: Closed }) closed(input: Range) {
    return { text: 'x'.repeat(input.count ?? 3000) };
  }
}

@ToolGroup('text')
@Budget({ bytes: 2048 })
class Texts {
  @Action() emoji({ count = 3000, from = 0 }: Range) {
    return `${'a'.repeat(from)}${'😀'.repeat(count)}`;
  }
  @Action() picture() {
    return content('look', image('A'.repeat(4000), 'image/png'));
  }
  @Action() huge() {
    return 'y'.repeat(6 * 1024 * 1024);
  }
  @Action() failure() {
    return { content: [{ type: 'text', text: 'z'.repeat(5000) }], isError: true };
  }
  @Action() @Budget({ bytes: Infinity, tokens: 1000 }) tokens({ count = 3000 }: Range) {
    return 'a'.repeat(count);
  }
  @Action() @Budget({ bytes: Infinity }) unlimited() {
    return 'u'.repeat(2 * 1024 * 1024);
  }
  @Action() @Idempotent({ key: 'idempotencyKey' }) once() {
    runs += 1;
    return `${String(runs)} ${'w'.repeat(5000)}`;
  }
}

@Module({ controllers: [Outputs, Texts] })
class AppModule {}

const LIMIT = 2048;
const TTL = 10 * 60_000;
const now = { value: 0 };
let served: AppWithCallers;
const clients: Client[] = [];

beforeAll(async () => {
  const store = new InMemoryStore({}, () => now.value);
  served = await createAppWithCallers(AppModule, {}, { backplane: { store } });
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await served.app.close();
});

async function clientOf(sub: string, client = client2026()): Promise<Client> {
  clients.push(client);
  return connectHttp(client, await served.url(), { authorization: `Bearer ${tokenOf({ sub })}` });
}

const A = {
  token: 't',
  clientId: 'program',
  scopes: [],
  extra: { sub: 'a', issuer: 'https://issuer.example' },
};

const call = (tool: string, action: string, args: object = {}): Promise<CallToolResult> =>
  served.app.call(tool, { action, ...args }, { authInfo: A });

/** As they are sent. */
function bytesOf({ content: blocks, structuredContent }: CallToolResult): number {
  const structure = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  return Buffer.byteLength(JSON.stringify(blocks) + structure);
}

function linkOf({ content: blocks }: Pick<CallToolResult, 'content'>): string {
  const link = blocks.find((block) => block.type === 'resource_link');
  if (link === undefined) throw new Error(`No link in ${JSON.stringify(blocks)}`);
  return link.uri;
}

describe('a result over its budget', () => {
  test('loses whole elements of its page, the same in text and structure, and goes on without a gap', async () => {
    const seen: string[] = [];
    let from: unknown = 0;
    let pages = 0;
    while (from !== undefined) {
      const result = await call('out', 'numbers', { from });
      const page = result.structuredContent as unknown as Numbers;
      expect(bytesOf(result)).toBeLessThanOrEqual(LIMIT);
      expect(JSON.parse(textOf(result))).toEqual(page);
      if (page.truncated === true) {
        expect(page.total).toBe(LAST + 1 - seen.length);
        // One more would not have fitted
        expect(bytesOf(result) + 2 * Buffer.byteLength(JSON.stringify(page.items[0]))).toBeGreaterThan(LIMIT);
      }
      seen.push(...page.items.map((item) => item.split(' ')[0] as string));
      from = page.nextCursor;
      pages += 1;
    }
    expect(seen).toEqual(Array.from({ length: LAST + 1 }, (_, index) => String(index)));
    expect(pages).toBeGreaterThan(5);
  });

  test('has a text of what is left, and no total where the handler has more than it gave', async () => {
    const result = await call('out', 'worded');
    const page = result.structuredContent as unknown as Numbers;
    expect(JSON.parse(textOf(result))).toEqual(page);
    expect(page).toMatchObject({ nextCursor: page.items.length, truncated: true });
    expect(page).not.toHaveProperty('total');
  });

  test('keeps minItems, or is an error that says how to ask for less', async () => {
    const { structuredContent } = await call('out', 'pairs', { count: 400 });
    expect(structuredContent).toEqual({ pairs: ['a'.repeat(400), 'b'.repeat(400)] });
    const refused = await call('out', 'pairs', { count: 900 });
    expect(refused.isError).toBe(true);
    expect(factsOf(refused)).toMatchObject({
      code: 'RESULT_TOO_LARGE',
      suggestion: 'ask for less with from, count',
      details: { unit: 'bytes', limit: LIMIT },
    });
  });

  test('is linked in its output only where that has a place for it', async () => {
    const linked = await call('out', 'linked');
    expect(linked.structuredContent).toMatchObject({ resourceLink: { uri: linkOf(linked) } });
    expect(factsOf(await call('out', 'closed'))).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect(served.logger.records.filter(({ code }) => code === 'TW_COMPILE_BUDGET_UNMET')).toHaveLength(1);
  });

  test('is cut between characters, with a line that says how much is missing', async () => {
    for (let from = 0; from < 4; from += 1) {
      const result = await call('text', 'emoji', { from });
      const [block] = result.content;
      const text = block?.type === 'text' ? block.text : '';
      expect(bytesOf(result)).toBeLessThanOrEqual(LIMIT);
      expect(Buffer.from(text).toString()).toBe(text);
      const [, head = '', missing] =
        /^(a*(?:😀)+)\n\[cut here: (\d+) of \d+ bytes are missing\]\n/u.exec(text) ?? [];
      expect(Buffer.byteLength(head) + Number(missing)).toBe(from + 12_000);
    }
    const huge = await call('text', 'huge');
    expect(textOf(huge)).toMatch(/^y+\n\[cut here: \d+ of 6291456 bytes are missing\]$/);
    expect(bytesOf(huge)).toBe(LIMIT);
  });

  test('has all of its picture or none, and stays an error where it was one', async () => {
    const linked = await call('text', 'picture');
    expect(linked.content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    const failure = await call('text', 'failure');
    expect(failure).toMatchObject({ isError: true });
    expect(textOf(failure)).toMatch(/^z+\n\[cut here: \d+ of 5000 bytes are missing\]$/);
  });

  test('counts tokens as three bytes, and passes where the nearest budget is lifted', async () => {
    expect(textOf(await call('text', 'tokens', { count: 2900 }))).toBe('a'.repeat(2900));
    expect(linkOf(await call('text', 'tokens', { count: 3000 }))).toMatch(/^toolwright:/);
    expect(textOf(await call('text', 'unlimited'))).toHaveLength(2 * 1024 * 1024);
  });
});

describe('a stored result', () => {
  test.each([
    ['2025-11-25', client2025],
    ['2026-07-28', client2026],
  ])('is read by its caller alone, until its time is over: %s', async (_revision, create) => {
    const [mine, theirs] = [await clientOf('a', create()), await clientOf('b', create())];
    const result = await mine.callTool({ name: 'text', arguments: { action: 'emoji' } });
    const uri = linkOf(result as CallToolResult);
    const whole = { uri, mimeType: 'text/plain', text: '😀'.repeat(3000) };
    expect((await mine.readResource({ uri })).contents).toEqual([whole]);
    const unknown = 'toolwright://results/unknown';
    const failed = (client: Client, wanted: string) =>
      client
        .readResource({ uri: wanted })
        .then(String, (error: unknown) => String(error).replace(wanted, '…'));
    const nothing = await failed(theirs, unknown);
    expect(nothing).toContain('Resource not found');
    expect(await failed(theirs, uri)).toBe(nothing);
    now.value += TTL + 1000;
    expect(await failed(mine, uri)).toBe(nothing);
  });

  test('has the structure, the texts and the pictures that were not sent', async () => {
    const client = await clientOf('a');
    const linked = linkOf(
      (await client.callTool({ name: 'out', arguments: { action: 'linked' } })) as CallToolResult,
    );
    expect((await client.readResource({ uri: linked })).contents).toEqual([
      { uri: linked, mimeType: 'application/json', text: JSON.stringify({ text: 'x'.repeat(3000) }) },
    ]);
    const picture = linkOf(
      (await client.callTool({ name: 'text', arguments: { action: 'picture' } })) as CallToolResult,
    );
    expect((await client.readResource({ uri: picture })).contents).toEqual([
      { uri: picture, mimeType: 'text/plain', text: 'look' },
      { uri: picture, mimeType: 'image/png', blob: 'A'.repeat(4000) },
    ]);
  });

  test('is there as long as the outcome of a call that runs once', async () => {
    const client = await clientOf('a');
    const args = { name: 'text', arguments: { action: 'once', idempotencyKey: 'k1' } };
    const first = (await client.callTool(args)) as CallToolResult;
    now.value += 2 * TTL;
    const again = (await client.callTool(args)) as CallToolResult;
    expect(again.content).toEqual(first.content);
    expect(runs).toBe(1);
    const { contents } = await client.readResource({ uri: linkOf(again) });
    expect(contents).toMatchObject([{ text: `1 ${'w'.repeat(5000)}` }]);
  });
});
