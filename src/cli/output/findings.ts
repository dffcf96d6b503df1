import { catalogue } from '../../errors/catalogue.ts';
import { formatFacts } from '../../errors/toolwright-error.ts';
import { clientRuleCodes } from '../client-rules/codes.ts';
import { sarifLog, workflowCommand } from './code-host.ts';
import { FINDING_LEVELS, type FindingLevel } from './levels.ts';
import type { Terminal } from './terminal.ts';

/** What a check found, in any of its forms. */
export interface ShownFinding {
  readonly code: string;
  readonly level: FindingLevel;
  readonly where: string;
  readonly what: string;
  readonly why?: string | undefined;
  readonly fix: string;
  /** The id of the client that it is about; left out where it is about all. */
  readonly client?: string;
}

/** The forms for programs. */
export type FindingFormat = 'json' | 'github' | 'sarif';

/** Writes findings for a person to stderr. */
export function sayFindings(findings: readonly ShownFinding[], terminal: Terminal): void {
  const { talk } = terminal;
  const colours = { problem: talk.red, advice: talk.yellow, note: talk.dim };
  for (const finding of findings) {
    const { level, client } = finding;
    const about = client === undefined ? '' : ` ${client}`;
    terminal.say(`${colours[level](level)}${about} ${formatFacts(finding.code, finding)}`);
  }
}

/** Writes findings in the form for a program to stdout. @param more what the JSON has besides */
export function writeFindings(
  format: FindingFormat,
  findings: readonly ShownFinding[],
  reference: string,
  terminal: Terminal,
  more: object = {},
): void {
  const file = reference.replace(/#[^#/\\]*$/, '');
  if (format === 'json') terminal.json({ ...asJson(findings), ...more });
  else if (format === 'sarif') terminal.json(asSarif(findings, file));
  else if (findings.length > 0) terminal.print(asAnnotations(findings, file));
}

/** `2 problems, 1 advice, no notes`. */
export function countFindings(findings: readonly ShownFinding[]): string {
  return FINDING_LEVELS.map((level) => {
    const many = findings.filter((finding) => finding.level === level).length;
    return `${many === 0 ? 'no' : String(many)} ${many === 1 || level === 'advice' ? level : `${level}s`}`;
  }).join(', ');
}

function asJson(findings: readonly ShownFinding[]): object {
  const having = (wanted: FindingLevel): readonly object[] =>
    findings.filter(({ level }) => level === wanted).map(({ level: _level, ...finding }) => finding);
  return { problems: having('problem'), advice: having('advice'), notes: having('note') };
}

const GITHUB_COMMANDS = { problem: 'error', advice: 'warning', note: 'notice' } as const;
const SARIF_LEVELS = { problem: 'error', advice: 'warning', note: 'note' } as const;

function asAnnotations(findings: readonly ShownFinding[], file: string): string {
  return findings
    .map(({ code, level, where, what, why, fix }) => {
      const reason = why === undefined ? '' : `\nwhy: ${why}`;
      const command = GITHUB_COMMANDS[level];
      return workflowCommand(command, { file, title: code }, `${where} ${what}${reason}\nfix: ${fix}`);
    })
    .join('\n');
}

const MEANINGS: Readonly<Record<string, string>> = { ...catalogue, ...clientRuleCodes };

function asSarif(findings: readonly ShownFinding[], file: string): object {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const rules = codes.map((code) => ({ id: code, meaning: MEANINGS[code] ?? code }));
  const results = findings.map(({ code, level, where, what, fix, client }) => ({
    rule: code,
    level: SARIF_LEVELS[level],
    text: `${where} ${what}\nfix: ${fix}`,
    where,
    ...(client === undefined ? {} : { detail: client }),
  }));
  return sarifLog(file, rules, results);
}
