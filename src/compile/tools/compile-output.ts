import {
  brandResult,
  formatData,
  type TextForm,
  helperResult,
  resultConverter,
  writtenResult,
} from '../../call/handler-value.ts';
import type { CheckOutcome } from '../../call/issue.ts';
import type { CallToolResult } from '../../call/results.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { OutputContract } from '../contracts/contract.ts';
import type { ActionDefinition } from './compiled-tool.ts';

type Converted = CheckOutcome<CallToolResult>;

/** Compiles the conversion of a handler's value; with a declared output the value is checked against it. */
export function compileOutput(
  form: TextForm,
  contract: OutputContract | undefined,
): ActionDefinition['convert'] {
  if (contract === undefined) return resultConverter(form);
  return (value) => {
    const made = helperResult(value, form);
    if (made !== undefined) return checkMadeResult(made, contract);
    const view = contract.view(value ?? null);
    const checked = whenChecked(contract.check(view), () => structuredResult(view, form, contract.isObject));
    // A declared output may itself look like a result, so that reading comes first
    return orElse(checked, () => {
      const written = writtenResult(value);
      return written && checkMadeResult(written, contract);
    });
  };
}

/** The value as text and as structured content; an output that may not be an object is wrapped as `{ result }`. */
function structuredResult(value: unknown, form: TextForm, isObject: boolean): CallToolResult {
  return brandResult({
    content: [{ type: 'text', text: formatData(value, form) }],
    structuredContent: isObject && isPlainObject(value) ? value : { result: value },
  });
}

/** A ready-made result of an action with a declared output has to contain that output. */
function checkMadeResult(result: CallToolResult, contract: OutputContract): Converted | Promise<Converted> {
  if (result.isError === true) return { ok: true, value: result };
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    const message =
      'the action declares an output, so return the value itself or a result with structuredContent';
    return { ok: false, issues: [{ path: '', message, received: 'nothing' }] };
  }
  const value = contract.isObject ? structuredContent : structuredContent['result'];
  return whenChecked(contract.check(value), () => result);
}

function orElse(
  checked: Converted | Promise<Converted>,
  other: () => Converted | Promise<Converted> | undefined,
): Converted | Promise<Converted> {
  if (checked instanceof Promise) return checked.then((outcome) => orElse(outcome, other));
  return checked.ok ? checked : (other() ?? checked);
}

function whenChecked(
  outcome: CheckOutcome | Promise<CheckOutcome>,
  convert: () => CallToolResult,
): Converted | Promise<Converted> {
  const settle = (checked: CheckOutcome): Converted =>
    checked.ok ? { ok: true, value: convert() } : checked;
  return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
}
