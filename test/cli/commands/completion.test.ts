import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { runCli } from '../../support/cli-process.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { askService } from '../../support/services/ask-service.ts';

const ENTRY = `
import { Action, Module, Prompt, ToolGroup } from 'toolwright';
@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @Action('List them') list(): string { return 'none'; }
  @Action('Add one') add(): string { return ''; }
  @Prompt('Sum them up') summary(): string { return ''; }
}
@Module({ controllers: [Notes] })
export class App {}
`;
/** Called with a terminal: prints the line as it is now. */
const SHOW = {
  bash: `show() { printf 'LINE<%s>END' "$READLINE_LINE"; }
bind -x '"\\C-t": show'`,
  zsh: `show() { print -rn -- "LINE<$LBUFFER>END" }
zle -N show
bindkey '^T' show`,
};
const START = { bash: '', zsh: 'autoload -Uz compinit; compinit -u -D\n' };
const TAB = fileURLToPath(new URL('../../support/press-tab.zsh', import.meta.url));

let folder: CommandFolder;
let env: NodeJS.ProcessEnv;
let zsh: string;
let fish: string;

beforeAll(async () => {
  folder = new CommandFolder({ 'server.ts': ENTRY, "it's mine/server.ts": ENTRY });
  mkdirSync(join(folder.path, 'bin'));
  const main = realpathSync(fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url)));
  symlinkSync(main, join(folder.path, 'bin/toolwright'));
  // One after the other: each may have to be installed
  zsh = await askService('zsh');
  fish = await askService('fish');
  const PATH = [join(folder.path, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
  env = { ...process.env, PATH, TERM: 'xterm', HOME: folder.path, NODE_OPTIONS: '' };
});

afterAll(() => {
  folder.remove();
});

async function printedBy(program: string, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder.path, env });
  return stdout.split('\n').filter((line) => line !== '');
}

/** What each line becomes when Tab is pressed at its end, in a terminal. */
async function pressTab(shell: 'bash' | 'zsh', lines: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCli(['completion', shell]);
  folder.write(`setup.${shell}`, `${START[shell]}${stdout}\n${SHOW[shell]}\n`);
  return printedBy(zsh, ['-f', TAB, shell, join(folder.path, `setup.${shell}`), ...lines]);
}

describe.each(['bash', 'zsh'] as const)('Tab in %s completes', (shell) => {
  test('commands, options, their values, and files', async () => {
    const lines = {
      'toolwright ca': 'toolwright call ',
      'toolwright call x.ts --ans': 'toolwright call x.ts --answer ',
      'toolwright check x.ts --format gi': 'toolwright check x.ts --format github ',
      'toolwright run --no-i': 'toolwright run --no-input ',
      'toolwright completion fi': 'toolwright completion fish ',
      'toolwright install cu': 'toolwright install cursor ',
      'toolwright install cursor ser': 'toolwright install cursor server.ts ',
      'toolwright lock -o ser': 'toolwright lock -o server.ts ',
    };
    expect(await pressTab(shell, Object.keys(lines))).toEqual(Object.values(lines));
  });

  test('names of what a file offers', async () => {
    const lines = {
      'toolwright call server.ts no': 'toolwright call server.ts notes.',
      'toolwright call server.ts notes.a': 'toolwright call server.ts notes.add ',
      'toolwright call --era 2026 server.ts notes.l': 'toolwright call --era 2026 server.ts notes.list ',
      'toolwright call server.ts#App notes.l': 'toolwright call server.ts#App notes.list ',
      'toolwright explain ~/server.ts notes.l': 'toolwright explain ~/server.ts notes.list ',
      "toolwright call it\\'s\\ mine/server.ts notes.l":
        "toolwright call it\\'s\\ mine/server.ts notes.list ",
      'toolwright call "it\'s mine/server.ts" notes.l': 'toolwright call "it\'s mine/server.ts" notes.list ',
      'toolwright call missing.ts no': 'toolwright call missing.ts no',
      'toolwright call $(touch made)server.ts notes.l': 'toolwright call $(touch made)server.ts notes.l',
    };
    expect(await pressTab(shell, Object.keys(lines))).toEqual(Object.values(lines));
    expect(await printedBy('ls', [])).not.toContain('made');
  });
});

test('fish offers commands, options, their values, and names', async () => {
  const offered = async (line: string): Promise<readonly string[]> => {
    const script = 'toolwright completion fish | source; complete -C $argv[1]';
    const lines = await printedBy(fish, ['--no-config', '-c', script, line]);
    return lines.map((each) => each.replace(/\t.*/, ''));
  };
  expect(await offered('toolwright ca')).toEqual(['call']);
  expect(await offered('toolwright call x.ts --ans')).toEqual(['--answer']);
  expect(await offered('toolwright check x.ts --format gi')).toEqual(['github']);
  expect(await offered('toolwright install cu')).toEqual(['cursor']);
  expect(await offered('toolwright lock ser')).toEqual(['server.ts']);
  expect(await offered('toolwright call server.ts no')).toEqual(['notes.add', 'notes.list']);
  expect(await offered('toolwright call --era 2026 ~/server.ts#App notes.l')).toEqual(['notes.list']);
  expect(await offered("toolwright call it\\'s\\ mine/server.ts notes.l")).toEqual(['notes.list']);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('%s gets a script with every command', async (shell) => {
  const { code, stdout, stderr } = await runCli(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
});
