import { describe, expect, test } from '@jest/globals';
import { LOG_EVENTS } from 'toolwright';
import { clientCodes } from '../../src/errors/catalogue.ts';
import { at, textAt } from './deploying/guide.ts';
import { readYaml, type Data } from './deploying/read-yaml.ts';
import { readText } from './docs/example.ts';

const RUNBOOK = readText('docs/guides/runbook.md');

/** What callers mend: the other codes need an operator. */
const CALLERS = [
  ...['MISSING_DISCRIMINATOR', 'INVALID_DISCRIMINATOR', 'VERSION_UNAVAILABLE', 'VERSION_CONSTRAINT_INVALID'],
  ...['UNKNOWN_ACTION', 'UNKNOWN_TOOL', 'NOT_READ_ONLY', 'INVALID_ARGUMENTS', 'VALIDATION_FAILED', 'FAILED'],
  ...['CONTEXT_FAILED', 'DETACHED', 'CONSENT_DECLINED', 'CONSENT_EXPIRED', 'CONSENT_REQUIRED'],
  ...['CONSENT_UNAVAILABLE', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_KEY_REQUIRED', 'RESULT_TOO_LARGE'],
  ...['UPSTREAM_REFUSED', 'UPSTREAM_ANSWER', 'UPSTREAM_SIGN_IN_NEEDED', 'NOT_FOUND', 'CONFLICT', 'CANCELLED'],
  ...[
    'MISSING_REQUIRED_FIELD',
    'INVALID_ANSWER',
    'CLIENT_CAPABILITY_MISSING',
    'REPLAY_DIVERGED',
    'UNAUTHENTICATED',
  ],
  ...['INSUFFICIENT_SCOPE', 'FORBIDDEN', 'DOCS_PAGE_UNKNOWN'],
];

/** The names in the first column of the tables whose head begins with a word. */
function rows(head: string): readonly string[] {
  const tables = RUNBOOK.split('\n\n').filter((part) => part.startsWith(`| ${head} `));
  return tables.flatMap((table) => [...table.matchAll(/^\| `([\w.-]+)`/gm)].map(([, name = '']) => name));
}

test('the runbook has each event that is a warning or worse, and each code that callers cannot mend', () => {
  const grave = Object.entries(LOG_EVENTS).filter(([, { levels }]) =>
    levels.some((level) => level === 'warning' || level === 'error'),
  );
  expect([...rows('Event')].sort()).toEqual(grave.map(([event]) => event).sort());
  expect([...rows('Code'), ...CALLERS].sort()).toEqual(Object.keys(clientCodes).sort());
});

describe('the alerts and the dashboard', () => {
  const rules = (): readonly Data[] =>
    at(readYaml(readText('docs/operations/alerts.yaml'))[0], 'groups', 0, 'rules') as readonly Data[];
  const panels = (): readonly { readonly targets: readonly { readonly expr: string }[] }[] =>
    (JSON.parse(readText('docs/operations/dashboard.json')) as { readonly panels: ReturnType<typeof panels> })
      .panels;
  const queries = (): readonly string[] => [
    ...rules().map((rule) => textAt(rule, 'expr')),
    ...panels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  test('ask for metrics that there are, by the names of the exporter for Prometheus', () => {
    const source = readText('src/telemetry/instruments.ts');
    const names = [...source.matchAll(/^ {2}'([a-z_.]+)': (duration\(|\{)/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    const exported = names
      .map((name) => name.replaceAll('.', '_'))
      .flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_total`]);
    const asked = queries().flatMap(
      (query) => query.match(/\b(?:mcp_server|mcp_client|toolwright)_\w+/g) ?? [],
    );
    const labels = ['toolwright_action_name', 'toolwright_error_code', 'toolwright_result_type'];
    expect(new Set(asked.filter((name) => ![...exported, ...labels].includes(name)))).toEqual(new Set());
    expect(new Set(asked).size).toBeGreaterThan(10);
  });

  test('ask for labels that metrics have, and each alert is in the runbook', () => {
    const source = readText('src/telemetry/observed-call.ts');
    const attributes = [...source.matchAll(/'([a-z_]+(?:\.[a-z_]+)+)'/g)].map(([, name = '']) =>
      name.replaceAll('.', '_'),
    );
    const known = [...attributes, 'le', 'instance', 'queue', 'store', 'operation', 'reason', 'rule'];
    const grouped = queries().flatMap((query) =>
      [...query.matchAll(/ (?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    );
    expect(grouped.filter((label) => !known.includes(label))).toEqual([]);
    expect([...rows('Alert')]).toEqual(rules().map((rule) => textAt(rule, 'alert')));
    for (const rule of rules()) {
      expect(['page', 'ticket']).toContain(at(rule, 'labels', 'severity'));
      const [page, anchor] = textAt(rule, 'annotations', 'runbook').split('#');
      expect([page, anchor]).toEqual(['docs/guides/runbook.md', 'alerts-and-a-dashboard']);
    }
  });
});
