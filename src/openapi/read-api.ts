import { ProblemList, type Problem } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { checkSettings } from '../operations/check-settings.ts';
import { curate, type Curated, type OfferedOperation } from '../operations/curation.ts';
import { compileInputs } from '../operations/inputs.ts';
import { leaveOut } from '../operations/left-out.ts';
import type { Operation } from '../operations/operation.ts';
import type { RequestForms } from '../operations/http/parameter-forms.ts';
import { publishesOutput } from '../operations/settings.ts';
import { OpenApiFault } from './openapi-fault.ts';
import type { OpenApiOptions } from './options.ts';
import type { OpenApiDocument } from './read-document.ts';
import { readAnswerSchema, readInputs } from './read-inputs.ts';
import { readOperations, type DocumentOperation } from './read-operations.ts';

/** What a document offers, before anything can be called. */
export interface ReadApi {
  /** All operations of the document. */
  readonly all: readonly DocumentOperation[];
  readonly curated: Curated;
  /** Those that are offered and can be read. */
  readonly operations: readonly OfferedDocumentOperation[];
  /** How requests are written, by the key of the operation. */
  readonly forms: ReadonlyMap<string, RequestForms>;
  readonly warnings: readonly Problem[];
  readonly problems: ProblemList;
}

/** Reads and selects the operations of a document. What is wrong is in `problems`, so that a plan can show it. */
export function readApi(document: OpenApiDocument, options: Omit<OpenApiOptions, 'document'>): ReadApi {
  const problems = new ProblemList();
  const all = readOperations(document);
  const curated = curate(all, options, '', problems);
  const readable = readOffered(document, curated.offered as readonly OfferedDocumentOperation[], options);
  const { operations, forms, warnings } = readable;
  checkSettings(operations, problems);
  const known = { ...curated, offered: operations, leftOut: [...curated.leftOut, ...readable.leftOut] };
  return { all, curated: known, operations, forms, warnings, problems };
}

export type OfferedDocumentOperation = OfferedOperation & DocumentOperation;

interface ReadableOperations extends Pick<ReadApi, 'operations' | 'forms' | 'warnings'> {
  /** Those that cannot be read, with the reason. */
  readonly leftOut: readonly Operation[];
}

/** What is wrong with one operation costs that operation, and not the document. */
export function readOffered(
  { root }: OpenApiDocument,
  offered: readonly OfferedDocumentOperation[],
  { fieldTexts }: Pick<OpenApiOptions, 'fieldTexts'>,
): ReadableOperations {
  const operations: OfferedDocumentOperation[] = [];
  const leftOut: Operation[] = [];
  const forms = new Map<string, RequestForms>();
  const warnings: Problem[] = [];
  for (const operation of offered) {
    try {
      const { settings } = operation;
      const read = readInputs(root, operation, { isFull: fieldTexts === 'full' });
      const answer = publishesOutput(settings) ? readAnswerSchema(root, operation) : undefined;
      const whole = { ...operation, inputs: read.inputs, ...(answer === undefined ? {} : { answer }) };
      const input = compileInputs(whole, settings);
      if (input.targets.has(UNSENDABLE)) throw unsendable(operation);
      operations.push(Object.freeze({ ...whole, input }));
      forms.set(operation.key, read.forms);
    } catch (fault) {
      const warning = warningFor(operation, fault);
      warnings.push(warning);
      leftOut.push({ ...operation, leftOut: leaveOut('unreadable', warning.what) });
    }
  }
  return { operations, leftOut, forms, warnings };
}

/** Copies of arguments leave it out: an assignment would change their prototype. */
const UNSENDABLE = '__proto__';

function unsendable({ pointer }: DocumentOperation): OpenApiFault {
  return new OpenApiFault(
    'TW_OPENAPI_OPERATION',
    pointer,
    `has a field with the name ${UNSENDABLE}, which no call can have`,
  );
}

function warningFor({ key, pointer }: DocumentOperation, fault: unknown): Problem {
  const fix = `exclude: ['${key}'], or correct the document`;
  if (fault instanceof OpenApiFault)
    return {
      code: fault.code,
      where: `${key}, #${fault.pointer}`,
      what: `${fault.message}; it is not offered.`,
      fix,
    };
  if (!ToolwrightError.is(fault)) throw fault;
  return {
    code: 'TW_OPENAPI_OPERATION',
    where: `${key}, #${pointer}`,
    what: `${fault.message} It is not offered.`,
    fix,
  };
}
