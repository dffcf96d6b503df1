import { WorkflowError, InvalidCriteriaError } from '../errors/workflow-error.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { type DocumentFault, resultOf, documentFault, schemaFaults } from './document-fault.ts';
import {
  hashOfDocument,
  type WorkflowDefinition,
  type WorkflowDocument,
  DOCUMENT_LIMITS,
} from './workflow-document.ts';
import type { ValidationResult } from '../validation/output-validator.ts';
import { readDocument } from './read-document.ts';
import { ConditionCheck } from '../conditions/condition-check.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { checkCriteria } from '../validation/compile-criteria.ts';
import { createRuleCompiler, type RuleCompiler } from '../validation/rule-compiler.ts';

/**
 * Checks a workflow document in every part, its conditions, regular expressions and JSON Schemas included.
 *
 * @param json JSON text, or the value it stands for
 * @returns a deeply frozen copy, with its hash
 * @throws WorkflowError `INVALID_WORKFLOW`; its details list every fault, as `validateWorkflowJson` does
 * @example
 * const { id, hash } = loadWorkflow({
 *   id: 'release',
 *   name: 'Release',
 *   description: 'Bring a version out',
 *   version: '1.0.0',
 *   steps: [{ id: 'notes', title: 'Notes', prompt: 'Write the release notes.' }],
 * });
 */
export function loadWorkflow(json: unknown): WorkflowDefinition {
  const { document, faults } =
    typeof json === 'string' ? checkDocumentText(json) : check(json, DOCUMENT_LIMITS.bytes);
  const [first] = faults;
  if (first !== undefined) throw invalidWorkflow(document, faults, first);
  const valid = document as WorkflowDocument;
  return Object.freeze({ ...valid, hash: hashOfDocument(valid) });
}

function invalidWorkflow(
  document: unknown,
  faults: readonly DocumentFault[],
  first: DocumentFault,
): WorkflowError {
  const { issues, suggestions, details } = resultOf(faults);
  const workflowId = idOf(document);
  const name = workflowId === undefined ? 'A workflow document' : `Workflow "${workflowId}"`;
  const more = faults.length > 1 ? ` There are ${faults.length - 1} faults more.` : '';
  return new WorkflowError('INVALID_WORKFLOW', {
    where: workflowId === undefined ? 'a workflow document' : `workflow "${workflowId}"`,
    message: `${name} is not valid: ${first.message}${more}`,
    details: { ...(workflowId !== undefined && { workflowId }), issues, details },
    suggestions,
  });
}

/** The id of a document, if valid; an invalid one is reported as a fault. */
function idOf(document: unknown): string | undefined {
  const id = isPlainObject(document) ? document.id : undefined;
  return typeof id === 'string' && /^[a-z0-9-]{3,64}$/.test(id) ? id : undefined;
}

/**
 * Checks the JSON text of a workflow document in every part, and lists every fault. It never throws.
 *
 * @returns details with codes such as `MISSING_FIELD`, and pointers to the faulty members
 * @example
 * validateWorkflowJson('{"name": 5}').details.map(({ code, path }) => `${code} ${path}`);
 */
export function validateWorkflowJson(workflowJson: unknown): ValidationResult {
  if (typeof workflowJson !== 'string') {
    return resultOf([documentFault('CONTENT_REQUIRED', '', 'has to be given, as JSON text.')]);
  }
  return resultOf(checkDocumentText(workflowJson).faults);
}

/** A document with its faults; without faults, it is a WorkflowDocument. */
interface CheckedDocument {
  /** Deeply frozen; undefined if it could not be read. */
  readonly document: unknown;
  readonly faults: readonly DocumentFault[];
}

