import type {} from './call-fields.ts';
import type { CallToolResult } from '../../../src/call/results.ts';
import { feature } from '../../../src/features/feature.ts';
import { resultOf, type Outcome } from '../../../src/kernel/call/outcome.ts';
import type { CompileStage } from '../../../src/kernel/call/stage.ts';
import { classOrMethodDecorator } from '../../../src/metadata/decorator-target.ts';
import { appendRecord } from '../../../src/metadata/records.ts';
import type { Use } from '../../../src/scanner/scan-facet.ts';
import { filledText } from '../../../src/shared/option-rules.ts';
import type { ReservedArgument } from '../../../src/compile/tools/reserved-arguments.ts';

const URI = 'greetings://count';
/** Greets callers by the name that they send. */
const BY_NAME = 'Welcome';

const VISITOR: ReservedArgument = {
  name: 'visitor',
  schema: { type: 'string' },
  isRequired: true,
  isValid: (value) => typeof value === 'string',
  expected: 'a name',
};

/** Says a word to the callers of an action. */
export function Greeting(options: string): ClassDecorator & MethodDecorator {
  return classOrMethodDecorator('@Greeting', (target, member) => {
    appendRecord(target, { kind: 'feature', feature: 'greetings', decorator: '@Greeting', member, options });
  });
}

const compileGreeting: CompileStage = (_callable, { bound }) => {
  const word = bound['greetings'] as string | undefined;
  if (word === undefined) return undefined;
  return (next) => async (attempt) => {
    const { call } = attempt;
    call.greeted = word === BY_NAME ? `${word}, ${String(attempt.args['visitor'])}` : word;
    const said = call.states.greetings;
    said?.set(word, (said.get(word) ?? 0) + 1);
    const outcome = (await next(attempt)) as Outcome;
    if (outcome.kind !== 'result') return outcome;
    const { content, ...others } = outcome.value as CallToolResult;
    const text = attempt.isInside === true ? `${call.greeted}, come in` : call.greeted;
    return resultOf({ content: [{ type: 'text', text }, ...content], ...others });
  };
};

/** A feature with one of everything: decorator, option, stage, field of a call, state, and a resource. */
export const greetings = feature({
  name: 'greetings',
  decorators: [{ name: '@Greeting', rule: filledText, whyOnly: 'only callers of actions are greeted.' }],
  options: { limits: { greeting: filledText } },
  around: ({ limits }): string | undefined => limits?.greeting,
  readAction: (uses: readonly Use<string>[], around, marks) =>
    // Nobody is greeted where an override says nothing, and who only looks is greeted by name alone
    uses.find(({ on }) => on !== 'overridden')?.options ?? (marks.has('readOnly') ? undefined : around),
  check: ({ tools }, { limits }, problems) => {
    if (limits?.greeting !== BY_NAME) return;
    for (const { where } of tools) {
      problems.at(where).add('TW_SCAN_MARK_CONFLICT', {
        what: 'would ask all of its callers for their name.',
        fix: '@Greeting on some of its actions',
      });
    }
  },
  listed: (word) => ({ title: `${word}!` }),
  reserved: (word) => (word === BY_NAME ? [VISITOR] : []),
  needs: (word) => ({
    bindsArguments: word === BY_NAME,
    ...(word === BY_NAME && { onEnter: (attempt) => (attempt.isInside = true) }),
  }),
  stages: [{ ring: 'attempt', place: 'audit', compile: compileGreeting }],
  madeOf: ['name'],
  state: () => new Map<string, number>(),
  members: (said) => ({ greetings: () => said.size }),
  offers: () => ['resources'],
  read: ({ params }, said) =>
    params['uri'] === URI
      ? { contents: [{ uri: URI, text: JSON.stringify(Object.fromEntries(said ?? [])) }] }
      : undefined,
});
