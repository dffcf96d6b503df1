import { parseToolId, type ToolIdParts } from '../../canonical/parse-tool-id.ts';
import { InvalidToolIdError } from '../../errors/tool-errors.ts';

const FORBIDDEN = /[^A-Za-z0-9_.-]/gu;
const MAX_LENGTH = 128;

/** The id as the id of a tool; the whole id, made to fit, as the name where it is none. */
export function nameOfSkill(id: string): ToolIdParts {
  const parts = partsOf(id);
  const isName =
    parts !== undefined && parts.name.length <= MAX_LENGTH && parts.name.search(FORBIDDEN) === -1;
  return isName ? parts : { name: id.replace(FORBIDDEN, '_').slice(0, MAX_LENGTH) };
}

function partsOf(id: string): ToolIdParts | undefined {
  try {
    return parseToolId(id);
  } catch (error) {
    if (error instanceof InvalidToolIdError) return undefined;
    throw error;
  }
}
