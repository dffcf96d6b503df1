import { describe, expect, test } from '@jest/globals';
import type { CallFormat } from '../../../src/application/bridge/call-forms.ts';
import { bridgeTools } from '../../../src/application/bridge/tool-bridge.ts';
import type { CallToolResult } from '../../../src/call/results.ts';
import { defaultRegistry } from '../../../src/formats/index.ts';

const definition = {
  name: 'files.read',
  description: 'Read a file',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
  },
  annotations: {},
} as const;

interface Made {
  readonly tool: string;
  readonly args: unknown;
}

function bridge(format: CallFormat, result: Partial<CallToolResult> = {}, options = {}) {
  const made: Made[] = [];
  const call = (tool: string, args: unknown): Promise<CallToolResult> => {
    made.push({ tool, args });
    return Promise.resolve({ content: [{ type: 'text', text: 'the text' }], ...result });
  };
  const source = { definitions: [definition], call };
  return { made, ...bridgeTools(format, source, defaultRegistry(), options, false) };
}

const CALLS: Readonly<Record<CallFormat, (name: string, args: object) => object>> = {
  mcp: (name, args) => ({ name, arguments: args }),
  openai: (name, args) => ({
    id: 'c1',
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }),
  'openai-responses': (name, args) => ({
    type: 'function_call',
    call_id: 'c1',
    name,
    arguments: JSON.stringify(args),
  }),
  anthropic: (name, args) => ({ type: 'tool_use', id: 'c1', name, input: args }),
  gemini: (name, args) => ({ functionCall: { id: 'c1', name, args } }),
  a2a: (name, args) => ({
    messageId: 'c1',
    role: 'ROLE_USER',
    parts: [{ data: { skill: name, arguments: args } }],
  }),
};

const RESULTS: Readonly<Record<CallFormat, (name: string) => object>> = {
  mcp: () => ({ content: [{ type: 'text', text: 'the text' }] }),
  openai: () => ({ role: 'tool', tool_call_id: 'c1', content: 'the text' }),
  'openai-responses': () => ({ type: 'function_call_output', call_id: 'c1', output: 'the text' }),
  anthropic: () => ({
    type: 'tool_result',
    tool_use_id: 'c1',
    content: [{ type: 'text', text: 'the text' }],
  }),
  gemini: (name) => ({ functionResponse: { id: 'c1', name, response: { output: 'the text' } } }),
  a2a: () => ({ messageId: 'c1-result', role: 'ROLE_AGENT', parts: [{ text: 'the text' }] }),
};

const NAMES: Readonly<Record<CallFormat, string>> = {
  mcp: 'files.read',
  openai: 'files_read',
  'openai-responses': 'files_read',
  anthropic: 'files_read',
  gemini: 'files.read',
  a2a: 'files.read',
};

describe.each(Object.keys(CALLS) as CallFormat[])('%s', (format) => {
  const name = NAMES[format];

  test('takes a call by the name that the provider knows, and answers in its form', async () => {
    const { dispatch, made } = bridge(format);
    expect(await dispatch(CALLS[format](name, { path: 'a' }))).toEqual(RESULTS[format](name));
    expect(made).toEqual([{ tool: 'files.read', args: { path: 'a' } }]);
  });

  test('shows a model that called something else what there is', async () => {
    const { dispatch, made } = bridge(format);
    const answer = JSON.stringify(await dispatch(CALLS[format]('files_reed', {})));
    expect(answer).toContain('Unknown tool');
    expect(answer).toContain(name);
    expect(made).toEqual([]);
  });

  test.each([null, 7, 'call', {}, []])('refuses %j, which is not a call', async (raw) => {
    await expect(bridge(format).dispatch(raw)).rejects.toMatchObject({
      name: 'ConversionError',
      code: 'INVALID_INPUT',
      adapter: format,
      direction: 'toCanonical',
    });
  });
});

describe('a failure', () => {
  const failed = { isError: true };
  test.each([
    ['anthropic', { is_error: true }],
    ['gemini', { functionResponse: { response: { error: 'the text' } } }],
    ['a2a', { metadata: { isError: true } }],
    ['openai', { content: 'the text' }],
  ] as const)('is reported in the form of %s', async (format, expected) => {
    const { dispatch } = bridge(format, failed);
    expect(await dispatch(CALLS[format](NAMES[format], { path: 'a' }))).toMatchObject(expected);
  });

  test.each(['openai', 'openai-responses'] as const)('of a model that wrote no JSON: %s', async (format) => {
    const { dispatch, made } = bridge(format);
    const call = CALLS[format](NAMES[format], {});
    const broken = JSON.parse(JSON.stringify(call).replace('"{}"', '"{ path: "')) as unknown;
    expect(JSON.stringify(await dispatch(broken))).toContain('The arguments are no JSON');
    expect(made).toEqual([]);
  });
});

test('nulls that a strict model must write are taken out again', async () => {
  const { dispatch, made, tools } = bridge('openai', {}, { strict: true });
  expect(tools).toMatchObject([{ function: { strict: true, parameters: { required: ['path', 'lines'] } } }]);
  await dispatch(CALLS.openai('files_read', { path: 'a', lines: null }));
  expect(made).toEqual([{ tool: 'files.read', args: { path: 'a' } }]);
});

describe('a picture', () => {
  const picture = { content: [{ type: 'image' as const, data: 'AQI=', mimeType: 'image/png' }] };
  test.each([
    ['anthropic', { content: [{ type: 'image', source: { media_type: 'image/png', data: 'AQI=' } }] }],
    ['openai-responses', { output: [{ type: 'input_image', image_url: 'data:image/png;base64,AQI=' }] }],
    ['gemini', { functionResponse: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AQI=' } }] } }],
    ['a2a', { parts: [{ raw: 'AQI=', mediaType: 'image/png' }] }],
    ['openai', { content: '(image of the type image/png, which cannot be shown here)' }],
  ] as const)('is kept where %s can, and named where it cannot', async (format, expected) => {
    const { dispatch } = bridge(format, picture);
    expect(await dispatch(CALLS[format](NAMES[format], { path: 'a' }))).toMatchObject(expected);
  });
});
