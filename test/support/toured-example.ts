import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { addressOf, EXAMPLES } from './example-process.ts';
import type { LineProcess } from './line-process.ts';
import { LoaderProject } from './loader-project.ts';
import { textOf } from './text-of.ts';

/** An example that `toolwright dev` serves from a copy: what it writes stays out of the clone. */
export class TouredExample {
  /** The address of the explorer. */
  readonly explorer: string;
  /** The address of the endpoint. */
  readonly url: string;
  readonly project: LoaderProject;
  readonly #server: LineProcess;

  private constructor(
    project: LoaderProject,
    server: LineProcess,
    places: { readonly url: string; readonly explorer: string },
  ) {
    this.project = project;
    this.#server = server;
    this.url = places.url;
    this.explorer = places.explorer;
  }

  static async serve(name: string): Promise<TouredExample> {
    const project = await LoaderProject.create({}, 'module');
    await cp(join(EXAMPLES, name), project.folder, { recursive: true });
    const server = project.command('dev', 'main.ts', '--port', '0');
    const explorer = (await server.line('stderr', 'explorer: ')).replace('explorer: ', '');
    return new TouredExample(project, server, { url: await addressOf(server), explorer });
  }

  /** What a client of its own gets: the text that a model reads. */
  async answerTo(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const client = await McpClient.connect(new HttpTransport(this.url), { era: '2025' });
    try {
      return textOf(await client.callTool(tool, args));
    } finally {
      await client.close();
    }
  }

  async stop(): Promise<void> {
    this.#server.kill('SIGTERM');
    await this.#server.ended;
    await this.project.remove();
  }
}
