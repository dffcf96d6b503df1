import { afterEach, expect, test } from '@jest/globals';
import {
  Action,
  hostApplications,
  Injectable,
  McpApplication,
  Module,
  ToolGroup,
  type ApplicationHost,
} from 'toolwright';

class Empty {}
Module()(Empty);

const created: unknown[] = [];
const asked: unknown[] = [];
const handle = {
  closed: Promise.resolve(),
  stop: async () => {},
  close: async () => {},
  notify: () => {},
};
const host: ApplicationHost = {
  created: (application, rootModule) => {
    created.push(application, rootModule);
  },
  listen: async (application, options) => {
    asked.push([application, options]);
    return { ...handle, url: 'http://host/mcp', port: 1 };
  },
  stdio: async (application, options, open) => {
    asked.push([application, options, typeof open]);
    return handle;
  },
};
let release: () => void = () => {};

afterEach(() => {
  release();
  created.length = 0;
  asked.length = 0;
});

test('hands each application to the host, with the module that it was made of', async () => {
  release = hostApplications(host);
  const app = await McpApplication.create(Empty);
  expect(created).toEqual([app, Empty]);
  await app.close();
});

test('hands over what is to be served, and opens nothing', async () => {
  release = hostApplications(host);
  const app = await McpApplication.create(Empty);
  expect((await app.listen(4000)).url).toBe('http://host/mcp');
  expect(await app.stdio({ signals: false })).toBe(handle);
  expect(asked).toEqual([
    [app, { port: 4000 }],
    [app, { signals: false }, 'function'],
  ]);
  await app.close();
});

test('lets a host open what is asked for, with other options', async () => {
  release = hostApplications({
    ...host,
    listen: (_application, options, open) => open({ ...options, port: 0 }),
  });
  const app = await McpApplication.create(Empty);
  const { port } = await app.listen({ port: 1, signals: false });
  expect(port).toBeGreaterThan(1);
  await app.close();
});

test('serves by itself again once the host has let go', async () => {
  hostApplications(host)();
  const app = await McpApplication.create(Empty);
  const serving = await app.listen({ port: 0, signals: false });
  expect(serving.url).toMatch(/^http:\/\/127/);
  expect(created).toEqual([]);
  await app.close();
});

test('says whether the calls that ran could end', async () => {
  const app = await McpApplication.create(Empty);
  expect(app.isDrained).toBeUndefined();
  await app.close();
  expect(app.isDrained).toBe(true);
});

test('a host that only looks has nothing constructed that it does not ask for', async () => {
  const life: string[] = [];
  @Injectable()
  class Store {
    constructor() {
      life.push('store');
    }
    onModuleInit(): void {
      life.push('begins');
    }
    onApplicationShutdown(): void {
      life.push('ends');
    }
    dispose(): void {
      life.push('disposed');
    }
  }
  @ToolGroup('counter')
  class Counter {
    constructor(readonly store: Store) {
      life.push('counter');
    }
    @Action('Count') count(): number {
      return 1;
    }
  }
  const connection = { provide: 'connection', useFactory: () => life.push('connection') };
  @Module({ controllers: [Counter], providers: [Store, connection] })
  class CountingModule {}

  release = hostApplications({ ...host, compilesOnly: true });
  const app = await McpApplication.create(CountingModule);
  expect(app.definitions.map(({ name }) => name)).toEqual(['counter']);
  expect(life).toEqual([]);
  expect(app.get(Counter).store).toBe(app.get(Store));
  expect(app.get(Counter)).toBe(app.get(Counter));
  expect(life).toEqual(['store', 'counter']);
  expect(await app.call('counter', { action: 'count' })).toMatchObject({ content: [{ text: '1' }] });
  await app.close();
  expect(life).toEqual(['store', 'counter', 'disposed']);
});
