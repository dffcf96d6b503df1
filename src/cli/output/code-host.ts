import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageVersion } from '../package-version.ts';

/**
 * A workflow command of GitHub Actions, `::error file=…,title=…::…` (docs: workflow commands, Setting an error message).
 * GitHub shows it beside the line of the file.
 */
export function workflowCommand(
  command: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${command} ${given.join(',')}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

// A line that begins with `::`, however far to the right; `##[` anywhere in it. Azure Pipelines and TeamCity have words there
const LINE_COMMANDS = /^(?:[^\S\n\r\u2028\u2029]|\u0085)*:(?=:)/gm;
const INNER_COMMANDS = /#(?=#(?:vso|teamcity)?\[)/g;

/** A text of others, in which the log of a CI run finds no command. The value of JSON stays the same. */
export function withoutCommands(text: string): string {
  return text
    .replaceAll(LINE_COMMANDS, (start) => `${start.slice(0, -1)}\\u003a`)
    .replaceAll(INNER_COMMANDS, '\\u0023');
}

/** A rule as SARIF names it, with what it means. */
export interface SarifRule {
  readonly id: string;
  readonly meaning: string;
}

/** One finding: which rule, how serious, and where. */
export interface SarifResult {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  /** The place inside the file, such as `Tasks.create`. */
  readonly where: string;
  /** The line of the file, from 1; left out where it is not known. */
  readonly line?: number;
  /** What makes it another finding than one of the same rule at the same place. */
  readonly detail?: string;
}

/** GitHub shows at most so many results of a run. */
const MOST_RESULTS = 5000;

/** A log of SARIF 2.1.0 about one file, which code hosts show beside it. */
export function sarifLog(file: string, rules: readonly SarifRule[], results: readonly SarifResult[]): object {
  const uri = uriOf(file);
  const ids = rules.map(({ id }) => id);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'toolwright',
            version: packageVersion(),
            rules: rules.map(({ id, meaning }) => ({ id, shortDescription: { text: meaning } })),
          },
        },
        results: results.slice(0, MOST_RESULTS).map(({ rule, level, text, where, line, detail = '' }) => ({
          ruleId: rule,
          ruleIndex: ids.indexOf(rule),
          level,
          message: { text },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri },
                ...(line === undefined ? {} : { region: { startLine: line } }),
              },
              logicalLocations: [{ fullyQualifiedName: where }],
            },
          ],
          partialFingerprints: { 'ruleAndPlace/v1': fingerprint(rule, where, detail) },
        })),
      },
    ],
  };
}

/** What stays the same when a finding moves to another line. */
function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

/** A path counts from the root of the project; in a URI, its spaces, colons and such are escaped. */
function uriOf(file: string): string {
  if (/^https?:\/\//i.test(file)) return file;
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}
