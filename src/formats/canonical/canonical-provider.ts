import type { PlainObject } from '../../shared/json.ts';
import type { CanonicalTool, SecurityRequirement, SecuritySchemes, Source } from './canonical-tool.ts';

/** An agent that offers tools: what an A2A agent card describes. */
export interface CanonicalProvider {
  readonly name: string;
  readonly description?: string;
  /** The version of the agent, as text. */
  readonly version?: string;
  readonly capabilities?: PlainObject;
  readonly securitySchemes?: SecuritySchemes;
  readonly securityRequirements?: readonly SecurityRequirement[];
  /** Media types. */
  readonly defaultInputModes?: readonly string[];
  /** Media types. */
  readonly defaultOutputModes?: readonly string[];
  readonly skills?: readonly CanonicalTool[];
  readonly source?: Source;
}
