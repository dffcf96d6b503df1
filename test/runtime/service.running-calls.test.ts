import { describe, expect, test } from '@jest/globals';
import { Cancellation } from '../../src/call/call-context.ts';
import { NO_CLIENT } from '../../src/runtime/clients/served-clients.ts';
import { LocalOrigin } from '../../src/runtime/local-calls.ts';
import { RunningCalls, type McpService } from '../../src/runtime/service.ts';
import { fakePrompts, fakeResources, fullService } from '../support/fake-service.ts';
import { fakeTools } from '../support/fake-application.ts';

const forever = (): Promise<never> => new Promise(() => undefined);

/** Handlers that end at nothing. */
const stuck = (): McpService =>
  fullService({
    tools: { ...fakeTools({}), call: forever },
    prompts: { ...fakePrompts({}), get: forever },
    resources: { ...fakeResources({}), list: forever, read: forever },
    completions: { complete: forever },
  });

const calls = [
  ['prompts/get', { name: 'review' }],
  ['resources/read', { uri: 'memo:one' }],
  ['resources/list', {}],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'a', value: '' } }],
] as const;

function serve(running: RunningCalls, method: string, params: Readonly<Record<string, unknown>>) {
  const cancellation = new Cancellation();
  const exchange = new LocalOrigin('1', {}, cancellation);
  const served = stuck().admittedBy(running);
  return {
    cancellation,
    outcome: served.serve({ method, params, context: exchange, cancellation, served: NO_CLIENT }),
  };
}

describe.each([
  ['while it runs', false],
  ['before it began', true],
])('a call whose application is shut down %s', (_when, isBefore) => {
  const shutDown = (method: string, params: Readonly<Record<string, unknown>>) => {
    const running = new RunningCalls();
    if (isBefore) running.shutDown();
    const served = serve(running, method, params);
    if (!isBefore) running.shutDown();
    return served;
  };

  test.each(calls)('is refused when its handler does not listen: %s', async (method, params) => {
    const { outcome, cancellation } = shutDown(method, params);
    expect(await outcome).toMatchObject({ kind: 'failure', error: { data: { code: 'CANCELLED' } } });
    expect(cancellation.isCancelled).toBe(true);
  });

  test('has an error result when it is of a tool', async () => {
    const { outcome } = shutDown('tools/call', { name: 'stuck' });
    expect(await outcome).toMatchObject({ kind: 'result', value: { isError: true } });
  });
});
