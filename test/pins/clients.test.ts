import { describe, expect, test } from '@jest/globals';
import { loadClients } from '../../src/profiles/clients.ts';
import { readText } from './docs/example.ts';

type Shown = Readonly<Record<string, unknown>>;

/** What models were shown by clients of npm: `npm run soak -- --only clients` compares it with the clients themselves. */
const SHOWN = JSON.parse(readText('test/pins/clients.json')) as Readonly<
  Record<string, Readonly<Record<'fitting' | 'chosen', Shown>>>
>;

/** The text of the table has lines of its own, and its structure has names of members. */
function findHabit(table: unknown): string {
  const text = JSON.stringify(table);
  const [hasText, hasStructure] = [text.includes('rows[2|]'), text.includes('"name":"first"')];
  if (hasText && hasStructure) return 'both';
  return hasStructure ? 'replaces-text' : 'ignored';
}

const { clients } = await loadClients();

describe.each(['ai-sdk', 'langchain', 'mastra'])('%s', (id) => {
  const { chosen: shown, fitting } = SHOWN[id] as (typeof SHOWN)[string];

  test('shows a model of a structure what the file of clients says', () => {
    expect(clients[id]?.facts.structured).toMatchObject({
      value: findHabit(shown['table']),
      sure: 'seen',
    });
  });

  test('is sent the text alone where lists fit it, and its model would read both', () => {
    const isText = clients[id]?.choices?.outputSchema === false;
    expect(findHabit(fitting['table'])).toBe(isText ? 'ignored' : findHabit(shown['table']));
  });

  test('shows pictures, refusals in the words of the server, and the part of a long text that was sent', () => {
    expect(JSON.stringify(shown['picture'])).toContain('image/png');
    expect(JSON.stringify(shown['refusal'])).toContain('Out of stock\\nCode: OUT_OF_STOCK');
    expect(JSON.stringify(shown['long'])).toContain('a line of a long text… (cut)');
  });
});
