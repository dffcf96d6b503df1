import { createHash } from 'node:crypto';
import type { ClientClaim } from '../../compile/surfaces/surface.ts';
import type { Call } from '../../kernel/call/call.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';

/** The key of `_meta` under which a list says on which surface it is. */
export const SURFACE_META_KEY = 'toolwright/surface';

const HASH_LENGTH = 12;

/** What lists say of their surfaces: its name, and a hash of what this caller sees of it. */
export class SurfaceMarks {
  readonly #marks = new WeakMap<readonly object[], Readonly<Record<string, string>>>();

  /** Undefined for `own`: what groups say themselves is listed to the byte as without surfaces. */
  mark(
    surface: { readonly key: string } | undefined,
    list: readonly object[],
  ): Readonly<Record<string, string>> | undefined {
    if (surface === undefined) return undefined;
    const known = this.#marks.get(list);
    if (known !== undefined) return known;
    const hash = hashTools(list).slice(0, HASH_LENGTH);
    const mark = Object.freeze({ [SURFACE_META_KEY]: `${surface.key}@${hash}` });
    this.#marks.set(list, mark);
    return mark;
  }
}

/** Requests of 2025 without a session say nothing of their client but a header. */
export function claimOfCall(call: Call): ClientClaim {
  const { name, version } = call.client();
  return name === undefined ? { userAgent: call.header('user-agent') } : { name, version };
}

/** SHA-256 over the canonical JSON of a list of tools. */
export function hashTools(list: readonly object[]): string {
  return createHash('sha256').update(canonicalJson(list)).digest('hex');
}
