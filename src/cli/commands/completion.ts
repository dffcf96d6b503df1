import type { RunCommand } from '../command.ts';
import { bashScript, fishScript, powershellScript, zshScript } from '../completion/scripts.ts';
import { completedOf } from '../completion/completed.ts';
import { notOneOf } from '../option-values.ts';
import { EXIT } from '../output/cli-error.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript } as const;

/** Writes a script that completes commands, options and their values, and names of what a file offers. */
export const run: RunCommand = async ({ values: [shell = ''], commands }, terminal) => {
  if (!Object.hasOwn(SCRIPTS, shell)) throw notOneOf('toolwright completion', shell, Object.keys(SCRIPTS));
  terminal.print(SCRIPTS[shell as keyof typeof SCRIPTS](commands.map(completedOf)));
  return EXIT.done;
};
