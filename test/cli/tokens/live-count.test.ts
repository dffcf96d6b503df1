import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { CliError } from '../../../src/cli/output/cli-error.ts';
import { LiveCount, type LiveOptions } from '../../../src/cli/tokens/live-count.ts';
import { PROVIDERS } from '../../../src/cli/tokens/providers.ts';
import { defaultRegistry } from '../../../src/formats/index.ts';
import { CountService, lettersOf, TOOLS_COST, type CountedRequest } from '../../support/count-service.ts';

type Form = keyof typeof PROVIDERS;

const KEY = 'sk-secret-0123456789';
const TOOLS = ['tasks', 'notes'].map((name) => ({
  name,
  description: `Work with ${name}`,
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
}));

let service: CountService;

beforeEach(async () => {
  service = await CountService.start();
});

afterEach(() => service.close());

function environment(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    OPENAI_API_KEY: KEY,
    ANTHROPIC_API_KEY: KEY,
    GEMINI_API_KEY: KEY,
    OPENAI_BASE_URL: `${service.url}/v1`,
    ANTHROPIC_BASE_URL: service.url,
    GOOGLE_GEMINI_BASE_URL: service.url,
    ...more,
  };
}

function toolsFor(form: Form): readonly never[] {
  return defaultRegistry().convertMany(TOOLS, 'mcp', PROVIDERS[form].format).tools as readonly never[];
}

function liveCount(form: Form, options: LiveOptions = {}, env = environment()): LiveCount {
  return new LiveCount(PROVIDERS[form], env, { model: 'a-model', ...options });
}