/** @param text JSON */
function checkDocumentText(text: string): CheckedDocument {
  if (Buffer.byteLength(text) > DOCUMENT_LIMITS.bytes) return failed(tooLarge);
  if (text.trim() === '') return failed(documentFault('CONTENT_EMPTY', '', 'is empty.'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(documentFault('INVALID_JSON', '', `is not JSON: ${reason}`));
  }
  return check(value, Infinity);
}

const tooLarge = documentFault('TOO_LARGE', '', `is larger than ${DOCUMENT_LIMITS.bytes} bytes of JSON.`);

function failed(fault: DocumentFault): CheckedDocument {
  return { document: undefined, faults: [fault] };
}

function check(value: unknown, maxBytes: number): CheckedDocument {
  const { document, faults, isTooLarge } = readDocument(value, maxBytes);
  if (isTooLarge) return failed(tooLarge);
  const found = [...schemaFaults(document), ...partFaults(document), ...stepFaults(document)];
  const places = new Set(found.map(({ path }) => path));
  // Ignore unreadable values inside a part that is already reported as faulty
  const unread = faults.filter(({ path }) => !ancestorsOf(path).some((above) => places.has(above)));
  return { document, faults: limited([...found, ...unread]) };
}

/** All prefixes of a pointer, including the root and the pointer itself. */
function ancestorsOf(path: string): readonly string[] {
  const ends = [...path.matchAll(/\/|$/g)].map(({ index }) => index);
  return ends.map((end) => path.slice(0, end));
}

function limited(faults: readonly DocumentFault[]): readonly DocumentFault[] {
  if (faults.length <= DOCUMENT_LIMITS.faults) return faults;
  return [
    ...faults.slice(0, DOCUMENT_LIMITS.faults),
    documentFault(
      'TOO_LARGE',
      '',
      `has more than ${DOCUMENT_LIMITS.faults} faults; the others are not listed.`,
    ),
  ];
}

/** The faults in the conditions and criteria of a document; for criteria, only the first one. */
function partFaults(document: unknown): readonly DocumentFault[] {
  const faults: DocumentFault[] = [];
  const compiler = createRuleCompiler();
  for (const { step, path } of rawStepsOf(document)) {
    // Further faults are not reported
    if (faults.length > DOCUMENT_LIMITS.faults) break;
    const { runCondition, requireConfirmation, loop, validationCriteria } = step;
    faults.push(
      ...conditionFaults(runCondition, pointTo(path, 'runCondition')),
      // A value that is not an object is reported as a wrong type, not as a malformed condition
      ...conditionFaults(
        isPlainObject(requireConfirmation) ? requireConfirmation : undefined,
        pointTo(path, 'requireConfirmation'),
      ),
      ...conditionFaults(
        isPlainObject(loop) ? loop.condition : undefined,
        pointTo(path, 'loop', 'condition'),
      ),
      ...criteriaFaults(validationCriteria, pointTo(path, 'validationCriteria'), compiler),
    );
  }
  return faults;
}

function conditionFaults(condition: unknown, path: string): readonly DocumentFault[] {
  if (condition === undefined) return [];
  return new ConditionCheck(condition, DOCUMENT_LIMITS.faults + 1).faults.map((fault) =>
    documentFault('INVALID_CONDITION', path + fault.path, fault.what),
  );
}

function criteriaFaults(criteria: unknown, path: string, compiler: RuleCompiler): readonly DocumentFault[] {
  if (criteria === undefined) return [];
  try {
    checkCriteria(criteria, path, compiler);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidCriteriaError)) throw error;
    return [documentFault('INVALID_CRITERIA', error.path, `is not valid: ${error.reason}`)];
  }
}

/** Faults between the steps of a document: duplicate ids and invalid loop bodies. */
function stepFaults(document: unknown): readonly DocumentFault[] {
  const steps = rawStepsOf(document);
  return [...duplicateIds(steps), ...wrongReferences(steps.filter(({ isTop }) => isTop))];
}

function duplicateIds(steps: readonly RawStep[]): readonly DocumentFault[] {
  const firsts = new Map<string, string>();
  const faults: DocumentFault[] = [];
  for (const { step, path } of steps) {
    const { id } = step;
    if (typeof id !== 'string') continue;
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, path);
    else
      faults.push(
        documentFault('DUPLICATE_STEP_ID', pointTo(path, 'id'), `is the id of "${first}" already.`),
      );
  }
  return faults;
}

function wrongReferences(steps: readonly RawStep[]): readonly DocumentFault[] {
  const byId = new Map(steps.map(({ step }) => [step.id, step]));
  const repeated = new Set<unknown>();
  const faults: DocumentFault[] = [];
  for (const { step, path } of steps) {
    const { type, body } = step;
    if (type !== 'loop' || typeof body !== 'string') continue;
    const target = byId.get(body);
    const what = whyNot(target?.type, target !== undefined, repeated.has(body));
    if (what !== undefined) faults.push(documentFault('INVALID_REFERENCE', pointTo(path, 'body'), what));
    repeated.add(body);
  }
  return faults;
}

function whyNot(type: unknown, isKnown: boolean, isRepeated: boolean): string | undefined {
  if (!isKnown) return 'has to be the id of a step at the top level, or an array of steps.';
  if (type === 'loop') return 'names a loop, and a loop cannot stand in a loop.';
  return isRepeated ? 'names a step that another loop repeats already.' : undefined;
}

interface RawStep {
  readonly step: PlainObject;
  readonly path: string;
  /** Whether it is at the top level, not in the body of a loop. */
  readonly isTop: boolean;
}

/** All possible steps of an unchecked document, in document order, up to the maximum number. */
function rawStepsOf(document: unknown): readonly RawStep[] {
  if (!isPlainObject(document)) return [];
  return stepsIn(firstOf(document.steps), '/steps', true).flatMap((top) => [
    top,
    ...stepsIn(top.step.body, pointTo(top.path, 'body'), false),
  ]);
}

function firstOf(steps: unknown): unknown {
  return Array.isArray(steps) ? steps.slice(0, DOCUMENT_LIMITS.steps) : steps;
}

function stepsIn(steps: unknown, path: string, isTop: boolean): readonly RawStep[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown, index) =>
    isPlainObject(step) ? [{ step, path: pointTo(path, index), isTop }] : [],
  );
}
