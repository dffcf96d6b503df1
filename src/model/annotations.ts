/**
 * For whom a piece of content is meant, as it stands on the wire.
 *
 * @example
 * createAnnotations({ audience: [Role.USER] });
 */
export const Role = Object.freeze({ USER: 'user', ASSISTANT: 'assistant' } as const);

export type Role = (typeof Role)[keyof typeof Role];

/**
 * For whom a resource is, how much it matters and when it changed (spec: server/resources, Annotations).
 *
 * @example
 * resource.annotations = new Annotations(['user'], 0.8, '2025-01-12T15:00:58Z');
 */
export class Annotations {
  audience: readonly Role[] | undefined;
  /** From 0 (least) to 1 (most). */
  priority: number | undefined;
  /** An ISO 8601 timestamp. */
  lastModified: string | undefined;

  constructor(audience?: readonly Role[], priority?: number, lastModified?: string) {
    this.audience = audience;
    this.priority = priority;
    this.lastModified = lastModified;
  }
}

/**
 * Makes {@link Annotations}; changing `props` or its list afterwards has no effect on them.
 *
 * @example
 * createAnnotations({ audience: [Role.ASSISTANT], priority: 1 });
 */
export function createAnnotations(props: Partial<Annotations>): Annotations {
  const annotations = new Annotations();
  annotations.audience = props.audience && [...props.audience];
  annotations.priority = props.priority;
  annotations.lastModified = props.lastModified;
  return annotations;
}
