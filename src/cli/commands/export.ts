import type { CallFormat, ExportedTools } from '../../index.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';

interface ExportCommandOptions {
  readonly for?: CallFormat;
  readonly strict?: boolean;
  readonly flat?: boolean;
  readonly timeout?: number;
}

/** Writes the tools in the form of a model's API; what that form cannot say is said on stderr. */
export const run: RunCommand<ExportCommandOptions> = async ({ values: [reference], options }, terminal) => {
  const loading = { timeout: options.timeout, trustsCallers: true };
  const entry = await loadEntry(chooseEntry(reference), loading);
  try {
    const { strict, flat = false } = options;
    const exported = await entry.created.application.export(options.for ?? 'mcp', {
      ...(strict === undefined ? {} : { strict }),
      ...(flat ? { expose: 'flat' as const } : {}),
    });
    terminal.give(exported.tools, () => JSON.stringify(exported.tools, undefined, 2));
    sayLosses(exported, terminal);
    return EXIT.done;
  } finally {
    await entry.close();
  }
};

function sayLosses({ warnings }: ExportedTools, terminal: Terminal): void {
  for (const warning of warnings) {
    terminal.say(
      `${terminal.talk.yellow('lost')} ${terminal.isVerbose ? JSON.stringify(warning) : warning.message}`,
    );
  }
}
