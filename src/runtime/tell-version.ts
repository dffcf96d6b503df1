import type { CallToolResult } from '../call/call-tool-result.ts';
import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../call/version-meta.ts';
import type { ActionDefinition } from '../compile/compiled-tool.ts';
import { answerWithError, protocolErrorOf } from './protocol-answers.ts';

/** The result of an action, which says in its `_meta` which version ran, and that it is deprecated. */
export function tellVersion(
  result: CallToolResult,
  { version, deprecated }: Pick<ActionDefinition, 'version' | 'deprecated'>,
): CallToolResult {
  if (version === undefined && deprecated === undefined) return result;
  const told = Object.freeze({
    ...result,
    _meta: Object.freeze({
      ...result._meta,
      ...(version === undefined ? {} : { [VERSION_META_KEY]: version }),
      ...(deprecated === undefined ? {} : { [DEPRECATED_META_KEY]: deprecated }),
    }),
  });
  const error = protocolErrorOf(result);
  return error === undefined ? told : answerWithError(told, error);
}
