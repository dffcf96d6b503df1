import { walkSchema } from '../../schema/subschemas.ts';
import { membersOf } from '../../shared/json.ts';
import { listValues } from '../../shared/listing.ts';
import { eachTool, ifTrue, describePlace, type ClientRule, type Found, type JudgedTool } from './judged.ts';

/** The actions that a model does not read of, because a client reads so many characters. */
function lostActions({ description = '', actions }: JudgedTool, limit: number): number {
  const read = description.slice(0, limit);
  return actions.filter(({ key }) => description.includes(key) && !read.includes(key)).length;
}

/** Sentences that are orders to a model, and not about what the tool does. */
const ORDERS = [
  /\b(?:always|never|must|do not|don't)\s+(?:\w+\s+)?(?:call|use|invoke|mention|tell|answer|trust)\b/i,
  /\b(?:call|use|invoke)\s+this\s+(?:\w+\s+)?(?:first|before|instead|for all)\b/i,
  /\bprefer\s+this\s+(?:tool|server|action)\b/i,
  /\bignore\s+(?:all\s+|any\s+)?(?:other|previous)\b/i,
];

function orderIn(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return ORDERS.map((order) => order.exec(text)?.[0]).find((found) => found !== undefined);
}

/** Descriptions of a tool and of its fields. */
function readTexts({ description, inputSchema }: JudgedTool): readonly unknown[] {
  return [description, ...[...walkSchema(inputSchema)].map(({ schema }) => membersOf(schema)['description'])];
}

/** The names of all fields of an input, however deep. */
function readFields({ inputSchema }: JudgedTool): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { schema } of walkSchema(inputSchema)) {
    for (const [name, field] of Object.entries(membersOf(membersOf(schema)['properties'])))
      found.set(name, field);
  }
  return found;
}

const FREE = ['path', 'query', 'url', 'uri', 'endpoint', 'sql', 'graphql'];

function freeFields(tool: JudgedTool): readonly string[] {
  return [...readFields(tool)]
    .filter(([name, field]) => {
      const { type, enum: values, const: value, pattern } = membersOf(field);
      return (
        FREE.includes(name.toLowerCase()) && type === 'string' && (values ?? value ?? pattern) === undefined
      );
    })
    .map(([name]) => name);
}

/** A link, or a word with a capital before `API`, and not an article. */
function namesApi({ description = '' }: JudgedTool): boolean {
  return (
    /https?:\/\//.test(description) ||
    /\b(?!The |This |An? |Our )[A-Z][\w.-]* (?:\w+ )?API\b/.test(description)
  );
}

const SECRETS =
  /^(?:password|passphrase|passcode|secret|clientsecret|apikey|accesstoken|refreshtoken|authtoken|privatekey|ssn|socialsecuritynumber|creditcard|creditcardnumber|cardnumber|cvc|cvv|pin|otp|mfacode)$/;

function secretFields(tool: JudgedTool): readonly string[] {
  return [...readFields(tool).keys()].filter((name) =>
    SECRETS.test(name.toLowerCase().replaceAll(/[_-]/g, '')),
  );
}

/** What clients read of texts, and what directories want of them. */
export const TEXT_RULES: readonly ClientRule[] = [
  {
    code: 'TW_FOR_DESCRIPTION',
    fix: "describe: 'signatures', shorter texts, or two groups of one",
    find: (server, { title, facts }) =>
      eachTool(facts['description.chars'], server, (tool, { value, then }) => {
        const { length } = tool.description ?? '';
        if (length <= value) return undefined;
        const lost = lostActions(tool, value);
        const actions = `: ${String(lost)} of ${String(tool.actions.length)} actions are lost`;
        const outcome = then === 'refused' ? 'takes' : 'reads';
        return {
          level: 'advice',
          what: `has a description of ${String(length)} characters, and ${title} ${outcome} ${String(value)}${lost === 0 ? '' : actions}.`,
        };
      }),
  },
  {
    code: 'TW_FOR_INSTRUCTIONS',
    fix: 'shorten `instructions`, and put first what a model needs before its first call',
    find: ({ name, instructions = '' }, { title, facts }) => {
      const { 'instructions.chars': whole, 'instructions.lead': lead } = facts;
      const length = String(instructions.length);
      if (whole !== undefined && instructions.length > whole.value)
        return [
          {
            level: 'advice',
            where: name,
            what: `has instructions of ${length} characters, and ${title} reads ${String(whole.value)}.`,
            fact: whole,
          },
        ];
      if (lead === undefined || instructions.length <= lead.value) return [];
      const what = `has instructions of ${length} characters, and ${title} wants the first ${String(lead.value)} to stand alone.`;
      return [{ level: 'note', where: name, what, fact: lead }];
    },
  },
  {
    code: 'TW_FOR_STEERS',
    fix: 'say what it does and when it is useful, and give a model no orders',
    find: (server, { title, facts }) => {
      const fact = ifTrue(facts['refuses.steering']);
      if (fact === undefined) return [];
      const steering = (where: string, texts: readonly unknown[]): readonly Found[] => {
        const order = texts.map(orderIn).find((found) => found !== undefined);
        if (order === undefined) return [];
        const what = `says ${JSON.stringify(order)}, and ${title} refuses texts that steer a model.`;
        return [{ level: 'advice', where, what, fact }];
      };
      return [
        ...steering('instructions', [server.instructions]),
        ...server.tools.flatMap((tool) => steering(describePlace(tool), readTexts(tool))),
      ];
    },
  },
  {
    code: 'TW_FOR_API_UNNAMED',
    fix: 'name the API in the description of the tool, with a link: "Search issues (https://docs.example.com/api)"',
    find: (server, { title, facts }) =>
      eachTool(ifTrue(facts['requires.apiName']), server, (tool) => {
        const free = freeFields(tool);
        if (free.length === 0 || namesApi(tool)) return undefined;
        return {
          level: 'advice',
          what: `takes a free ${free.join(', ')}, and ${title} wants the API named that it goes to.`,
        };
      }),
  },
  {
    code: 'TW_FOR_SENSITIVE',
    fix: 'leave the field out: let people sign in, or ask them on a page of yours',
    find: (server, { title, facts }) =>
      eachTool(ifTrue(facts['refuses.sensitive']), server, (tool) => {
        const secrets = secretFields(tool);
        if (secrets.length === 0) return undefined;
        return {
          level: 'advice',
          what: `asks for ${listValues(secrets, (name) => JSON.stringify(name))}, and ${title} refuses needless secrets.`,
        };
      }),
  },
];
