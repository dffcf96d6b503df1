import { prefixLength } from '../../profiles/fit-client.ts';
import { listValues } from '../../shared/listing.ts';
import { eachTool, describePlace, type ClientRule, type JudgedClient, type JudgedTool } from './judged.ts';

/** From here on the tools of other servers may be too many. */
const NEARLY = 0.8;
/** What a client does with a long name so that it stays another one, or stays. */
const HARMLESS = ['hashed', 'cut-prefix'];

/** The name of a tool, as the client has it after it replaced and cut. */
function nameIn({ facts }: JudgedClient, name: string): string {
  const { 'name.chars': chars, 'name.length': length } = facts;
  const replaced = chars === undefined ? name : name.replaceAll(new RegExp(`[^${chars.value}]`, 'gu'), '_');
  if (length === undefined) return replaced;
  const room = length.value - prefixLength(length);
  if (replaced.length <= room || room < 8) return replaced;
  if (length.then === 'cut') return replaced.slice(0, room);
  if (length.then !== 'cut-middle') return replaced;
  const half = Math.floor((room - 3) / 2);
  return `${replaced.slice(0, half)}...${replaced.slice(-half)}`;
}

/** What clients do with names, and how many tools they take. */
export const NAME_RULES: readonly ClientRule[] = [
  {
    code: 'TW_FOR_NAME_LENGTH',
    fix: 'a shorter `name` of the group or action, or a shorter `prefix` of the group',
    find: (server, { title, facts }) =>
      eachTool(facts['name.length'], server, ({ name }, fact) => {
        const before = prefixLength(fact);
        const { value, then = '' } = fact;
        if (name.length + before <= value) return undefined;
        const added = before === 0 ? '' : ` and up to ${String(before)} that the client puts before it`;
        const outcome = then === '' ? 'takes' : `${OUTCOMES[then] ?? then} what is longer than`;
        return {
          level: then === '' || HARMLESS.includes(then) ? 'advice' : 'problem',
          what: `has a name of ${String(name.length)} characters${added}, and ${title} ${outcome} ${String(value)}.`,
        };
      }),
  },
  {
    code: 'TW_FOR_NAME_CHARS',
    fix: "`separator: '_'`, and names of letters, digits and _",
    find: (server, { title, facts }) =>
      eachTool(facts['name.chars'], server, ({ name }, { value }) => {
        const others = name.match(new RegExp(`[^${value}]`, 'gu'));
        if (others === null) return undefined;
        const shown = listValues([...new Set(others)], (each) => JSON.stringify(each));
        return { level: 'advice', what: `has ${shown} in its name, and ${title} replaces it by "_".` };
      }),
  },
  {
    code: 'TW_FOR_NAME_COLLISION',
    fix: 'another `name`, `prefix` or `separator`, so that the names differ in letters and digits, and early',
    find: ({ tools }, client) => {
      const fact = client.facts['name.chars'] ?? client.facts['name.length'];
      const byName = new Map<string, JudgedTool[]>();
      for (const tool of tools) {
        const name = nameIn(client, tool.name);
        byName.set(name, [...(byName.get(name) ?? []), tool]);
      }
      return [...byName]
        .filter(([, same]) => same.length > 1)
        .map(([name, same]) => ({
          level: 'problem',
          where: listValues(same, describePlace, ' and '),
          what: `are one in ${client.title}: ${JSON.stringify(name)}.`,
          ...(fact === undefined ? {} : { fact }),
        }));
    },
  },
  {
    code: 'TW_FOR_COUNT',
    fix: "group actions: expose: 'grouped'; or show a part of them with the filter `tags`",
    find: ({ name, tools }, { title, facts: { 'tools.count': fact } }) => {
      if (fact === undefined || tools.length < fact.value * NEARLY) return [];
      const isOver = tools.length > fact.value;
      const rest = isOver ? '' : ', those of other servers included';
      const what = `lists ${String(tools.length)} tools, and ${title} takes ${String(fact.value)}${rest}.`;
      return [{ level: isOver ? 'problem' : 'advice', where: name, what, fact }];
    },
  },
];

const OUTCOMES: Readonly<Record<string, string>> = {
  cut: 'cuts',
  'cut-middle': 'cuts the middle of',
  'cut-prefix': 'cuts the prefix of',
  hashed: 'puts a hash into',
  'left-out': 'leaves out',
  refused: 'refuses',
};
