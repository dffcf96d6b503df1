import { describe, expect, test } from '@jest/globals';
import type { CallExchange } from '../../src/call/call-exchange.ts';
import { withSignal } from '../../src/runtime/with-signal.ts';
import type { McpService } from '../../src/runtime/mcp-service.ts';
import { createLocalExchange } from '../../src/runtime/local-exchange.ts';
import { fullService } from '../fixtures/fake-service.ts';

const forever = (): Promise<never> => new Promise(() => undefined);

/** Handlers that end at nothing. */
function stuckService(): McpService {
  const service = fullService();
  return {
    ...service,
    tools: service.tools && { ...service.tools, call: forever },
    prompts: service.prompts && { ...service.prompts, get: forever },
    resources: service.resources && { ...service.resources, list: forever, read: forever },
    completions: { complete: forever },
  };
}

const calls: [string, (service: McpService, exchange: CallExchange) => Promise<unknown> | undefined][] = [
  ['a prompt', ({ prompts }, exchange) => prompts?.get('review', {}, exchange)],
  ['a resource', ({ resources }, exchange) => resources?.read('memo:one', exchange)],
  ['a list of resources', ({ resources }, exchange) => resources?.list(exchange)],
  [
    'a completion',
    ({ completions }, exchange) => {
      const reference = { type: 'ref/prompt', name: 'review' } as const;
      return completions?.complete({ reference, argument: { name: 'a', value: '' }, resolved: {} }, exchange);
    },
  ],
];

describe.each([
  ['is aborted', false],
  ['was aborted before', true],
])('a service whose signal %s', (_when, isBefore) => {
  test.each(calls)('refuses %s that does not listen', async (_kind, call) => {
    const ending = new AbortController();
    if (isBefore) ending.abort();
    const outcome = call(withSignal(stuckService(), ending.signal), createLocalExchange('1', {}));
    ending.abort();
    await expect(outcome).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
  });

  test('answers a tool that does not listen', async () => {
    const ending = new AbortController();
    if (isBefore) ending.abort();
    const { tools } = withSignal(stuckService(), ending.signal);
    const outcome = tools?.call('stuck', {}, createLocalExchange('1', {}));
    ending.abort();
    expect(await outcome).toMatchObject({ isError: true });
  });
});
