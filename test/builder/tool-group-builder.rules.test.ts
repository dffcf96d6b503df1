import { expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createTool, ToolRegistry, type CallToolResult } from 'toolwright';
import { connectedClient } from '../support/attached-client.ts';
import { authInfoOf } from '../support/callers.ts';
import { factsOf, textOf } from '../support/text-of.ts';

const handler = () => 'done';

test('limits of a group, and those of a tool, count actions together', async () => {
  const registry = new ToolRegistry().register(
    createTool('clock', { limits: { rate: { limit: 3, per: 'hour' } } })
      .group('day', (group) =>
        group
          .limits({ rate: { limit: 1, per: 'minute' } })
          .action({ name: 'now', handler })
          .action({ name: 'noon', handler }),
      )
      .group('night', (group) => group.action({ name: 'now', handler })),
  );
  const call = async (action: string) => factsOf(await registry.routeCall('clock', { action }));
  expect(await call('day.now')).toBeUndefined();
  expect(await call('day.noon')).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 60 });
  expect(await call('night.now')).toBeUndefined();
  expect(await call('night.now')).toBeUndefined();
  expect(await call('night.now')).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 1200 });
});

test('an action requires what its tool and group require, unless it is public', async () => {
  const registry = new ToolRegistry().register(
    createTool('clock', { requires: { roles: ['guest'] } })
      .group('day', (group) =>
        group
          .requires({ roles: ['admin'] })
          .action({ name: 'set', handler })
          .action({ name: 'tell', requires: { public: true }, handler }),
      )
      .group('night', (group) => group.action({ name: 'set', handler })),
  );
  const answers = async (roles: readonly string[], action: string) => {
    const server = new McpServer({ name: 'attached', version: '1.0.0' });
    registry.attachToServer(server);
    const client = await connectedClient(server, {}, authInfoOf({ sub: 'ada', roles }));
    const result = await client.callTool({ name: 'clock', arguments: { action } });
    await client.close();
    return result.isError === true ? factsOf(result) : textOf(result as CallToolResult);
  };
  expect(await answers(['guest', 'admin'], 'day.set')).toBe('done');
  for (const roles of [['guest'], ['admin'], []]) {
    expect(await answers(roles, 'day.set')).toMatchObject({ code: 'UNKNOWN_ACTION' });
    expect(await answers(roles, 'day.tell')).toBe('done');
  }
  expect(await answers(['guest'], 'night.set')).toBe('done');
  expect(await answers(['admin'], 'night.set')).toMatchObject({ code: 'UNKNOWN_ACTION' });
});

test('a tool that is public for all leaves what its groups and actions require', async () => {
  const registry = new ToolRegistry().register(
    createTool('clock', { requires: { public: true } })
      .group('day', (group) => group.requires({ roles: ['admin'] }).action({ name: 'set', handler }))
      .group('night', (group) => group.action({ name: 'tell', handler })),
  );
  expect(textOf(await registry.routeCall('clock', { action: 'night.tell' }))).toBe('done');
  expect(factsOf(await registry.routeCall('clock', { action: 'day.set' }))).toMatchObject({
    code: 'UNKNOWN_ACTION',
  });
});

test('refuses rules that cannot be, and a group that failed keeps its earlier ones', async () => {
  const limits = { rate: { limit: 0, per: 'minutes' } } as never;
  expect(() => createTool('clock', { limits })).toThrow(/limits\.rate\.limit/);
  expect(() => createTool('clock', { requires: { roles: 'admin' } as never })).toThrow(/requires\.roles/);
  const tool = createTool('clock').group('day', (group) => group.action({ name: 'now', handler }));
  const strict = { rate: { limit: 1, per: 'day' } } as const;
  expect(() =>
    tool.group('day', (group) =>
      group
        .limits(strict)
        .requires({ roles: ['admin'] })
        .limits(limits),
    ),
  ).toThrow(/group "day" of builder "clock"/);
  for (let times = 0; times < 2; times += 1) {
    expect(textOf(await tool.execute({ action: 'day.now' }))).toBe('done');
  }
});
