import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countToolTokens } from 'toolwright/tokens';
import { exposeNest, planNest, type ExposeNestOptions } from 'toolwright/nest';
import { createShop, loadNest } from './shop.ts';

type Shop = Awaited<ReturnType<typeof createShop>>;

const library = loadNest(11);
const silent = { logger: () => undefined };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function openShop(): Promise<Shop> {
  const shop = await createShop(library, 'express');
  ends.push(() => shop.close());
  return shop;
}

async function expose(options: ExposeNestOptions) {
  return exposeNest(await openShop(), { ...silent, ...options });
}

describe('a plan', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await createShop(library, 'express');
  });
  afterAll(() => shop.close());

  test('is equal twice, and says the reason of each route that is left out', async () => {
    const [first, second] = [await planNest(shop, silent), await planNest(shop, silent)];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    const reasons = Object.fromEntries(
      first.operations.flatMap(({ name, leftOut }) =>
        leftOut === undefined ? [] : [[name, leftOut.reason]],
      ),
    );
    expect(reasons).toEqual({
      untyped: 'unknown-input',
      health: 'health',
      login: 'auth',
      events: 'sse',
      old: 'redirect',
      anything: 'method',
    });
    expect(first.groups.find(({ name }) => name === 'hidden')).toMatchObject({
      actions: 0,
      tokens: 0,
      leftOut: { health: 1, auth: 1, sse: 1, redirect: 1, method: 1 },
    });
  });

  test.each<ExposeNestOptions>([{}, { describe: 'signatures' }, { expose: 'flat' }])(
    'counts what the list of the application costs, with %j',
    async (options) => {
      const plan = await planNest(shop, { ...silent, ...options, include: ['tasks.*', 'secrets.*'] });
      const mcp = await expose({ ...options, include: ['tasks.*', 'secrets.*'] });
      const { tokens } = await countToolTokens(mcp.definitions);
      expect(plan.total).toMatchObject({ tokens });
      for (const { tokens: own } of plan.groups.filter(({ actions }) => actions > 0))
        expect(own).toBeGreaterThan(0);
    },
  );

  test('offers nothing that a pattern keeps away, and so does its line', async () => {
    const own = { include: ['GET /*'], exclude: ['answers.slow'], maxActions: 9 };
    const { include, total, groups } = await planNest(shop, { ...silent, ...own });
    expect(total.actions).toBeGreaterThan(9);
    // A group with writes is not named as a whole
    expect(include).toContain('GET /api/tasks');
    const chosen = await planNest(shop, { ...silent, ...own, include });
    expect(chosen.total.writes).toBe(0);
    expect(chosen.total.actions).toBeLessThanOrEqual(9);
    expect(groups.map(({ tokens }) => tokens)).toEqual(
      groups.map(({ tokens }) => tokens).sort((a, b) => b - a),
    );
  });

  test('names single operations, reads first, where no group fits', async () => {
    const own = { include: ['tasks.*'], maxActions: 3 };
    const { include } = await planNest(shop, { ...silent, ...own });
    const chosen = await planNest(shop, { ...silent, ...own, include });
    expect(chosen.total).toMatchObject({ actions: 3, writes: 0 });
  });
});

test('the error of too many actions has the tokens of each group', async () => {
  await expect(expose({ maxActions: 9 })).rejects.toThrow(
    /TW_OPERATIONS_TOO_MANY: the application would offer \d+ actions, and at most 9 are allowed: [^.]*tasks 8 \([\d,]+ tokens\)/,
  );
});

test('a list that costs more than maxTokens is refused, with a line that works', async () => {
  const error = (await expose({ exclude: ['answers.slow'], maxTokens: 600 }).catch(
    (thrown: unknown) => thrown,
  )) as Error;
  expect(error.message).toMatch(/actions of [\d,]+ tokens, and at most 600 are allowed/);
  const line = /include: \[([^\]]*)\]/.exec(error.message)?.[1] ?? '';
  const include = JSON.parse(`[${line.replaceAll("'", '"')}]`) as string[];
  expect(include.length).toBeGreaterThan(0);
  const mcp = await expose({ include, maxTokens: 600 });
  expect((await countToolTokens(mcp.definitions)).tokens).toBeLessThanOrEqual(600);
});

describe('a file with a selection', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nest-curation-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (text: string): ExposeNestOptions => {
    const path = join(folder, 'toolwright.api.json');
    writeFileSync(path, text);
    return { curation: path };
  };

  test('selects and says, and options count more', async () => {
    const curation = {
      version: 1,
      include: ['tasks.find', 'tasks.remove'],
      maxActions: 2,
      actions: { 'tasks.remove': { name: 'purge', description: 'Of the file' } },
    };
    const mcp = await expose({
      ...write(JSON.stringify(curation)),
      actions: { 'tasks.remove': { description: 'Of the options' } },
    });
    expect(mcp.definitions[0]?.actions().map(({ key }) => key)).toEqual(['find', 'purge']);
    expect(mcp.definitions[0]?.description).toContain('Of the options');
  });

  test.each([
    ['{', /TW_OPERATIONS_FILE[^]*is not an object/],
    ['{"version":2}', /TW_OPERATIONS_FILE[^]*version/],
    ['{"version":1,"inclde":[]}', /TW_OPERATIONS_FILE[^]*"inclde"[^]*did you mean "include"/],
    ['{"version":1,"actions":{"tasks.*":{"hde":["a"]}}}', /the setting hde[^]*did you mean "hide"/],
  ])('is refused: %s', async (text, message) => {
    await expect(expose(write(text))).rejects.toThrow(message);
  });

  test('is asked for where it is missing', async () => {
    await expect(expose({ curation: './missing.json' })).rejects.toThrow(
      /TW_OPERATIONS_FILE: \.\/missing\.json cannot be read[^]*toolwright import nest/,
    );
  });
});
