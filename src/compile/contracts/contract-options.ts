import type { UnknownFields } from '../../metadata/options.ts';

export interface ContractOptions {
  /** How names that a DTO does not declare are judged, nested DTOs included. */
  readonly unknownFields: UnknownFields;
  /** Who asks, for error messages. */
  readonly where: string;
  /** Names at the top level that another contract judges; this one is made as if it did not have them. */
  readonly without?: readonly string[];
  /** The scanner has looked at the class and found nothing wrong. */
  readonly isScanned?: boolean;
}
