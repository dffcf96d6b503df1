import type { CompiledTool } from '../compile/tools/compiled-tool.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { MAX_READ_LENGTH, type ClientFinding, type ClientRule } from '../schema/client-rules.ts';
import { listValues } from '../shared/listing.ts';
import type { AdvisedApplication, AdvisedPlace, AdviceRule } from './advice-rule.ts';

const CODES = {
  'tool-name': 'TW_ADVICE_TOOL_NAME',
  'property-name': 'TW_ADVICE_PROPERTY_NAME',
  untyped: 'TW_ADVICE_UNTYPED',
  'root-not-object': 'TW_ADVICE_SCHEMA',
  'root-union': 'TW_ADVICE_SCHEMA',
  'boolean-schema': 'TW_ADVICE_SCHEMA',
  'array-without-items': 'TW_ADVICE_SCHEMA',
  'refused-keyword': 'TW_ADVICE_SCHEMA',
  'long-description': 'TW_ADVICE_DESCRIPTION',
} as const satisfies Readonly<Record<ClientRule, ErrorCode>>;

type ClientCode = (typeof CODES)[ClientRule];

/** One piece of advice for each tool and code. */
function refusedFor(code: ClientCode): AdviceRule<Pick<AdvisedApplication, 'refused'>>['find'] {
  return ({ refused }) =>
    refused.flatMap(({ where, findings }) => {
      const own = findings.filter(({ rule }) => CODES[rule] === code);
      return own.length === 0 ? [] : [{ where, what: `${listValues(own, sayFinding, '; ')}.` }];
    });
}

function sayFinding({ path, what }: ClientFinding): string {
  return path === '' ? what : `${JSON.stringify(path)} ${what}`;
}

/** What known clients refuse or cut of a tool. The log says it at the start. */
export const CLIENT_RULES: readonly AdviceRule<Pick<AdvisedApplication, 'refused'>>[] = [
  {
    code: 'TW_ADVICE_PROPERTY_NAME',
    why: 'some clients leave out a tool with such a key, and an API of a model refuses the whole request.',
    fix: "rename the field to letters, digits, '_', '-' and '.', at most 64 of them: @Expose({ name }) gives a property another name",
    find: refusedFor('TW_ADVICE_PROPERTY_NAME'),
  },
  {
    code: 'TW_ADVICE_UNTYPED',
    why: 'some clients send text for it, whatever it is, and others refuse the tool.',
    fix: "give it a validator of one type (@IsString(), @IsInt()), or say the type: @Field({ type: 'string' }); in a JSON Schema, `type`",
    find: refusedFor('TW_ADVICE_UNTYPED'),
  },
  {
    code: 'TW_ADVICE_SCHEMA',
    why: 'some clients refuse a tool with such a schema, or all tools of the server.',
    fix: 'describe the input as an object with fields of one type each, in JSON Schema 2020-12',
    find: refusedFor('TW_ADVICE_SCHEMA'),
  },
  {
    code: 'TW_ADVICE_TOOL_NAME',
    why: 'some clients take 64 characters at most, and put the name of the server before.',
    fix: 'shorten the name of the group or of the action, or set `prefix` of the group',
    find: refusedFor('TW_ADVICE_TOOL_NAME'),
  },
  {
    code: 'TW_ADVICE_DESCRIPTION',
    why: 'some clients cut a longer text, and a model then does not know the actions at its end; others refuse the tool.',
    fix: "shorten it, make two groups of one, or list the actions as tools of their own: expose: 'flat'",
    find: refusedFor('TW_ADVICE_DESCRIPTION'),
  },
];

/** Some clients take so many in all, those of other servers included. */
const MAX_TOOL_COUNT = 100;

/** What clients do with the list as a whole, and with what it leaves open. */
export const LIST_RULES: readonly AdviceRule[] = [
  {
    code: 'TW_ADVICE_INSTRUCTIONS',
    why: 'some clients cut what is longer.',
    fix: 'shorten `instructions`, and put first what a model needs before its first call',
    find: ({ name, settings: { instructions = '' } }) => {
      if (instructions === false || instructions.length <= MAX_READ_LENGTH) return [];
      const length = String(instructions.length);
      return [
        {
          where: name,
          what: `has instructions of ${length} characters, and ${String(MAX_READ_LENGTH)} are read.`,
        },
      ];
    },
  },
  {
    code: 'TW_ADVICE_TOOL_COUNT',
    why: 'some clients leave out the tools above their limit, and a model chooses worse among many.',
    fix: "group actions (expose: 'grouped'), or show a part of them with the filter `tags`",
    find: ({ name, tools }) =>
      tools.length <= MAX_TOOL_COUNT
        ? []
        : [
            {
              where: name,
              what: `lists ${String(tools.length)} tools, and ${String(MAX_TOOL_COUNT)} are taken.`,
            },
          ],
  },
  {
    code: 'TW_ADVICE_OUTPUT',
    why: 'a tool publishes one output for all of its actions, because clients refuse results that do not fit it.',
    fix: "declare `output` for every action of the tool, or list the actions as tools of their own: expose: 'flat'",
    find: ({ tools }) => tools.flatMap(hiddenOutputs),
  },
  {
    code: 'TW_ADVICE_OPEN_WORLD',
    why: 'some clients ask a person before each call where the hint is missing, and directories of servers refuse the tool.',
    fix: '@OpenWorld() on what reaches systems that you do not control, @OpenWorld(false) on the others, or `openWorld: false` of the application',
    find: ({ name, tools }) => {
      const unsaid = tools.filter(({ definition }) => definition.annotations.openWorldHint === undefined);
      if (unsaid.length === 0) return [];
      const named = listValues(unsaid, ({ definition }) => definition.name);
      return [{ where: name, what: `does not say whether its tools reach an open world: ${named}.` }];
    },
  },
];

/**
 * Clients validate results against a published output schema, so one action without a schema hides all others. An output
 * with pages is not meant: it has to be declared, so that it can be cut.
 */
export function hiddenOutputs({ name, definition, actions }: CompiledTool): readonly AdvisedPlace[] {
  const having = actions.filter(({ hasOutput, isPaged }) => hasOutput && !isPaged);
  const lacking = actions.filter(({ hasOutput }) => !hasOutput);
  if (definition.outputSchema !== undefined || having.length === 0) return [];
  const [shown, silent] = [having, lacking].map((some) => listValues(some, ({ key }) => key));
  const why = lacking.length === 0 ? 'another version of them declares none' : `${silent} declares none`;
  return [
    { where: `tool "${name}"`, what: `checks the output of ${shown}, but does not publish it: ${why}.` },
  ];
}
