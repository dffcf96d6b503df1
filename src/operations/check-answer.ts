import { brandResult, formatData, isHelperResult } from '../call/handler-value.ts';
import type { Issue } from '../call/issue.ts';
import { failureResult } from '../call/result-helpers.ts';
import type { OutputContract } from '../compile/contracts/contract.ts';
import { createOutputContract } from '../compile/contracts/create-contract.ts';
import type { CallToolResult, JsonSchema, LogFunction } from '../index.ts';
import type { OfferedOperation } from './curation.ts';

const HOUR = 3_600_000;

/**
 * Compiles what becomes of an answer that breaks the published schema: an API that exists may do so for years. The model gets
 * the answer as text. The result is an error all the same, because clients refuse a success without structured content of a
 * tool that publishes an output.
 */
export function compileAnswerCheck(
  { key, group, name, settings }: OfferedOperation,
  schema: JsonSchema,
  log: LogFunction | undefined,
): (value: unknown) => Promise<unknown> {
  // Not before a call: problems of a schema are reported together with all others of the application
  let contract: OutputContract | undefined;
  let quietUntil = 0;
  const tell = (issues: readonly Issue[]): void => {
    // One API breaks its schema in each call, and says nothing new by it
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + HOUR;
    log?.({
      level: 'warning',
      event: 'upstream.drift',
      message: `An answer of ${key} breaks its schema, and is given as text`,
      tool: group,
      action: name,
      issues,
    });
  };
  return async (value) => {
    contract ??= createOutputContract(schema, { where: key });
    const made = isHelperResult(value) ? value : undefined;
    const checked = made === undefined ? value : structuredValue(made, contract.isObject);
    const outcome = await contract.check(contract.view(checked ?? null));
    if (outcome.ok) return value;
    // What was received is in the text that follows
    const issues = outcome.issues.map(({ received: _received, ...issue }) => issue);
    tell(issues);
    const failure = failureResult({
      code: 'UPSTREAM_ANSWER',
      message: 'the answer is not as the API declares it',
      headline: `[${group}/${name}] The request was done, but its answer, which follows, is not as the API declares it`,
      tool: group,
      action: name,
      issues,
    });
    const form = settings.result === 'toon' ? 'toon' : 'compact';
    const content = made?.content ?? [{ type: 'text', text: formatData(value, form) }];
    return brandResult({ ...failure, content: [...failure.content, ...content] });
  };
}

function structuredValue({ structuredContent }: CallToolResult, isObject: boolean): unknown {
  return isObject ? structuredContent : structuredContent?.['result'];
}
