import type { Slots } from '../../shared/slots.ts';
import type {} from './call-fields.ts';

/** In the `_meta` of a result: who agreed to the call. */
export const CONSENT_META_KEY = 'toolwright/consent';

/** Whether the calls of an action are agreed to first. @param bound what features made of it */
export function needsConsent(bound: Slots | undefined): boolean {
  return bound?.['consent'] !== undefined;
}
