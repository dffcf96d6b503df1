import type { ConsentPages } from '../features/consent/consent-pages.ts';
import type { Consents } from '../features/consent/consents.ts';
import type { States } from '../kernel/call/states.ts';

export type { ConsentOptions, ConsentPages } from '../features/consent/consent-pages.ts';

/** What `app.consent` is. */
export function consentPages({ consent }: States): ConsentPages {
  // Every application has them
  return (consent as Consents).pages;
}
