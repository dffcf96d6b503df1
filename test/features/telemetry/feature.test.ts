import { expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ToolGroup, type Observation, type Telemetry } from 'toolwright';
import { COMPOSITION } from '../../../src/app/features.ts';
import { withOptionalStages } from '../../../src/runtime/feature-stages.ts';
import type { RouteSettings } from '../../../src/runtime/routes/route.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

@ToolGroup('doors')
class Doors {
  @Action() open(): string {
    return 'open';
  }
}
@Module({ controllers: [Doors] })
class DoorsModule {}

test('an application that nobody watches has no stage for it', () => {
  const { features, stages } = COMPOSITION;
  const target = { kind: 'method', method: 'ping', name: undefined, handler: undefined } as const;
  expect(stages.request.observe?.(target, {} as RouteSettings)).toBeUndefined();
  expect(withOptionalStages(stages, features, {})).toBe(stages);
});

test.each([false, true])(
  'telemetry gets the request and nothing else, with the access log: %s',
  async (accessLog) => {
    const given: (readonly unknown[])[] = [];
    const observation: Observation = {
      run: (work) => work(),
      enter: (_part, work) => work(),
      leave: (_part, work) => work(),
      inject: (params) => params,
      detach: () => undefined,
      end: () => undefined,
    };
    const telemetry: Telemetry = {
      spans: [],
      begin: (...args) => {
        given.push(args);
        return observation;
      },
      add: () => undefined,
      record: () => undefined,
    };
    const logger = new MemoryLogger();
    const app = await McpApplication.create(DoorsModule, { telemetry, accessLog, logger });
    await app.call('doors', { action: 'open' });
    await app.close();
    expect(given).toEqual([[expect.objectContaining({ method: 'tools/call', tool: 'doors' })]]);
    const served = logger.records.filter(({ event }) => event === 'request.served');
    expect(served).toHaveLength(accessLog ? 1 : 0);
  },
);
