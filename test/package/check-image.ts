import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { execForm, readDockerfile, textsOf } from '../pins/deploying/dockerfile.ts';
import { ROOT } from '../pins/docs/example.ts';
import { at, blockWith, program, textAt } from '../pins/deploying/guide.ts';
import { readYaml } from '../pins/deploying/read-yaml.ts';
import { client2026 } from '../support/client-of-2026.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { LineProcess } from '../support/line-process.ts';
import { fetchBy } from '../support/node-fetch.ts';
import { OwnRedis } from '../support/services/own-redis.ts';
import { documentedProject, documentedServer } from './documented-project.ts';
import { ImageStage } from './image-stage.ts';
import { StrangerProject } from './stranger-project.ts';

const CALL = { name: 'tasks', arguments: { action: 'create', title: 'deploy' } };

/**
 * What the guide on deploying says of an image, without an engine that builds it: its files are copied and its commands
 * run in folders, and what it starts serves clients with the variables of the Compose file, is healthy, and ends after
 * SIGTERM.
 */
export async function checkImage(directory: string, sources: ReadonlyMap<string, string>): Promise<void> {
  const stages = readDockerfile(blockWith('dockerfile', 'FROM'));
  const context = { directory: await writeContext(directory, sources), allowed: allowedFiles() };
  const built = new Map<string, ImageStage>();
  let image: ImageStage | undefined;
  for (const stage of stages) {
    const name = stage.name ?? 'image';
    // As deep as the context: the lock file has the relative path of the package
    image = new ImageStage(join(directory, name), stage);
    await image.build(context, built);
    built.set(name, image);
  }
  const last = stages.at(-1);
  assert.ok(image !== undefined && last !== undefined);
  for (const file of ['src', 'tsconfig.json', 'node_modules/typescript', 'mcp.secret'])
    await assert.rejects(access(join(image.directory, file)), `${file} is in the image`);
  const health = (textsOf(last, 'HEALTHCHECK')[0] ?? '').replace(/^(--\S+ )*CMD /, '');
  await serveImage(image, execForm(textsOf(last, 'CMD')[0]), execForm(health));
}

/** The project of somebody who has followed the guides, and has a secret beside it that no image may have. */
async function writeContext(directory: string, sources: ReadonlyMap<string, string>): Promise<string> {
  const project = new StrangerProject(join(directory, 'context', 'app'));
  const { packageJson, tsconfig, installs } = documentedProject();
  await project.write('package.json', packageJson);
  await project.write('tsconfig.json', tsconfig);
  await project.write('src/app.module.ts', `${documentedServer()}\nexport { TasksModule as AppModule };\n`);
  await project.write('src/main.ts', `import { AppModule } from './app.module.js';\n${program()}\n`);
  await project.write('mcp.secret', 'a secret that belongs into no image, long enough\n');
  for (const { packages, ...line } of installs) {
    const all = line.isDevelopment ? packages : [...packages, '@redis/client'];
    await project.install({ ...line, packages: all }, sources);
  }
  await completeLock(join(project.directory, 'package-lock.json'));
  return project.directory;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Where a registry lacks the packages of other platforms, `npm install` leaves them out and `npm ci` refuses that, as the
 * guide on running TypeScript says. Their entries are those of this project then.
 */
async function completeLock(file: string): Promise<void> {
  const [lock, own] = await Promise.all([file, `${ROOT}package-lock.json`].map(readLock));
  if (lock === undefined || own === undefined) throw new Error('A lock file is missing');
  const bindings = Object.entries(own.packages).filter(
    ([path, { optional }]) => optional === true && path.includes('/@oxc-transform/binding-'),
  );
  const packages = { ...Object.fromEntries(bindings), ...lock.packages };
  await writeFile(file, JSON.stringify({ ...lock, packages }, undefined, 2));
}

async function readLock(file: string): Promise<LockFile> {
  return JSON.parse(await readFile(file, 'utf8')) as LockFile;
}

function allowedFiles(): readonly string[] {
  const [all, ...others] = blockWith('text', '!src').split('\n');
  assert.equal(all, '*');
  return others.map((line) => line.replace(/^!/, ''));
}

async function serveImage(
  image: ImageStage,
  [command, ...args]: readonly string[],
  [checker, ...check]: readonly string[],
): Promise<void> {
  assert.deepEqual([command, checker], ['node', 'node']);
  await using redis = await OwnRedis.start('--maxmemory-policy', 'noeviction');
  const secretsFile = join(image.root, 'run', 'secrets', 'mcp');
  await mkdir(join(secretsFile, '..'), { recursive: true });
  await writeFile(secretsFile, 'a secret of all instances, long enough\n');
  const compose = at(readYaml(blockWith('yaml', 'services:'))[0], 'services', 'app', 'environment');
  const [port, operationsPort] = [String(await lastingPort()), String(await lastingPort())];
  const env = {
    ...image.variables,
    ...(compose as Readonly<Record<string, string>>),
    // What differs here: other programs have the ports, and there are no names of containers
    ...{ PORT: port, OPERATIONS_PORT: operationsPort, REDIS_URL: redis.url, SECRETS_FILE: secretsFile },
  };
  const isHealthy = (): Promise<boolean> =>
    promisify(execFile)(process.execPath, check, {
      env: { ...process.env, ...env },
      cwd: image.directory,
    }).then(
      () => true,
      () => false,
    );
  const server = new LineProcess({ args, cwd: image.directory, env });
  try {
    await server.line('stdout', 'serving at http://');
    await callBothEras(`http://${textAt(compose, 'ALLOWED_HOSTS')}:${port}/mcp`);
    assert.equal(await isHealthy(), true);
    server.kill('SIGTERM');
    assert.equal(await server.ended, 0, server.output());
    assert.equal(await isHealthy(), false);
  } finally {
    server.kill('SIGKILL');
    await server.ended;
  }
}

/** By the name that the server allows, as behind a proxy that passes it on. */
async function callBothEras(url: string): Promise<void> {
  const fetch = fetchBy({ resolvesTo: '127.0.0.1' });
  const client = new Client({ name: 'stranger', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }));
  assert.match(JSON.stringify(await client.callTool(CALL)), /Task 1 was created/);
  await client.close();
  const modern = client2026();
  await modern.connect(new ModernTransport(new URL(url), { fetch }));
  assert.match(JSON.stringify(await modern.callTool(CALL)), /Task 2 was created/);
  await modern.close();
}
