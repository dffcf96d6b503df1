import type { ReservedArgument } from '../../compile/tools/reserved-arguments.ts';
import { ONCE } from '../../runtime/replay/answer-once.ts';
import { entriesIn } from '../../runtime/store/owned-entries.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { either, objectOf, trueOrFalse } from '../../shared/option-rules.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { compileConsent, CONFIRMATION_ARGUMENT } from './consent.ts';
import { CONSENT_RULES } from './consent-pages.ts';
import { Consents } from './consents.ts';
import { destructiveRule, type ConsentMode, type DestructiveOptions } from './destructive.ts';

const MAX_CONFIRMATION_CHARACTERS = 1024;

const RESERVED: readonly ReservedArgument[] = deepFreeze([
  {
    name: CONFIRMATION_ARGUMENT,
    schema: {
      type: 'string',
      maxLength: MAX_CONFIRMATION_CHARACTERS,
      description: 'Confirms the call: the text that the same call got without it',
    },
    isRequired: false,
    isValid: (value: unknown) => typeof value === 'string' && value.length <= MAX_CONFIRMATION_CHARACTERS,
    expected: `a text of at most ${String(MAX_CONFIRMATION_CHARACTERS)} characters`,
  },
]);

/** Calls that a person agrees to first: `@Destructive({ confirm })`. */
export const consentFeature = feature({
  name: 'consent',
  decorators: [{ name: '@Destructive', rule: destructiveRule, isMark: true, repeats: true }],
  options: {
    application: { consent: objectOf(CONSENT_RULES) },
    action: { destructive: either(trueOrFalse, destructiveRule) },
  },
  saidOf: ({ destructive }): DestructiveOptions | undefined =>
    typeof destructive === 'object' ? destructive : undefined,
  // Like the mark itself, it is kept by an override that does not say otherwise
  readAction: ([nearest], _around, marks): ConsentMode | undefined =>
    (marks.has('destructive') && nearest?.options.confirm) || undefined,
  check: ({ tools }, { consent }, problems) => {
    if (consent !== undefined) return;
    for (const { where, slots } of tools.flatMap(({ actions }) => actions)) {
      if (slots['consent'] !== 'url') continue;
      problems.at(where).add('TW_SCAN_CONSENT_PAGE', {
        what: "has `confirm: 'url'`, but the application has no option `consent`.",
        why: 'nobody could agree to its calls, so that it would never run.',
        fix: 'McpApplication.create(…, { consent: { url: ({ id }) => `https://…/consents/${id}` } }), or confirm: true',
      });
    }
  },

  reserved: (confirm) => (confirm === 'twice' ? RESERVED : []),
  needs: () => ({ bindsArguments: true }),
  listed: (confirm) => ({ confirm }),

  stages: [{ ring: 'attempt', place: 'confirm', compile: compileConsent }],
  madeOf: ['name', 'secrets', 'consent'],
  state: ({ server, secrets, logger, clock, options, storeFor }) =>
    new Consents({ server, secrets, store: storeFor(ONCE), page: options.consent, logger, clock }),
  stores: (state) => ({ [ONCE]: [entriesIn(state?.store, ONCE)] }),
});
