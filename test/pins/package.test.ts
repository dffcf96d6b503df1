import { describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { LineProcess } from '../support/line-process.ts';
import { TRACE_MODULES } from '../support/trace-modules.ts';
import { compilerOptions } from './docs/check-examples.ts';
import { publicComments, publicEntries, publicNames } from './docs/public-api.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { exports: entries, scripts } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as {
  exports: Readonly<Record<string, unknown>>;
  scripts: Readonly<Record<string, string>>;
};
/** No module at all, and what is imported for what it does. */
const NAMELESS = ['./package.json', './stdio-guard', './register'];
const names = Object.keys(entries)
  .filter((entry) => !NAMELESS.includes(entry))
  .map((entry) => `toolwright${entry.slice(1)}`);

// Inside the package, its own name leads to what is built, through `exports`, as in a user's project.
async function runInPackage(script: string, ...args: readonly string[]): Promise<LineProcess> {
  const started = new LineProcess({ args: [...args, '--eval', script], cwd: root });
  if ((await started.ended) !== 0) throw new Error(started.output());
  return started;
}

const MODULE = '--input-type=module';
const LISTENS = 'listens';
const TRANSPORT = /^listens$|@modelcontextprotocol|\/zod\/|\/src\/transports\/(fetch|http|stdio)\//;
const FORMATS = /\/src\/formats\/|\/src\/application\/bridge\/tool-exports|\/re2js\/|\/ajv\//;

async function loadedBy(script: string): Promise<readonly string[]> {
  const { stderr } = await runInPackage(script, MODULE, ...TRACE_MODULES);
  const urls = stderr
    .filter((line) => line === LISTENS || line.startsWith('loads '))
    .map((line) => line.replace(/^loads /, ''));
  return (await Promise.all(urls.map(sourcesOf))).flat();
}

/** The modules that were bundled into a file of the package, as its source map reports. */
async function sourcesOf(url: string): Promise<readonly string[]> {
  // The build writes these files itself: they have no sources
  if (!url.includes('/dist/') || /\/node_modules\/|\/(late-)?crypto\.js$/.test(url)) return [url];
  const { sources } = JSON.parse(await readFile(new URL(`${url}.map`), 'utf8')) as {
    readonly sources: readonly string[];
  };
  return sources.map((source) => new URL(source, url).href);
}

test('every entry gives the same exports to import and to require', async () => {
  const print = (load: string): string => `(async () => {
    for (const name of ${JSON.stringify(names)}) {
      const keys = Object.keys(${load}).filter((key) => key !== '__esModule');
      console.log(name, keys.sort().join());
    }
  })();`;
  const imported = await runInPackage(print('await import(name)'), MODULE);
  const required = await runInPackage(print('require(name)'), '--no-warnings');
  expect(imported.stdout).toEqual(names.map((name) => expect.stringMatching(`^${name} \\w`)));
  expect(required.stdout).toEqual(imported.stdout);
});

describe('importing toolwright', () => {
  test('loads no transport, nothing of an SDK, no format of a provider and no validator of JSON Schema', async () => {
    const loaded = await loadedBy("await import('toolwright')");
    expect(loaded).toContainEqual(expect.stringContaining('/src/application.ts'));
    expect(loaded.filter((url) => TRANSPORT.test(url) || FORMATS.test(url))).toEqual([]);
  });

  test('loads of class-transformer only what its decorators wrote', async () => {
    const loaded = await loadedBy("await import('toolwright')");
    const files = loaded.flatMap((url) => /\/class-transformer\/(.*)$/.exec(url)?.[1] ?? []);
    expect(files).toEqual(['cjs/storage.js']);
  });

  test('loads the formats with the first export', async () => {
    const loaded = await loadedBy(`
      import { McpApplication, Module } from 'toolwright';
      class Empty {}
      Module()(Empty);
      const app = await McpApplication.create(Empty);
      await app.export('openai');
      await app.close();`);
    expect(loaded).toContainEqual(expect.stringContaining('/src/formats/adapters/openai.ts'));
  });

  test('loads a transport when it listens, and never an SDK', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const loaded = await loadedBy(`
      import { McpApplication, Module } from 'toolwright';
      class Empty {}
      Module()(Empty);
      const app = await McpApplication.create(Empty);
      const { url } = await app.listen({ port: 0 });
      console.error('listens');
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: '${initialize}',
      });
      await app.close();`);
    const transports = loaded.filter((url) => TRANSPORT.test(url));
    const [early, late] = [transports.slice(0, transports.indexOf(LISTENS)), transports];
    expect(early).toContainEqual(expect.stringContaining('/src/transports/http/'));
    expect(early).not.toContainEqual(expect.stringContaining('@modelcontextprotocol'));
    expect(late).not.toContainEqual(expect.stringMatching(/@modelcontextprotocol|\/src\/transports\/stdio/));
  });
});

