import { type Annotations, createAnnotations } from '../model/annotations.ts';
import type { ReadonlyWire, WireAnnotations } from './wire.ts';
import { withoutUndefined } from './wire-members.ts';

/** Annotations of a resource or template in their wire form. */
export function wireAnnotations(annotations: Annotations | undefined): WireAnnotations | undefined {
  if (annotations === undefined) return undefined;
  return withoutUndefined({
    audience: annotations.audience && [...annotations.audience],
    priority: annotations.priority,
    lastModified: annotations.lastModified,
  });
}

/** The way back of {@link wireAnnotations}. */
export function readAnnotations(wire: ReadonlyWire<WireAnnotations> | undefined): Annotations | undefined {
  return wire && createAnnotations(wire);
}
