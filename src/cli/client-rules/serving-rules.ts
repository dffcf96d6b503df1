import { listValues } from '../../shared/listing.ts';
import { isOld, namedFacts } from './facts.ts';
import {
  eachTool,
  ifFalse,
  ifTrue,
  type ClientRule,
  type Found,
  type JudgedAction,
  type JudgedView,
} from './judged.ts';

/** The kind of question that an action cannot do without. */
function askedBy({ confirm }: JudgedAction): 'form' | 'url' | undefined {
  if (confirm === true) return 'form';
  return confirm === 'url' ? 'url' : undefined;
}

const countEach = (many: number, one: string): string => `${String(many)} ${one}${many === 1 ? '' : 's'}`;

const LOCAL_ORIGIN = /^\w+:\/\/(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0)(?::\d+)?$/i;

/** What a directory would not take of a view, as the rest of a sentence. */
function faultInOrigins({ csp }: JudgedView): string | undefined {
  if (csp === undefined) return 'has no csp';
  const origins = Object.values(csp).flat();
  const wild = origins.filter((origin) => origin.includes('*'));
  if (wild.length > 0) return `names origins with a wildcard (${listValues(wild, (each) => each)})`;
  const local = origins.filter((origin) => LOCAL_ORIGIN.test(origin));
  return local.length > 0 ? `reaches ${listValues(local, (each) => each)}` : undefined;
}

/** What clients do beside tools, and how they reach a server. */
export const SERVING_RULES: readonly ClientRule[] = [
  {
    code: 'TW_FOR_PRIMITIVE',
    fix: 'an action that gives the same, for clients that have tools only',
    find: ({ name, prompts, resources }, { title, facts }) => {
      const hidden: readonly (readonly [string, number, Found['fact']])[] = [
        ['prompt', prompts, ifFalse(facts.prompts)],
        ['resource', resources, ifFalse(facts.resources)],
      ];
      return hidden.flatMap(([one, many, fact]) =>
        fact === undefined || many === 0
          ? []
          : [
              {
                level: 'advice',
                where: name,
                what: `has ${countEach(many, one)} that ${title} does not show.`,
                fact,
              },
            ],
      );
    },
  },
  {
    code: 'TW_FOR_LIST_CHANGED',
    fix: 'say where people read about the server that they have to connect again',
    find: ({ name, changesLists }, { title, facts }) => {
      const fact = ifFalse(facts.listChanged);
      if (fact === undefined || !changesLists) return [];
      const what = `has lists that may change, and ${title} does not look again.`;
      return [{ level: 'note', where: name, what, fact }];
    },
  },
  {
    code: 'TW_FOR_PAGES',
    fix: 'no `pageSize`',
    find: ({ name, tools, pageSize = Infinity }, { title, facts }) => {
      const fact = ifFalse(facts.pages);
      if (fact === undefined || pageSize >= tools.length) return [];
      const what = `hides ${String(tools.length - pageSize)} of ${String(tools.length)} tools behind pageSize: ${String(pageSize)}, and ${title} reads the first page only.`;
      return [{ level: 'problem', where: name, what, fact }];
    },
  },
  {
    code: 'TW_FOR_ASKS',
    fix: "confirm: 'twice', which every client can do, or confirm: 'url'",
    find: (server, { title, facts }) =>
      eachTool(facts.elicitation, server, ({ actions }, { value }) => {
        const asking = actions.filter((action) => {
          const kind = askedBy(action);
          return kind !== undefined && !value.includes(kind);
        });
        if (asking.length === 0) return undefined;
        return {
          level: 'advice',
          what: `asks a person before ${listValues(asking, ({ key }) => key)}, and ${title} cannot put that question.`,
        };
      }),
  },
  {
    code: 'TW_FOR_AUTH',
    fix: 'let people sign in: auth.signIn, or auth.verify: jwt() with the issuer of your tokens',
    find: ({ name, auth }, { title, facts: { auth: fact } }) => {
      if (fact === undefined || auth === 'none' || fact.value.includes(auth)) return [];
      const [needed, known] =
        auth === 'headers'
          ? ['a key in a header', 'sign-in or nothing']
          : ['a sign-in', 'tokens that its user sets'];
      return [{ level: 'problem', where: name, what: `wants ${needed}, and ${title} has ${known}.`, fact }];
    },
  },
  {
    code: 'TW_FOR_VIEW',
    fix: '`csp` of its @View: the exact origins, or csp: {} for a view that reaches nothing',
    find: ({ views = [] }, { title, facts }) => {
      const fact = ifTrue(facts['requires.csp']);
      if (fact === undefined) return [];
      return views.flatMap((view): readonly Found[] => {
        const fault = faultInOrigins(view);
        if (fault === undefined) return [];
        const what = `${fault}, and ${title} wants the exact public origins.`;
        return [{ level: 'problem', where: `view ${JSON.stringify(view.uri)}`, what, fact }];
      });
    },
  },
  {
    code: 'TW_FOR_REGISTRY',
    fix: "the option card: { name: 'com.example/notes', description: '…' }, or \"mcpName\" in package.json",
    find: ({ name, listing }, { title, facts }) => {
      const fact = ifTrue(facts['requires.listing']);
      if (fact === undefined || listing === undefined) return [];
      if (listing.name === undefined) {
        return [{ level: 'note', where: name, what: `has no name for ${title}.`, fact }];
      }
      return listing.findings.map((found) => ({ ...found, fact }));
    },
  },
  {
    code: 'TW_FOR_STALE',
    fix: 'a newer Toolwright, or a file of yours with --profiles',
    find: (_server, { id, facts, now }) => {
      const old = namedFacts(facts).filter(([, fact]) => isOld(fact, now));
      if (old.length === 0) return [];
      const names = listValues(old, ([name]) => name);
      const what = `has ${countEach(old.length, 'fact')} of more than 180 days ago: ${names}.`;
      return [{ level: 'note', where: id, what }];
    },
  },
];
