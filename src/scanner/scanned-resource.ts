import type { CacheOptions, IconOptions, ResourceAnnotationOptions } from '../metadata/options.ts';
import type { ScannedCallable, ScannedHandler } from './scanned-callable.ts';
import type { ScannedCompletion } from './scanned-prompt.ts';

/** A resource with a fixed URI or a template, resolved and checked: plain data without instances. */
export interface ScannedResource extends ScannedCallable {
  readonly kind: 'resource';
  readonly name: string;
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly mimeType: string | undefined;
  readonly annotations: ResourceAnnotationOptions | undefined;
  /** In bytes; of fixed resources only. */
  readonly size: number | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
  readonly cache: CacheOptions | undefined;
  readonly target:
    | { readonly kind: 'fixed'; readonly uri: string }
    /** RFC 6570; `variables` in order of appearance. */
    | { readonly kind: 'template'; readonly uriTemplate: string; readonly variables: readonly string[] };
  /** Lists the resources of a template: a method of the same class, called with the context. */
  readonly list: Extract<ScannedHandler, { kind: 'method' }> | undefined;
  readonly completions: readonly ScannedCompletion[];
}
