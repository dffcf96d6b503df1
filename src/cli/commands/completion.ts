import type { RunCommand } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import { completedOf } from '../completion/completed.ts';
import { fishScript } from '../completion/fish.ts';
import { powershellScript } from '../completion/powershell.ts';
import { zshScript } from '../completion/zsh.ts';
import { notOneOf } from '../option-values.ts';
import { EXIT } from '../output/exit-codes.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript } as const;

/** Writes a script that completes commands, options and their values, and names of what a file offers. */
export const run: RunCommand = async ({ values: [shell = ''], commands }, terminal) => {
  if (!Object.hasOwn(SCRIPTS, shell)) throw notOneOf('toolwright completion', shell, Object.keys(SCRIPTS));
  terminal.print(SCRIPTS[shell as keyof typeof SCRIPTS](commands.map(completedOf)));
  return EXIT.done;
};
