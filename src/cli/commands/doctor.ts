import { dirname } from 'node:path';
import type { RunCommand } from '../command.ts';
import { examineAgents } from '../doctor/agents.ts';
import { examineApplication, examinePort } from '../doctor/application.ts';
import { runAuth, type DoctorAuthOptions } from '../doctor/auth/run-auth.ts';
import { countProblems, sayFinding, type Project } from '../doctor/finding.ts';
import { examineNode, examinePackages } from '../doctor/packages.ts';
import { examineLoader, examineTsconfig } from '../doctor/sources.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import { chooseEntry, findEntries } from '../target/default-entry.ts';
import { readReference } from '../target/entry.ts';

interface DoctorOptions extends DoctorAuthOptions {
  /** Whether to renew what AGENTS.md says of Toolwright. */
  readonly fixAgents?: boolean;
}

/** What comes first to look at a sign-in instead of an application. A folder of that name is `./auth`. */
const AUTH = 'auth';

/** Looks at all that an application needs around it, and ends with 1 where something will not work. */
export const run: RunCommand<DoctorOptions> = async ({ values: [given, url], options }, terminal) => {
  if (given === AUTH) return runAuth(url, options, terminal);
  refuseAuth(url, options);
  const reference = given === undefined && findEntries('.').length === 0 ? undefined : chooseEntry(given);
  const file = reference === undefined ? undefined : readReference(reference).file;
  const project: Project = { folder: file === undefined ? process.cwd() : dirname(file), file };
  const findings = [
    examineNode(),
    ...examinePackages(project),
    await examineLoader(project),
    ...examineTsconfig(project),
    ...examineAgents(project, options.fixAgents === true),
    ...(reference === undefined
      ? [await examinePort()]
      : await examineApplication(reference, options.timeout)),
  ];
  terminal.give({ checks: findings }, () => findings.map((each) => sayFinding(each, terminal)).join('\n'));
  const problems = countProblems(findings);
  if (problems === 0) return EXIT.done;
  terminal.say(`${String(problems)} ${problems === 1 ? 'problem' : 'problems'}.`);
  return EXIT.finding;
};

function refuseAuth(url: string | undefined, { client, browser }: DoctorAuthOptions): void {
  if (url === undefined && client === undefined && browser === undefined) return;
  throw new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright doctor',
    what: 'takes a second value, --client and --browser only to look at a sign-in.',
    fix: 'toolwright doctor auth https://example.com/mcp',
  });
}
