import {
  filledText,
  listOf,
  objectOf,
  required,
  text,
  trueOrFalse,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import type { PlainObject } from '../../../shared/json.ts';
import type { FeatureLossWarning } from '../../loss/feature-loss.ts';
import { TARGET_RULES, type TargetOptions } from '../format-adapter.ts';

/** How an agent card is written. */
export interface CardOptions extends Pick<TargetOptions, 'onLoss' | 'ignore'> {
  /** Where the agent listens, in order of preference. Default: what the card was read with. */
  readonly supportedInterfaces?: readonly AgentInterface[];
  /** Put the schemas of the tools into an extension of the card, so that they are not lost. Default false. */
  readonly schemaExtension?: boolean;
}

/** One place where an agent listens. */
export interface AgentInterface {
  readonly url: string;
  /** `JSONRPC`, `GRPC` or `HTTP+JSON`. */
  readonly protocolBinding: string;
  readonly tenant?: string;
  /** Default `1.0`. */
  readonly protocolVersion?: string;
}

const { onLoss, ignore } = TARGET_RULES;

export const CARD_RULES: OptionRules<CardOptions> = {
  onLoss,
  ignore,
  supportedInterfaces: listOf(
    objectOf<AgentInterface>({
      url: required(filledText),
      protocolBinding: required(filledText),
      tenant: text,
      protocolVersion: text,
    }),
    "a list of interfaces: [{ url: 'https://agent.example', protocolBinding: 'JSONRPC' }]",
  ),
  schemaExtension: trueOrFalse,
};

/** An agent card, and what it lost. */
export interface ConvertedCard {
  readonly card: PlainObject;
  readonly warnings: readonly FeatureLossWarning[];
}
