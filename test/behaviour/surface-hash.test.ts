import { afterEach, expect, test } from '@jest/globals';
import { createTool, McpApplication, type ToolDefinition } from 'toolwright';
import { createSurfaceHash } from '../../src/application/describe-application.ts';
import type { ToolService } from '../../src/runtime/routes/service-parts.ts';
import { DirectModule } from '../support/direct-app.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function application(options = {}): Promise<McpApplication> {
  const app = await McpApplication.create(DirectModule, { name: 'hashed', ...options });
  cleanups.push(() => app.close());
  return app;
}

test('is the same for every start', async () => {
  const [one, two] = [await application(), await application()];
  expect(one.surfaceHash).toMatch(/^[\da-f]{64}$/);
  expect(two.surfaceHash).toBe(one.surfaceHash);
});

test('does not depend on how lists are cut into pages', async () => {
  const [whole, paged] = [await application(), await application({ pageSize: 1 })];
  expect(paged.surfaceHash).toBe(whole.surfaceHash);
});

test('is another one while a tool, a prompt or a resource is not offered', async () => {
  const app = await application();
  const all = app.surfaceHash;
  app.registry.register(createTool('late').action({ name: 'come', handler: () => 'here' }));
  const more = app.surfaceHash;
  expect(more).not.toBe(all);
  app.registry.unregister('late');
  expect(app.surfaceHash).toBe(all);
  app.prompts.disable('greet');
  expect(app.surfaceHash).not.toBe(all);
  app.prompts.enable('greet');
  app.resources.disable('one');
  expect(app.surfaceHash).not.toBe(all);
});

test('is computed once for each surface', () => {
  let reads = 0;
  const definition = (): ToolDefinition => ({
    get name() {
      reads += 1;
      return 'tool';
    },
    description: 'A tool',
    inputSchema: { type: 'object' },
    annotations: {},
  });
  let list = [definition()];
  const tools = { list: () => list } as unknown as ToolService;
  const others = { prompts: undefined, resources: undefined, completions: undefined };
  const read = createSurfaceHash({ tools, ...others });
  const first = read();
  const once = reads;
  expect([read(), reads]).toEqual([first, once]);
  list = [definition()];
  expect(read()).toBe(first);
  expect(reads).toBe(2 * once);
});
