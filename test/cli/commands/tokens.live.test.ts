import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CommandFolder, type CommandEnd } from '../../support/command-line.ts';
import { CountService, lettersOf, TOOLS_COST } from '../../support/count-service.ts';
import { TOKEN_SERVER } from '../../support/token-server.ts';

/** With a second tool. */
const SERVER = TOKEN_SERVER.replace(
  '@Module({ controllers: [Tasks] })',
  `@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('Write a note') write(@Input(Create) input: Create): string {
    return input.title;
  }
}

@Module({ controllers: [Tasks, Notes] })`,
);

const KEY = 'sk-secret-0123456789';

const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;
const KEY_VARIABLE = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', gemini: 'GEMINI_API_KEY' };
const TITLE = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Google' };

/** The keys of the machine are not for tests. */
const NO_KEYS = Object.fromEntries(
  ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']
    .concat('GOOGLE_API_KEY', 'GEMINI_API_KEY')
    .map((name) => [name, '']),
);

interface Report {
  readonly tokens: number;
  readonly of: string;
  readonly isExact: boolean;
  readonly partsOf: string;
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  readonly actions: Readonly<Record<string, readonly { readonly key: string; readonly tokens: number }[]>>;
  readonly alternatives: readonly { readonly tokens: number; readonly isCurrent: boolean }[];
}

let folder: CommandFolder;
let service: CountService;

beforeAll(() => {
  folder = new CommandFolder({ 'server.ts': SERVER });
});

afterAll(() => {
  folder.remove();
});

beforeEach(async () => {
  service = await CountService.start();
});

afterEach(() => service.close());

function environment(form: (typeof PROVIDERS)[number], key = KEY): Record<string, string> {
  return {
    ...NO_KEYS,
    [KEY_VARIABLE[form]]: key,
    OPENAI_BASE_URL: `${service.url}/v1`,
    ANTHROPIC_BASE_URL: service.url,
    GOOGLE_GEMINI_BASE_URL: service.url,
  };
}

/** A live count, in which nothing shows the key. */
async function count(form: (typeof PROVIDERS)[number], ...more: readonly string[]): Promise<CommandEnd> {
  const end = await folder.run(['tokens', 'server.ts', '--for', form, '--live', ...more], environment(form));
  expect(end.stdout + end.stderr).not.toContain(KEY);
  return end;
}

describe('toolwright tokens --live', () => {
  test.each(PROVIDERS)('without a key for %s ends with 2 and names the variable', async (form) => {
    const { exitCode, stdout, stderr } = await folder.run(
      ['tokens', 'server.ts', '--for', form, '--live'],
      environment(form, ''),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`TW_CLI_KEY: --live asks ${TITLE[form]} to count`);
    expect(stderr).toContain(KEY_VARIABLE[form]);
    expect(service.requests).toEqual([]);
  });

  test.each(PROVIDERS)('takes the count of %s for the whole, and differences for the rest', async (form) => {
    const { exitCode, stdout, stderr } = await count(form, '--json', '--model', 'a-model');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const report = JSON.parse(stdout) as Report;
    const [, whole] = service.requests;
    const { tools } = (whole?.body['generateContentRequest'] ?? whole?.body) as { readonly tools: unknown };
    expect(report).toMatchObject({
      isExact: true,
      of: `what ${TITLE[form]} counts for a-model`,
      partsOf: 'o200k_base of the compact JSON',
      tokens: TOOLS_COST + lettersOf(tools),
    });
    // What the provider adds to any request with tools belongs to no tool
    const shares = report.tools.map(({ tokens }) => tokens);
    expect(report.tools.map(({ name }) => name)).toEqual(['tasks', 'notes']);
    expect(shares[0]! + shares[1]!).toBe(report.tokens - TOOLS_COST);
    for (const { tokens } of report.actions['tasks']!) {
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThan(shares[0]!);
    }
    expect(report.alternatives.map(({ isCurrent }) => isCurrent)).toEqual([
      ...[true, false, false, false, false, false],
    ]);
    const asked = service.requests.map(({ body }) => JSON.stringify(body));
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('says what is exact and what is not', async () => {
    const { stdout } = await count('anthropic');
    expect(stdout).toMatch(/^All tools: \d+ tokens; exact: what Anthropic counts for claude-[\w-]+\.$/m);
    expect(stdout).toContain('The parts are an estimate: o200k_base of the compact JSON.');
  });

  test('holds the budget against what the provider counts', async () => {
    const { tokens } = JSON.parse((await count('openai', '--json')).stdout) as Report;
    expect((await count('openai', '--budget', String(tokens))).exitCode).toBe(0);
    expect((await count('openai', '--budget', String(tokens - 1))).exitCode).toBe(1);
  });

  test('asks a provider only with --for, and names a model only with --live', async () => {
    const nobody = await folder.run(['tokens', 'server.ts', '--live'], NO_KEYS);
    expect(nobody.exitCode).toBe(2);
    expect(nobody.stderr).toContain('--for openai, --for anthropic, --for gemini');
    const offline = await folder.run(['tokens', 'server.ts', '--model', 'x'], NO_KEYS);
    expect(offline.exitCode).toBe(2);
    expect(offline.stderr).toContain('--live --model <name>');
  });
});

test('what a provider says is in the form of every error, and never shows the key', async () => {
  service.others.push({
    status: 400,
    body: JSON.stringify({ error: { message: `tools.0: no good ${KEY}` } }),
  });
  const refused = await count('anthropic');
  expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 5, stdout: '' });
  expect(refused.stderr).toContain('TW_CLI_PROVIDER: Anthropic refused to count these tools (HTTP 400).');
  expect(refused.stderr).toContain('why: tools.0: no good …');
  service.others.push({ status: 401, body: '{}' });
  const unauthorized = await count('openai', '--json');
  expect({ exitCode: unauthorized.exitCode, stdout: unauthorized.stdout }).toEqual({
    exitCode: 3,
    stdout: '',
  });
  const { error } = JSON.parse(unauthorized.stderr.trim().split('\n').at(-1)!) as { error: { code: string } };
  expect(error.code).toBe('TW_CLI_PROVIDER');
});

test('a key that no header can hold is not shown', async () => {
  const end = await folder.run(
    ['tokens', 'server.ts', '--for', 'openai', '--live', '--verbose'],
    environment('openai', `${KEY}\n${KEY}`),
  );
  expect(end.exitCode).toBe(4);
  expect(end.stdout + end.stderr).not.toContain(KEY);
});
