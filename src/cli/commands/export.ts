import type { CallFormat, ExportedTools, McpApplication } from '../../index.ts';
import { estimateTokens } from '../../shared/token-estimate.ts';
import type { RunCommand } from '../command.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { surfaceOfValues } from '../lock/lock-source.ts';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { writeClientTypes } from '../surface/client-types.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';
import type { TargetOptions } from '../target/target.ts';

interface ExportCommandOptions extends Pick<TargetOptions, 'command' | 'header' | 'timeout'> {
  readonly for?: CallFormat | 'client' | 'code';
  readonly strict?: boolean;
  readonly flat?: boolean;
}

/** Writes the tools in the form of a model's API, or as types for a client or for code. */
export const run: RunCommand<ExportCommandOptions> = async ({ values, options }, terminal) => {
  const { for: form = 'mcp', ...others } = options;
  if (form === 'client') return exportForClient(values, others, terminal);
  if (form === 'code') refuseForTools(others);
  const { strict, flat = false, timeout } = others;
  const entry = await loadEntry(chooseEntry(values[0]), { timeout, trustsCallers: true });
  try {
    const { application } = entry.created;
    if (form === 'code') {
      await giveDeclarations(application, terminal);
      return EXIT.done;
    }
    const exported = await application.export(form, {
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

/** Types of a lock, a file or a server, which need not run in this process. */
async function exportForClient(
  values: readonly string[],
  { flat = false, command, header, timeout }: ExportCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const surface = await surfaceOfValues(values, {
    ...withoutUndefined({ command, header, timeout }),
    ...(flat ? { surface: 'flat' } : {}),
  });
  const types = writeClientTypes(surface);
  terminal.give({ types }, () => terminal.foreign(types));
  return EXIT.done;
}

async function giveDeclarations(application: McpApplication, terminal: Terminal): Promise<void> {
  const { declarations } = await application.export('code');
  const { tools } = await application.export('mcp');
  terminal.give(declarations, () => declarations);
  const [code, listed] = [declarations, JSON.stringify(tools)].map((text) => String(estimateTokens(text)));
  terminal.say(`about ${code} tokens; the tools have about ${listed}`);
}

/** @throws CliError for an option that only tools have */
function refuseForTools({ strict, flat }: Pick<ExportCommandOptions, 'strict' | 'flat'>): void {
  if (strict === undefined && flat === undefined) return;
  const option = strict === undefined ? '--flat' : '--strict';
  throw new CliError('TW_CLI_OPTION', {
    where: option,
    what: 'is about tools, and --for code writes declarations.',
    fix: 'toolwright export --for code',
  });
}

function sayLosses({ warnings }: ExportedTools, terminal: Terminal): void {
  for (const warning of warnings) {
    terminal.say(
      `${terminal.talk.yellow('lost')} ${terminal.isVerbose ? JSON.stringify(warning) : warning.message}`,
    );
  }
}
