import { walkSchema } from '../../schema/subschemas.ts';
import { membersOf } from '../../shared/json.ts';
import { listValues } from '../../shared/listing.ts';
import { eachTool, ifTrue, type ClientRule, type JudgedAction } from './judged.ts';

/** Whether a result may be of any length, and nothing can be left out of it. */
function isUnbounded({ outputSchema, isPaged = false, hasBudget = false }: JudgedAction): boolean {
  if (outputSchema === undefined || isPaged || hasBudget) return false;
  return [...walkSchema(outputSchema)].some(({ schema }) => {
    const { type, maxItems } = membersOf(schema);
    return [type].flat().includes('array') && maxItems === undefined;
  });
}

/** What becomes of results. */
export const RESULT_RULES: readonly ClientRule[] = [
  {
    code: 'TW_FOR_OUTPUT',
    fix: '`output` of each action of the tool: @Action({ output: Customer })',
    find: (server, { title, facts }) =>
      eachTool(ifTrue(facts['requires.output']), server, ({ outputSchema }) =>
        outputSchema === undefined
          ? { level: 'note', what: `has no outputSchema, and ${title} wants one.` }
          : undefined,
      ),
  },
  {
    code: 'TW_FOR_RESULT',
    fix: '@Page() on the list, `maxItems`, or @Budget()',
    find: (server, { title, facts }) => {
      const { 'result.tokens': tokens, 'result.chars': chars } = facts;
      const unit = tokens === undefined ? 'characters' : 'tokens';
      return eachTool(tokens ?? chars, server, ({ actions }, { value }) => {
        const large = actions.filter(isUnbounded);
        if (large.length === 0) return undefined;
        return {
          level: 'advice',
          what: `has an output that cannot be cut to the ${String(value)} ${unit} that ${title} takes: ${listValues(large, ({ key }) => key)}.`,
        };
      });
    },
  },
  {
    code: 'TW_FOR_RESULT_FORM',
    fix: 'drop one of the two: `output`, or `result`',
    find: (server, { title, facts: { structured } }) =>
      eachTool(structured?.value === 'replaces-text' ? structured : undefined, server, (tool) => {
        if (tool.outputSchema === undefined) return undefined;
        const formed = tool.actions.filter(({ result = 'json' }) => result !== 'json');
        if (formed.length === 0) return undefined;
        const named = listValues(formed, ({ key, result = '' }) => `${key} (${result})`);
        return {
          level: 'note',
          what: `chose a text for ${named}, and ${title} shows a model only the structure.`,
        };
      }),
  },
];
