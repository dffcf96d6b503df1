import type { CallFormat, ExportedTools, McpApplication } from '../../index.ts';
import { estimateTokens } from '../../shared/token-estimate.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';

interface ExportCommandOptions {
  readonly for?: CallFormat | 'code';
  readonly strict?: boolean;
  readonly flat?: boolean;
  readonly timeout?: number;
}

/** Writes the tools in the form of a model's API, or for code; what that form cannot say is said on stderr. */
export const run: RunCommand<ExportCommandOptions> = async ({ values: [reference], options }, terminal) => {
  const { for: format = 'mcp', strict, flat = false, timeout } = options;
  if (format === 'code') refuseForTools(options);
  const entry = await loadEntry(chooseEntry(reference), { timeout, trustsCallers: true });
  try {
    const { application } = entry.created;
    if (format === 'code') {
      await giveDeclarations(application, terminal);
      return EXIT.done;
    }
    const exported = await application.export(format, {
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
