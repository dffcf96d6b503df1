import type { Denied, PolicyObject } from '../../call/requirements.ts';
import type { ProviderKey } from '../providers/scanned-provider.ts';

/** What the callers of an action, prompt or resource have to be. */
export interface ScannedRequirements {
  /** Nothing is required, not even to be signed in. */
  readonly isPublic: boolean;
  /** All of them have to be met; those of the outermost group come first. */
  readonly all: readonly ScannedRequirement[];
}

export type ScannedRequirement =
  | { readonly kind: 'authenticated' }
  | {
      readonly kind: 'scopes';
      /** One of each list. */
      readonly allOf: readonly (readonly string[])[];
      readonly denied: Denied | undefined;
    }
  | { readonly kind: 'roles'; readonly anyOf: readonly string[]; readonly denied: Denied | undefined }
  | { readonly kind: 'policy'; readonly policy: ScannedPolicy; readonly denied: Denied | undefined };

/** A policy, and what it decides. */
export type ScannedPolicy = {
  /** For messages. */
  readonly name: string;
  readonly hasList: boolean;
  readonly hasCall: boolean;
} & (
  | { readonly kind: 'object'; readonly policy: PolicyObject }
  | { readonly kind: 'provider'; readonly key: ProviderKey }
);

/** The requirements of @Public: none. */
export const PUBLIC: ScannedRequirements = Object.freeze({ isPublic: true, all: Object.freeze([]) });