/** What counting fails with; nothing of it shows the key. */
async function failure(counting: Promise<number>): Promise<CliError> {
  const error: unknown = await counting.then(
    (tokens) => new Error(`counted ${tokens}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CliError)) throw error;
  expect([error.message, error.stack, JSON.stringify(error)].join()).not.toContain(KEY);
  return error;
}

describe('a request is what the SDK of the provider sends', () => {
  const sent = async (form: Form): Promise<CountedRequest> => {
    await liveCount(form).count(toolsFor(form));
    return service.requests[1]!;
  };

  test('of OpenAI', async () => {
    const ours = await sent('openai');
    const client = new OpenAI({ apiKey: KEY, baseURL: `${service.url}/v1` });
    const request = { model: 'a-model', input: 'x', tools: [...toolsFor('openai')] };
    const { input_tokens } = await client.responses.inputTokens.count(request);
    const theirs = service.requests.at(-1)!;
    expect(input_tokens).toBeGreaterThan(TOOLS_COST);
    expect({ path: ours.path, body: ours.body }).toEqual({ path: theirs.path, body: theirs.body });
    expect(ours.headers.authorization).toBe(theirs.headers.authorization);
  });

  test('of Anthropic', async () => {
    const ours = await sent('anthropic');
    const client = new Anthropic({ apiKey: KEY, baseURL: service.url });
    const messages = [{ role: 'user' as const, content: 'x' }];
    const request = { model: 'a-model', messages, tools: [...toolsFor('anthropic')] };
    const { input_tokens } = await client.messages.countTokens(request);
    const theirs = service.requests.at(-1)!;
    expect(input_tokens).toBeGreaterThan(TOOLS_COST);
    expect({ path: ours.path, body: ours.body }).toEqual({ path: theirs.path, body: theirs.body });
    for (const name of ['authorization', 'anthropic-version'])
      expect(ours.headers[name]).toBe(theirs.headers[name]);
  });

  test('of Google, which sends no tools; the reference of its API has them in a whole request', async () => {
    const ours = await sent('gemini');
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: service.url, fetch } });
    const { totalTokens } = await client.models.countTokens({ model: 'a-model', contents: 'x' });
    const theirs = service.requests.at(-1)!;
    expect(totalTokens).toBeGreaterThan(0);
    expect(ours.path).toBe(theirs.path);
    expect(ours.headers['x-goog-api-key']).toBe(theirs.headers['x-goog-api-key']);
    const { tools, ...asked } = ours.body['generateContentRequest'] as Readonly<Record<string, unknown>>;
    expect(asked).toEqual({ model: 'models/a-model', ...theirs.body });
    expect(tools).toMatchObject([{ functionDeclarations: [{ name: 'tasks' }, { name: 'notes' }] }]);
  });
});

describe('counting', () => {
  test('takes the same request without tools off, and asks for equal lists once', async () => {
    const live = liveCount('anthropic');
    const tools = toolsFor('anthropic');
    expect(await live.count([])).toBe(0);
    expect(await live.count(tools)).toBe(TOOLS_COST + lettersOf(tools));
    expect(await live.count(tools)).toBe(TOOLS_COST + lettersOf(tools));
    expect(service.requests).toHaveLength(2);
  });

  test('uses a current model of the provider unless one is named', async () => {
    await new LiveCount(PROVIDERS.anthropic, environment(), {}).count([]);
    expect(service.requests[0]!.body['model']).toBe(PROVIDERS.anthropic.model);
  });

  test('takes the first key that is set, and the organization of OpenAI', async () => {
    const token = environment({ ANTHROPIC_API_KEY: ' ', ANTHROPIC_AUTH_TOKEN: 'token' });
    await liveCount('anthropic', {}, token).count([]);
    expect(service.requests[0]!.headers.authorization).toBe('Bearer token');
    await liveCount('openai', {}, environment({ OPENAI_ORG_ID: 'org-1' })).count([]);
    expect(service.requests[1]!.headers['openai-organization']).toBe('org-1');
    expect(service.requests[1]!.headers).not.toHaveProperty('openai-project');
  });

  test('a model name cannot leave its path', async () => {
    await liveCount('gemini', { model: '../x?y' })
      .count([])
      .catch(() => undefined);
    expect(service.requests[0]!.path).toBe('/v1beta/models/..%2Fx%3Fy:countTokens');
  });
});

describe('a provider that does not count', () => {
  test.each([
    [401, 3, 'does not accept the key in ANTHROPIC_API_KEY'],
    [403, 3, 'a key that may use the model a-model'],
    [404, 2, 'does not know the model a-model'],
    [400, 5, 'why: tools.0: no good …'],
    [429, 4, 'counts no more for now'],
    [500, 4, 'failed to count'],
    [529, 4, 'failed to count'],
  ])('HTTP %i ends with %i', async (status, exitCode, text) => {
    service.others.push({ status, body: JSON.stringify({ error: { message: `tools.0: no good ${KEY}` } }) });
    const error = await failure(liveCount('anthropic').count([]));
    expect(error).toMatchObject({ code: 'TW_CLI_PROVIDER', where: 'Anthropic', exitCode });
    expect(error.what).toContain(`(HTTP ${status}).`);
    expect(error.message).toContain(text);
  });

  test('a refusal of the key is not quoted: providers show a part of it', async () => {
    const message = 'Incorrect API key provided: sk-secret-********6789';
    service.others.push({ status: 401, body: JSON.stringify({ error: { message } }) });
    expect((await failure(liveCount('openai').count([]))).message).not.toContain('6789');
  });

  test.each([
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }],
    ['JSON without a count', { status: 200, body: '{"input_tokens":"many"}' }],
    ['a count below zero', { status: 200, body: '{"input_tokens":-1}' }],
    ['a list', { status: 200, body: '[]' }],
    ['half of an answer', { status: 200, body: '{"input_to' }],
  ])('%s is not an answer: 4', async (_what, answer) => {
    service.others.push(answer);
    expect(await failure(liveCount('anthropic').count([]))).toMatchObject({
      what: 'answered without a count (HTTP 200).',
      fix: 'check the address in ANTHROPIC_BASE_URL',
      exitCode: 4,
    });
  });

  test('a redirect is not followed: the key is for one address', async () => {
    const other = await CountService.start();
    service.others.push({ status: 307, headers: { location: other.url }, body: '' });
    expect((await failure(liveCount('anthropic').count([]))).exitCode).toBe(4);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test('one that asks to wait is asked again', async () => {
    service.others.push({ status: 429, headers: { 'retry-after': '0' }, body: '{}' });
    expect(await liveCount('anthropic').count([])).toBe(0);
    expect(service.requests).toHaveLength(2);
  });

  test('one that asks to wait longer than the time limit is not waited for', async () => {
    service.others.push({ status: 429, headers: { 'retry-after': '3600' }, body: '{}' });
    expect((await failure(liveCount('anthropic').count([]))).what).toContain('(HTTP 429)');
  });

  test('silence ends at the time limit', async () => {
    service.isSilent = true;
    expect(await failure(liveCount('gemini', { timeout: 200 }).count([]))).toMatchObject({
      what: 'did not answer within 200 milliseconds.',
      exitCode: 4,
    });
  });

  test('nobody at the address: 4', async () => {
    const env = environment({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    const error = await failure(liveCount('openai', {}, env).count([]));
    expect(error).toMatchObject({ code: 'TW_CLI_PROVIDER', exitCode: 4 });
    expect(error.what).toContain('cannot be reached: ');
  });

  test.each(['api.openai.com', 'file:///etc/passwd'])('the address %s is not a URL: 2', (address) => {
    expect(() => liveCount('openai', {}, environment({ OPENAI_BASE_URL: address }))).toThrow(
      'OPENAI_BASE_URL is not a URL.',
    );
  });
});
