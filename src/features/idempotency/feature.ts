import type { ReservedArgument } from '../../compile/tools/reserved-arguments.ts';
import { entriesIn } from '../../runtime/store/owned-entries.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { either, trueOrFalse } from '../../shared/option-rules.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { CALL_RECORDS, CallRecords } from './call-records.ts';
import {
  idempotencyRule,
  idempotentRule,
  type IdempotencyRule,
  type IdempotentOptions,
} from './idempotent.ts';
import { KEY_ARGUMENT, KeyClaim } from './keyed-call.ts';
import type { CompileStage } from '../../kernel/call/stage.ts';

const PRINTABLE = '^[ -~]+$';
const KEY = /^[ -~]{1,255}$/;

const RESERVED: readonly ReservedArgument[] = deepFreeze([
  {
    name: KEY_ARGUMENT,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: PRINTABLE,
      description: 'Identifies this call: a new value for each, and the same one to repeat it',
    },
    isRequired: true,
    isValid: (value: unknown) => typeof value === 'string' && KEY.test(value),
    expected: 'a text of 1 to 255 printable ASCII characters',
  },
]);

/** Gives the stored outcome of a call that was done before. */
const compileRecall: CompileStage = (_callable, { bound }) => {
  const rule = bound['idempotency'] as IdempotencyRule | undefined;
  if (rule === undefined) return undefined;
  return (next) => async (attempt) => {
    // Every application and registry has them
    const records = attempt.call.states.idempotency as CallRecords;
    const keyed = (attempt.keyed = new KeyClaim(records, attempt, rule));
    return (await keyed.recall()) ?? next(attempt);
  };
};

/** Makes the call the one of its key that runs. */
const compileClaim: CompileStage = (_callable, { bound }) => {
  if (bound['idempotency'] === undefined) return undefined;
  return (next) => (attempt) => attempt.keyed?.claim(attempt, next) ?? next(attempt);
};

/** Calls that run once for their key: `@Idempotent({ key })`. */
export const idempotentCalls = feature({
  name: 'idempotency',
  decorators: [{ name: '@Idempotent', rule: idempotentRule, isMark: true, repeats: true }],
  options: { action: { idempotent: either(trueOrFalse, idempotentRule) } },
  saidOf: ({ idempotent }): IdempotentOptions | undefined =>
    typeof idempotent === 'object' ? idempotent : undefined,
  // Like all promises of safety, it has to be repeated by an override
  readAction: (uses): IdempotencyRule | undefined => {
    const own = uses.find(({ on }) => on === 'method');
    return own && idempotencyRule(own.options);
  },

  reserved: ({ key }) => (key === KEY_ARGUMENT ? RESERVED : []),
  needs: () => ({
    bindsArguments: true,
    guardsRestart: true,
    onEnter: ({ keyed }) => keyed?.begin(),
  }),

  stages: [
    { ring: 'attempt', place: 'recall', compile: compileRecall },
    { ring: 'attempt', place: 'claim', compile: compileClaim },
  ],
  madeOf: ['name', 'secrets', 'questionTtl'],
  state: ({ server, secrets, logger, storeFor, options: { questionTtl } }) =>
    new CallRecords({ store: storeFor(CALL_RECORDS), server, secrets, questionTtl, logger }),
  stores: (state) => ({ [CALL_RECORDS]: [entriesIn(state?.store, CALL_RECORDS)] }),
});
