import type { VersioningOptions } from '../scanner/read-version.ts';
import type { ScannedMiddleware } from '../scanner/scanned-callable.ts';
import type { ToolAnnotationHints, UnknownFields } from '../metadata/options.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { ToolAction } from './tool-action.ts';

/** What was said of one group so far. */
export interface GroupDraft {
  readonly name: string;
  description: string | undefined;
  unknownFields: UnknownFields | undefined;
  timeout: number | undefined;
  readonly middleware: ScannedMiddleware[];
}

/** One registered action; `group` is undefined in flat mode. */
export interface ActionDraft {
  readonly key: string;
  readonly group: GroupDraft | undefined;
  readonly action: ToolAction;
  readonly middleware: readonly ScannedMiddleware[];
}

/** What was said to a builder so far: the only mutable thing in the pipeline, and gone after the build. */
export interface BuilderDraft {
  readonly name: string;
  description: string | undefined;
  discriminator: string;
  annotations: ToolAnnotationHints;
  common: SchemaSource | undefined;
  isToon: boolean;
  /** What counts for actions that do not say it themselves. */
  readonly versioning: VersioningOptions;
  readonly tags: Set<string>;
  readonly middleware: ScannedMiddleware[];
  readonly groups: Map<string, GroupDraft>;
  readonly actions: ActionDraft[];
}

export function createDraft(name: string, versioning: VersioningOptions = {}): BuilderDraft {
  return {
    name,
    description: undefined,
    discriminator: 'action',
    annotations: {},
    common: undefined,
    isToon: false,
    versioning,
    tags: new Set(),
    middleware: [],
    groups: new Map(),
    actions: [],
  };
}