test('a server starts and answers without what node:crypto and node:worker_threads load', async () => {
  const { stdout } = await runInPackage(
    `import { request } from 'node:http';
    import { McpApplication, Module } from 'toolwright';
    class Empty {}
    Module()(Empty);
    const app = await McpApplication.create(Empty);
    const { url } = await app.listen({ port: 0, sessions: false });
    const posted = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    posted.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    const [response] = await new Promise((resolve) => posted.once('response', (...got) => resolve(got)));
    response.resume();
    console.log(response.statusCode, process.moduleLoadList.filter((name) => /^NativeModule (crypto|worker_threads)$/.test(name)));
    await app.close();`,
    MODULE,
  );
  expect(stdout).toEqual(['200 []']);
});

test('no file has a character beyond ASCII: V8 would keep the whole of it in two bytes for each', async () => {
  const files = (await readdir(`${root}dist`, { recursive: true })).filter((file) => file.endsWith('.js'));
  expect(files).toContain('index.js');
  const texts = await Promise.all(files.map((file) => readFile(`${root}dist/${file}`, 'utf8')));
  expect(files.filter((_, index) => !/^[\0-\x7f]*$/.test(texts[index] ?? ''))).toEqual([]);
});

test('every class that an entry exports has its own name, also behind the bundler', async () => {
  const loads = names.map((name) => `...Object.entries(await import('${name}'))`).join(', ');
  const { stdout } = await runInPackage(
    `for (const [name, value] of [${loads}]) if (typeof value === 'function' && /^class\\b/.test(value)) console.log(name, value.name);`,
    MODULE,
  );
  expect(stdout).toContain('McpApplication McpApplication');
  // The name that it has in the specification, beside that of its vocabulary
  const aliases = ['MemoryRunStore InMemoryRunStore'];
  expect(stdout.filter((line) => new Set(line.split(' ')).size !== 1)).toEqual(aliases);
});

test.each([
  ['before', "await import('reflect-metadata'); await import('toolwright');"],
  ['after', "await import('toolwright'); await import('reflect-metadata');"],
])('shares metadata with a copy of reflect-metadata that is loaded %s it', async (_, loads) => {
  const { stdout } = await runInPackage(
    `class Early {}
    class Store {}
    ${loads.replace(';', `; Reflect.defineMetadata('design:paramtypes', [Store], Early);`)}
    class Late {}
    Reflect.defineMetadata('design:paramtypes', [Store], Late);
    const { createTestApplication } = await import('toolwright/testing');
    const { Injectable, Module } = await import('toolwright');
    for (const type of [Store, Early, Late]) Injectable()(type);
    class Root {}
    Module({ providers: [Store, Early, Late] })(Root);
    const { app } = await createTestApplication(Root);
    console.log(Reflect.getMetadata('design:paramtypes', Early)[0] === Store);
    console.log(app.get(Early) instanceof Early, app.get(Late) instanceof Late);
    await app.close();`,
    MODULE,
  );
  expect(stdout).toEqual(['true', 'true true']);
});

test('entries of the package share their classes', async () => {
  const { stdout } = await runInPackage(
    `import { McpApplication, Module, ToolGroup, Action } from 'toolwright';
    import { Group } from 'toolwright/model';
    import { createTestApplication } from 'toolwright/testing';
    class Tools { hello() { return 'world'; } }
    ToolGroup('greet')(Tools);
    Action()(Tools.prototype, 'hello', Object.getOwnPropertyDescriptor(Tools.prototype, 'hello'));
    class Root {}
    Module({ controllers: [Tools] })(Root);
    const test = await createTestApplication(Root);
    console.log(test.app instanceof McpApplication, test.app.model.groups[0] instanceof Group);
    await test.close();`,
    MODULE,
  );
  expect(stdout).toEqual(['true true']);
});

test('importing the model loads no dependency at all', async () => {
  const loaded = await loadedBy("await import('toolwright/model')");
  expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([]);
});

test('importing the stdio guard loads nothing else, which might print before it guards', async () => {
  const loaded = await loadedBy("await import('toolwright/stdio-guard')");
  const sources = loaded.map((url) => url.replace(/.*\/src\//, ''));
  expect(sources.sort()).toEqual(['shared/guard-stdout.ts', 'stdio-guard/index.ts']);
});

test('the comments of all public names and members reach the declarations of the package', () => {
  const built = publicEntries().map((entry) => entry.replace(/^src(.*)\.ts$/, 'dist$1.d.ts'));
  const files = [...publicEntries(), ...built].map((file) => `${root}${file}`);
  const program = ts.createProgram(files, compilerOptions());
  for (const [index, entry] of publicEntries().entries()) {
    const comments = publicComments(program, entry);
    expect(comments.size).toBeGreaterThanOrEqual(publicNames(program, entry).length);
    const reaching = publicComments(program, built[index] ?? '');
    expect([...comments].filter(([name, comment]) => reaching.get(name) !== comment)).toEqual([]);
  }
});

describe('the scripts of the clone', () => {
  test('name all of their steps: with install scripts off, npm runs none before or after another', () => {
    const isOfAnother = (name: string) => (/^(?:pre|post)(.+)$/.exec(name)?.[1] ?? '') in scripts;
    expect(Object.keys(scripts).filter(isOfAnother)).toEqual([]);
  });
});
