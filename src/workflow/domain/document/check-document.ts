import { documentFault, type DocumentFault } from './document-fault.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { partFaults } from './part-faults.ts';
import { readDocument } from './read-document.ts';
import { schemaFaults } from './schema-faults.ts';
import { stepFaults } from './step-faults.ts';

/** A document, and all that is wrong with it: a WorkflowDocument, when that is nothing. */
export interface CheckedDocument {
  /** Frozen in every part; undefined when nothing could be read. */
  readonly document: unknown;
  readonly faults: readonly DocumentFault[];
}

/** @param text JSON */
export function checkDocumentText(text: string): CheckedDocument {
  if (Buffer.byteLength(text) > DOCUMENT_LIMITS.bytes) return failed(tooLarge);
  if (text.trim() === '') return failed(documentFault('CONTENT_EMPTY', '', 'is empty.'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(documentFault('INVALID_JSON', '', `is no JSON: ${reason}`));
  }
  return check(value, Infinity);
}

/** @param value what the JSON of a document stands for */
export function checkDocumentValue(value: unknown): CheckedDocument {
  return check(value, DOCUMENT_LIMITS.bytes);
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
  // What could not be read below a place that is faulty anyway says nothing new
  const unread = faults.filter(({ path }) => !ancestorsOf(path).some((above) => places.has(above)));
  return { document, faults: limited([...found, ...unread]) };
}

/** The pointers that lead to a pointer, itself and the root included. */
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
