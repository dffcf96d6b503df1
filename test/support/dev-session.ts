import { afterEach } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { addressOf } from './example-process.ts';
import type { LineProcess } from './line-process.ts';
import { LoaderProject } from './loader-project.ts';
import { textOf } from './text-of.ts';

/** An application whose state is in another file than its actions. */
export const FILES = {
  'server.ts': `
import { McpApplication, Module } from 'toolwright';
import { Counter } from './controller.js';
import { Gate, Store } from './store.js';

@Module({ controllers: [Counter], providers: [Store, Gate] })
class AppModule {}

const app = await McpApplication.create(AppModule, { name: 'counter' });
await app.listen(0);
`,
  'controller.ts': `
import { Action, ToolGroup } from 'toolwright';
import { Gate, Store } from './store.js';

@ToolGroup({ name: 'counter', description: 'Counts' })
export class Counter {
  constructor(private readonly store: Store, private readonly gate: Gate) {}

  @Action('Add one') add() {
    return \`first \${String((this.store.count += 1))}\`;
  }

  @Action('Wait for the gate') async wait() {
    console.log('waiting');
    await this.gate.opened;
    return 'first';
  }

  @Action('Open the gate') open() {
    this.gate.open();
  }
}
`,
  'store.ts': `
import { Injectable } from 'toolwright';

@Injectable()
export class Store {
  count = 0;
}

@Injectable()
export class Gate {
  open: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}
`,
};

const ends: (() => Promise<unknown>)[] = [];

/** Runs when the test has ended, last first. */
export function endLater(end: () => Promise<unknown>): void {
  ends.push(end);
}

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A folder with these files, until the test ends. */
export async function createProject(files: Readonly<Record<string, string>> = FILES): Promise<LoaderProject> {
  const project = await LoaderProject.create(files);
  ends.push(() => project.remove());
  return project;
}

interface Served {
  readonly project: LoaderProject;
  readonly server: LineProcess;
  readonly url: string;
  /** Resolves when the terminal has said the text so many times. */
  said(text: string, times?: number): Promise<void>;
}

/** Runs `toolwright dev server.ts` with further options. */
export async function serve(...options: readonly string[]): Promise<Served> {
  return serveProject(await createProject(), ...options);
}

export async function serveProject(project: LoaderProject, ...options: readonly string[]): Promise<Served> {
  const server = project.command('dev', 'server.ts', ...options);
  ends.push(async () => {
    server.kill('SIGTERM');
    await server.ended;
  });
  const said = async (text: string, times = 1): Promise<void> => {
    while (server.stderr.filter((line) => line.includes(text)).length < times) await server.next();
  };
  return { project, server, url: await addressOf(server), said };
}

/** Saves what a server sees as a whole: it sleeps until all is written, however long that takes on a busy machine. */
export async function atOnce(server: LineProcess, save: () => Promise<void>): Promise<void> {
  server.kill('SIGSTOP');
  await save().finally(() => {
    server.kill('SIGCONT');
  });
}

export async function edit(
  project: LoaderProject,
  file: string,
  before: string,
  after: string,
): Promise<void> {
  const text = await readFile(project.path(file), 'utf8');
  await project.write(file, text.replaceAll(before, after));
}

/** A client that wants to know of every list. */
export async function connect(url: string, era: '2025' | '2026') {
  const notified: string[] = [];
  let wake = (): void => {};
  const client = await McpClient.connect(new HttpTransport(url), {
    era,
    onNotification: (method) => {
      if (!method.endsWith('list_changed')) return;
      notified.push(method);
      wake();
    },
  });
  ends.push(() => client.close());
  await client.subscribe({ tools: true, prompts: true, resources: true });
  return {
    client,
    notified,
    call: async (action: string) => textOf(await client.callTool('counter', { action })),
    /** Resolves when so many notifications have come. */
    count: async (wanted: number): Promise<void> => {
      while (notified.length < wanted) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
