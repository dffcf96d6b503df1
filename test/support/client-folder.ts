import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CommandFolder, type CommandEnd } from './command-line.ts';
import { FakePrograms } from './fake-programs.ts';

const ENTRY = `
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('List them') list(): string { return 'none'; }
}
@Module({ controllers: [Notes] })
class AppModule {}
export default await McpApplication.create(AppModule, { name: 'My notes' });
`;

/** A value of a variable that must never be printed. */
export const SECRET = 'pa$$ "word" = x';
/** The file with the application, whose path is none that a shell would leave alone. */
export const FILE = "it's mine/server.ts";

/** A folder from which a server is registered, with a home folder and a PATH of its own. */
export class ClientFolder extends CommandFolder {
  readonly programs: FakePrograms;

  constructor() {
    super({ [FILE]: ENTRY });
    this.programs = new FakePrograms(this);
  }

  async install(...args: readonly string[]): Promise<CommandEnd> {
    const PATH = [this.programs.path, dirname(process.execPath)].join(delimiter);
    const env = { PATH, HOME: join(this.path, 'home'), XDG_CONFIG_HOME: '' };
    const end = await this.run(['install', ...args], env);
    if (`${end.stdout}${end.stderr}`.includes(SECRET)) throw new Error('It printed the value of a variable.');
    return end;
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8');
  }

  json(path: string): unknown {
    return JSON.parse(this.read(path));
  }

  /** The command that clients start, as a matcher sees it. */
  served(): { readonly command: unknown; readonly args: readonly unknown[] } {
    const args = ['run', join(this.path, FILE), '--stdio'];
    const bin = expect.stringMatching(/^\/.*\/dist\/cli\/main\.js$/) as unknown;
    return { command: expect.stringMatching(/^\/.*node$/), args: [bin, ...args] };
  }
}
