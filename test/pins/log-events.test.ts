import { expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { LOG_EVENTS, type LogEventFacts } from 'toolwright';
import ts from 'typescript';
import { readText, ROOT } from './docs/example.ts';

const EVENTS: Readonly<Record<string, LogEventFacts>> = LOG_EVENTS;

/** What the code says of one record: its event and members, and its level where that is a literal. */
interface LoggedRecord {
  readonly place: string;
  readonly event: string;
  readonly level: string | undefined;
  readonly members: readonly string[];
}

const TEXTS = ['event', 'level', 'message', 'fails', 'works', 'repeats', 'facts'];

const records = readdirSync(`${ROOT}src`, { recursive: true })
  .map((name) => `src/${String(name).replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts'))
  .flatMap(recordsIn);

test('the page on log events lists all of them, with their levels and members, and no others', () => {
  const rows = readText('docs/reference/log-events.md').matchAll(
    /^\| `([a-z.-]+)` +\| ([a-z, ]+?) +\| ([^|]*?) *\|/gm,
  );
  const documented = [...rows].map(([, event = '', levels = '', members = '']) => [
    event,
    { levels: levels.split(', '), members: [...members.matchAll(/`(\w+)`/g)].map(([, name]) => name) },
  ]);
  expect(documented).toHaveLength(Object.keys(EVENTS).length);
  expect(Object.fromEntries(documented)).toEqual(EVENTS);
});

test('every event is logged somewhere', () => {
  const logged = new Set(records.map(({ event }) => event));
  expect(Object.keys(EVENTS).filter((event) => !logged.has(event))).toEqual([]);
});

test('records have the levels and members that the list says', () => {
  const wrong = records.filter(({ event, level, members }) => {
    const facts = EVENTS[event];
    const isLevel = level === undefined || (facts?.levels as readonly string[] | undefined)?.includes(level);
    return isLevel !== true || members.some((name) => facts?.members.includes(name) !== true);
  });
  expect(wrong).toEqual([]);
});

test('an unknown event does not compile, and one of your own has a colon', async () => {
  const { StderrLogger } = await import('toolwright');
  const logger = new StderrLogger();
  logger.log({ level: 'debug', event: 'orders:shipped', message: 'Shipped.' });
  // @ts-expect-error -- it is not in the list
  logger.log({ level: 'debug', event: 'orders.shipped', message: 'Shipped.' });
});

function recordsIn(file: string): readonly LoggedRecord[] {
  const found: LoggedRecord[] = [];
  const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2022, true);
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isObjectLiteralExpression(node)) {
      const members = new Map(
        node.properties.flatMap((property) =>
          property.name === undefined ? [] : [[property.name.getText(source), valueOf(property)] as const],
        ),
      );
      const event = members.get('event');
      // The texts of a `FailureLog` are those of its records
      const isRecord = members.has('message') || members.has('fails');
      if (event !== undefined && isRecord) {
        const own = [...members.keys()].filter((name) => !TEXTS.includes(name));
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        const place = `${file}:${String(line + 1)}`;
        found.push({ place, event, level: members.get('level'), members: own });
      }
    }
    ts.forEachChild(node, visit);
  }
}

/** The text of a literal. */
function valueOf(property: ts.ObjectLiteralElementLike): string | undefined {
  const { initializer } = property as Partial<ts.PropertyAssignment>;
  return initializer !== undefined && ts.isStringLiteral(initializer) ? initializer.text : undefined;
}
