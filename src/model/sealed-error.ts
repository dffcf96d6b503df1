import { ToolwrightError } from '../errors/toolwright-error.ts';

/** The refusal of a change that comes after the model was compiled. */
export function sealedError(where: string, member: string): ToolwrightError<'TW_MODEL_SEALED'> {
  return new ToolwrightError('TW_MODEL_SEALED', {
    where,
    what: `is already compiled; its ${member} cannot change any more`,
    why: 'what clients were told must stay true',
    fix: 'make the change in the decorated class or builder it comes from, or in the model before it is sealed',
  });
}
