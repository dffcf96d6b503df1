/**
 * A value while a person types it, the invalid included. Numbers are text, so that every digit is sent as it was typed,
 * and an absent member is something else than null and than an empty text.
 */
export type Draft =
  | { readonly kind: 'absent' | 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly text: string }
  /** As typed: `12`, `1e400`, or no number at all. */
  | { readonly kind: 'number'; readonly text: string }
  /** Text that JSON does not allow, kept as it was typed. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Draft[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Draft])[] };

export const ABSENT: Draft = Object.freeze({ kind: 'absent' });
export const NULL: Draft = Object.freeze({ kind: 'null' });

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function draftOf(value: unknown): Draft {
  if (value === undefined) return ABSENT;
  if (value === null) return NULL;
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(draftOf) };
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => [name, draftOf(member)]) };
}

export function memberOf(draft: Draft, name: string): Draft {
  if (draft.kind !== 'object') return ABSENT;
  return draft.members.find(([key]) => key === name)?.[1] ?? ABSENT;
}

/** The object with another member; an absent one goes. */
export function withMember(draft: Draft, name: string, member: Draft): Draft {
  const members = draft.kind === 'object' ? draft.members : [];
  const isThere = members.some(([key]) => key === name);
  if (member.kind === 'absent') return { kind: 'object', members: members.filter(([key]) => key !== name) };
  if (!isThere) return { kind: 'object', members: [...members, [name, member]] };
  return { kind: 'object', members: members.map((pair) => (pair[0] === name ? [name, member] : pair)) };
}

/** The text of a draft, with all that is invalid in it. */
export function printDraft(draft: Draft, indent = ''): string {
  const inner = `${indent}  `;
  switch (draft.kind) {
    case 'absent':
      return '';
    case 'null':
      return 'null';
    case 'boolean':
      return String(draft.value);
    case 'text':
      return JSON.stringify(draft.text);
    case 'number':
    case 'raw':
      return draft.text;
    case 'list': {
      const items = draft.items.map((item) => inner + (printDraft(item, inner) || 'null'));
      return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${indent}]`;
    }
    case 'object': {
      const members = draft.members.map(
        ([name, member]) => `${inner}${JSON.stringify(name)}: ${printDraft(member, inner)}`,
      );
      return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
    }
  }
}

/** Where a draft is not JSON, and why; undefined if it can be sent. */
export function faultOf(
  draft: Draft,
  path = '',
): { readonly path: string; readonly message: string } | undefined {
  if (draft.kind === 'number' && !NUMBER.test(draft.text))
    return { path, message: draft.text === '' ? 'A number is missing' : `${draft.text} is not a number` };
  if (draft.kind === 'raw') return { path, message: 'This is not JSON' };
  if (draft.kind === 'list') return firstFault(draft.items, (index) => `${path}[${index}]`);
  if (draft.kind !== 'object') return undefined;
  const names = draft.members.map(([name]) => name);
  return firstFault(
    draft.members.map(([, member]) => member),
    (index) => (path === '' ? (names[index] ?? '') : `${path}.${names[index] ?? ''}`),
  );
}

function firstFault(drafts: readonly Draft[], pathOf: (index: number) => string): ReturnType<typeof faultOf> {
  for (const [index, draft] of drafts.entries()) {
    const fault = faultOf(draft, pathOf(index));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Makes `JSON.stringify` write a number as it was typed (ECMAScript, JSON.rawJSON). */
export type RawNumber = (text: string) => unknown;

/** ECMAScript 2026; browsers without it send what a double keeps. */
const { rawJSON } = JSON as { readonly rawJSON?: RawNumber };

/** Every digit as it was typed. */
export function rawNumber(text: string): unknown {
  return rawJSON?.(text) ?? Number(text);
}

/**
 * The value to send.
 * @param raw for numbers that a double would change
 */
export function valueOf(draft: Draft, raw: RawNumber): unknown {
  switch (draft.kind) {
    case 'absent':
      return undefined;
    case 'null':
      return null;
    case 'boolean':
      return draft.value;
    case 'text':
      return draft.text;
    case 'number':
      return String(Number(draft.text)) === draft.text ? Number(draft.text) : raw(draft.text);
    case 'raw':
      throw new SyntaxError('This is not JSON');
    case 'list':
      return draft.items.map((item) => valueOf(item, raw));
    case 'object':
      return Object.fromEntries(draft.members.map(([name, member]) => [name, valueOf(member, raw)]));
  }
}
