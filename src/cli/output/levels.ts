import { warningCodes } from '../../errors/catalogue.ts';

/** How serious a finding is: it does not work; it works and could be better; it is good to know. */
export type FindingLevel = 'problem' | 'advice' | 'note';

/** All levels, the most serious first. */
export const FINDING_LEVELS: readonly FindingLevel[] = Object.freeze(['problem', 'advice', 'note']);

/** What the code of a finding says of it. */
export function readLevel({ code }: { readonly code: string }): FindingLevel {
  if (code.startsWith('TW_ADVICE_') || warningCodes.has(code)) return 'advice';
  return code.startsWith('TW_NOTE_') ? 'note' : 'problem';
}

/** Whether a finding makes a command fail. */
export function isAtLeast(level: FindingLevel, failOn: FindingLevel): boolean {
  return FINDING_LEVELS.indexOf(level) <= FINDING_LEVELS.indexOf(failOn);
}
