import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECT } from '../folders.ts';
import { LEGACY_HEADERS, requestOf } from '../load/http-call.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { COMMAND } from './command-process.ts';
import { serverEnvironment } from './server-process.ts';

/** Apart from the sources of this project, which are checked. */
const FILES = join(PROJECT, '.cache/developed');
const CONTROLLERS = 10;

const call = { method: 'tools/call', params: { name: 'group0', arguments: { action: 'add', a: 40, b: 2 } } };

/** `toolwright dev` with an application of ten controllers, a file for each. */
export class DevelopedServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #connection: HttpConnection;
  #output: string;

  private constructor(child: ChildProcessWithoutNullStreams, connection: HttpConnection, output: string) {
    this.#child = child;
    this.#connection = connection;
    this.#output = output;
  }

  /** @returns when it has answered */
  static async start(version: number): Promise<DevelopedServer> {
    const args = [COMMAND, 'dev', 'server.ts', '--port', '0'];
    const child = spawn(process.execPath, args, { cwd: FILES, env: serverEnvironment() });
    const [address] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown];
    const url = new URL(String(address).trim());
    const request = requestOf({ message: call, headers: LEGACY_HEADERS }, url);
    const connection = await HttpConnection.open(url, request, () => undefined);
    const server = new DevelopedServer(child, connection, '');
    child.stderr.on('data', (chunk: Buffer) => void (server.#output += chunk.toString()));
    await server.answers(version);
    return server;
  }

  /** Resolves at the first answer of this version. */
  async answers(version: number): Promise<void> {
    const until = performance.now() + 20_000;
    while (!(await this.#ask()).includes(`version ${version}: 42`)) {
      if (performance.now() > until) throw new Error(`It does not swap: ${this.#output.slice(-500)}`);
      await pause(1);
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#connection.close();
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #ask(): Promise<string> {
    let answer = '';
    await this.#connection.callWhile(({ body }) => {
      answer = body.toString();
      return false;
    });
    return answer;
  }
}

/** Writes all files. */
export async function writeProject(version: number): Promise<void> {
  await mkdir(FILES, { recursive: true });
  const numbers = Array.from({ length: CONTROLLERS }, (_, index) => index);
  for (const number of numbers) await saveController(number, version);
  const imports = numbers.map((number) => `import { Group${number} } from './group${number}.ts';`);
  const controllers = numbers.map((number) => `Group${number}`).join(', ');
  const lines = [
    "import { McpApplication, Module } from 'toolwright';",
    ...imports,
    `@Module({ controllers: [${controllers}] }) class AppModule {}`,
    "const app = await McpApplication.create(AppModule, { name: 'developed' });",
    'await app.listen({ port: 0, sessions: false });',
  ];
  await writeFile(join(FILES, 'server.ts'), `${lines.join('\n')}\n`);
}

/** Saves a file whose answers say the version. */
export async function saveController(number: number, version: number): Promise<void> {
  const lines = [
    "import { IsInt } from 'class-validator';",
    "import { Action, Field, ToolGroup } from 'toolwright';",
    "class Add { @IsInt() @Field('The first number') a!: number; @IsInt() b!: number; }",
    `@ToolGroup('group${number}') export class Group${number} {`,
    `  @Action('Adds two numbers') add(input: Add) { return 'version ${version}: ' + (input.a + input.b); }`,
    ...Array.from({ length: 9 }, (_, index) => `  @Action('Another one') other${index}(input: Add) {}`),
    '}',
  ];
  await writeFile(join(FILES, `group${number}.ts`), `${lines.join('\n')}\n`);
}
