import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  ReadOnly,
  Resource,
  Scopes,
  ToolGroup,
  type HttpServing,
} from 'toolwright';
import { CALLER_HEADER, type SurfaceView } from '../../src/explorer/contract.ts';
import { envelope, post2026 } from '../support/client-of-2026.ts';
import { ask, place, TOKEN } from '../support/explored-app.ts';
import { cutOff, violations } from '../support/page-faults.ts';
import { tourOf } from '../support/toured.ts';

@ToolGroup({ name: 'notes', description: 'The notes' })
class Notes {
  @Action('Find notes') @ReadOnly() find(): string[] {
    return ['a note'];
  }
  @Action('Remove all') @Destructive() @Scopes('notes:clear') clear(): string {
    return 'cleared';
  }
  @Resource('notes://all') all(): string {
    return 'all notes';
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

let application: McpApplication;
let serving: HttpServing;

beforeAll(async () => {
  application = await McpApplication.create(NotesModule, {
    name: 'notes',
    auth: false,
    surface: { use: 'auto', asTools: 'auto', clients: { goose: 'flat' } },
  });
  serving = await application.listen({
    port: 0,
    explorer: true,
    signals: false,
    authenticate: ({ headers }) => {
      const scopes = headers['x-scopes'] === 'all' ? ['notes:clear'] : [];
      return { token: 'token', clientId: 'client', scopes, extra: { sub: 'person' } };
    },
  });
});

afterAll(() => application.close());

async function preview(query: string, caller = 'everything'): Promise<SurfaceView> {
  const [origin, token] = place(serving);
  const headers = { [TOKEN]: token, [CALLER_HEADER]: caller };
  const { text } = await ask(`${origin}/explorer/api/surface?${query}`, { headers });
  return JSON.parse(text) as SurfaceView;
}

/** The tools that a client of this name is listed. */
async function listTools(name: string, scopes = 'all', path = ''): Promise<readonly object[]> {
  const _meta = envelope({}, { 'io.modelcontextprotocol/clientInfo': { name, version: '1.2.3' } });
  const { body } = await post2026(`${serving.url}${path}`, 'tools/list', { _meta }, { 'x-scopes': scopes });
  return (JSON.parse(body) as { result: { tools: object[] } }).result.tools;
}

function readTools({ model }: SurfaceView): readonly object[] {
  return model.tools.map(({ text }) => JSON.parse(text) as object);
}

describe('the preview', () => {
  test.each([
    ['generic', 'nobody'],
    ['claude-code', 'claude-code'],
    ['cursor', 'cursor-vscode'],
    ['codex', 'codex-mcp-client'],
    ['goose', 'goose'],
  ])('has to the letter what %s is listed, as each caller', async (id, name) => {
    for (const [caller, scopes] of [
      ['everything', 'all'],
      ['nothing', 'none'],
    ] as const)
      expect(readTools(await preview(`client=${id}`, caller))).toEqual(await listTools(name, scopes));
  });

  test.each(['own', 'grouped', 'grouped-by-risk', 'flat', 'progressive'])(
    'has what a client is listed that chooses %s',
    async (surface) => {
      expect(readTools(await preview(`surface=${surface}`))).toEqual(
        await listTools('nobody', 'all', `?surface=${surface}`),
      );
    },
  );

  test('says which tools stand beside, how results are made, and why', async () => {
    const { beside, surface, why, results } = await preview('client=zed');
    expect([surface, beside]).toEqual(['grouped-by-risk/signatures', ['read_resource', 'read_result']]);
    expect(why).toBe('It is the surface that was chosen for Zed.');
    expect(results).toMatchObject({ isKnown: true, form: expect.any(String) });
    expect((await preview('client=goose')).why).toContain('"surface.clients"');
    expect((await preview('client=chatgpt')).why).toMatch(/has 2 actions, and ChatGPT .* up to 30/);
    expect((await preview('client=generic')).results).toMatchObject({ isKnown: false, tokens: 25_000 });
    expect((await preview('surface=flat')).results).toBeUndefined();
  });

  test('knows nothing of other surfaces and clients', async () => {
    for (const query of ['surface=flatter', 'client=constructor', 'client=claude-directory'])
      expect([query, await preview(query)]).toMatchObject([query, { error: { code: 'SURFACE' } }]);
  });
});

describe('the page', () => {
  const toured = tourOf(() =>
    Promise.resolve({ explorer: serving.explorer ?? '', stop: () => Promise.resolve() }),
  );

  test('shows by keyboard what a client gets, and each client that calls', async () => {
    const { page } = toured.tab;
    await toured.tab.go('surfaces');
    const choice = page.getByTestId('surface-choice');
    await choice.focus();
    await page.keyboard.type('Goose');
    await page.getByText('The application says so for Goose').waitFor();
    expect(await page.locator('[data-testid="surface-choice"]:focus').count()).toBe(1);
    const tools = page.getByTestId('listed-tool');
    await tools.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await tools.first().innerText()).toContain('"name": "notes_find"');
    expect(await page.getByTestId('surface-results').innerText()).toContain('limit');

    await listTools('cursor-vscode');
    const cursor = page.getByTestId('seen-client').filter({ hasText: 'cursor-vscode' });
    await cursor.filter({ hasText: 'it fits the client' }).waitFor();
    expect(await cursor.innerText()).toMatch(/1\.2\.3 known as cursor\s+era 2026.*grouped-by-risk/);
    await listTools('cursor-vscode', 'all', '?surface=flat');
    await cursor.filter({ hasText: 'flat, it chose it' }).waitFor();
    await cursor.getByRole('link').click();
    await page.getByText('A client gets it that chooses it: by path, query, header.').waitFor();
  });

  test.each([
    [320, 'dark'],
    [1280, 'light'],
  ] as const)(
    'is within reach, and has nothing that axe finds, at %i px in %s',
    async (width, colorScheme) => {
      const { page } = toured.tab;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await toured.tab.go('surfaces/surface/progressive');
      await page.getByTestId('listed-tool').first().locator('summary').click();
      expect([await violations(page), await cutOff(page)]).toEqual([[], []]);
    },
  );
});
