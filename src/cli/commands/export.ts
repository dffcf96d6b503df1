import type { CallFormat, ExportedTools } from '../../index.ts';
import type { RunCommand } from '../command.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { surfaceOfValues } from '../lock/lock-source.ts';
import { EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { writeClientTypes } from '../surface/client-types.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';
import type { TargetOptions } from '../target/target.ts';

interface ExportCommandOptions extends Pick<TargetOptions, 'command' | 'header' | 'timeout'> {
  readonly for?: CallFormat | 'client';
  readonly strict?: boolean;
  readonly flat?: boolean;
}

/** Writes the tools in the form of a model's API, or as types for a client. */
export const run: RunCommand<ExportCommandOptions> = async ({ values, options }, terminal) => {
  const { for: form = 'mcp', ...others } = options;
  if (form !== 'client') return exportForModel(values, form, others, terminal);
  const { flat = false, command, header, timeout } = others;
  const surface = await surfaceOfValues(values, {
    ...withoutUndefined({ command, header, timeout }),
    ...(flat ? { surface: 'flat' } : {}),
  });
  const types = writeClientTypes(surface);
  terminal.give({ types }, () => terminal.foreign(types));
  return EXIT.done;
};

/** What the form of a model's API cannot say is said on stderr. */
async function exportForModel(
  [reference]: readonly string[],
  form: CallFormat,
  { strict, flat = false, timeout }: ExportCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const entry = await loadEntry(chooseEntry(reference), { timeout, trustsCallers: true });
  try {
    const exported = await entry.created.application.export(form, {
      ...(strict === undefined ? {} : { strict }),
      ...(flat ? { expose: 'flat' as const } : {}),
    });
    terminal.give(exported.tools, () => JSON.stringify(exported.tools, undefined, 2));
    sayLosses(exported, terminal);
    return EXIT.done;
  } finally {
    await entry.close();
  }
}

function sayLosses({ warnings }: ExportedTools, terminal: Terminal): void {
  for (const warning of warnings) {
    terminal.say(
      `${terminal.talk.yellow('lost')} ${terminal.isVerbose ? JSON.stringify(warning) : warning.message}`,
    );
  }
}
