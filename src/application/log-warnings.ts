import type { Logger } from '../call/logger.ts';
import type { ActionDefinition } from '../compile/compiled-tool.ts';
import type { ToolSet } from '../compile/compile-tool-set.ts';
import { formatFacts } from '../errors/toolwright-error.ts';

/** Logs what compile noticed and what does not keep an application from serving; each thing once. */
export function logWarnings(sets: readonly ToolSet[], logger: Logger): void {
  const known = new Set<string>();
  for (const tool of sets.flatMap((set) => set.tools)) {
    for (const action of tool.actions) {
      logDtoWarnings(action, logger, known);
      logLooseFields(`${tool.name}/${action.key}`, action, logger);
    }
  }
}

function logDtoWarnings({ warnings }: ActionDefinition, logger: Logger, known: Set<string>): void {
  for (const warning of warnings) {
    const message = formatFacts(warning.code, warning);
    if (known.has(message)) continue;
    known.add(message);
    logger.log({ level: 'warning', event: 'dto.warning', message, code: warning.code });
  }
}

/** A caller can obey the schema here and be refused all the same, because no schema can say the rule. */
function logLooseFields(place: string, { looseFields }: ActionDefinition, logger: Logger): void {
  for (const { field, reason } of looseFields) {
    logger.log({ level: 'notice', event: 'schema.loose', message: `${place}: ${field}: ${reason}`, field });
  }
}
