import type { CallToolResult } from '../call/results.ts';
import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../call/version-meta.ts';
import type { ActionDefinition } from '../compile/tools/compiled-tool.ts';
import { failureOf, resultOf, type Outcome } from './outcome.ts';

type Versioned = Pick<ActionDefinition, 'version' | 'deprecated'>;

/** The outcome of an action, which says in its `_meta` which version ran, and that it is deprecated. */
export function addVersionMeta(outcome: Outcome, action: Versioned): Outcome {
  const { version, deprecated } = action;
  if (version === undefined && deprecated === undefined) return outcome;
  if (outcome.kind !== 'failure') return resultOf(withVersion(outcome.value as CallToolResult, action));
  return failureOf(outcome.error, outcome.result && withVersion(outcome.result, action));
}

function withVersion(result: CallToolResult, { version, deprecated }: Versioned): CallToolResult {
  return Object.freeze({
    ...result,
    _meta: Object.freeze({
      ...result._meta,
      ...(version === undefined ? {} : { [VERSION_META_KEY]: version }),
      ...(deprecated === undefined ? {} : { [DEPRECATED_META_KEY]: deprecated }),
    }),
  });
}
