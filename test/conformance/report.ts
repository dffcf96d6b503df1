import type { Finding, SuiteResult } from './suite-result.ts';

const LONGEST = 300;
const HEADINGS = ['suite', 'scenarios', 'passed', 'failed', 'warnings'];

/** A table of all suites, then every check that failed or warned, with what it said. */
export function printReport(results: readonly SuiteResult[]): void {
  const rows = results.map(({ name, scenarios, passed, failures, warnings }) => [
    name,
    ...[scenarios.length, passed, failures.length, warnings.length].map(String),
  ]);
  printTable([HEADINGS, ...rows]);
  for (const { name, failures, warnings } of results) {
    printFindings(`${name}: failed`, failures);
    printFindings(`${name}: warnings`, warnings);
  }
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log();
  for (const [first = '', ...numbers] of rows) {
    const cells = numbers.map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    console.log([first.padEnd(widths[0] ?? 0), ...cells].join('  '));
  }
}

function printFindings(title: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  console.log(`\n${title}`);
  for (const { scenario, check, message } of findings) {
    console.log(`  ${scenario} / ${check}: ${shorten(message)}`);
  }
}

/** Some messages hold whole answers; the file has them in full. */
function shorten(message: string): string {
  const line = message.replaceAll('\n', ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
