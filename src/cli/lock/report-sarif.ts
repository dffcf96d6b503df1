import { createHash } from 'node:crypto';
import { RULES, type Change, type Level } from './changes.ts';
import type { Verdict } from './verdict.ts';

/** GitHub shows at most so many results of a run. */
const MOST_RESULTS = 5000;

const SARIF_LEVELS: Readonly<Record<Level, string>> = { breaking: 'error', risky: 'warning', safe: 'note' };

/** A log of SARIF 2.1.0 with one rule object for each rule that was met. */
export function reportAsSarif(
  { changes, unmatched }: Verdict,
  file: string,
  lineOf: (change: Change) => number,
): unknown {
  const met = [...new Set(changes.map(({ rule }) => rule))];
  const results = changes.slice(0, MOST_RESULTS).map((change) => ({
    ruleId: change.rule,
    level: SARIF_LEVELS[change.level],
    message: { text: `${change.where}: ${change.message}.` },
    locations: [locationOf(file, lineOf(change))],
    partialFingerprints: { 'ruleAndPlace/v1': fingerprint(change.rule, change.where) },
  }));
  const stale = unmatched.map(({ rule, where }) => ({
    ruleId: 'accepted-without-change',
    level: 'error',
    message: { text: `${where}: ${rule} is accepted, and did not happen. Remove the entry.` },
    locations: [locationOf(file, 1)],
    partialFingerprints: { 'ruleAndPlace/v1': fingerprint(rule, where) },
  }));
  const rules = met.map((id) => ({
    id,
    shortDescription: { text: `${RULES[id].title}.` },
    defaultConfiguration: { level: SARIF_LEVELS[RULES[id].level] },
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'toolwright', rules: stale.length === 0 ? rules : [...rules, STALE_RULE] },
        },
        results: [...results, ...stale],
      },
    ],
  };
}

const STALE_RULE = {
  id: 'accepted-without-change',
  shortDescription: { text: 'An accepted change did not happen.' },
  defaultConfiguration: { level: 'error' },
};

function locationOf(uri: string, startLine: number): object {
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine } } };
}

function fingerprint(rule: string, where: string): string {
  return createHash('sha256').update(`${rule}\n${where}`).digest('hex').slice(0, 32);
}
