/** Which SDK line serves a message: protocol revisions up to 2025-11-25, or those since 2026-07-28. */
export type ProtocolEra = 'legacy' | 'modern';

/** The revisions of the modern era that are served. */
export const MODERN_REVISIONS: readonly string[] = Object.freeze(['2026-07-28']);

const FIRST_MODERN = '2026-07-28';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a revision belongs to the modern era, served or not; revisions are dates, so text order is time order. */
export function isModernRevision(revision: string): boolean {
  return revision === FIRST_MODERN || (revision > FIRST_MODERN && DATE.test(revision));
}
